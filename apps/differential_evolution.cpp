#include "subcommand.hpp"
namespace clopt::apps::differential_evolution {
std::string_view summary() { return "minima of an objective over real parameters, many at once"; }
int run(const Arguments&) { return 0; }
}
