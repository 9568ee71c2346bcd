#include <automatic/automatic.hpp>
#include <clopt/genetic.hpp>

namespace clopt::genetic {
namespace {

struct AutomaticGenetic {
  static constexpr std::string_view name = "genetic";
  static constexpr WorkMeasure measure{.done_is_even = true};

  // The times of stages are those of one device.
  static bool may_move(const Problem& problem, const Options& options) {
    return !problem.objective.is_function() && !options.measure_stages;
  }
  static double state_bytes(const Problem& problem, const Options& options) {
    const auto all = complete(problem, options);
    const double bytes = problem.objective.kind() == GeneKind::bits ? 1.0 / 8 : 8;
    return bytes * problem.genes * static_cast<double>(all.population.value_or(0)) * static_cast<double>(all.islands);
  }
  static void add_likeness(RunIdentity& like, const Problem& problem, const Options& options) {
    like.add("objective", problem.objective).add("genes", problem.genes);
    add_fields(like, options);
  }
  static void prepare_trial(Options& options) { options.keep_population = false; }
};

}  // namespace

Result solve(const Problem& problem, const Options& options, const Devices& devices, const RunControl& control) {
  return solve_automatically<AutomaticGenetic>(problem, options, devices, control);
}

}  // namespace clopt::genetic
