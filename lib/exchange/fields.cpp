/// \file
/// The fields of the options.
#include <clopt/exchange.hpp>
#include <clopt/fields.hpp>

#include <limits>

#include "options.hpp"

namespace clopt::exchange {

FieldTable fields(Options& o) {
  constexpr const char* umda = "umda";
  const std::vector<std::string> searching{"auto", "anneal", "tabu"};
  FieldTable table(o);
  table.group("Search");
  table("steps", &o.steps)
      .range(1, std::numeric_limits<std::uint32_t>::max() / 2)
      .value("N|bound")
      .unset("as few as can be found")
      .help("steps of the schedule; umda has the bound by default");
  table("steps_are_bound", &o.steps_are_bound)
      .effect(FieldEffect::defaults)
      .not_in_program()
      .not_in_python()
      .help("as many steps as the bound, in place of a number");
  table("optimizer", &o.optimizer).choices(optimizer_names.all()).sweeps().help("how a schedule is searched for");
  table("population", &o.population)
      .range(2, most_population)
      .needs("optimizer", {umda})
      .sweeps()
      .help("umda: individuals of an island");
  table("tournament", &o.tournament)
      .range(1, most_tournament)
      .needs("optimizer", {umda})
      .sweeps()
      .help("umda: individuals of which the best is selected");
  table("mutations", &o.mutations)
      .range(0, most_mutations)
      .needs("optimizer", {umda})
      .sweeps()
      .help(
          "umda: genes of a new individual that are mutated, at most: any one, then each a transfer that the one "
          "before meets; where one value is tried just as many, any ones");
  table("tries", &o.tries)
      .range(1, most_tries)
      .needs("optimizer", {umda})
      .sweeps()
      .help(
          "umda: values of a mutated gene, of which the one with the fewest conflicts is taken; 1: any value of any "
          "gene, as in the paper's text");
  table("symmetries", &o.symmetries)
      .range(1, most_symmetries)
      .needs("optimizer", {umda})
      .sweeps()
      .help(
          "umda: transfers that share a gene, being images of each other by symmetries of the network, at most; 1: "
          "each has its own, as in the paper's text");
  table("islands", &o.islands)
      .range(1, most_islands)
      .needs("optimizer", {umda})
      .sweeps()
      .help("umda: populations side by side, each on one of the devices");
  table("migrate_every", &o.migrate_every)
      .range(0, std::numeric_limits<std::uint32_t>::max())
      .needs("islands", 2)
      .sweeps()
      .help("umda: generations after which the best individual of each island goes to the next one; 0: never");
  table("replicas", &o.replicas)
      .range(1, most_replicas)
      .needs("optimizer", searching)
      .sweeps()
      .help("anneal, tabu: replicas of each trial of a search");
  table("searches", &o.searches)
      .range(1, most_searches)
      .needs("optimizer", searching)
      .help("anneal, tabu: searches, the first of which to find a schedule wins");
  add_seed(table, o);
  add_limits(table, o);
  table.group("Execution", FieldEffect::execution);
  table("offload", &o.offload)
      .choices(offload_names.all())
      .needs("optimizer", {umda})
      .help("umda: host, where devices compute the fitness alone, or device");
  table("method", &o.method)
      .choices(method_names.all())
      .needs("optimizer", {umda})
      .help("umda: how fitness is computed");
  table("queues", &o.queues).range(1, 2).needs("optimizer", {umda}).help("umda: queues of each device, used in turn");
  table("threads", &o.threads)
      .not_in_program()
      .unset("the cores that the process may use")
      .help("threads of the host, where it has a part in the search");
  return table;
}

}  // namespace clopt::exchange
