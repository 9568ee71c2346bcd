#include "engine.hpp"
#include "builder.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <numeric>
#include <span>

namespace clopt::genetic {
namespace {

// Lanes of a fused team: fewer cannot draw all that a pair needs at once, more have little to do.
constexpr std::uint32_t fewest_fused_lanes = 4;
constexpr std::uint32_t most_fused_lanes = 16;
// Units of bits that each of them takes, and which are on their way at the same time.
constexpr std::uint32_t units_of_lane = 2;
// Work-items of the work-group that has an island in local memory, and of one that has a brood there.
constexpr std::uint32_t home_group = 1024;
constexpr std::uint32_t brood_group = 128;
// Pairs of a brood, at most: many share the work out evenly. Local memory for it, where several are to fit.
constexpr std::uint64_t most_brood = 32;
constexpr std::uint64_t brood_bytes = std::uint64_t{24} << 10;
// Work-groups that each compute unit is to have before broods grow.
constexpr std::uint32_t broods_of_unit = 2;
// Bytes of random numbers drawn ahead: they stay in the caches of large devices.
constexpr std::uint64_t most_ahead = std::uint64_t{24} << 20;
// Generations of a launch of the fused kernel, where nothing else bounds them.
constexpr std::uint32_t most_generations_at_once = 1024;
// Where loops may end early, and a watchdog ends long launches.
constexpr std::uint32_t few_generations_at_once = 16;
// What emulated sub-groups take of local memory, and what a driver may.
constexpr std::uint64_t reserved_local_memory = 9216;
// Up to here the wheel is turned without sections: one work-item goes over all weights in the rare case.
constexpr std::uint32_t most_without_sections = 4096;
// Up to here stochastic universal sampling needs no sections either.
constexpr std::uint32_t most_turned_at_home = 512;
// Islands that one work-group sums up. (Where there is much to do, waiting until everything is written takes longer than
// a launch that finds it written.)
constexpr std::uint32_t most_summed_up = 16;
// From here on one work-group would take too long to go over the costs of an island.
constexpr std::uint32_t most_without_survey = 16384;
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
  const bool at_home = granularity == "fused" && fits_local_memory(device, plan);
  // llvmpipe, which also leaves long loops, makes wrong costs in the kernel of a whole generation; stages serve there.
  const bool has_brood = granularity == "fused" && !at_home && has_long_loops && !device.info().launches_are_calls &&
                         brood_room(device) != 0;
  // Stages have launches of their own where their times are wanted.
  const bool staged = !at_home && !has_brood && (measure_ || !has_long_loops);
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
  sums_up_ = bred_is_all() && individuals_ <= most_without_sections && run_.islands <= most_summed_up && !builder.device.info().launches_are_calls;
  individuals_per_group_ = team_shape_.teams;
}

// The width of sub-groups does not depend on the kernel there, so that it may be made for a shape.
bool is_shaped_first(const Builder& builder) {
  return builder.is_gpu() && builder.device.info().subgroup.provider == SubgroupProvider::ptx;
}

void fix_shape(Program& program, std::uint32_t lanes, const TeamShape& shape) {
  program.defines.set("GENETIC_FIXED_LANES", lanes).set("GENETIC_FIXED_ITEMS", shape.group_size);
}

template <class Element, class Real>
void Engine<Element, Real>::build_at_home(const Builder& builder) {
  const auto& info = builder.device.info();
  auto program = builder.of_stage(crossing);
  const auto most_items = std::min(home_group, info.max_work_group_size);
  if (is_shaped_first(builder)) {
    shape_home(info.subgroup.size, most_items);
    fix_shape(program, fused_lanes_, fused_shape_);
  }
  generations_ = builder.build(generations<Element, Real>, program);
  if (!is_shaped_first(builder))
    shape_home(generations_.subgroup_size(), std::min(most_items, generations_.max_group_size()));
  most_at_once_ =
      info.has_long_loops && !info.has_execution_timeout ? most_generations_at_once : few_generations_at_once;
  if (run_.kind == GENETIC_BITS && !info.launches_are_calls)
    draw_ahead_ = builder.device.kernel(genetic::draw_ahead, builder.without_objective());
}

template <class Element, class Real>
void Engine<Element, Real>::build_brood(const Builder& builder) {
  const auto& info = builder.device.info();
  auto program = builder.of_stage(crossing);
  const auto most_items = std::min(brood_group, info.max_work_group_size);
  const auto most_pairs = std::min(most_brood, brood_room(builder.device));
  // Where there are many pairs, selection has more use for work-items of its own.
  selects_apart_ = !is_shaped_first(builder) || run_.kind != GENETIC_BITS || run_.selection != GENETIC_ROULETTE ||
                   has_sections_;
  sums_up_ = bred_is_all() && run_.population <= most_without_survey && run_.islands <= most_summed_up;
  if (sums_up_) program.defines.set("GENETIC_SUMS_UP", 1U);
  if (selects_apart_) {
    program.defines.set("GENETIC_CHOSEN", 1U);
    select_ = builder.device.kernel(select_parents<Real>, builder.without_objective());
  }
  if (is_shaped_first(builder)) {
    shape_brood(info, info.subgroup.size, most_items, most_pairs);
    fix_shape(program, fused_lanes_, fused_shape_);
  }
  breed_ = builder.build(genetic::breed<Element, Real>, program);
  if (!is_shaped_first(builder))
    shape_brood(info, breed_.subgroup_size(), std::min(most_items, breed_.max_group_size()), most_pairs);
}

template <class Element, class Real>
void Engine<Element, Real>::allocate_ahead(Device& device) {
  const auto tries = std::uint64_t{GENETIC_AHEAD_TRIES} * 4;
  const auto masks = shared::genetic_ahead_row(run_.units);
  const auto bytes = pairs_ * (tries * sizeof(std::uint32_t) + masks * sizeof(std::uint64_t));
  if (draw_ahead_)
    most_at_once_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_ahead / bytes, 1, most_at_once_));
  const auto count = draw_ahead_ ? pairs_ * most_at_once_ : 0;
  tries_ahead_ = device.buffer<std::uint32_t>("tries drawn ahead", std::max<std::uint64_t>(count * tries, 1));
  masks_ahead_ = device.buffer<std::uint64_t>("genes drawn ahead", std::max<std::uint64_t>(count * masks, 1));
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

// A generation in local memory must need nothing from other work-groups, and no wheel with sections.
template <class Element, class Real>
bool Engine<Element, Real>::fits_local_memory(const Device& device, const Plan& plan) const {
  if (run_.elites != 0 || migrate_every_ != 0 || measure_) return false;
  if (run_.islands > 1 && (run_.has_target != 0 || plan.host_watches_stagnation)) return false;
  if (device.info().launches_are_calls) return true;
  const auto permutations =
      run_.kind == GENETIC_PERMUTATION ? std::uint64_t{run_.population} * ((run_.genes + 31) / 32) : 0;
  const auto bytes = std::uint64_t{2} * run_.population * (run_.row * sizeof(Element) + sizeof(Real)) +
                     permutations * sizeof(std::uint32_t);
  return !has_sections_ && bytes + reserved_local_memory <= device.info().local_memory_bytes;
}

template <class Element, class Real>
std::uint64_t Engine<Element, Real>::brood_room(const Device& device) const {
  if (run_.kind != GENETIC_BITS) return most_brood;
  const auto pair = std::uint64_t{run_.units} * (2 * sizeof(std::uint64_t) + sizeof(std::uint32_t)) + 8;
  const auto local = device.info().local_memory_bytes;
  return std::min(brood_bytes, local - std::min(local, reserved_local_memory)) / pair;
}

template <class Element, class Real>
std::uint32_t Engine<Element, Real>::lanes_of_team(std::uint32_t width) const {
  const auto useful = run_.kind == GENETIC_BITS ? (run_.units + units_of_lane - 1) / units_of_lane : run_.genes;
  if (std::getenv("CLOPT_X_LANES")) return std::min(width, (unsigned)atoi(std::getenv("CLOPT_X_LANES")));
  return std::min(std::bit_floor(std::max(1U, width)),
                  std::clamp(std::bit_ceil(useful), fewest_fused_lanes, most_fused_lanes));
}

template <class Element, class Real>
void Engine<Element, Real>::shape_home(std::uint32_t width, std::uint32_t most_items) {
  fused_lanes_ = lanes_of_team(width);
  const auto most = std::max(most_items / width * width, fused_lanes_);
  const auto items = (std::uint64_t{run_.pairs} * fused_lanes_ + width - 1) / width * width;
  fused_shape_.group_size = static_cast<std::uint32_t>(std::min<std::uint64_t>(items, most));
  fused_shape_.teams = fused_shape_.group_size / fused_lanes_;
}

template <class Element, class Real>
void Engine<Element, Real>::shape_brood(const DeviceInfo& info, std::uint32_t width, std::uint32_t most_items,
                                        std::uint64_t most_pairs) {
  fused_lanes_ = lanes_of_team(width);
  // As many pairs as whole sub-groups take at once, or more where there are enough for the whole device.
  const auto together = std::max(1U, width / fused_lanes_);
  const auto share = pairs_ / (std::uint64_t{info.compute_units} * broods_of_unit);
  if (std::getenv("CLOPT_X_PAIRS")) most_pairs = (unsigned)atoi(std::getenv("CLOPT_X_PAIRS"));
  if (std::getenv("CLOPT_X_ITEMS")) most_items = (unsigned)atoi(std::getenv("CLOPT_X_ITEMS"));
  pairs_each_ = static_cast<std::uint32_t>(std::min(std::max<std::uint64_t>(share, together), most_pairs));
  const auto items = (pairs_each_ * fused_lanes_ + width - 1) / width * width;
  fused_shape_.group_size = std::min(items, std::max(most_items / width * width, fused_lanes_));
  fused_shape_.teams = fused_shape_.group_size / fused_lanes_;
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
void Engine<Element, Real>::launch_brood() {
  const auto from = generation_ % 2;
  const std::uint64_t pairs = run_.kind == GENETIC_BITS ? pairs_each_ : 1;
  const std::uint64_t units = run_.kind == GENETIC_BITS ? run_.units : 1;
  queue_->launch(breed_, Range::of_groups(std::uint64_t{run_.islands} * brood_groups(), fused_shape_.group_size),
                 populations_[from], populations_[1 - from], costs_[from], costs_[1 - from], limits_, parents_, best_,
                 marks_, numbers_, tables_, surveyed_, surveyed_places_, scratch_, settings_,
                 static_cast<std::uint32_t>(generation_ + 1), std::uint32_t{sums_up_}, pairs_each_, fused_lanes_,
                 LocalMemory<std::uint64_t>{2 * pairs * units}, LocalMemory<std::uint32_t>{pairs * units},
                 LocalMemory<std::uint32_t>{2 * pairs});
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
  if (breed_) {
    if (selects_apart_) select();
    launch_brood();
  } else {
    weigh();
    launch_teams();
  }
  replace();
  ++generation_;
  migrate();
  if (!sums_up_) summarise();
}

template <class Element, class Real>
void Engine<Element, Real>::draw_ahead(std::uint64_t count) {
  if (!draw_ahead_) return;
  const auto slots = std::max(run_.units, GENETIC_AHEAD_TRIES);
  queue_->launch(draw_ahead_, Range::of_items(count * pairs_ * slots), tries_ahead_, masks_ahead_, settings_,
                 static_cast<std::uint32_t>(generation_), static_cast<std::uint32_t>(count));
}

template <class Element, class Real>
void Engine<Element, Real>::advance_in_local_memory(std::uint64_t generation) {
  const auto elements = std::size_t{2} * run_.population * run_.row;
  const auto words = run_.kind == GENETIC_PERMUTATION ? std::size_t{run_.population} * ((run_.genes + 31) / 32) : 1;
  while (generation_ < generation) {
    const auto count = std::min<std::uint64_t>(generation - generation_, most_at_once_);
    draw_ahead(count);
    queue_->launch(generations_, Range::of_groups(run_.islands, fused_shape_.group_size), populations_[0],
                   populations_[1], costs_[0], costs_[1], limits_, best_, marks_, numbers_, tables_,
                   tries_ahead_, masks_ahead_, settings_, static_cast<std::uint32_t>(generation_),
                   static_cast<std::uint32_t>(count), fused_lanes_,
                   LocalMemory<std::uint64_t>{(elements * sizeof(Element) + 7) / 8},
                   LocalMemory<Real>{std::size_t{2} * run_.population}, LocalMemory<std::uint32_t>{words});
    generation_ += count;
  }
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
