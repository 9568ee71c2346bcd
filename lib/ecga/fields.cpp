/// \file
/// The fields of problem and options.
#include <clopt/ecga.hpp>
#include <clopt/fields.hpp>

#include <limits>

#include <ecga/problems/builtin_problem.hpp>
#include "operations.hpp"
#include "plan.hpp"

namespace clopt::ecga {

FieldTable fields(Problem& problem) {
  FieldTable table;
  table.group("Problem");
  table("length", &problem.length).range(1, most_loci).unset("the file's").help("loci of an individual");
  return table;
}

FieldTable fields(Options& o) {
  FieldTable table(o);
  table.group("Search");
  table("population", &o.population)
      .range(1, most_individuals)
      .value("N|auto|double")
      .unset(
          "one and a half times the paper's for this length, doubled until the optimum or two runs in vain; with a "
          "checkpoint one run")
      .sweeps()
      .help(
          "individuals; auto: found by bisection, so that ten runs of ten succeed; double: doubled from 16 until a "
          "run succeeds");
  table("precision", &o.precision)
      .choices(precision_names.all())
      .help("of values; auto: double for functions and where whole numbers may pass 2^24, else float");
  table("search", &o.search).choices(search_names.all()).sweeps().help("the search for a model");
  table("tournament", &o.tournament).range(1, 1024).sweeps().help("individuals of a tournament");
  table("crossover", &o.crossover)
      .range(0.0, 1.0)
      .value("P")
      .sweeps()
      .help("the part of the population that the model's samples replace");
  table("largest_group", &o.largest_group).range(1, ECGA_MOST_LOCI).sweeps().help("the most loci of a group");
  table("improve", &o.improve)
      .choices(improve_names.all())
      .sweeps()
      .help(
          "make individuals local optima, of single flips, or of these and of blocks of the model; auto: blocks where "
          "the objective is a sum of parts that overlap (nk, ising, maxsat), else none");
  add_seed(table, o);
  add_limits(table, o, std::numeric_limits<std::int64_t>::max(), "in which neither the best nor the mean got better");
  table.group("Execution", FieldEffect::execution);
  table("counting", &o.counting).choices(counting_names.all()).help("how a model's loci are counted");
  table("guesses", &o.guesses)
      .not_in_program()
      .not_in_python()
      .unset("predicted from the last generation")
      .help("merges guessed ahead of a pass of the greedy search");
  table("least_shared", &o.least_shared)
      .range(0.0, Field::unbounded)
      .not_in_program()
      .not_in_python()
      .unset("chosen by the devices")
      .help("pairs of individuals' bits to be counted from which several devices share a pass");
  table.group("Output", FieldEffect::output);
  table("keep_models", &o.keep_models).not_in_program().help("whether the result has the model of every generation");
  return table;
}

}  // namespace clopt::ecga
