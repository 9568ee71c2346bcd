#include "engine.hpp"
#include "builder.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <span>

namespace clopt::genetic {
namespace {

// Up to here the wheel is turned without sections: one work-item goes over all weights in the rare case.
constexpr std::uint32_t most_without_sections = 4096;
// Up to here stochastic universal sampling needs no sections either.
constexpr std::uint32_t most_turned_at_home = 512;
constexpr std::uint32_t most_surveyed_sections = 512;

std::uint32_t sections_each(const Settings& run) { return (run.population + GENETIC_SECTION - 1) / GENETIC_SECTION; }

}  // namespace

template <class Element, class Real>
Engine<Element, Real>::Engine(Device& device, const Problem& problem, const Options& options, const Plan& plan,
                              const std::string& granularity)
    : run_(plan.settings),
      individuals_(std::uint64_t{run_.population} * run_.islands),
      pairs_(std::uint64_t{run_.pairs} * run_.islands),
      migrate_every_(options.migrate_every),
      migrants_(options.migrants),
      measure_(options.measure_stages),
      has_sections_((run_.selection == GENETIC_ROULETTE && run_.population > most_without_sections) ||
                    (run_.selection == GENETIC_UNIVERSAL && run_.population > most_turned_at_home)),
      individuals_per_group_(options.individuals_per_group),
      queue_(device.queue()),
      stages_{{"selection"}, {"crossover"}, {"mutation"}, {"evaluation"}, {"replacement"}} {
  const Builder builder{device, problem.objective, plan, run_, granularity};
  const bool has_long_loops = device.info().has_long_loops;
  const bool is_batch = problem.objective.is_batch_function();
  const bool at_home = granularity == "fused" && !is_batch && fits_local_memory(device, plan);
  // llvmpipe, which also leaves long loops, makes wrong costs in the kernel of a whole generation; stages serve there.
  const bool has_brood = granularity == "fused" && !at_home && has_long_loops && !device.info().launches_are_calls &&
                         brood_room(device) != 0;
  // Stages have launches of their own where their times are wanted, and where one call evaluates a generation.
  const bool staged = !at_home && !has_brood && (measure_ || !has_long_loops || is_batch);
  start_ = builder.build(genetic::start<Element, Real>, builder.of_any_run());
  evaluate_ =
      builder.build(genetic::evaluate<Element, Real>, staged ? builder.of_stage(evaluation) : builder.of_any_run());
  evaluate_shape_ = shape_of(staged ? team_of(granularity, evaluation) : Team::group, options, evaluate_);
  individuals_per_group_ = evaluate_shape_.teams;
  if (has_sections_) weigh_ = device.kernel(genetic::weigh<Real>);
  if (run_.population > most_without_survey) survey_ = device.kernel(survey<Real>);
  summarise_ = device.kernel(genetic::summarise<Element, Real>, builder.without_objective());
  if (run_.elites != 0 || migrate_every_ != 0) {
    extremes_ = device.kernel(extremes<Real>);
    copy_ = device.kernel(copy_individuals<Element, Real>);
  }
  if (staged)
    build_stages(builder, options);
  else if (at_home)
    build_at_home(builder);
  else if (has_brood)
    build_brood(builder);
  else
    build_teams(builder, options);
  allocate(builder);
}

template <class Element, class Real>
void Engine<Element, Real>::build_stages(const Builder& builder, const Options& options) {
  select_ = builder.device.kernel(select_parents<Real>, builder.without_objective());
  crossover_ = builder.build(crossover<Element, Real>, builder.of_stage(crossing));
  mutate_ = builder.build(mutate<Element, Real>, builder.of_stage(mutation));
  crossover_shape_ = shape_of(team_of(builder.granularity, crossing), options, crossover_);
  mutate_shape_ = shape_of(team_of(builder.granularity, mutation), options, mutate_);
  individuals_per_group_ = std::min({crossover_shape_.teams, mutate_shape_.teams, evaluate_shape_.teams});
}

template <class Element, class Real>
void Engine<Element, Real>::build_teams(const Builder& builder, const Options& options) {
  auto program = builder.of_stage(crossing);
  if (builder.granularity == "hybrid") program.defines.set("GENETIC_TEAM", mixed_team);
  offspring_ = builder.build(offspring<Element, Real>, program);
  team_shape_ = shape_of(team_of(builder.granularity, crossing), options, offspring_);
  // One work-group goes over all costs.
  sums_up_ = bred_is_all() && individuals_ <= most_without_sections && run_.islands <= most_summed_up &&
             !builder.device.info().launches_are_calls;
  individuals_per_group_ = team_shape_.teams;
}

template <class Element, class Real>
template <class... Parameters>
TeamShape Engine<Element, Real>::shape_of(Team team, const Options& options,
                                          const Kernel<Parameters...>& kernel) const {
  const auto lanes = run_.kind == GENETIC_BITS ? run_.units : run_.kind == GENETIC_PERMUTATION ? 2 : run_.genes;
  return genetic::shape_of(team, options.individuals_per_group, options.group_size, kernel.max_group_size(),
                           kernel.subgroup_size(), std::min(lanes, 1024U));
}

template <class Element, class Real>
void Engine<Element, Real>::allocate(const Builder& builder) {
  auto& device = builder.device;
  const auto& plan = builder.plan;
  const auto words = (run_.genes + 31) / 32;
  for (auto& population : populations_) population = device.buffer<Element>("population", individuals_ * run_.row);
  for (auto& costs : costs_) costs = device.buffer<Real>("costs", individuals_);
  limits_ = device.buffer<Real>("limits of costs", std::size_t{run_.islands} * GENETIC_LIMITS);
  best_ = device.buffer<Element>("best individuals", std::size_t{run_.islands} * run_.row);
  marks_ =
      device.buffer<std::uint32_t>("marks of the run", GENETIC_MARKS + run_.islands * std::size_t{GENETIC_MARKS_EACH});
  numbers_ = device.buffer<Real>("numbers of the run", plan.numbers.size());
  parents_ = device.buffer<std::uint32_t>("parents", 2 * pairs_);
  scratch_ = device.buffer<std::uint32_t>("genes taken", run_.kind == GENETIC_PERMUTATION ? individuals_ * words : 1);
  sections_ = device.buffer<std::uint64_t>("sections of the wheel",
                                           has_sections_ ? std::size_t{run_.islands} * sections_each(run_) : 1);
  if (run_.population > most_without_survey)
    surveyed_sections_ = std::min(most_surveyed_sections, run_.population / (most_without_survey / 8));
  const auto surveyed = std::size_t{run_.islands} * std::max({1U, surveyed_sections_, breed_ ? brood_groups() : 1});
  surveyed_ = device.buffer<Real>("survey of costs", 2 * surveyed);
  surveyed_places_ = device.buffer<std::uint32_t>("places of the survey", surveyed);
  const auto places = std::size_t{run_.islands} * std::max(run_.elites, migrants_);
  best_places_ = device.buffer<std::uint32_t>("places of the best", places);
  worst_places_ = device.buffer<std::uint32_t>("places of the worst", places);
  elite_places_ = device.buffer<std::uint32_t>("places of elites",
                                               std::max<std::size_t>(1, std::size_t{run_.islands} * run_.elites));

  if (generations_) allocate_ahead(device);
  settings_ = device.buffer<Settings>("settings of the run", 1);
  queue_->write(settings_, std::span<const Settings>(&run_, 1));
  std::vector<Real> numbers(plan.numbers.begin(), plan.numbers.end());
  queue_->write(numbers_, std::span<const Real>(numbers));
  tables_ = objective::upload_tables<Real>(device, *queue_, builder.objective);
  std::vector<std::uint32_t> marks(marks_.size());
  marks[GENETIC_STOP] = std::numeric_limits<std::uint32_t>::max();
  queue_->write(marks_, std::span<const std::uint32_t>(marks));
  const std::vector<Real> limits(limits_.size());
  queue_->write(limits_, std::span<const Real>(limits));
  std::vector<std::uint32_t> elites;
  for (std::uint32_t island = 0; island < run_.islands; ++island)
    for (std::uint32_t i = 0; i < run_.elites; ++i)
      elites.push_back(island * run_.population + run_.population - run_.elites + i);
  queue_->write(elite_places_, std::span<const std::uint32_t>(elites));
}

template <class Element, class Real>
void Engine<Element, Real>::timed(std::size_t stage, const std::function<void()>& run) {
  if (!measure_) return run();
  queue_->finish();
  const auto begin = std::chrono::steady_clock::now();
  run();
  queue_->finish();
  stages_[stage].seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class Element, class Real>
void Engine<Element, Real>::start(std::uint32_t given) {
  const auto rest = individuals_ - given;
  generation_ = 0;
  if (rest != 0)
    queue_->launch(start_, Range::of_items(run_.kind == GENETIC_PERMUTATION ? rest : rest * run_.units),
                   populations_[0], numbers_, settings_, given);
  evaluate(0);
  summarise();
}

template <class Element, class Real>
void Engine<Element, Real>::weigh() {
  if (has_sections_)
    queue_->launch(weigh_, Range::of_groups(std::uint64_t{run_.islands} * sections_each(run_), groups_of(weigh_)),
                   costs(), limits_, sections_, marks_, settings_, static_cast<std::uint32_t>(generation_ + 1));
}

template <class Element, class Real>
void Engine<Element, Real>::select() {
  const auto generation = static_cast<std::uint32_t>(generation_ + 1);
  weigh();
  queue_->launch(select_, Range::of_items(pairs_), costs(), limits_, sections_, parents_, marks_, settings_, generation,
                 std::uint32_t{has_sections_});
}

template <class Element, class Real>
void Engine<Element, Real>::evaluate(std::uint64_t generation) {
  const auto count = generation == 0 ? individuals_ : (individuals_ - std::uint64_t{run_.elites} * run_.islands);
  queue_->launch(evaluate_, evaluate_shape_.range(count), populations_[generation % 2], costs_[generation % 2], tables_,
                 marks_, settings_, static_cast<std::uint32_t>(generation), evaluate_shape_.teams);
}

// Elites take the places behind the children.
template <class Element, class Real>
void Engine<Element, Real>::replace() {
  if (run_.elites == 0) return;
  const auto generation = static_cast<std::uint32_t>(generation_ + 1);
  const auto from = generation_ % 2;
  const auto count = run_.elites * run_.islands;
  queue_->launch(extremes_, Range::of_groups(run_.islands, groups_of(extremes_)), costs_[from], best_places_, settings_,
                 run_.elites, 0U, 0U);
  queue_->launch(copy_, Range::of_items(std::uint64_t{count} * run_.row), populations_[from], costs_[from],
                 best_places_, populations_[1 - from], costs_[1 - from], elite_places_, settings_, marks_, generation,
                 count);
}

// The best of each island replace the worst of the next one, all at once.
template <class Element, class Real>
void Engine<Element, Real>::migrate() {
  if (migrate_every_ == 0 || run_.islands < 2 || generation_ % migrate_every_ != 0) return;
  const auto at = generation_ % 2;
  const auto generation = static_cast<std::uint32_t>(generation_);
  const auto groups = Range::of_groups(run_.islands, groups_of(extremes_));
  const auto count = migrants_ * run_.islands;
  queue_->launch(extremes_, groups, costs_[at], best_places_, settings_, migrants_, 0U, 1U);
  queue_->launch(extremes_, groups, costs_[at], worst_places_, settings_, migrants_, 1U, 0U);
  queue_->launch(copy_, Range::of_items(std::uint64_t{count} * run_.row), populations_[at], costs_[at], best_places_,
                 populations_[at], costs_[at], worst_places_, settings_, marks_, generation, count);
}

template <class Element, class Real>
void Engine<Element, Real>::summarise() {
  if (surveyed_sections_ != 0)
    queue_->launch(survey_, Range::of_groups(std::uint64_t{run_.islands} * surveyed_sections_, groups_of(survey_)),
                   costs(), surveyed_, surveyed_places_, settings_, surveyed_sections_);
  queue_->launch(summarise_, Range::of_groups(run_.islands, groups_of(summarise_)), population(), costs(), limits_,
                 best_, marks_, numbers_, surveyed_, surveyed_places_, settings_,
                 static_cast<std::uint32_t>(generation_), surveyed_sections_);
}

template <class Element, class Real>
void Engine<Element, Real>::launch_teams() {
  const auto from = generation_ % 2;
  queue_->launch(offspring_, team_shape_.range(pairs_), populations_[from], populations_[1 - from], costs_[from],
                 costs_[1 - from], limits_, sections_, best_, marks_, numbers_, tables_, scratch_, settings_,
                 static_cast<std::uint32_t>(generation_ + 1), std::uint32_t{has_sections_}, std::uint32_t{sums_up_},
                 team_shape_.teams);
}

template <class Element, class Real>
void Engine<Element, Real>::breed_at_once() {
  timed(selection, [&] {
    if (breed_ && selects_apart_)
      select();
    else
      weigh();
  });
  timed(crossing, [&] { breed_ ? launch_brood() : launch_teams(); });
  timed(replacement, [&] {
    replace();
    ++generation_;
    migrate();
    if (!sums_up_) summarise();
  });
}

template <class Element, class Real>
void Engine<Element, Real>::breed_staged() {
  const auto from = generation_ % 2;
  const auto generation = static_cast<std::uint32_t>(generation_ + 1);
  timed(selection, [&] { select(); });
  timed(crossing, [&] {
    queue_->launch(crossover_, crossover_shape_.range(pairs_), populations_[from], populations_[1 - from], parents_,
                   numbers_, scratch_, marks_, settings_, generation, crossover_shape_.teams);
  });
  timed(mutation, [&] {
    queue_->launch(mutate_, mutate_shape_.range(pairs_), populations_[1 - from], numbers_, marks_, settings_,
                   generation, mutate_shape_.teams);
  });
  timed(evaluation, [&] { evaluate(generation_ + 1); });
  timed(replacement, [&] {
    replace();
    ++generation_;
    migrate();
    summarise();
  });
}

template <class Element, class Real>
void Engine<Element, Real>::advance(std::uint64_t generation) {
  if (generations_) {
    advance_in_local_memory(generation);
  } else {
    while (generation_ < generation) breed_ || offspring_ ? breed_at_once() : breed_staged();
  }
  queue_->flush();
}

template class Engine<std::uint32_t, float>;
template class Engine<std::uint32_t, double>;
template class Engine<std::int32_t, float>;
template class Engine<std::int32_t, double>;
template class Engine<float, float>;
template class Engine<double, double>;

}  // namespace clopt::genetic
