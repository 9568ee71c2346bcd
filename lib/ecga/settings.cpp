#include "settings.hpp"

#include <clopt/ecga_sizing.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <support/names.hpp>
#include "objective.hpp"
#include "operations.hpp"
#include "problem_parts.hpp"

namespace clopt::ecga {
namespace {

constexpr std::uint32_t most_tournament = 1024;

constexpr Names<SearchMethod, 2> search_names{{{{SearchMethod::greedy, "greedy"}, {SearchMethod::mating, "mating"}}}};
constexpr Names<Counting, 7> counting_names{{{{Counting::automatic, "auto"},
                                              {Counting::popcount, "popcount"},
                                              {Counting::table, "table"},
                                              {Counting::table_8, "table-8"},
                                              {Counting::table_16, "table-16"},
                                              {Counting::matrix, "matrix"},
                                              {Counting::histogram, "histogram"}}}};

void check_problem(const Problem& problem) {
  const auto& objective = problem.objective;
  if (problem.length == 0 || problem.length > most_loci)
    throw InvalidInput(fmt::format("`length` is {}; choose from 1 to {} loci", problem.length, most_loci));
  if (objective.kind() != GeneKind::bits)
    throw InvalidInput(fmt::format("the `objective` {} is one of {}; only bits are searched", objective.name(),
                                   name_of(objective.kind())));
  if (objective.has_violation())
    throw InvalidInput(
        fmt::format("the `objective` {} has a violation, and the model is of fitness alone; take the "
                    "genetic algorithm, or subtract a penalty from the fitness",
                    objective.name()));
  if (objective.reads_rows())
    throw InvalidInput(
        fmt::format("the `objective` {} reads row() or columns(), of which only differential "
                    "evolution has data; give it a table in their place",
                    objective.name()));
  if (objective.is_builtin() && objective.name() == "trap" && objective.table_values().empty())
    throw InvalidInput("the `objective` trap has no order; say trapK with K from 2 to 32");
  const auto order = block_length(objective);
  if (problem.length % order != 0)
    throw InvalidInput(fmt::format(
        "`length` is {}, which is not a multiple of {}, the order of {}{}; the nearest is {}", problem.length, order,
        objective.name(), order, std::max((problem.length + order / 2) / order, 1U) * order));
}

void check_options(const Options& options) {
  if (options.population > most_individuals)
    throw InvalidInput(fmt::format("`population` is {}; choose from 1 to {}, or 0 for the usual one of the length",
                                   options.population, most_individuals));
  if (options.tournament == 0 || options.tournament > most_tournament)
    throw InvalidInput(
        fmt::format("`tournament` is {}; choose from 1 to {} individuals", options.tournament, most_tournament));
  if (options.population != 0 && options.tournament > options.population)
    throw InvalidInput(fmt::format("`tournament` is {}, and `population` has only {} individuals; choose a smaller one",
                                   options.tournament, options.population));
  if (!(options.crossover >= 0 && options.crossover <= 1))
    throw InvalidInput(fmt::format("`crossover` is {}; choose from 0 to 1", options.crossover));
  if (options.largest_group == 0 || options.largest_group > ECGA_MOST_LOCI)
    throw InvalidInput(
        fmt::format("`largest_group` is {}; choose from 1 to {} loci", options.largest_group, ECGA_MOST_LOCI));
  if (options.least_shared && !(*options.least_shared >= 0))
    throw InvalidInput(fmt::format("`least_shared` is {}; give a number of bits from 0 on", *options.least_shared));
  if (options.target && !std::isfinite(*options.target))
    throw InvalidInput(fmt::format("`target` is {}; give a finite number", *options.target));
}

}  // namespace

std::string_view name_of(SearchMethod search) { return search_names.of(search); }
std::string_view name_of(Counting counting) { return counting_names.of(counting); }

const std::vector<std::string>& searches() {
  static const auto names = search_names.all();
  return names;
}

const std::vector<std::string>& countings() {
  static const auto names = counting_names.all();
  return names;
}

bool maximises(const Problem& problem) {
  return problem.objective.is_builtin() || problem.objective.direction() != Direction::minimise;
}

Settings checked_settings(const Problem& problem, const Options& options) {
  Settings settings{problem, options, search_names.value(options.search, "search"),
                    counting_names.value(options.counting, "counting"), !maximises(problem)};
  check_problem(problem);
  check_options(options);
  if (options.population == 0)
    settings.options.population =
        std::min(std::max<std::uint64_t>(usual_population(problem.length), options.tournament), most_individuals);
  return settings;
}

RunIdentity Settings::identity() const {
  RunIdentity identity("ecga");
  // The objective's hash has the direction too: first, so that a message names it.
  identity.add("direction", std::string_view(minimises ? "minimise" : "maximise"))
      .add("objective", problem.objective)
      .add("length", problem.length)
      .add("population", options.population)
      .add("seed", options.seed)
      .add("search", std::string_view(name_of(search)))
      .add("tournament", options.tournament)
      .add("crossover", options.crossover)
      .add("largest_group", options.largest_group);
  return identity;
}

}  // namespace clopt::ecga
