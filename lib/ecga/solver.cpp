#include <clopt/checkpoint.hpp>
#include <clopt/device.hpp>
#include <clopt/ecga.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <objective/program.hpp>

#include <support/stopwatch.hpp>
#include "matrix_units.hpp"
#include "objective.hpp"
#include "problem_parts.hpp"
#include "run.hpp"
#include "shape.hpp"
#include "state.hpp"

namespace clopt::ecga {
namespace {

constexpr std::uint32_t most_tournament = 1024;

void require_name(std::string_view what, const std::string& name, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw InvalidInput(fmt::format("ecga: there is no {} '{}'; choose one of {}", what, name, fmt::join(names, ", ")));
}

void validate(const Problem& problem, const Options& options, const RunControl& control) {
  require_name("search", options.search, searches());
  require_name("counting", options.counting, countings());
  if (problem.length == 0 || problem.length > most_loci)
    throw InvalidInput(fmt::format("ecga: a length of {} loci; choose from 1 to {}", problem.length, most_loci));
  if (problem.objective.kind() != GeneKind::bits)
    throw InvalidInput(fmt::format("ecga: the objective {} is one of {}; only bits are searched",
                                   problem.objective.name(), name_of(problem.objective.kind())));
  if (problem.objective.reads_rows())
    throw InvalidInput(
        fmt::format("ecga: the objective {} reads row() or columns(), and there are no data here; give it "
                    "a table",
                    problem.objective.name()));
  if (problem.objective.name() == "trap" && problem.objective.table_values().empty())
    throw InvalidInput("ecga: the objective trap has no order; say trapK with K from 2 to 32");
  const auto order = block_length(problem.objective);
  if (problem.length % order != 0)
    throw InvalidInput(fmt::format(
        "ecga: a length of {} loci is no multiple of {}, the order of {}{}; the nearest is {}", problem.length, order,
        problem.objective.name(), order, std::max((problem.length + order / 2) / order, 1U) * order));
  if (options.population == 0 || options.population > most_individuals)
    throw InvalidInput(
        fmt::format("ecga: a population of {}; choose from 1 to {}", options.population, most_individuals));
  if (options.tournament == 0 || options.tournament > most_tournament)
    throw InvalidInput(
        fmt::format("ecga: tournaments of {} individuals; choose from 1 to {}", options.tournament, most_tournament));
  if (options.tournament > options.population)
    throw InvalidInput(fmt::format("ecga: a tournament of {} individuals does not fit a population of {}",
                                   options.tournament, options.population));
  if (!(options.crossover >= 0 && options.crossover <= 1))
    throw InvalidInput(fmt::format("ecga: a crossover of {}; choose from 0 to 1", options.crossover));
  if (options.largest_group == 0 || options.largest_group > ECGA_MOST_LOCI)
    throw InvalidInput(
        fmt::format("ecga: groups of {} loci at most; choose from 1 to {}", options.largest_group, ECGA_MOST_LOCI));
  if (options.least_shared && !(*options.least_shared >= 0))
    throw InvalidInput(
        fmt::format("ecga: passes of {} bits are to be shared; give a number from 0 on", *options.least_shared));
  if (options.target && !std::isfinite(*options.target))
    throw InvalidInput(fmt::format("ecga: the target {} is no finite number", *options.target));
  if (control.time_limit && !(*control.time_limit >= 0))
    throw InvalidInput(
        fmt::format("ecga: the time limit {} is not a number of seconds from 0 on", *control.time_limit));
}

struct Choice {
  Counting counting;
  std::string name;
  std::string reason;
};

Choice choose_counting(const std::string& wanted, Device& device) {
  const bool by_processor = device.info().launches_are_calls;
  if (wanted == "histogram") return {Counting::histogram, wanted, "asked for"};
  if (wanted == "table-8") return {Counting::table_8, wanted, "asked for"};
  if (wanted == "table-16") return {Counting::table_16, wanted, "asked for"};
  if (wanted == "table")
    return by_processor ? Choice{Counting::table_16, "table", "tables of 16 bits, as the paper has them on a processor"}
                        : Choice{Counting::table_8, "table", "tables of 8 bits, as the paper has them on a GPU"};
  if (device.kernel(count_pairs).max_group_size() < count_group)
    return {Counting::histogram, "histogram", "this device's work-groups are too small for tiles of pairs"};
  if (wanted == "popcount") return {Counting::popcount, wanted, "asked for"};
  if (has_matrix_units(device)) return {Counting::matrix, "matrix", "this device has 1-bit matrix units"};
  return {Counting::popcount, "popcount", "this device has no 1-bit matrix units that work"};
}

bool has_ended(const Run& run, const Options& options, const Watch& watch) {
  if (run.has_converged() || watch.expired()) return true;
  if (options.target && run.best_fitness() >= *options.target) return true;
  return options.generations && run.generation().number >= *options.generations;
}

}  // namespace

const std::vector<std::string>& searches() {
  static const std::vector<std::string> names{"greedy", "mating"};
  return names;
}

const std::vector<std::string>& countings() {
  static const std::vector<std::string> names{"auto",     "popcount", "table",    "table-8",
                                              "table-16", "matrix",   "histogram"};
  return names;
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {device.shared_from_this()};
  return solve(problem, options, devices, control);
}

namespace {

/// What was told and kept so far, so that a device that begins anew does not tell it again.
class Keeper {
 public:
  Keeper(const Problem& problem, const Options& options) : problem_(problem), options_(options) {
    if (options.resume) start_ = read_state(*options.resume, problem, options);
  }

  const State* start() const { return start_ ? &*start_ : nullptr; }

  void tell(const Generation& generation) {
    if (!options_.statistics || (told_ && generation.number <= *told_)) return;
    told_ = generation.number;
    options_.statistics(generation);
  }
  void keep_if_due(Run& run) {
    if (options_.checkpoint && run.generation().number >= kept_ && options_.checkpoint->due()) keep(run);
  }
  void keep(Run& run) {
    if (!options_.checkpoint) return;
    kept_ = run.generation().number;
    save(run.state(), problem_, options_, *options_.checkpoint);
  }

 private:
  const Problem& problem_;
  const Options& options_;
  std::optional<State> start_;
  std::optional<std::uint64_t> told_;
  std::uint64_t kept_ = 0;
};

void evolve(Run& run, const Problem& problem, const Options& options, const Watch& watch, Keeper& keeper) {
  run.begin(keeper.start());
  keeper.tell(run.generation());
  while (!has_ended(run, options, watch)) {
    if (!run.step()) break;
    const auto& here = run.generation();
    watch.report("generations", options.generations
                                    ? static_cast<double>(here.number) / static_cast<double>(*options.generations)
                                    : here.converged_loci / static_cast<double>(problem.length));
    keeper.tell(here);
    keeper.keep_if_due(run);
  }
}

/// A run on devices of which only the first must last.
Result solve_on(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                const Watch& watch, Keeper& keeper) {
  auto& device = *devices.front();
  objective::require_device(device, problem.objective, false);
  const Stopwatch choosing;
  const auto choice = choose_counting(options.counting, device);
  const double choice_seconds = choosing.seconds();
  const auto shape = fitting_shape(problem, options, choice.counting, device);
  Run run(problem, options, shape, choice.counting, device, watch);
  run.share_with(devices.subspan(1), options.least_shared);
  run.observe(static_cast<bool>(options.statistics));

  const double begin = watch.seconds();
  evolve(run, problem, options, watch, keeper);
  Result result;
  result.compute_seconds = watch.seconds() - begin;
  keeper.keep(run);
  result.best_fitness = run.best_fitness();
  result.best_genes = run.best_genes();
  result.model = run.model();
  result.generations = run.generation().number;
  result.evaluations = run.generation().evaluations;
  result.converged = run.has_converged();
  result.target_reached = options.target && run.best_fitness() >= *options.target;
  result.interrupted = watch.interrupted();
  result.search = options.search;
  result.counting = choice.name;
  result.reason = choice.reason;
  if (run.lost_devices() > 0)
    result.reason += fmt::format("; {} of {} devices left out ({}), and the others counted their parts",
                                 run.lost_devices(), devices.size(), run.lost_reason());
  result.checksum = run.checksum();
  result.passes = run.passes();
  result.merges = run.merges();
  result.launches = run.launches();
  result.device_bytes = shape.bytes();
  // The choice builds what it asks of the device.
  result.build_seconds = run.build_seconds() + choice_seconds;
  result.model_seconds = run.model_seconds();
  result.first_pass_seconds = run.first_pass_seconds();
  result.total_seconds = watch.seconds() - result.build_seconds;
  return result;
}

}  // namespace

// Where the device that has the population fails, the next one begins anew, and comes to the same states.
Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  if (devices.empty()) throw InvalidInput("ecga: no device; give at least one");
  const Watch watch(control);
  validate(problem, options, control);
  Keeper keeper(problem, options);
  for (std::size_t first = 0;; ++first) try {
      return solve_on(problem, options, devices.subspan(first), watch, keeper);
    } catch (const DeviceError&) {
      if (first + 1 == devices.size()) throw;
    }
}

Model build_model(std::span<const std::uint32_t> population, std::uint64_t individuals, std::uint32_t length,
                  const Options& given, Device& device) {
  const Problem problem{Objective::named("onemax"), length};
  auto options = given;
  options.population = individuals;
  options.tournament = 1;
  const RunControl control;
  const Watch watch(control);
  validate(problem, options, control);
  if (population.size() != (std::uint64_t{length} + 31) / 32 * individuals)
    throw InvalidInput(
        fmt::format("ecga: {} words are not {} individuals of {} loci", population.size(), individuals, length));
  const auto choice = choose_counting(options.counting, device);
  const auto shape = fitting_shape(problem, options, choice.counting, device);
  return Run(problem, options, shape, choice.counting, device, watch).model_of(population);
}

double combined_complexity(std::span<const std::uint32_t> population, std::uint64_t individuals, const Model& model) {
  const auto count = static_cast<double>(individuals);
  double sum = 0;
  for (const auto& group : model) {
    std::vector<std::uint64_t> patterns(std::size_t{1} << group.size());
    for (std::uint64_t i = 0; i < individuals; ++i) {
      std::size_t pattern = 0;
      for (std::size_t s = 0; s < group.size(); ++s)
        pattern |= std::size_t{population[group[s] / 32 * individuals + i] >> group[s] % 32 & 1} << s;
      ++patterns[pattern];
    }
    for (const auto many : patterns)
      if (many > 0) sum -= static_cast<double>(many) * std::log2(static_cast<double>(many) / count);
    sum += std::log2(count + 1) * static_cast<double>(patterns.size() - 1);
  }
  return sum;
}

}  // namespace clopt::ecga
