/// \file
/// The tables of `clopt bench --solver differential-evolution`.
#include "subcommand.hpp"

namespace clopt::apps::differential_evolution {

std::vector<BenchmarkTable> benchmark_tables() { return {}; }

}  // namespace clopt::apps::differential_evolution
