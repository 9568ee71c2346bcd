#include <clopt/checkpoint.hpp>
#include <clopt/error.hpp>
#include <support/checksum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "choice.hpp"
#include "engine.hpp"

namespace clopt::genetic {
namespace {

// Generations between two looks at the device: the number grows until they take about so many seconds.
constexpr double seconds_between_looks = 0.05;
constexpr std::uint64_t first_generations = 8;
constexpr std::uint64_t most_generations = 1024;

/// One run with genes kept in Element and costs in Real.
template <class Element, class Real>
class Run {
 public:
  Run(const Problem& problem, const Options& options, const Plan& plan, Device& device, const Watch& watch,
      const std::string& granularity)
      : problem_(problem), options_(options), plan_(plan), run_(plan.settings), watch_(watch), begin_(watch.seconds()) {
    result_.granularity = granularity;
    engine_ = std::make_unique<Engine<Element, Real>>(device, problem, options, plan, granularity);
    result_.individuals_per_group = engine_->individuals_per_group();
    result_.build_seconds = watch.seconds() - begin_;
  }

  Result finish() {
    const double begin = watch_.seconds();
    if (options_.resume)
      load(*options_.resume);
    else
      start();
    evolve();
    engine_->queue().finish();
    result_.compute_seconds = watch_.seconds() - begin;
    if (options_.checkpoint) save();
    conclude();
    result_.total_seconds = watch_.seconds() - result_.build_seconds;
    return std::move(result_);
  }

 private:
  std::uint64_t individuals() const { return std::uint64_t{run_.population} * run_.islands; }
  double value_of(Real cost) const {
    return run_.maximise != 0 ? -static_cast<double>(cost) : static_cast<double>(cost);
  }

  void start() {
    const auto given = options_.initial.size() / run_.genes;
    if (given != 0) {
      const auto elements = pack(options_.initial);
      engine_->queue().write(engine_->population(), std::span<const Element>(elements));
    }
    engine_->start(static_cast<std::uint32_t>(given));
    look();
    report();
  }

  void evolve() {
    // A function may be slow, and a batch function is to be stopped within one call.
    const bool is_batch = problem_.objective.is_batch_function();
    std::uint64_t generations = problem_.objective.is_function() ? 1 : first_generations;
    while (!ended()) {
      const auto here = engine_->generation();
      const bool each = options_.statistics || plan_.host_watches_stagnation || options_.measure_stages || is_batch;
      const auto step = std::min(each ? 1 : generations, plan_.last_generation - here);
      const double begin = watch_.seconds();
      engine_->advance(here + step);
      look();
      const double seconds = watch_.seconds() - begin;
      const std::uint64_t growth = seconds < seconds_between_looks / 16  ? 16
                                   : seconds < seconds_between_looks / 2 ? 2
                                                                         : 1;
      generations = std::min(growth * generations, most_generations);
      report();
      if (options_.checkpoint && options_.checkpoint->due()) save();
      watch_.report("generations", static_cast<double>(engine_->generation()) /
                                       static_cast<double>(std::max<std::uint64_t>(plan_.last_generation, 1)));
    }
  }

  // Reads where the run stands; the device stops by itself.
  void look() {
    marks_.resize(engine_->marks().size());
    engine_->queue().read(engine_->marks(), std::span(marks_));
    stopped_ = marks_[GENETIC_STOP] <= engine_->generation();
    if (stopped_) engine_->set_generation(marks_[GENETIC_STOP]);
  }

  bool ended() {
    const auto here = engine_->generation();
    if (stopped_) {
      result_.ending = best_cost() <= target() && run_.has_target != 0 ? Ending::target : Ending::stagnation;
    } else if (plan_.host_watches_stagnation && here - improved() >= *options_.stagnation) {
      result_.ending = Ending::stagnation;
    } else if (here >= plan_.last_generation) {
      result_.ending = plan_.evaluations_end_it ? Ending::evaluations : Ending::generations;
    } else if (watch_.interrupted()) {
      result_.ending = Ending::interrupted;
    } else if (watch_.expired()) {
      result_.ending = Ending::time;
    } else {
      return false;
    }
    return true;
  }

  Real target() const { return static_cast<Real>(plan_.numbers[GENETIC_TARGET]); }
  std::uint64_t improved() const {
    std::uint64_t latest = 0;
    for (std::uint32_t island = 0; island < run_.islands; ++island)
      latest = std::max<std::uint64_t>(latest, marks_[GENETIC_MARKS + island * std::size_t{GENETIC_MARKS_EACH}]);
    return latest;
  }
  Real best_cost() {
    read_limits();
    return limits_[best_island() * GENETIC_LIMITS + GENETIC_BEST];
  }
  void read_limits() {
    limits_.resize(engine_->limits().size());
    engine_->queue().read(engine_->limits(), std::span(limits_));
  }
  std::size_t best_island() const {
    std::size_t best = 0;
    for (std::size_t island = 1; island < run_.islands; ++island)
      if (limits_[island * GENETIC_LIMITS + GENETIC_BEST] < limits_[best * GENETIC_LIMITS + GENETIC_BEST])
        best = island;
    return best;
  }

  void report() {
    if (!options_.statistics) return;
    read_limits();
    std::vector<Real> costs(individuals());
    engine_->queue().read(engine_->costs(), std::span(costs));
    for (std::uint32_t island = 0; island < run_.islands; ++island) {
      const std::span<const Real> own(&costs[std::size_t{island} * run_.population], run_.population);
      Statistics statistics;
      statistics.island = island;
      statistics.generation = engine_->generation();
      statistics.evaluations = evaluations_at(run_, engine_->generation());
      statistics.best_so_far = value_of(limits_[island * std::size_t{GENETIC_LIMITS} + GENETIC_BEST]);
      describe(own, statistics);
      options_.statistics(statistics);
    }
  }

  void describe(std::span<const Real> costs, Statistics& statistics) const {
    double sum = 0;
    std::uint64_t finite = 0;
    Real worst = -std::numeric_limits<Real>::infinity();
    std::vector<Real> sorted(costs.begin(), costs.end());
    for (const Real cost : costs) {
      if (!std::isfinite(cost)) continue;
      sum += static_cast<double>(cost);
      worst = std::max(worst, cost);
      ++finite;
    }
    std::sort(sorted.begin(), sorted.end());
    statistics.best = value_of(sorted.front());
    statistics.worst = value_of(finite != 0 ? worst : sorted.back());
    const double mean = finite != 0 ? sum / static_cast<double>(finite) : static_cast<double>(sorted.front());
    statistics.mean = run_.maximise != 0 ? -mean : mean;
    statistics.distinct = static_cast<std::uint64_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
  }

  // Genes as a user gives them, as the device has them.
  std::vector<Element> pack(const std::vector<double>& genes) const {
    const auto count = genes.size() / run_.genes;
    std::vector<Element> elements(count * run_.row);
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const double> own(&genes[i * run_.genes], run_.genes);
      require_genes(own, i);
      for (std::uint32_t gene = 0; gene < run_.genes; ++gene) {
        if (run_.kind == GENETIC_BITS) {
          if (own[gene] != 0) set_bit(elements[i * run_.row + gene / 32], gene % 32);
        } else {
          elements[i * run_.row + gene] = static_cast<Element>(own[gene]);
        }
      }
    }
    return elements;
  }
  static void set_bit(Element& element, std::uint32_t bit) {
    element = static_cast<Element>(static_cast<std::uint32_t>(element) | std::uint32_t{1} << bit);
  }

  void require_genes(std::span<const double> genes, std::size_t individual) const {
    std::vector<bool> seen(run_.kind == GENETIC_PERMUTATION ? run_.genes : 0);
    for (std::uint32_t gene = 0; gene < run_.genes; ++gene) {
      const double value = genes[gene];
      const auto bounds = GENETIC_BOUNDS + (run_.bounds_each != 0 ? 2 * std::size_t{gene} : 0);
      bool right = false;
      if (run_.kind == GENETIC_BITS) right = value == 0 || value == 1;
      if (run_.kind == GENETIC_REALS || run_.kind == GENETIC_INTEGERS)
        right = value >= plan_.numbers[bounds] && value <= plan_.numbers[bounds + 1];
      if (run_.kind == GENETIC_INTEGERS) right = right && value == std::rint(value);
      if (run_.kind == GENETIC_PERMUTATION) {
        right = value >= 0 && value < run_.genes && value == std::rint(value) && !seen[static_cast<std::size_t>(value)];
        if (right) seen[static_cast<std::size_t>(value)] = true;
      }
      if (!right)
        throw InvalidInput(fmt::format("genetic: gene {} of start individual {} is {}, which is not allowed there",
                                       gene, individual, value));
    }
  }

  double gene_of(std::span<const Element> row, std::uint32_t gene) const {
    if (run_.kind == GENETIC_BITS) return static_cast<std::uint32_t>(row[gene / 32]) >> (gene % 32) & 1U;
    return static_cast<double>(row[gene]);
  }

  void save() {
    std::vector<Element> population(engine_->population().size());
    std::vector<Real> costs(individuals());
    std::vector<Element> best(engine_->best().size());
    auto& queue = engine_->queue();
    read_limits();
    queue.read(engine_->population(), std::span(population));
    queue.read(engine_->costs(), std::span(costs));
    queue.read(engine_->best(), std::span(best));
    CheckpointState state;
    state.add("generation", engine_->generation())
        .add("fingerprint", fingerprint())
        .add("population", population)
        .add("costs", costs)
        .add("limits", limits_)
        .add("best", best)
        .add("marks", marks_);
    options_.checkpoint->write(state);
  }

  // What a run that goes on must agree in.
  std::uint64_t fingerprint() const {
    Checksum checksum;
    checksum.add(problem_.objective.fingerprint());
    for (const std::uint64_t number :
         {run_.seed, run_.crossover, run_.mutation, run_.rank_mixture, std::uint64_t{run_.kind},
          std::uint64_t{run_.maximise}, std::uint64_t{run_.population}, std::uint64_t{run_.islands},
          std::uint64_t{run_.genes}, std::uint64_t{run_.selection}, std::uint64_t{run_.tournament},
          std::uint64_t{run_.crossover_kind}, std::uint64_t{run_.mutation_kind}, std::uint64_t{run_.elites},
          options_.migrate_every, std::uint64_t{options_.migrants}})
      checksum.add(number);
    auto numbers = plan_.numbers;
    numbers[GENETIC_TARGET] = 0;
    checksum.add(std::span<const double>(numbers));
    return checksum.value();
  }

  void load(const Checkpoint& checkpoint) {
    if (checkpoint.number<std::uint64_t>("fingerprint") != fingerprint())
      checkpoint.refuse("it is of a run with another objective, other parameters or another seed");
    const auto generation = checkpoint.number<std::uint64_t>("generation");
    if (generation > std::numeric_limits<std::uint32_t>::max() - 1) checkpoint.refuse("its generation is too large");
    engine_->set_generation(generation);
    const auto population = checkpoint.array<Element>("population", engine_->population().size());
    const auto costs = checkpoint.array<Real>("costs", individuals());
    const auto best = checkpoint.array<Element>("best", engine_->best().size());
    limits_ = checkpoint.array<Real>("limits", engine_->limits().size());
    marks_ = checkpoint.array<std::uint32_t>("marks", engine_->marks().size());
    if (run_.kind == GENETIC_PERMUTATION) require_permutations(checkpoint, population);
    // Limits may be others now: whether the run is to end is found out anew.
    marks_[GENETIC_STOP] = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t island = 0; island < run_.islands; ++island) {
      const auto since = marks_[GENETIC_MARKS + island * std::size_t{GENETIC_MARKS_EACH}];
      if (since > generation) checkpoint.refuse("its marks are of a later generation");
      const bool reached =
          run_.has_target != 0 && limits_[island * std::size_t{GENETIC_LIMITS} + GENETIC_BEST] <= target();
      if (reached || (run_.stagnation != 0 && generation - since >= run_.stagnation))
        marks_[GENETIC_STOP] = static_cast<std::uint32_t>(generation);
    }
    auto& queue = engine_->queue();
    queue.write(engine_->population(), std::span<const Element>(population));
    queue.write(engine_->costs(), std::span<const Real>(costs));
    queue.write(engine_->best(), std::span<const Element>(best));
    queue.write(engine_->limits(), std::span<const Real>(limits_));
    queue.write(engine_->marks(), std::span<const std::uint32_t>(marks_));
    look();
  }

  void require_permutations(const Checkpoint& checkpoint, const std::vector<Element>& population) const {
    std::vector<std::uint64_t> seen(run_.genes);
    for (std::uint64_t i = 0; i < individuals(); ++i)
      for (std::uint32_t gene = 0; gene < run_.genes; ++gene) {
        const auto value = static_cast<std::uint64_t>(population[i * run_.row + gene]);
        if (value >= run_.genes || seen[value] == i + 1) checkpoint.refuse("an individual of it is no permutation");
        seen[value] = i + 1;
      }
  }

  void conclude() {
    auto& queue = engine_->queue();
    std::vector<Element> population(engine_->population().size());
    std::vector<Real> costs(individuals());
    std::vector<Element> best(engine_->best().size());
    queue.read(engine_->population(), std::span(population));
    queue.read(engine_->costs(), std::span(costs));
    queue.read(engine_->best(), std::span(best));
    read_limits();
    const auto island = best_island();
    result_.fitness = value_of(limits_[island * GENETIC_LIMITS + GENETIC_BEST]);
    const std::span<const Element> row(&best[island * run_.row], run_.row);
    for (std::uint32_t gene = 0; gene < run_.genes; ++gene) result_.genes.push_back(gene_of(row, gene));
    for (std::size_t i = 0; i < run_.islands; ++i)
      result_.island_fitness.push_back(value_of(limits_[i * GENETIC_LIMITS + GENETIC_BEST]));
    result_.generations = engine_->generation();
    result_.evaluations = evaluations_at(run_, engine_->generation());
    result_.target_reached = run_.has_target != 0 && limits_[island * GENETIC_LIMITS + GENETIC_BEST] <= target();
    result_.interrupted = result_.ending == Ending::interrupted;
    result_.launches = queue.counts().launches;
    if (options_.measure_stages) result_.stages = engine_->stages();
    Checksum checksum;
    checksum.add(std::span<const Element>(population));
    checksum.add(std::span<const Real>(costs));
    checksum.add(std::span<const Element>(row));
    checksum.add(limits_[island * GENETIC_LIMITS + GENETIC_BEST]);
    result_.checksum = checksum.value();
    if (!options_.keep_population) return;
    for (std::uint64_t i = 0; i < individuals(); ++i) {
      const std::span<const Element> own(&population[i * run_.row], run_.row);
      for (std::uint32_t gene = 0; gene < run_.genes; ++gene) result_.population.push_back(gene_of(own, gene));
      result_.values.push_back(value_of(costs[i]));
    }
  }

  const Problem& problem_;
  const Options& options_;
  const Plan& plan_;
  const Settings run_;
  const Watch& watch_;
  double begin_;
  std::unique_ptr<Engine<Element, Real>> engine_;
  std::vector<std::uint32_t> marks_;
  std::vector<Real> limits_;
  bool stopped_ = false;
  Result result_;
};

template <class Real>
Result run_with(const Problem& problem, const Options& options, const Plan& plan, Device& device, const Watch& watch,
                const std::string& granularity) {
  switch (problem.objective.kind()) {
    case GeneKind::reals: return Run<Real, Real>(problem, options, plan, device, watch, granularity).finish();
    case GeneKind::integers:
      return Run<std::int32_t, Real>(problem, options, plan, device, watch, granularity).finish();
    default: return Run<std::uint32_t, Real>(problem, options, plan, device, watch, granularity).finish();
  }
}

// Refuses what does not fit before anything is allocated.
void require_memory(const Device& device, const Plan& plan) {
  const auto bytes = population_bytes(plan);
  const auto& info = device.info();
  if (bytes > info.max_allocation_bytes || 2 * bytes > info.global_memory_bytes)
    throw InvalidInput(
        fmt::format("genetic: the population takes {} bytes, twice; {} ({}) gives {} bytes at once and has {} in all: "
                    "take a smaller "
                    "population or another device",
                    bytes, info.id, info.name, info.max_allocation_bytes, info.global_memory_bytes));
}

}  // namespace

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const Watch watch(control);
  const Plan plan = make_plan(problem, options, control);
  objective::require_device(device, problem.objective, plan.double_precision);
  require_memory(device, plan);
  const auto choice = choose_granularity(device, plan, options, problem.objective.is_batch_function());
  auto result = plan.double_precision ? run_with<double>(problem, options, plan, device, watch, choice.granularity)
                                      : run_with<float>(problem, options, plan, device, watch, choice.granularity);
  result.reason = choice.reason;
  return result;
}

}  // namespace clopt::genetic
