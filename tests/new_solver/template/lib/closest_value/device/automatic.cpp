#include <automatic/automatic.hpp>
#include <clopt/closest_value.hpp>

namespace clopt::closest_value {
namespace {

struct AutomaticClosestValue {
  static constexpr std::string_view name = "closest_value";
  static constexpr WorkMeasure measure{.done_is_even = true};

  static bool may_move(const Problem&, const Options&) { return true; }
  static double state_bytes(const Problem&, const Options&) { return 0; }
  static void add_likeness(RunIdentity& like, const Problem& problem, const Options& options) {
    like.add("values", problem.values.size());
    add_fields(like, options);
  }
};

}  // namespace

Result solve(const Problem& problem, const Options& options, const Devices& devices, const RunControl& control) {
  return solve_automatically<AutomaticClosestValue>(problem, options, devices, control);
}

}  // namespace clopt::closest_value
