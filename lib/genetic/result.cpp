/// \file
/// Results of ranges of islands, as that of all islands.
#include <clopt/error.hpp>
#include <clopt/genetic.hpp>
#include <support/numbers/checksum.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include <genetic/run/result_builder.hpp>

namespace clopt::genetic {
namespace {

template <class Archive, class Any>
void visit_members(Archive& archive, Any& result) {
  visit_run_result(archive, result);
  archive("fitness", result.fitness);
  archive("feasible", result.feasible);
  archive("violation", result.violation);
  archive("best", result.genes);
  archive("generations", result.generations);
  archive("evaluations", result.evaluations);
  archive("individuals_per_group", result.individuals_per_group);
  archive("island_fitness", result.island_fitness);
}

void require_part(bool holds) {
  if (!holds) throw InvalidInput("its result is not of that number of islands; it was not written by clopt");
}

std::uint32_t number_in(const Record& part, std::string_view name) {
  const auto& numbers = part.get<std::uint32_t>(name);
  require_part(numbers.size() == 1);
  return numbers.front();
}

/// What a part has of its islands.
template <class Element, class Real>
struct PartView {
  const std::vector<Element>& population;
  const std::vector<Real>& costs;
  const std::vector<Element>& best_rows;
  const std::vector<Real>& best_costs;
};

// Calls a function with the PartView of a part, or of nothing where it is not of known types.
template <class Function>
void view(const Record& part, const Function& function) {
  const auto as = [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
    function(PartView<Element, Real>{part.get<Element>("population"), part.get<Real>("costs"),
                                     part.get<Element>("best_rows"), part.get<Real>("best_costs")});
  };
  const auto has = [&]<class T>(std::string_view name, std::type_identity<T>) {
    const auto& fields = part.fields();
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& each) { return each.first == name; });
    return field != fields.end() && std::holds_alternative<std::vector<T>>(field->second);
  };
  const std::type_identity<float> single{};
  const std::type_identity<double> wide{};
  const std::type_identity<std::int32_t> integers{};
  const std::type_identity<std::uint32_t> words{};
  const bool is_wide = has("costs", wide);
  switch (number_in(part, "kind")) {
    case GENETIC_REALS: return is_wide ? as(wide, wide) : as(single, single);
    case GENETIC_INTEGERS: return is_wide ? as(integers, wide) : as(integers, single);
    default: return is_wide ? as(words, wide) : as(words, single);
  }
}

// What Genes and ResultBuilder read.
Plan plan_of(const Record& part, std::size_t row) {
  Plan plan{};
  plan.settings.kind = number_in(part, "kind");
  plan.settings.genes = number_in(part, "genes");
  plan.settings.maximise = number_in(part, "maximise");
  plan.settings.row = static_cast<std::uint32_t>(row);
  plan.constrained = number_in(part, "constrained") != 0;
  return plan;
}

std::size_t row_of(std::uint32_t kind, std::uint64_t genes) {
  return kind == GENETIC_BITS ? 2 * ((genes + GENETIC_UNIT - 1) / GENETIC_UNIT) : genes;
}

void require_sizes(const Record& part, std::uint64_t islands, std::uint32_t genes) {
  require_part(number_in(part, "genes") == genes && number_in(part, "kind") <= GENETIC_PERMUTATION);
  number_in(part, "maximise");
  number_in(part, "constrained");
  const auto row = row_of(number_in(part, "kind"), genes);
  view(part, [&](const auto& own) {
    require_part(own.best_costs.size() == islands && own.best_rows.size() == islands * row && !own.costs.empty() &&
                 own.costs.size() % islands == 0 && own.population.size() / row == own.costs.size() &&
                 own.population.size() % row == 0);
    require_part(
        std::none_of(own.best_costs.begin(), own.best_costs.end(), [](auto cost) { return std::isnan(cost); }));
  });
}

// As RunState has it of all islands: the first island with the least cost.
std::size_t part_with_best(const std::vector<Result>& parts) {
  std::size_t chosen = 0;
  double least = 0;
  for (std::size_t n = 0; n < parts.size(); ++n)
    view(parts[n].part, [&](const auto& own) {
      const double cost = *std::min_element(own.best_costs.begin(), own.best_costs.end());
      if (n != 0 && !(cost < least)) return;
      least = cost;
      chosen = n;
    });
  return chosen;
}

// Goes over all genes, then all costs, as one run of all islands does.
template <class Element, class Real>
void conclude(const std::vector<Result>& parts, const Plan& plan, bool keep_population, Result& whole) {
  // Of the objective nothing is asked: the part with the best individual has evaluated it.
  const Problem problem{Objective::named("onemax"), plan.settings.genes, {}, {}};
  Options options;
  options.keep_population = keep_population;
  ResultBuilder<Element, Real> conclusion(problem, options, plan, whole);
  const auto array = [](const Result& part, const char* name, auto type) -> const auto& {
    return part.part.get<typename decltype(type)::type>(name);
  };
  std::vector<Real> best_costs;
  std::vector<Element> best_rows;
  for (const auto& part : parts) conclusion.take_genes(array(part, "population", std::type_identity<Element>()));
  for (const auto& part : parts) {
    conclusion.take_costs(array(part, "costs", std::type_identity<Real>()));
    const auto& costs = array(part, "best_costs", std::type_identity<Real>());
    const auto& rows = array(part, "best_rows", std::type_identity<Element>());
    best_costs.insert(best_costs.end(), costs.begin(), costs.end());
    best_rows.insert(best_rows.end(), rows.begin(), rows.end());
  }
  conclusion.finish(best_costs, best_rows, false);
}

}  // namespace

Record pack(const Result& result) {
  if (result.part.empty())
    throw InvalidInput("the result is not of a `range` of islands; only those of ranges are packed");
  Record record;
  RecordWriter writer(record);
  visit_members(writer, result);
  for (const auto& [name, value] : result.part.fields()) record.add(name, value);
  return record;
}

Result unpack(const Record& record, std::uint64_t islands, std::uint32_t genes) {
  Result result;
  RecordReader reader(record);
  visit_members(reader, result);
  for (const auto& [name, value] : record.fields())
    for (const auto* own :
         {"kind", "genes", "maximise", "constrained", "population", "costs", "best_rows", "best_costs"})
      if (name == own) result.part.add(name, value);
  require_part(islands >= 1 && genes >= 1 && result.island_fitness.size() == islands && result.genes.size() == genes &&
               result.ending <= Ending::interrupted);
  require_sizes(result.part, islands, genes);
  return result;
}

Result merge(std::vector<Result> parts, bool keep_population) {
  if (parts.empty()) throw InvalidInput("there are no `parts` of a result; give one at least");
  for (const auto& part : parts) {
    if (part.part.empty())
      throw InvalidInput("a result is not of a `range` of islands; only those of ranges are merged");
    require_sizes(part.part, part.island_fitness.size(), static_cast<std::uint32_t>(part.genes.size()));
    require_part(number_in(part.part, "kind") == number_in(parts.front().part, "kind") &&
                 part.genes.size() == parts.front().genes.size() && part.generations == parts.front().generations);
  }
  Result whole;
  static_cast<RunResult&>(whole) = parts.front();
  whole.generations = parts.front().generations;
  whole.individuals_per_group = parts.front().individuals_per_group;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    whole.evaluations += parts[n].evaluations;
    if (n != 0) add_run_result(whole, parts[n]);
  }
  const auto& first = parts.front().part;
  const auto plan = plan_of(first, row_of(number_in(first, "kind"), number_in(first, "genes")));
  view(first, [&]<class Element, class Real>(const PartView<Element, Real>&) {
    conclude<Element, Real>(parts, plan, keep_population, whole);
  });
  const auto& best = parts[part_with_best(parts)];
  whole.fitness = best.fitness;
  whole.feasible = best.feasible;
  whole.violation = best.violation;
  return whole;
}

}  // namespace clopt::genetic
