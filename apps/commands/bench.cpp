/// \file
/// `clopt bench`: the tables of a solver's paper, measured here.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <mutex>

#include <frame/options/common_options.hpp>
#include <frame/run/interruption.hpp>
#include "benchmark.hpp"
#include "subcommand.hpp"

namespace clopt::apps::bench {
namespace {

constexpr double usual_time_limit = 10;

const Solver& solver_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& each : solvers()) {
    if (each.name == name) return each;
    names.emplace_back(each.name);
  }
  throw InvalidInput(fmt::format("there is no solver '{}'; the nearest is {}", printable(name), nearest(name, names)));
}

std::vector<BenchmarkTable> tables_of(const Solver& solver, const std::optional<std::string>& name) {
  auto tables = solver.bench();
  if (!name) return tables;
  std::string names;
  for (auto& each : tables) {
    if (each.name == *name) return {std::move(each)};
    names += (names.empty() ? "" : ", ") + each.name;
  }
  throw InvalidInput(fmt::format("{} has no table '{}'; choose one of {}", solver.name, printable(*name), names));
}

std::string shown(const BenchmarkColumn& column, const Json& row) {
  const auto found = row.find(column.field);
  if (found == row.end() || found->is_null()) return "-";
  if (found->is_string()) return found->get<std::string>();
  if (found->is_boolean()) return found->get<bool>() ? "yes" : "no";
  const double number = found->get<double>();
  switch (column.kind) {
    case BenchmarkColumn::Kind::seconds: return readable_seconds(number);
    case BenchmarkColumn::Kind::rate: return fmt::format("{:.2e}", number);
    case BenchmarkColumn::Kind::ratio: return fmt::format("{:.3g}", number);
    case BenchmarkColumn::Kind::bytes: return readable_bytes(static_cast<std::uint64_t>(number));
    default: return found->dump();
  }
}

std::string line_of(const std::vector<BenchmarkColumn>& columns,
                    const std::function<std::string(const BenchmarkColumn&)>& text) {
  std::string line;
  for (const auto& column : columns) {
    // Words begin where their column does, numbers end there.
    line += column.kind == BenchmarkColumn::Kind::text ? fmt::format("{:<{}}  ", text(column), column.width)
                                                       : fmt::format("{:>{}}  ", text(column), column.width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// \param add_row receives each row when it is measured.
void run_table(const BenchmarkTable& table, const BenchmarkOptions& bench, bool prints, const AddRow& add_row) {
  if (prints) {
    print(fmt::format("Table {}: {}\n", table.name, table.summary));
    print(line_of(table.columns, [](const BenchmarkColumn& column) { return column.title; }));
  }
  try {
    table.run(bench, [&](const BenchmarkRow& row) {
      if (bench.stop.stop_requested()) throw BenchmarkStopped();
      if (prints) print(line_of(table.columns, [&](const BenchmarkColumn& column) { return shown(column, row); }));
      add_row(row);
    });
  } catch (const BenchmarkStopped&) {
  }
  if (prints) print("\n");
}

}  // namespace

int run(const Arguments& arguments) {
  OptionParser parser(
      "bench", "--solver NAME [--table NAME] [OPTION...]",
      "Measures the tables of a solver's paper and shows the paper's figures beside. A run that does\n"
      "not end within the time limit shows `> limit`. All tables of the solver in small by default. Of several\n"
      "devices, tables of work that is shared out use all, the others the first.");
  parser.value("solver", "NAME", "the solver (needed)")
      .choices(solver_names())
      .value("table", "NAME", "only this table")
      .switch_("full", "every size of the paper: hours, with a long time limit")
      .value("time-limit", "SECONDS", fmt::format("end each run after this time (default {})", usual_time_limit))
      .value("seed", "N", "the seed of what is drawn (default 1)");
  add_device_options(parser);
  add_output_options(parser);
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const auto common = read_common_options(*options);
  const auto name = full_name(options->text("solver"));
  if (!name) throw InvalidInput("bench needs --solver NAME");
  const auto& solver = solver_named(*name);
  const auto tables = tables_of(solver, options->text("table"));
  const auto chosen = find_devices(common.devices);

  std::mutex mutex;
  Json object{{"solver", solver.name}, {"device", Json::array()}, {"tables", Json::array()}};  // under the mutex
  const auto print_so_far = [&](bool interrupted) {
    const std::lock_guard lock(mutex);
    object["interrupted"] = interrupted;
    object["version"] = version();
    if (common.json) print_json(object);
  };
  ReportingWork work([&] { print_so_far(true); });
  BenchmarkOptions bench;
  bench.stop = work.stop();
  for (const auto& info : chosen) bench.devices.push_back(open_listed_device(info, common.device));
  bench.device = bench.devices.front();
  bench.device_options = common.device;
  bench.seed = common.seed;
  bench.time_limit = common.time_limit.value_or(usual_time_limit);
  bench.full = options->is_set("full");

  const Stopwatch watch;
  const auto change = [&](const auto& work_on_object) {
    const std::lock_guard lock(mutex);
    work_on_object();
  };
  change([&] {
    for (const auto& device : bench.devices) object["device"].push_back(device_json(device->info()));
    object["seed"] = bench.seed;
    object["time_limit"] = bench.time_limit;
  });
  for (const auto& table : tables) {
    if (bench.stop.stop_requested()) break;
    change([&] {
      object["tables"].push_back({{"table", table.name}, {"summary", table.summary}, {"rows", Json::array()}});
    });
    run_table(table, bench, !common.json,
              [&](const BenchmarkRow& row) { change([&] { object["tables"].back()["rows"].push_back(row); }); });
  }
  work.end();
  object["seconds"] = watch.seconds();
  print_so_far(bench.stop.stop_requested());
  return bench.stop.stop_requested() ? Status::interrupted : Status::done;
}

}  // namespace clopt::apps::bench
