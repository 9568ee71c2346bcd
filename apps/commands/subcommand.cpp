#include "subcommand.hpp"

#include <algorithm>

namespace clopt::apps {

namespace devices {
int run(const Arguments& arguments);
}
namespace validate {
int run(const Arguments& arguments);
}
namespace bench {
int run(const Arguments& arguments);
}
namespace tune {
int run(const Arguments& arguments);
}
namespace cache {
int run(const Arguments& arguments);
}

namespace {

// Programs' names have hyphens where C++ has underscores.
std::string hyphenated(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

const std::vector<Subcommand>& subcommands() {
  static const std::vector<Subcommand> all{
#define CLOPT_SOLVER(name) {hyphenated(#name), name::summary(), &name::run},
#include <generated/solvers.inc>
#undef CLOPT_SOLVER
      {"devices", "list the devices, and what was left out and why", &devices::run},
      {"validate", "run every method on every device and compare", &validate::run},
      {"bench", "measure the tables of a solver's paper", &bench::run},
      {"tune", "measure what `auto` rests on, and remember it", &tune::run},
      {"cache", "show or clear what is remembered between runs", &cache::run},
  };
  return all;
}

const std::vector<Solver>& solvers() {
  static const std::vector<Solver> all{
#define CLOPT_SOLVER(name) {hyphenated(#name), &name::validation_cases, &name::benchmark_tables, &clopt::name::tune},
#include <generated/solvers.inc>
#undef CLOPT_SOLVER
  };
  return all;
}

}  // namespace clopt::apps
