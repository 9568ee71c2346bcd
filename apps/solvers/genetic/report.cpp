#include "report.hpp"

#include <clopt/detail/csv.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>
#include <clopt/genetic_problems.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <frame/files/json_bytes.hpp>
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
  if (improve == "iterated")
    return fmt::format("preset    {}: {} {}, iterated local search\n", name("preset"), number("population"),
                       number("population") == 1 ? "tour" : "tours");
  return fmt::format("preset    {}: {} individuals, {} selection, {} crossover, {} mutation, {} elites{}{}\n",
                     name("preset"), number("population"), name("selection"), name("crossover_kind"),
                     name("mutation_kind"), number("elites"),
                     restart == 0 ? "" : fmt::format(", restart after {} generations", restart),
                     improve == "none" ? "" : ", " + improve);
}

// Slices of other problems have none, nor have those of version 0.1.
std::optional<Trip> trip_of(const Slice& slice) {
  auto json = answer_of(slice);
  if (json.is_null()) return std::nullopt;
  change_texts(json, bytes_of);
  Trip trip;
  json.at("cities").get_to(trip.route.cities);
  json.at("legs").get_to(trip.route.legs);
  json.at("length").get_to(trip.route.length);
  json.at("names").get_to(trip.names);
  json.at("places").get_to(trip.places);
  json.at("are_geographical").get_to(trip.are_geographical);
  json.at("open").get_to(trip.open);
  return trip;
}

// That of the first slice whose best individual is the whole run's.
std::optional<Trip> trip_of_best(const std::vector<std::optional<Trip>>& trips,
                                 const std::vector<std::vector<double>>& best_of_slices,
                                 const std::vector<double>& best) {
  const auto found = std::find(best_of_slices.begin(), best_of_slices.end(), best);
  return found == best_of_slices.end() ? std::nullopt : trips[static_cast<std::size_t>(found - best_of_slices.begin())];
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
          solver::optimum_of(search.problem),
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

Trip trip_of(const solver::Tour& tour, std::span<const double> genes) {
  const auto& cities = tour.cities;
  return {solver::route_of(tour.problem, tour.ends, genes), cities.names, cities.places, cities.are_geographical,
          tour.ends.open};
}

Json to_json(const Trip& trip) {
  Json json{{"cities", trip.route.cities},
            {"legs", trip.route.legs},
            {"length", trip.route.length},
            {"names", trip.names},
            {"places", trip.places},
            {"are_geographical", trip.are_geographical},
            {"open", trip.open}};
  change_texts(json, utf8_of);
  return json;
}

Report::Report(Facts facts, solver::Result result, std::optional<Trip> trip)
    : RunReport("genetic", facts.seed), facts_(std::move(facts)), result_(std::move(result)), trip_(std::move(trip)) {
  if (facts_.decimals == 0) return;
  facts_.has_whole_values = false;
  result_.fitness = length_of(result_.fitness, facts_.decimals);
  for (auto* const values : {&result_.island_fitness, &result_.values})
    for (auto& value : *values) value = length_of(value, facts_.decimals);
}

Report::Report(Facts facts, const solver::Runs& runs, std::optional<Trip> trip)
    : Report(std::move(facts), best_of(runs), std::move(trip)) {
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
  if (trip_) add_route(object);
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
  object["length"] = trip_->route.length;
  object["open"] = trip_->open;
  object["route"] = trip_->route.cities;
  if (const auto& names = trip_->names; !names.empty()) {
    Json names_of_route = Json::array();
    for (const auto city : trip_->route.cities) names_of_route.push_back(printable(names[city], 1000));
    object["route_names"] = names_of_route;
  }
  object["legs"] = trip_->route.legs;
}

// The last row of a round trip is the first city again. Cities are counted from 1, as rows of files are.
std::string Report::route_table() const {
  const auto& [route, names, places, are_geographical, open] = *trip_;
  std::string table = names.empty() ? "position,city" : "position,city,name";
  if (!places.empty()) table += are_geographical ? ",latitude,longitude" : ",x,y";
  table += ",leg,sum\n";
  double units = 0;
  const double scale = std::pow(10.0, facts_.decimals);
  for (std::size_t i = 0; i <= route.legs.size(); ++i) {
    const auto city = route.cities[i % route.cities.size()];
    const double leg = i == 0 ? 0 : route.legs[i - 1];
    units += std::rint(leg * scale);
    table += fmt::format("{},{}", i + 1, city + 1);
    if (!names.empty()) table += "," + csv_field(names[city]);
    if (!places.empty()) table += fmt::format(",{},{}", places[city][0], places[city][1]);
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
  const auto& [route, names, places, are_geographical, open] = *trip_;
  const auto shown = std::min(route.cities.size(), genes_shown);
  std::vector<std::string> cities;
  for (const auto city : std::span(route.cities).first(shown))
    cities.push_back(names.empty() || names[city].empty() ? std::to_string(city + 1) : printable(names[city]));
  return fmt::format("{}{}", fmt::join(cities, names.empty() ? " " : ", "), rest_text(route.cities.size() - shown));
}

std::string Report::answer_text() const {
  std::string text = fmt::format("best      {} ({}{})\n", value_json().dump(), facts_.objective,
                                 table ? fmt::format(", seed {}", seed_) : "");
  if (!has_value()) text += "          no value was a finite number: check the objective's bounds (--lower, --upper)\n";
  if (!result_.feasible)
    text += fmt::format("violation {:.6g}: no individual was found that keeps all constraints\n", result_.violation);
  if (!keeps_hard_clauses()) text += "violation not all hard clauses hold, and they may contradict each other\n";
  text += trip_ ? fmt::format("route     {}\n", route_text()) : fmt::format("genes     {}\n", genes_text());
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
  if (trip_) return write_file(file, route_table());
  return write_file(file, rows_text({&result_.fitness, 1}, {&result_.violation, 1}, result_.genes));
}

std::string Report::write_population(const std::string& file) const {
  return write_file(file, rows_text(result_.values, result_.violations, result_.population));
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the best individual goes to one file");
  const auto facts = facts_of(order.facts);
  // The trips of slices that have items, as results_of() has these.
  std::vector<std::optional<Trip>> trips;
  for (const auto& slice : order.slices)
    if (slice.range().count != 0) trips.push_back(trip_of(slice));
  if (are_runs(order.slices)) {
    auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t runs) {
      return solver::unpack_runs(record, runs, facts.genes);
    });
    std::vector<std::vector<double>> best;
    best.reserve(parts.size());
    for (const auto& part : parts) best.push_back(best_of(part).genes);
    const auto whole = solver::merge(std::move(parts));
    return std::make_unique<Report>(facts, whole, trip_of_best(trips, best, best_of(whole).genes));
  }
  auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t islands) {
    return solver::unpack(record, islands, facts.genes);
  });
  std::vector<std::vector<double>> best;
  best.reserve(parts.size());
  for (const auto& part : parts) best.push_back(part.genes);
  auto whole = solver::merge(std::move(parts), order.keeps_population);
  auto trip = trip_of_best(trips, best, whole.genes);
  return std::make_unique<Report>(facts, std::move(whole), std::move(trip));
}

}  // namespace clopt::apps::genetic
