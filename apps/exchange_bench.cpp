/// \file
/// What `clopt bench` measures of exchange.
#include <clopt/exchange.hpp>

#include "subcommand.hpp"

namespace clopt::apps::exchange {

std::vector<BenchmarkTable> benchmark_tables() { return {}; }

}  // namespace clopt::apps::exchange
