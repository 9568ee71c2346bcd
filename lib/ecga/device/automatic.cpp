#include <automatic/automatic.hpp>
#include <clopt/ecga.hpp>
#include <clopt/ecga_sizing.hpp>
#include <ecga/growing_run.hpp>
#include <run/timed_run.hpp>

namespace clopt::ecga {
namespace {

struct AutomaticEcga {
  static constexpr std::string_view name = "ecga";
  // How many generations there will be is unknown.
  static constexpr WorkMeasure measure{};

  static bool may_move(const Problem& problem, const Options&) { return !problem.objective.is_function(); }
  static double state_bytes(const Problem& problem, const Options& options) {
    const auto population = options.population == 0 ? usual_population(problem.length) : options.population;
    return static_cast<double>(population) * (problem.length / 8.0 + sizeof(float));
  }
  static void add_likeness(RunIdentity& like, const Problem& problem, const Options& options) {
    like.add("objective", problem.objective).add("length", problem.length);
    add_fields(like, options);
  }
  static void take_earlier(Result& result, const Result& earlier) {
    result.passes += earlier.passes;
    result.merges += earlier.merges;
    result.model_seconds += earlier.model_seconds;
  }
};

}  // namespace

Result solve(const Problem& problem, const Options& options, const Devices& devices, const RunControl& control) {
  if (!devices.is_automatic() || !is_growing(options))
    return solve_automatically<AutomaticEcga>(problem, options, devices, control);
  return timed([&] {
    return solve_growing(problem, options, control, [&](const Options& own, const RunControl& part) {
      return solve_automatically<AutomaticEcga>(problem, own, devices, part);
    });
  });
}

}  // namespace clopt::ecga
