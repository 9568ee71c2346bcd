#include <automatic/automatic.hpp>
#include <clopt/fit.hpp>
#include <fit/plan.hpp>

#include <limits>

namespace clopt::fit {
namespace {

struct AutomaticFit {
  static constexpr std::string_view name = "fit";
  static constexpr WorkMeasure measure{.done_is_even = true};

  static bool may_move(const Problem&, const Options&) { return true; }
  // Rows that the processor has done are done again sooner than they move; but no checkpoint loses any.
  static double state_bytes(const Problem&, const Options& options) {
    return options.checkpoint ? 0 : std::numeric_limits<double>::infinity();
  }
  static Problem kept(const Problem& problem) {
    auto own = problem;
    for_numbers(problem, [&](const char*, auto member, std::size_t) { own.*member = (own.*member).kept(); });
    return own;
  }
  static void add_likeness(RunIdentity& like, const Problem& problem, const Options& options) {
    like.add("model", problem.model.residuals)
        .add("parameters", problem.parameters)
        .add("rows", problem.rows())
        .add("has_guess", !problem.guess.empty())
        .add("columns", problem.columns);
    add_fields(like, options);
  }
};

}  // namespace

Result solve(const Problem& problem, const Options& options, const Devices& devices, const RunControl& control) {
  return solve_automatically<AutomaticFit>(problem, options, devices, control);
}

}  // namespace clopt::fit
