/// \file
/// What `clopt validate` runs of exchange: every optimiser, offload and method on networks whose bound is known.
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <commands/solver.hpp>

namespace clopt::apps::exchange {
namespace {

namespace solver = clopt::exchange;

/// Work whose result is known apart from this library: the closed forms of the bounds, and of random networks a
/// certificate and a schedule that a checker accepts.
struct KnownCase {
  const char* name;  ///< after "exchange/"
  const char* optimizer;
  const char* offload;
  const char* method;
  const char* topology;
  const char* pattern;
  std::uint64_t bound;
  std::uint64_t generations;  ///< of umda, whose conflicts then are whatever they are; else 0: until the bound is met
  bool uses_device;
  bool is_long;
  std::uint32_t islands = 1;
};

constexpr KnownCase known_cases[] = {
    {"construct/hypercube:4", "construct", "host", "links", "hypercube:4", "all-to-all", 8, 0, false, false},
    {"construct/fat-tree:3x2", "construct", "host", "links", "fat-tree:3x2", "all-to-all", 8, 0, false, false},
    {"construct/torus:4x4", "construct", "host", "links", "torus:4x4", "all-to-all", 8, 0, false, false},
    {"construct/scatter", "construct", "host", "links", "mesh:3x5", "scatter:0", 7, 0, false, false},
    {"construct/gather", "construct", "host", "links", "torus:3x3", "gather:4", 2, 0, false, false},
    {"anneal/mesh:3x3", "anneal", "host", "links", "mesh:3x3", "all-to-all", 6, 0, true, false},
    {"anneal/torus:4x4", "anneal", "host", "links", "torus:4x4", "all-to-all", 8, 0, true, false},
    {"anneal/ring:7", "anneal", "host", "links", "ring:7", "all-to-all", 6, 0, true, false},
    {"tabu/mesh:3x3", "tabu", "host", "links", "mesh:3x3", "all-to-all", 6, 0, true, false},
    {"auto/random:16:3", "auto", "host", "links", "random:16:3", "all-to-all", 17, 0, true, false},
    {"auto/torus:5x5", "auto", "host", "links", "torus:5x5", "all-to-all", 15, 0, true, true},
    {"auto/mesh:6x6", "auto", "host", "links", "mesh:6x6", "all-to-all", 54, 0, true, true},
    {"umda/host/links/mesh:3x3", "umda", "host", "links", "mesh:3x3", "all-to-all", 6, 20, true, false},
    {"umda/host/pairs/mesh:3x3", "umda", "host", "pairs", "mesh:3x3", "all-to-all", 6, 20, true, false},
    {"umda/device/links/mesh:3x3", "umda", "device", "links", "mesh:3x3", "all-to-all", 6, 20, true, false},
    {"umda/device/pairs/mesh:3x3", "umda", "device", "pairs", "mesh:3x3", "all-to-all", 6, 20, true, false},
    {"umda/host/islands/mesh:3x3", "umda", "host", "links", "mesh:3x3", "all-to-all", 6, 20, true, false, 3},
    {"umda/device/islands/mesh:3x3", "umda", "device", "links", "mesh:3x3", "all-to-all", 6, 20, true, false, 3},
    {"umda/host/links/torus:5x5", "umda", "host", "links", "torus:5x5", "all-to-all", 15, 20, true, true},
    {"umda/device/links/torus:5x5", "umda", "device", "links", "torus:5x5", "all-to-all", 15, 20, true, true},
};

ValidationOutcome solve(const KnownCase& known, Device& device, const RunControl& control) {
  const auto problem = solver::make_problem(solver::make_topology(known.topology), known.pattern);
  solver::Options options;
  options.optimizer = known.optimizer;
  options.offload = known.offload;
  options.method = known.method;
  options.steps_are_bound = true;
  if (known.generations > 0) {
    options.population = 50;
    options.islands = known.islands;
    options.migrate_every = 7;
    options.generations = known.generations;
  }
  const auto result = solver::solve(problem, options, device, control);
  ValidationOutcome outcome;
  outcome.checksum = result.checksum;
  if (result.bound.steps != known.bound)
    outcome.wrong = fmt::format("the bound is {}, not {}", result.bound.steps, known.bound);
  else if (result.conflicts > 0 && known.generations == 0)
    outcome.wrong = fmt::format("{} conflicts are left", result.conflicts);
  else if (result.conflicts == 0)
    outcome.wrong = solver::check(problem, solver::claim(problem, result.schedule));
  return outcome;
}

}  // namespace

std::vector<ValidationCase> validation_cases(bool with_long_ones) {
  std::vector<ValidationCase> cases;
  for (const auto& known : known_cases) {
    if (known.is_long && !with_long_ones) continue;
    cases.push_back({fmt::format("exchange/{}", known.name), known.uses_device,
                     [known](Device& device, const RunControl& control) { return solve(known, device, control); }});
  }
  return cases;
}

}  // namespace clopt::apps::exchange
