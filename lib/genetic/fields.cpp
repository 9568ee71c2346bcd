/// \file
/// The fields of problem and options.
#include <clopt/fields.hpp>
#include <clopt/genetic.hpp>

#include "options.hpp"

namespace clopt::genetic {
namespace {

constexpr const char* by_preset = "by the preset";
constexpr const char* by_genes = "by the genes";

void add_operators(FieldTable& table, Options& o) {
  table.group("Operators");
  table("selection", &o.selection)
      .choices(selection_names.all())
      .unset(by_preset)
      .sweeps()
      .help("how parents are selected");
  table("tournament", &o.tournament)
      .range(1, 65536)
      .needs("selection", {"tournament"})
      .unset(by_preset)
      .sweeps()
      .help("individuals of a tournament");
  table("rank_pressure", &o.rank_pressure)
      .range(1.0, 2.0)
      .needs("selection", {"rank"})
      .sweeps()
      .help("how often rank selection expects the best individual");
  table("crossover", &o.crossover)
      .range(0.0, 1.0)
      .value("P")
      .unset(by_preset)
      .sweeps()
      .help("probability for each gene between the points; for order, of a pair");
  table("crossover_kind", &o.crossover_kind)
      .choices(crossover_names.all())
      .unset(by_genes)
      .sweeps()
      .help("the crossover");
  table("line_extension", &o.line_extension)
      .range(0.0, 1e3)
      .needs("crossover_kind", {"line"})
      .sweeps()
      .help("of line: how far beyond the parents, in their distance");
  table("distribution_index", &o.distribution_index)
      .range(0.0, 1e3)
      .needs("crossover_kind", {"simulated-binary"})
      .unset(by_preset)
      .sweeps()
      .help("of simulated-binary crossover");
  table("mutation", &o.mutation).range(0.0, 1.0).value("P").unset(by_preset).sweeps().help("probability for each gene");
  table("mutation_kind", &o.mutation_kind).choices(mutation_names.all()).unset(by_genes).sweeps().help("the mutation");
  table("step", &o.step)
      .range(0.0, 1e30)
      .needs("mutation_kind", {"step", "gaussian"})
      .unset("1 % of the range")
      .sweeps()
      .help("the step, or the standard deviation of gaussian; integers have 1 by default");
  table("mutation_index", &o.mutation_index)
      .range(0.0, 1e3)
      .needs("mutation_kind", {"polynomial"})
      .unset(by_preset)
      .sweeps()
      .help("distribution index of polynomial mutation");
  table("elites", &o.elites).range(0, 4096).unset(by_preset).sweeps().help("best individuals that survive unchanged");
  table("restart", &o.restart)
      .range(0, largest_generation)
      .unset(by_preset)
      .sweeps()
      .help("draw the population anew after this many generations without a better best; 0: never");
  table("improve", &o.improve)
      .choices(improve_names.all())
      .sweeps()
      .help(
          "two-opt: make every tour a local optimum; iterated: make each tour shorter, by itself; none; auto: iterated "
          "for "
          "tours of more than 1500 places, two-opt for others");
}

void add_execution(FieldTable& table, Options& o) {
  table.group("Execution", FieldEffect::execution);
  table("granularity", &o.granularity).choices(granularity_names.all()).help("what works on an individual");
  table("offload", &o.offload)
      .choices(offload_names.all())
      .help("whether several devices evaluate one population; auto: where the objective takes long");
  table("individuals_per_group", &o.individuals_per_group).range(1, 32).help("individuals that share a work-group");
  table("group_size", &o.group_size).range(0, 1024).help("work-items of a work-group; 0: chosen");
  table.group("Output", FieldEffect::output);
  table("measure_stages", &o.measure_stages).alias("stages").help("measure the time of each stage");
  table("keep_population", &o.keep_population).not_in_program().help("whether the result has the last population");
}

}  // namespace

FieldTable fields(Problem& problem) {
  FieldTable table;
  table.group("Problem");
  table("genes", &problem.genes).range(1, most_genes).unset("1024 bits, 32 others").help("genes of an individual");
  table("lower", &problem.lower)
      .value("V[,V...]")
      .unset("the objective's own")
      .python("bounds")
      .help("least value of a gene: one for all, or one for each");
  table("upper", &problem.upper)
      .value("V[,V...]")
      .unset("the objective's own")
      .python("bounds")
      .help("largest value of a gene, the same");
  return table;
}

FieldTable fields(Options& o) {
  FieldTable table(o);
  table.group("Search");
  table("preset", &o.preset)
      .choices(preset_names.all())
      .effect(FieldEffect::defaults)
      .help(
          "what is chosen where options are left out; paper: roulette, crossover 0.8, mutation 0.0001 for bits and "
          "else 1/genes, no elites, no restarts");
  table("precision", &o.precision)
      .choices(precision_names.all())
      .help(
          "of values and real genes; auto: double for functions, violations and where whole numbers may pass 2^24, "
          "else float");
  table("population", &o.population)
      .range(1, std::uint64_t{1} << 26)
      .unset(by_preset)
      .sweeps()
      .help("individuals of an island");
  table("initial", &o.initial)
      .file("FILE")
      .effect(FieldEffect::defaults)
      .help("start population, an individual a row; what is missing is drawn");
  add_operators(table, o);
  table.group("Islands");
  table("islands", &o.islands).range(1, 65536).sweeps().help("populations that evolve side by side");
  table("migrate_every", &o.migrate_every)
      .range(0, largest_generation)
      .needs("islands", 2)
      .sweeps()
      .help("generations between migrations along the ring of islands; 0: never");
  table("migrants", &o.migrants)
      .range(1, 4096)
      .needs("migrate_every", 1)
      .sweeps()
      .help("best individuals that replace the worst ones of the next island");
  table.group("Search");
  add_seed(table, o);
  add_limits(table, o, largest_generation);
  add_execution(table, o);
  return table;
}

}  // namespace clopt::genetic
