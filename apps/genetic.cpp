#include "subcommand.hpp"

namespace clopt::apps::genetic {

std::string_view summary() { return "search with a genetic algorithm"; }
int run(const Arguments&) { return Status::wrong_use; }
std::vector<ValidationCase> validation_cases(bool) { return {}; }
std::vector<BenchmarkTable> benchmark_tables() { return {}; }

}  // namespace clopt::apps::genetic
