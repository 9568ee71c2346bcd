#include "report.hpp"

#include <clopt/detail/csv.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <frame/options/field_options.hpp>
#include <frame/options/shard_options.hpp>
#include <frame/status.hpp>
#include "solver.hpp"

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

constexpr std::size_t genes_shown = 20;

// Of a value in units of the last decimal.
double length_of(double value, std::uint32_t decimals) { return value / std::pow(10.0, decimals); }

std::string preset_text(const Json& settings) {
  const auto name = [&](const char* field) { return settings.at(field).get<std::string>(); };
  const auto number = [&](const char* field) { return settings.at(field).get<std::uint64_t>(); };
  const auto restart = number("restart");
  const auto improve = name("improve");
  return fmt::format("preset    {}: {} individuals, {} selection, {} crossover, {} mutation, {} elites{}{}\n",
                     name("preset"), number("population"), name("selection"), name("crossover_kind"),
                     name("mutation_kind"), number("elites"),
                     restart == 0 ? "" : fmt::format(", restart after {} generations", restart),
                     improve == "none" ? "" : ", " + improve);
}

}  // namespace

FieldTable fields(Facts& facts) {
  FieldTable table;
  table("objective", &facts.objective);
  table("kind", &facts.kind);
  table("genes", &facts.genes);
  table("seed", &facts.seed);
  table("has_whole_values", &facts.has_whole_values);
  table("is_constrained", &facts.is_constrained);
  table("optimum", &facts.optimum);
  table("target", &facts.target);
  table("decimals", &facts.decimals);
  return table;
}
Facts facts_of(const Search& search, const RunRequest& request) {
  const auto& objective = search.problem.objective;
  const bool counts = objective.form() == ObjectiveForm::count || objective.form() == ObjectiveForm::word;
  return {objective.name(),
          static_cast<std::uint32_t>(objective.kind()),
          search.problem.genes,
          search.options.seed,
          counts && !objective.has_finish(),
          objective.has_violation(),
          objective.optimum(),
          search.options.target,
          resumed_generation(request.resumed),
          search.trip.decimals};
}

Json to_json(const Facts& facts) { return values_json(fields_of(facts)); }

Facts facts_of(const Json& json) {
  Facts facts;
  auto values = json;
  // Slices of islands had no target, and those of version 0.1 no decimals.
  if (!values.contains("target")) values["target"] = nullptr;
  if (!values.contains("decimals")) values["decimals"] = 0U;
  read_values(fields(facts), values);
  return facts;
}

Report::Report(Facts facts, solver::Result result, std::shared_ptr<const solver::Tour> tour)
    : RunReport("genetic", facts.seed), facts_(std::move(facts)), result_(std::move(result)), tour_(std::move(tour)) {
  if (tour_) route_ = solver::route_of(tour_->problem, tour_->ends, result_.genes);
  if (facts_.decimals == 0) return;
  facts_.has_whole_values = false;
  result_.fitness = length_of(result_.fitness, facts_.decimals);
  for (auto* const values : {&result_.island_fitness, &result_.values})
    for (auto& value : *values) value = length_of(value, facts_.decimals);
}

Report::Report(Facts facts, const solver::Runs& runs, std::shared_ptr<const solver::Tour> tour)
    : Report(std::move(facts), best_of(runs), std::move(tour)) {
  seed_ = runs.trials[runs.best].seed;
  const bool has_target = facts_.target.has_value();
  const bool has_reals = facts_.kind == static_cast<std::uint32_t>(GeneKind::reals);
  table = RunsTable{solver::outcomes_of(runs),
                    runs.maximised,
                    has_target,
                    has_target || (facts_.optimum && !has_reals),
                    "fitness",
                    facts_.has_whole_values ? [](double value) { return Json(static_cast<std::int64_t>(value)); }
                                            : [](double value) { return Json(value); }};
  for (auto& run : table->runs) run.value = length_of(run.value, facts_.decimals);
}

bool Report::missed_target() const { return facts_.target && result_.ending != Ending::target; }

// Only a weighted formula has values below 0, where a hard clause costs more than all others give.
bool Report::keeps_hard_clauses() const { return !is_formula() || result_.fitness >= 0; }

bool Report::has_value() const { return !result_.feasible || std::isfinite(result_.fitness); }

Json Report::value_json() const {
  // NaN for an infeasible individual that could not be evaluated again.
  if (!std::isfinite(result_.fitness)) return nullptr;
  if (facts_.has_whole_values) return static_cast<std::int64_t>(result_.fitness);
  return result_.fitness;
}

Json Report::genes_json() const {
  if (facts_.kind == static_cast<std::uint32_t>(GeneKind::reals)) return result_.genes;
  Json genes = Json::array();
  for (const double gene : result_.genes) genes.push_back(static_cast<std::int64_t>(gene));
  return genes;
}

void Report::add_fields(Json& object) const {
  object["objective"] = facts_.objective;
  object["genes"] = facts_.genes;
  object["population"] = settings.at("population");
  object["best"] = {{"fitness", value_json()}, {"genes", genes_json()}};
  if (tour_) add_route(object);
  if (facts_.is_constrained) {
    object["feasible"] = result_.feasible;
    object["violation"] = std::isfinite(result_.violation) ? Json(result_.violation) : Json(nullptr);
  }
  if (is_formula()) object["feasible"] = keeps_hard_clauses();
  object["generations"] = result_.generations;
  object["restarts"] = result_.restarts;
  if (facts_.resumed_generation) object["resumed_generation"] = *facts_.resumed_generation;
  object["evaluations"] = result_.evaluations;
  if (facts_.optimum) object["optimum"] = *facts_.optimum;
  if (facts_.target) object["target_reached"] = !missed_target();
  object["interrupted"] = result_.interrupted();
  if (result_.island_fitness.size() > 1) object["island_fitness"] = result_.island_fitness;
  object["granularity"] = result_.method;
  object["individuals_per_group"] = result_.individuals_per_group;
  object["reason"] = result_.reason;
  object["launches"] = result_.launches;
  for (const auto& [stage, seconds] : result_.stages) object["stages"][stage] = seconds;
}

void Report::add_route(Json& object) const {
  object["length"] = route_.length;
  object["open"] = tour_->ends.open;
  const auto& names = tour_->cities.names;
  Json route = Json::array();
  Json names_of_route = Json::array();
  for (const auto city : route_.cities) {
    route.push_back(city + 1);
    if (!names.empty()) names_of_route.push_back(printable(names[city], 1000));
  }
  object["route"] = route;
  if (!names.empty()) object["route_names"] = names_of_route;
  object["legs"] = route_.legs;
}

// The last row of a round trip is the first city again.
std::string Report::route_table() const {
  const auto& cities = tour_->cities;
  std::string table = cities.names.empty() ? "position,city" : "position,city,name";
  if (!cities.places.empty()) table += cities.are_geographical ? ",latitude,longitude" : ",x,y";
  table += ",leg,sum\n";
  double units = 0;
  const double scale = std::pow(10.0, facts_.decimals);
  for (std::size_t i = 0; i <= route_.legs.size(); ++i) {
    const auto city = route_.cities[i % route_.cities.size()];
    const double leg = i == 0 ? 0 : route_.legs[i - 1];
    units += std::rint(leg * scale);
    table += fmt::format("{},{}", i + 1, city + 1);
    if (!cities.names.empty()) table += "," + csv_field(cities.names[city]);
    if (!cities.places.empty()) table += fmt::format(",{},{}", cities.places[city][0], cities.places[city][1]);
    table += fmt::format(",{},{}\n", leg, units / scale);
  }
  return table;
}

std::string Report::genes_text() const {
  const auto& genes = result_.genes;
  const auto shown = std::min(genes.size(), genes_shown);
  return fmt::format("{:.6g}{}", fmt::join(std::span(genes).first(shown), " "), rest_text(genes.size() - shown));
}

// Names may contain spaces.
std::string Report::route_text() const {
  const auto& names = tour_->cities.names;
  const auto shown = std::min(route_.cities.size(), genes_shown);
  std::vector<std::string> cities;
  for (const auto city : std::span(route_.cities).first(shown))
    cities.push_back(names.empty() ? std::to_string(city + 1) : printable(names[city]));
  return fmt::format("{}{}", fmt::join(cities, names.empty() ? " " : ", "), rest_text(route_.cities.size() - shown));
}

std::string Report::answer_text() const {
  std::string text = fmt::format("best      {} ({}{})\n", value_json().dump(), facts_.objective,
                                 table ? fmt::format(", seed {}", seed_) : "");
  if (!has_value()) text += "          no value was a finite number: check the objective's bounds (--lower, --upper)\n";
  if (!result_.feasible)
    text += fmt::format("violation {:.6g}: no individual was found that keeps all constraints\n", result_.violation);
  if (!keeps_hard_clauses()) text += "violation not all hard clauses hold, and they may contradict each other\n";
  text += tour_ ? fmt::format("route     {}\n", route_text()) : fmt::format("genes     {}\n", genes_text());
  text += fmt::format(
      "run       {} generations, {}{} evaluations{}{}{}{}\n", result_.generations,
      result_.restarts == 0 ? "" : fmt::format("{} restart{}, ", result_.restarts, result_.restarts == 1 ? "" : "s"),
      result_.evaluations, rate_text(result_.evaluations, result_.seconds.compute),
      // An interrupt is reported by the program itself.
      result_.interrupted() ? std::string() : fmt::format("; ended by {}", name_of(result_.ending)),
      facts_.resumed_generation == result_.generations ? ", which the checkpoint had reached already" : "",
      missed_target() ? "; the target was not reached" : "");
  text += preset_text(settings);
  if (!result_.unchecked.empty()) text += fmt::format("unchecked {}\n", result_.unchecked);
  text += fmt::format("method    {}, {} individuals a group{}\n", result_.method, result_.individuals_per_group,
                      result_.reason.empty() ? "" : fmt::format(" ({})", result_.reason));
  return text;
}

std::string Report::work_text() const {
  std::string text;
  for (const auto& [stage, seconds] : result_.stages)
    text += fmt::format("stage     {:<12} {}\n", stage, readable_seconds(seconds));
  return text;
}

int Report::status() const {
  if (result_.interrupted()) return Status::interrupted;
  return missed_target() || !has_value() || !result_.feasible || !keeps_hard_clauses() ? Status::not_reached
                                                                                       : Status::done;
}

std::string Report::rows_text(std::span<const double> values, std::span<const double> violations,
                              const std::vector<double>& genes) const {
  std::string table = facts_.is_constrained ? "value,violation" : "value";
  for (std::uint32_t gene = 0; gene < facts_.genes; ++gene) table += fmt::format(",gene{}", gene);
  table += '\n';
  for (std::size_t i = 0; i < values.size(); ++i) {
    table += fmt::format("{}", values[i]);
    if (facts_.is_constrained) table += fmt::format(",{}", violations[i]);
    table += fmt::format(",{}\n", fmt::join(std::span(genes).subspan(i * facts_.genes, facts_.genes), ","));
  }
  return table;
}

std::string Report::write(const std::string& file) const {
  if (tour_) return write_file(file, route_table());
  return write_file(file, rows_text({&result_.fitness, 1}, {&result_.violation, 1}, result_.genes));
}

std::string Report::write_population(const std::string& file) const {
  return write_file(file, rows_text(result_.values, result_.violations, result_.population));
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the best individual goes to one file");
  const auto facts = facts_of(order.facts);
  if (are_runs(order.slices)) {
    auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t runs) {
      return solver::unpack_runs(record, runs, facts.genes);
    });
    return std::make_unique<Report>(facts, solver::merge(std::move(parts)));
  }
  auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t islands) {
    return solver::unpack(record, islands, facts.genes);
  });
  return std::make_unique<Report>(facts, solver::merge(std::move(parts), order.keeps_population));
}

}  // namespace clopt::apps::genetic
