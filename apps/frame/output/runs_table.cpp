#include "runs_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace clopt::apps {
namespace {

// A heading of the sweep's options, then others.
std::string heading(const std::vector<const RunsTable*>& tables, std::string_view columns) {
  std::string text;
  for (const auto& [name, value] : tables.front()->setting.items()) text += name + ",";
  return text + std::string(columns) + "\n";
}

std::string values_of(const Json& setting) {
  std::string text;
  for (const auto& value : setting) text += (value.is_string() ? value.get<std::string>() : value.dump()) + ",";
  return text;
}

}  // namespace

bool RunsTable::has_missed() const {
  return has_target && !std::all_of(runs.begin(), runs.end(), [](const RunOutcome& run) { return run.success; });
}

bool RunsTable::is_better_than(const RunsTable& other) const {
  const auto own = summary_of(runs, maximised).best;
  const auto best = summary_of(other.runs, maximised).best;
  return maximised ? own > best : own < best;
}

Json RunsTable::runs_json() const {
  Json rows = Json::array();
  for (const auto& run : runs) {
    Json row{{"seed", run.seed}};
    if (population) row["population"] = *population;
    row["success"] = has_goal ? Json(run.success) : Json();
    row[std::string(value_name)] = std::isfinite(run.value) ? number(run.value) : Json();
    row["generations"] = run.generations;
    row["evaluations"] = run.evaluations;
    row["seconds"] = run.seconds;
    row["checksum"] = hexadecimal(run.checksum);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json RunsTable::summary_json() const {
  const auto summary = summary_of(runs, maximised);
  const auto value = [&](double each) { return std::isfinite(each) ? number(each) : Json(); };
  const auto part = static_cast<double>(summary.successes) / static_cast<double>(summary.runs);
  return {{"runs", summary.runs},
          {"best", value(summary.best)},
          {"median", value(summary.median)},
          {"quartiles", {value(summary.lower_quartile), value(summary.upper_quartile)}},
          {"worst", value(summary.worst)},
          {"success", has_goal ? Json(part) : Json()},
          {"evaluations", summary.evaluations ? Json(*summary.evaluations) : Json()}};
}

std::string RunsTable::text() const {
  return fmt::format("runs      {}\nvalues    {}\n",
                     has_goal ? fmt::format("{} of {} succeeded", summary_of(runs, maximised).successes, runs.size())
                              : fmt::format("{}", runs.size()),
                     summary_text());
}

std::string RunsTable::summary_text() const {
  const auto summary = summary_of(runs, maximised);
  auto text = fmt::format("best {:.6g}, median {:.6g}, quartiles {:.6g} to {:.6g}, worst {:.6g}", summary.best,
                          summary.median, summary.lower_quartile, summary.upper_quartile, summary.worst);
  if (summary.evaluations) text += fmt::format("; {:.6g} evaluations a success", *summary.evaluations);
  return text;
}

std::string runs_csv(const std::vector<const RunsTable*>& tables) {
  auto text = heading(
      tables, fmt::format("seed,success,{},generations,evaluations,seconds,checksum", tables.front()->value_name));
  for (const auto* table : tables)
    for (const auto& run : table->runs)
      text += fmt::format("{}{},{},{},{},{},{},{}\n", values_of(table->setting), run.seed,
                          table->has_goal ? (run.success ? "1" : "0") : "", run.value, run.generations, run.evaluations,
                          run.seconds, hexadecimal(run.checksum));
  return text;
}

std::string summary_csv(const std::vector<const RunsTable*>& tables) {
  auto text = heading(tables, "runs,best,lower_quartile,median,upper_quartile,worst,success,evaluations");
  for (const auto* table : tables) {
    const auto summary = summary_of(table->runs, table->maximised);
    const auto part = static_cast<double>(summary.successes) / static_cast<double>(summary.runs);
    text += fmt::format("{}{},{},{},{},{},{},{},{}\n", values_of(table->setting), summary.runs, summary.best,
                        summary.lower_quartile, summary.median, summary.upper_quartile, summary.worst,
                        table->has_goal ? fmt::format("{}", part) : "",
                        summary.evaluations ? fmt::format("{}", *summary.evaluations) : "");
  }
  return text;
}

}  // namespace clopt::apps
