#include "subcommand.hpp"

#include <generated/solver_entries.hpp>

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
namespace cluster_command {
int run(const Arguments& arguments);
}
namespace merge {
int run(const Arguments& arguments);
}

const std::vector<Subcommand>& subcommands() {
  static const std::vector<Subcommand> all = [] {
    std::vector<Subcommand> list;
    for (const auto& solver : solvers())
      list.push_back({solver.name, solver.summary, solver.command, solver.short_name, !solver.shares_out});
    list.insert(list.end(), {
                                {"merge", "make a whole result of the slices of a run", &merge::run},
                                {"devices", "list the devices, and what was left out and why", &devices::run},
                                {"validate", "run every method on every device and compare", &validate::run, {}, true},
                                {"bench", "measure the tables of a solver's paper", &bench::run, {}, true},
                                {"tune", "measure what `auto` rests on, and remember it", &tune::run, {}, true},
                                {"cache", "show or clear what is remembered between runs", &cache::run},
                                {"cluster", "show the job of MPI, or build a module for an MPI", &cluster_command::run},
                            });
    return list;
  }();
  return all;
}

std::optional<std::string> full_name(std::optional<std::string> solver) {
  for (const auto& each : solvers())
    if (solver && !each.short_name.empty() && *solver == each.short_name) solver = each.name;
  return solver;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const auto& each : solvers()) names.emplace_back(each.name);
  return names;
}

const std::vector<Solver>& solvers() {
  static const std::vector<Solver> all{
#define CLOPT_SOLVER(name) name::solver(),
#include <generated/solvers.inc>
#undef CLOPT_SOLVER
  };
  return all;
}

}  // namespace clopt::apps
