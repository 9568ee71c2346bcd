#include <clopt/tuning.hpp>

#include "choice.hpp"

namespace clopt::genetic {

Choice choose_granularity(Device&, const Plan&, const Options& options) {
  if (options.granularity != "auto") return {options.granularity, "asked for"};
  return {"group", "default"};
}

std::optional<std::string> tune(Device&, const RunControl&) { return std::nullopt; }

}  // namespace clopt::genetic
