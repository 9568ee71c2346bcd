#include "bench_tables.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <frame/options/options.hpp>
#include "subcommand.hpp"

namespace clopt::apps::bench {

std::vector<ListedTable> all_tables(const std::optional<std::string>& solver) {
  std::vector<ListedTable> tables;
  for (const auto& each : solvers()) {
    if (solver && each.name != *solver) continue;
    for (auto& table : each.bench()) tables.push_back({each.name, std::move(table)});
  }
  if (solver && tables.empty()) {
    const auto names = solver_names();
    throw InvalidInput(
        fmt::format("there is no solver '{}'; the nearest is {}", printable(*solver), nearest(*solver, names)));
  }
  return tables;
}

std::vector<ListedTable> tables_named(std::vector<ListedTable> tables, const std::string& name) {
  const auto is_name = [&](const BenchmarkTable& table) {
    const auto& aliases = table.aliases;
    return table.name == name || table.paper() == name ||
           std::find(aliases.begin(), aliases.end(), name) != aliases.end();
  };
  std::vector<ListedTable> found;
  std::string names;
  for (const auto& each : tables) {
    if (is_name(each.table)) found.push_back(each);
    names += (names.empty() ? "" : ", ") + each.table.name;
  }
  for (const char* kind : {"table-", "figure-"})
    if (found.empty())
      for (const auto& each : tables)
        if (each.table.name == kind + name) found.push_back(each);
  if (found.empty())
    throw InvalidInput(
        fmt::format("{} has no table '{}'; choose one of {}", tables.front().solver, printable(name), names));
  return found;
}

Json list_json(const std::vector<ListedTable>& tables) {
  auto list = Json::array();
  for (const auto& [solver, table] : tables)
    list.push_back({{"solver", solver},
                    {"table", table.name},
                    {"paper", table.paper().empty() ? Json(nullptr) : Json(table.paper())},
                    {"caption", table.caption},
                    {"seconds", table.seconds}});
  return list;
}

std::string list_text(const std::vector<ListedTable>& tables) {
  std::string text;
  for (const auto& [solver, table] : tables)
    text += fmt::format("{:<22}  {:<11}  {}\n", solver, table.name, table.caption);
  return text;
}

BenchmarkRow checked_row(BenchmarkRow row) {
  constexpr const char* not_ended = "> limit";
  bool ended = row.value("ended", true) && (!row.contains("mean") || !row["mean"].is_null());
  for (auto& value : row)
    if (value.is_number_float() && !std::isfinite(value.get<double>())) {
      value = nullptr;
      ended = false;
    }
  if (row.contains("note") && row["note"].is_string())
    ended = ended && !row["note"].get<std::string>().starts_with(not_ended);
  row["ended"] = ended;
  return row;
}

std::string shown(const BenchmarkColumn& column, const Json& row) {
  using Kind = BenchmarkColumn::Kind;
  const auto found = row.find(column.field);
  if (found == row.end() || found->is_null()) return "-";
  if (found->is_string()) return found->get<std::string>();
  if (found->is_boolean()) return found->get<bool>() ? "yes" : "no";
  const double number = found->get<double>();
  switch (column.kind) {
    case Kind::seconds: return readable_seconds(number);
    case Kind::microseconds: return fmt::format("{:.2f} us", 1e6 * number);
    case Kind::rate: return fmt::format("{:.2e}", number);
    case Kind::ratio: return fmt::format("{:.3g}", number);
    case Kind::number: return fmt::format("{:.6g}", number);
    case Kind::part: return fmt::format("{:.1f} %", 100 * number);
    case Kind::bytes: return readable_bytes(static_cast<std::uint64_t>(number));
    default: return found->dump();
  }
}

std::string runs_text(const BenchmarkTable& table, const BenchmarkOptions& bench) {
  const auto runs = bench.runs.value_or(table.runs);
  if (runs <= 1 && table.runs <= 1) return "one run each";
  if (bench.runs) return fmt::format("means of {} runs; {} by default", runs, table.runs);
  return fmt::format("means of {} runs, or as many as take {} s", runs, bench.seconds_of_a_figure());
}

}  // namespace clopt::apps::bench
