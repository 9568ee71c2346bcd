/// \file
/// `clopt bench`: the tables of a solver's paper, measured here.
#include <clopt/detail/files.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <functional>
#include <mutex>

#include <frame/options/common_options.hpp>
#include <frame/run/interruption.hpp>
#include "bench_report.hpp"
#include "bench_tables.hpp"
#include "subcommand.hpp"

namespace clopt::apps::bench {
namespace {

constexpr std::uint64_t most_runs = 10'000;

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

OptionParser bench_parser() {
  auto tables = "  " + list_text(all_tables({}));
  tables.pop_back();
  // Rows of a table begin with a space.
  for (auto at = tables.find('\n'); at != tables.npos; at = tables.find('\n', at + 1)) tables.insert(at + 1, "  ");
  OptionParser parser(
      "bench",
      "--solver NAME [--table NAME] [OPTION...]\nclopt bench --list [--solver NAME]\nclopt bench --report FILE",
      "Measures the tables of a solver's paper and shows the paper's figures beside. A run that does "
      "not end within the time limit shows `> limit`, and the status is then 4. All tables of the solver in small by "
      "default. Of several devices, tables of work that is shared out use all, the others the first.\n\n"
      "Tables, which `--list` prints too:\n" +
          tables);
  parser.example("--list")
      .example("--solver genetic --table table-6.9")
      .value("solver", "NAME", "the solver (needed, but for `--list` and `--report`)")
      .choices(solver_names())
      .value("table", "NAME", "only this table: `table-6.9`, or the number alone")
      .switch_("list", "list the tables, and measure nothing")
      .switch_("small", "sizes that take seconds, as without `--full`")
      .switch_("full", "every size of the paper: hours, with a long time limit")
      .value("runs", "N", "runs of each figure (1 to 10000; default: the paper's, as far as they take little time)")
      .value("report", "FILE",
             "write a page with the tables of all solvers, and pictures beside the papers' figures, of each selected "
             "device, by default of all: FILE.html or FILE.md")
      .value("time-limit", "SECONDS",
             fmt::format("end each run after this time (default {})", BenchmarkOptions::usual_time_limit))
      .value("seed", "N", "the seed of what is drawn (default 1)");
  add_device_options(parser);
  add_output_options(parser);
  return parser;
}

// The tables of a call, and what became of them.
class Measurement {
 public:
  Measurement(const CommonOptions& common, BenchmarkOptions bench, std::optional<std::string> solver)
      : common_(common), bench_(std::move(bench)) {
    bench_.stop = work_.stop();
    if (solver) object_["solver"] = *solver;
    object_["device"] = Json::array();
    object_["tables"] = Json::array();
  }

  void open_devices() {
    for (const auto& info : find_devices(common_.devices)) devices_.push_back(open_listed_device(info, common_.device));
    change([&] {
      for (const auto& device : devices_) object_["device"].push_back(device_json(device->info()));
      object_["seed"] = bench_.seed;
      object_["time_limit"] = bench_.limit();
      object_["full"] = bench_.full;
    });
  }

  // Measures tables on the first device, or on each one after the other.
  void run(const std::vector<ListedTable>& tables, bool on_each) {
    for (std::size_t number = 0; number < (on_each ? devices_.size() : 1); ++number) {
      bench_.device = devices_[number];
      bench_.devices = number == 0 ? devices_ : std::vector{devices_[number]};
      for (const auto& each : tables) {
        if (stopped()) return;
        run_table(each);
      }
    }
  }

  void print_result() {
    work_.end();
    object_["seconds"] = watch_.seconds();
    print_so_far(stopped());
  }

  bool stopped() const { return bench_.stop.stop_requested(); }
  bool ended() const { return ended_; }
  const std::vector<MeasuredTable>& measured() const { return measured_; }
  const std::vector<std::shared_ptr<Device>>& devices() const { return devices_; }

 private:
  void change(const std::function<void()>& work) {
    const std::lock_guard lock(mutex_);
    work();
  }

  void run_table(const ListedTable& listed) {
    const auto& table = listed.table;
    const auto& columns = table.columns;
    const auto paper = table.paper();
    measured_.push_back({listed, bench_.device->info().id, runs_text(table, bench_), {}});
    auto& rows = measured_.back().rows;
    change([&] {
      object_["tables"].push_back({{"solver", listed.solver},
                                   {"table", table.name},
                                   {"paper", paper.empty() ? Json(nullptr) : Json(paper)},
                                   {"summary", table.caption},
                                   {"device", bench_.device->info().id},
                                   {"remarks", table.remarks},
                                   {"rows", Json::array()}});
    });
    say(fmt::format("{}: {} ({})\n", paper.empty() ? "Table " + table.name : listed.solver.data() + (", " + paper),
                    table.caption, measured_.back().runs));
    say(line_of(columns, [](const BenchmarkColumn& column) { return column.title; }));
    try {
      table.run(bench_, [&](const BenchmarkRow& given) {
        if (stopped()) throw BenchmarkStopped();
        rows.push_back(checked_row(given));
        const auto& row = rows.back();
        ended_ = ended_ && row["ended"].get<bool>();
        say(line_of(columns, [&](const BenchmarkColumn& column) { return shown(column, row); }));
        change([&] { object_["tables"].back()["rows"].push_back(row); });
      });
    } catch (const BenchmarkStopped&) {
      return;
    }
    if (rows.empty()) {
      say("no row: nothing ended\n");
      ended_ = false;
    }
    for (const auto& remark : table.remarks) say("  " + remark + "\n");
    say("\n");
  }

  void say(const std::string& text) const {
    if (!common_.json) print(text);
  }

  void print_so_far(bool interrupted) {
    change([&] {
      object_["interrupted"] = interrupted;
      object_["version"] = version();
      if (common_.json) print_json(object_);
    });
  }

  const CommonOptions& common_;
  BenchmarkOptions bench_;
  std::vector<std::shared_ptr<Device>> devices_;
  const Stopwatch watch_;
  std::mutex mutex_;
  Json object_;  // under the mutex
  std::vector<MeasuredTable> measured_;
  bool ended_ = true;
  ReportingWork work_{[this] { print_so_far(true); }};
};

}  // namespace

int run(const Arguments& arguments) {
  const auto options = bench_parser().parse(arguments);
  if (!options) return Status::done;
  auto common = read_common_options(*options);
  const auto solver = full_name(options->text("solver"));
  const auto report = options->text("report");
  const bool lists = options->is_set("list");
  if (!solver && !lists && !report) throw InvalidInput("bench needs --solver NAME; `clopt bench --list` lists tables");
  if (options->is_set("small") && options->is_set("full"))
    throw InvalidInput("--small and --full contradict each other; give one of them");
  const auto runs = options->integer("runs", 1, most_runs);
  auto tables = all_tables(solver);
  if (const auto name = options->text("table")) tables = tables_named(std::move(tables), *name);
  if (lists) {
    if (common.json)
      print_json(list_json(tables));
    else
      print(list_text(tables));
    return Status::done;
  }
  if (report) check_report(*report);
  if (report && common.devices.empty() && leave_device_to_work({})) common.devices = {"all"};

  BenchmarkOptions bench;
  bench.device_options = common.device;
  bench.seed = common.seed;
  bench.time_limit = common.time_limit;
  bench.full = options->is_set("full");
  if (runs) bench.runs = static_cast<std::uint32_t>(*runs);
  Measurement measurement(common, bench, solver);
  measurement.open_devices();
  measurement.run(tables, report.has_value());
  measurement.print_result();
  std::string failure;
  if (report) failure = write_report(*report, measurement.measured(), measurement.devices());
  const int status = measurement.stopped() ? Status::interrupted
                     : measurement.ended() ? Status::done
                                           : Status::not_reached;
  return status_with_files(status, {failure}, "bench");
}

}  // namespace clopt::apps::bench
