#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <frame/status.hpp>

namespace clopt::apps {
namespace {

std::string words_of(const Json& setting) {
  std::string text;
  for (const auto& [name, value] : setting.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.template get<std::string>() : value.dump());
  return text;
}

bool was_ended(const RunReport& report) {
  const auto ending = report.result().ending;
  return ending == Ending::interrupted || ending == Ending::time;
}

}  // namespace

int run_sweep(const Options& given, std::vector<SweptRun> runs, std::string_view solver) {
  std::vector<std::unique_ptr<RunReport>> reports;
  std::vector<std::string> failures;
  Json sweep = Json::array();
  std::string text;
  auto status = static_cast<int>(Status::done);
  std::size_t best = 0;
  for (std::size_t i = 0; i < runs.size() && (i == 0 || !was_ended(*reports.back())); ++i) {
    auto report = runs[i].run->run_quietly(failures);
    auto& table = *report->table;
    table.setting = runs[i].values;
    sweep.push_back({{"options", table.setting}, {"runs", table.runs_json()}, {"summary", table.summary_json()}});
    text += fmt::format("sweep     {}: {}\n", words_of(table.setting), table.summary_text());
    if (i != 0 && table.is_better_than(*reports[best]->table)) best = i;
    status = std::max(status, report->exit_status());
    reports.push_back(std::move(report));
  }
  auto& chosen = *reports[best];
  chosen.sweep = std::move(sweep);
  chosen.sweep_text = text + fmt::format("best of   {}\n", words_of(chosen.table->setting));
  chosen.outputs = given.has("output") ? files_of(given, "output") : std::vector<std::string>();
  for (const auto& file : chosen.outputs) failures.push_back(chosen.write(file));
  std::vector<const RunsTable*> tables;
  tables.reserve(reports.size());
  for (const auto& report : reports) tables.push_back(&*report->table);
  write_tables(given, tables, failures);
  chosen.print(given.is_set("json"));
  return status_with_files(status, failures, solver);
}

}  // namespace clopt::apps
