#include <automatic/automatic.hpp>
#include <clopt/exchange.hpp>

namespace clopt::exchange {
namespace {

struct AutomaticExchange {
  static constexpr std::string_view name = "exchange";
  // Bounds and packings are the host's work, whatever the device.
  static constexpr WorkMeasure measure{.phases = "anneal,umda"};

  static bool may_move(const Problem&, const Options& options) {
    return options.optimizer != "construct" && options.optimizer != "pack";
  }
  static double state_bytes(const Problem&, const Options&) { return 0; }
  static void add_likeness(RunIdentity& like, const Problem& problem, const Options& options) {
    like.add("topology", std::string_view(problem.topology.name))
        .add("nodes", problem.topology.nodes)
        .add("links", std::uint64_t{problem.topology.links.size()})
        .add("pattern", std::string_view(problem.pattern));
    add_fields(like, options);
  }
  // The search itself, at the bound, without what the host does before.
  static void prepare_trial(Options& options) {
    options.resume = nullptr;
    if (options.optimizer == "auto") options.optimizer = "anneal";
    if (!options.steps) options.steps_are_bound = true;
    options.threads = 1;
  }
  static void take_earlier(Result& result, const Result& earlier) { result.bound_seconds += earlier.bound_seconds; }
};

}  // namespace

Result solve(const Problem& problem, const Options& options, const Devices& devices, const RunControl& control) {
  return solve_automatically<AutomaticExchange>(problem, options, devices, control);
}

}  // namespace clopt::exchange
