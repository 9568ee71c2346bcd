#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>

namespace clopt::differential_evolution {

std::optional<std::string> tune(Device&, const RunControl&) { return "{}"; }

}  // namespace clopt::differential_evolution
