#include "improvement.hpp"

#include <clopt/error.hpp>

#include <device/verification/fault_detection.hpp>
#include <ecga/problems/parts.hpp>
#include <support/stopwatch.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

namespace clopt::ecga {
namespace {

constexpr double first_steps = 16;
constexpr double seconds_of_launch = 0.05;
// Steps between two times at which ranks, whose launches differ, ask whether the run ends.
constexpr std::uint64_t steps_of_ranks = 64;
// Rounds of loops that a device without long loops leaves a kernel.
constexpr std::uint32_t safe_rounds = 45000;

// Numbers of the objective's table that a flip reads at most, by the longest list of parts.
std::uint32_t rounds_of_flip(const Objective& objective, std::span<const std::uint32_t> parts, std::uint32_t length) {
  std::uint32_t longest = 1;
  for (std::uint32_t locus = 0; locus < length; ++locus) longest = std::max(longest, parts[locus + 1] - parts[locus]);
  const auto& table = objective.table_values();
  const auto kind = parts_kind(objective);
  if (kind == ECGA_PARTS_BONDS) return longest;
  if (kind == ECGA_PARTS_NK) return longest * (static_cast<std::uint32_t>(table.front()) + 1);
  double literals = 1;
  for (const auto place : parts.subspan(length + 1)) literals = std::max(literals, table[place]);
  return longest * static_cast<std::uint32_t>(literals);
}

}  // namespace

template <class Real>
Improvement<Real>::Improvement(const Plan& plan, const Dimensions& dimensions, Device& device, Queue& queue)
    : plan_(plan), dimensions_(dimensions), device_(device), queue_(queue), pacing_(first_steps) {
  if (!dimensions.is_improved) return;
  if (!dimensions.tries_whole) {
    improve_ = device.kernel<operations::Improve<Real>>();
    return;
  }
  find_moves_ = device.kernel<operations::FindMoves>();
  propose_moves_ = device.kernel<operations::ProposeMoves>();
  accept_moves_ = device.kernel<operations::AcceptMoves<Real>>();
}

template <class Real>
void Improvement<Real>::reserve() {
  if (!dimensions_.is_improved) return;
  const std::size_t stride = dimensions_.stride();
  searches_ = device_.buffer<std::uint32_t>("searches", ECGA_SEARCH_WORDS * stride);
  lists_ = device_.buffer<std::uint32_t>("blocks", std::size_t{2} * dimensions_.length + 2);
  if (dimensions_.tries_whole) {
    active_ = device_.buffer<std::uint32_t>("individuals with moves left", stride);
    trials_ = zeroed_buffer<std::uint32_t>(device_, queue_, "trials", dimensions_.words * stride);
    trial_fitness_ = device_.buffer<Real>("fitness of trials", stride);
    return;
  }
  unfinished_ = zeroed_buffer<std::uint32_t>(device_, queue_, "individuals with moves left", 1);
  const auto& objective = plan_.problem.objective;
  const auto parts = parts_of_loci(objective, dimensions_.length);
  parts_ = device_.buffer<std::uint32_t>("parts of loci", parts.size());
  queue_.write(parts_, std::span(parts));
  if (device_.has_long_loops()) return;
  // A population of one individual has no groups, and flips of a locus.
  const auto rounds = rounds_of_flip(objective, parts, dimensions_.length) * std::max(1U, dimensions_.most_loci);
  pacing_ = Pacing(1, 1, std::max(safe_rounds / rounds, 1U));
}

// Of a single locus flips try what a block would.
template <class Real>
ImprovementSettings Improvement<Real>::write_lists(const NewPopulation& population) {
  Model blocks;
  if (plan_.improve == Improve::blocks)
    std::copy_if(population.model.begin(), population.model.end(), std::back_inserter(blocks),
                 [](const auto& group) { return group.size() > 1; });
  std::vector<std::uint32_t> lists{0};
  for (const auto& block : blocks) lists.push_back(lists.back() + static_cast<std::uint32_t>(block.size()));
  for (const auto& block : blocks) lists.insert(lists.end(), block.begin(), block.end());
  queue_.write(lists_, std::span<const std::uint32_t>(lists));
  return {.seed = plan_.options.seed,
          .generation = static_cast<std::uint32_t>(population.generation),
          .individuals = dimensions_.individuals,
          .stride = dimensions_.stride(),
          .words = dimensions_.words,
          .row_words = dimensions_.row_words,
          .length = dimensions_.length,
          .blocks = static_cast<std::uint32_t>(blocks.size()),
          .kind = parts_kind(plan_.problem.objective).value_or(0)};
}

template <class Real>
std::uint64_t Improvement<Real>::tries() const {
  std::vector<std::uint32_t> tries(dimensions_.individuals);
  queue_.read(searches_, std::span(tries), std::size_t{ECGA_TRIES} * dimensions_.stride());
  return std::accumulate(tries.begin(), tries.end(), std::uint64_t{0});
}

template <class Real>
Improved Improvement<Real>::improve(const NewPopulation& population, const Buffer<Real>& tables,
                                    const Buffer<Real>& fitness, const Evaluate& evaluate) {
  if (dimensions_.tries_whole) return improve_whole(population, fitness, evaluate);
  const auto improved = improve_by_parts(population, tables);
  evaluate(population.individuals, fitness, dimensions_.individuals);
  return improved;
}

template <class Real>
Improved Improvement<Real>::improve_by_parts(const NewPopulation& population, const Buffer<Real>& tables) {
  const auto settings = write_lists(population);
  Improved improved;
  std::uint32_t unfinished = 0;
  std::uint64_t left = 0;  // of steps until ranks ask
  bool begins = true;
  // At the end of the generation before, few searches were left.
  pacing_.set(first_steps);
  do {
    const Stopwatch stopwatch;
    auto steps = std::min<std::uint64_t>(pacing_.steps(), 1U << 30);
    if (population.is_shared) {
      if (left == 0) left = steps_of_ranks;
      steps = std::min(steps, left);
      left -= steps;
    }
    queue_.launch(improve_, Range::of_items(dimensions_.individuals),
                  {.population = population.individuals,
                   .rows = population.selected,
                   .tables = tables,
                   .parts = parts_,
                   .lists = lists_,
                   .searches = searches_,
                   .unfinished = unfinished_,
                   .run = settings,
                   .begins = std::uint32_t{begins},
                   .most = static_cast<std::uint32_t>(steps)});
    queue_.read(unfinished_, std::span(&unfinished, 1));
    if (unfinished != 0) queue_.fill(unfinished_, 0U);
    // Where most searches have ended, the time says little; a long one is too long all the same.
    const auto seconds = stopwatch.seconds();
    if (std::uint64_t{2} * unfinished >= dimensions_.individuals || seconds > seconds_of_launch)
      pacing_.aim_at(seconds_of_launch, steps, seconds);
    begins = false;
    improved.is_complete = unfinished == 0;
  } while (unfinished != 0 && (left != 0 || !population.must_end()));
  improved.evaluations = tries();
  return improved;
}

// Whether the run ends by what it has, other than by time.
template <class Real>
bool Improvement<Real>::is_enough(const Buffer<Real>& fitness, std::uint64_t evaluations) const {
  const auto& limits = plan_.options;
  if (limits.evaluations && evaluations >= *limits.evaluations) return true;
  if (!limits.target) return false;
  std::vector<Real> values(dimensions_.individuals);
  queue_.read(fitness, std::span(values));
  return plan_.reaches_target(plan_.value_of(*std::max_element(values.begin(), values.end())));
}

template <class Real>
Improved Improvement<Real>::improve_whole(const NewPopulation& population, const Buffer<Real>& fitness,
                                          const Evaluate& evaluate) {
  const auto settings = write_lists(population);
  const std::size_t stride = dimensions_.stride();
  std::vector<std::uint32_t> searches(ECGA_TRIES * stride);  // their steps, and those in vain
  std::vector<std::uint32_t> active;
  Improved improved;
  for (bool begins = true; !is_enough(fitness, population.evaluations + improved.evaluations); begins = false) {
    queue_.launch(find_moves_, Range::of_items(dimensions_.individuals),
                  {.population = population.individuals,
                   .rows = population.selected,
                   .lists = lists_,
                   .searches = searches_,
                   .run = settings,
                   .begins = std::uint32_t{begins}});
    queue_.read(searches_, std::span(searches));
    active.clear();
    for (std::uint32_t i = 0; i < dimensions_.individuals; ++i)
      if (shared::ecga_is_searching(settings, searches[i], searches[ECGA_VAIN * stride + i]) != 0) active.push_back(i);
    improved.is_complete = active.empty() || !population.must_end();
    if (active.empty() || !improved.is_complete) break;
    queue_.write(active_, std::span<const std::uint32_t>(active));
    const auto count = static_cast<std::uint32_t>(active.size());
    queue_.launch(propose_moves_, Range::of_items(count),
                  {.population = population.individuals,
                   .rows = population.selected,
                   .lists = lists_,
                   .searches = searches_,
                   .active = active_,
                   .trials = trials_,
                   .run = settings,
                   .count = count});
    // A batch function may leave its call; what was accepted before stays.
    try {
      evaluate(trials_, trial_fitness_, count);
    } catch (const Cancelled&) {
      improved.is_complete = false;
      break;
    }
    improved.evaluations += count;
    queue_.launch(accept_moves_, Range::of_items(count),
                  {.population = population.individuals,
                   .fitness = fitness,
                   .searches = searches_,
                   .active = active_,
                   .trials = trials_,
                   .trial_fitness = trial_fitness_,
                   .run = settings,
                   .count = count});
  }
  return improved;
}

template class Improvement<float>;
template class Improvement<double>;

}  // namespace clopt::ecga
