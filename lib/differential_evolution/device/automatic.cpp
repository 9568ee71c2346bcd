#include <automatic/automatic.hpp>
#include <clopt/differential_evolution.hpp>

namespace clopt::differential_evolution {
namespace {

struct AutomaticEvolution {
  static constexpr std::string_view name = "differential-evolution";
  static constexpr WorkMeasure measure{.done_is_even = true};

  static bool may_move(const Problem& problem, const Options&) { return !problem.objective.is_function(); }
  // Vectors, their values, and as many vectors again that some variants archive.
  static double state_bytes(const Problem& problem, const Options& options) {
    const auto all = complete(problem, options);
    return 2.0 * sizeof(double) * static_cast<double>(problem.problems) * static_cast<double>(all.population) *
           static_cast<double>(problem.dimensions + 1);
  }
  static void add_likeness(RunIdentity& like, const Problem& problem, const Options& options) {
    like.add("objective", problem.objective)
        .add("dimensions", problem.dimensions)
        .add("problems", problem.problems)
        .add("columns", problem.columns);
    add_fields(like, options);
  }
};

}  // namespace

Result solve(const Problem& problem, const Options& options, const Devices& devices, const RunControl& control) {
  return solve_automatically<AutomaticEvolution>(problem, options, devices, control);
}

}  // namespace clopt::differential_evolution
