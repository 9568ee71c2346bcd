/// \file
/// The fields of problem and options.
#include <clopt/differential_evolution.hpp>
#include <clopt/fields.hpp>

#include <fmt/format.h>

#include "options.hpp"

namespace clopt::differential_evolution {
namespace {

constexpr const char* own_bounds = "the objective's usual ones";

}  // namespace

FieldTable fields(Problem& problem) {
  FieldTable table;
  table.group("Problem");
  table("dimensions", &problem.dimensions).range(1, std::uint64_t{1} << 24).help("parameters of a vector");
  table("problems", &problem.problems)
      .range(1, std::uint64_t{1} << 31)
      .help("how many minimisations; as many as the rows of `data`, where these are given");
  table("lower", &problem.lower)
      .value("V[,V...]")
      .unset(own_bounds)
      .python("bounds")
      .help("the least value of the parameters: one for all, or one for each");
  table("upper", &problem.upper)
      .value("V[,V...]")
      .unset(own_bounds)
      .python("bounds")
      .help("the greatest value, the same");
  return table;
}

FieldTable fields(Options& o) {
  FieldTable table(o);
  table.group("Search");
  table("precision", &o.precision)
      .choices(precision_names.all())
      .help(
          "of values and parameters; auto: double for functions, violations and whole numbers that are no floats, else "
          "float");
  table("population", &o.population)
      .range(1, most_population)
      .unset(
          "5 times the dimensions, with shade6 4.5 times, at least 20, with shade and shade6 at most 100; of a "
          "polished fit 10 times; with a violation 50, above 10 dimensions 10 times, at most 150")
      .sweeps()
      .help("vectors of a problem");
  table("adapt", &o.adapt)
      .choices(adaptation_names.all())
      .sweeps()
      .help(
          "how F and CR adapt themselves; auto: none where `weight`, `crossover` or `strategy` is given, shade for a "
          "fit, with a violation and before a `polish`, else shade6");
  table("strategy", &o.strategy)
      .choices(strategy_names.all())
      .unset("rand1bin; with shade, lshade and shade6 currenttopbest1bin")
      .sweeps()
      .help("how a mutant is made");
  table("weight", &o.weight)
      .range(0.0, 2.0)
      .value("F")
      .python("mutation")
      .unset(fmt::format("{}", usual_weight))
      .sweeps()
      .help("the weight of a difference");
  table("crossover", &o.crossover)
      .range(0.0, 1.0)
      .value("CR")
      .unset(fmt::format("{}", usual_crossover))
      .sweeps()
      .python("recombination")
      .help("the probability that a parameter comes from the mutant");
  table("unforced", &o.unforced)
      .help(
          "take no parameter of the mutant by force: a trial may be the vector itself, as equation (2) of the paper "
          "has it; not for exponential crossover");
  table("bounds", &o.bounds)
      .choices(bound_names.all())
      .sweeps()
      .python("outside")
      .help("what becomes of a parameter outside; auto: reflect where the objective has a violation, else clip");
  table("initial", &o.initial)
      .file("FILE.csv")
      .python("x0")
      .effect(FieldEffect::defaults)
      .help(
          "start vectors, one a row: every problem begins with all of them, or, where they are as many as the rows of "
          "data, each with its own");
  table("initial_of_problem", &o.initial_of_problem)
      .not_in_program()
      .not_in_python()
      .python("x0")
      .effect(FieldEffect::defaults)
      .help("start vectors of each problem; 0: all problems have all of them");
  table("polish", &o.polish)
      .effect(FieldEffect::defaults)
      .unset("of a fit without violation and whole numbers")
      .help("end with a local search from each best vector");
  table("restarts", &o.restarts)
      .effect(FieldEffect::defaults)
      .unset("where adapt is auto, and stands for shade6, without spread and stagnation")
      .help("begin a problem again once its population has collapsed, and keep its best vector");
  add_seed(table, o);
  add_limits(table, o, most_generations);
  table("spread", &o.spread)
      .range(0.0, Field::unbounded)
      .help("end a problem once its values differ by no more than this");
  table.group("Execution", FieldEffect::execution);
  table("method", &o.method).choices(method_names.all()).help("how kernels are launched");
  return table;
}

}  // namespace clopt::differential_evolution
