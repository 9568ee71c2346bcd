#include "solver_run.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <iterator>
#include <new>

#include <frame/options/mpi_job.hpp>

namespace clopt::apps {
namespace {

void append(std::vector<std::string>& texts, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(texts));
}

// Of the devices that the work has chosen.
std::vector<DeviceInfo> infos_of(const RunResult& result) {
  std::vector<DeviceInfo> infos;
  for (const auto& part : result.devices) {
    auto& info = infos.emplace_back();
    info.id = part.id;
    info.name = part.name;
  }
  return infos;
}

}  // namespace

RunRequest read_run_request(std::string_view solver, const Options& given,
                            const std::vector<std::pair<std::string, std::string>>& refused) {
  const auto runs = read_runs(given);
  auto [resumed, options] = resume(given, std::string(solver));
  RunRequest request{solver, given, std::move(options), std::move(resumed), {}, {}, {}, {}, runs};
  request.common = read_common_options(request.options);
  request.files = read_run_options(request.options);
  auto of_the_whole = refused;
  of_the_whole.emplace_back("certificate", "a slice proves nothing, and `clopt merge` has --certificate");
  request.slice = read_slice_order(request.options, of_the_whole);
  if (!request.slice) request.outputs = files_of(request.options, "output");
  return request;
}

int SolverRun::run() {
  // What cannot be divided is refused before files are begun.
  std::optional<SliceReport> slice;
  if (request_.slice) slice = slice_report();
  files_.emplace(request_.files, request_.resumed);
  begin_files(*files_);
  Watchdog watchdog(request_.common, whole_description());
  if (slice) {
    slice->solver = request_.solver;
    slice->seed = request_.common.seed;
    slice->json = request_.common.json;
    slice->settings = settings();
    // Arguments have no order: the files are finished after the work.
    const auto status = run_slice(watchdog, *slice);
    return status_with_files(status, files_->finish(), request_.solver);
  }
  std::vector<std::string> failures;
  std::optional<Devices> devices;
  const auto report = report_of_whole(watchdog, devices, failures);
  auto status = report->exit_status();
  if (const auto& file = request_.files.certificate; !file.empty())
    status = write_certificate(file, report->certificate(), request_.solver, status, failures);
  report->print(request_.common.json);
  append(failures, after_report(*report, *devices, watchdog));
  return status_with_files(status, failures, request_.solver);
}

std::unique_ptr<RunReport> SolverRun::run_quietly(std::vector<std::string>& failures) {
  files_.emplace(request_.files, request_.resumed);
  begin_files(*files_);
  Watchdog watchdog(request_.common, whole_description());
  std::optional<Devices> devices;
  return report_of_whole(watchdog, devices, failures);
}

std::unique_ptr<RunReport> SolverRun::report_of_whole(Watchdog& watchdog, std::optional<Devices>& devices,
                                                      std::vector<std::string>& failures) {
  std::unique_ptr<RunReport> report;
  auto opened =
      work(watchdog, [&](const Devices& given, const RunControl& control) { report = solve(given, control); });
  report->devices = opened.devices.is_automatic() ? infos_of(report->result()) : std::move(opened.infos);
  report->seconds = opened.seconds;
  report->settings = settings();
  report->outputs = request_.outputs;
  append(failures, finish_files(*report));
  if (report->table) write_tables(request_.options, {&*report->table}, failures);
  devices = std::move(opened.devices);
  return report;
}

void write_tables(const Options& options, const std::vector<const RunsTable*>& tables,
                  std::vector<std::string>& failures) {
  if (const auto file = options.text("summary")) failures.push_back(write_file(*file, summary_csv(tables)));
  if (const auto file = options.text("output-runs")) failures.push_back(write_file(*file, runs_csv(tables)));
}

int SolverRun::run_slice(Watchdog& watchdog, const SliceReport& report) {
  return do_slice(*request_.slice, report, [&](const WorkRange& range) {
    SliceOutcome outcome;
    auto opened = work(watchdog, [&](const Devices& devices, const RunControl& control) {
      outcome = solve_slice(range, devices, control);
    });
    outcome.devices = opened.devices.is_automatic() ? infos_of(outcome.result) : std::move(opened.infos);
    outcome.result.seconds = opened.seconds;
    return outcome;
  });
}

RunDescription SolverRun::whole_description() {
  auto whole = description();
  whole.solver = request_.solver;
  whole.found = [this]() -> std::optional<Json> {
    const auto best = best_found();
    return best ? std::optional(best->field()) : std::nullopt;
  };
  whole.save = [this] {
    auto failures = files_->flush();
    if (const auto best = best_found()) append(failures, best->save());
    write_certificate(request_.files.certificate, {{}, "the run has not returned"}, request_.solver, 0, failures);
    return failures;
  };
  return whole;
}

SolverRun::Opened SolverRun::work(Watchdog& watchdog,
                                  const std::function<void(const Devices&, const RunControl&)>& call) {
  auto& common = request_.common;
  // In a job each rank has devices of its own.
  const bool is_left_to_work = job_member() == nullptr && leave_device_to_work(common.devices);
  const auto chosen = is_left_to_work ? find_devices({"openmp:0"}) : find_devices_of_rank(common);
  watchdog.set_devices(chosen);
  check_devices(chosen);
  const RunTimes times;
  Opened opened{Devices::automatic(common.device), {}};
  if (!is_left_to_work) {
    std::vector<std::shared_ptr<Device>> devices;
    for (const auto& info : chosen) {
      devices.push_back(open_listed_device(info, common.device));
      opened.infos.push_back(devices.back()->info());
    }
    opened.devices = Devices(std::move(devices));
  }

  bar_.emplace(common.shows_progress());
  call(opened.devices, watchdog.control(*bar_));
  opened.seconds = times.seconds();
  watchdog.end();
  bar_->wipe();
  return opened;
}

std::vector<std::string> SolverRun::finish_files(const RunReport& report) {
  auto failures = files_->finish();
  for (const auto& file : request_.outputs) failures.push_back(report.write(file));
  return failures;
}

void SolverRun::report_unshared(std::string_view clause) {
  if (bar_) bar_->wipe();
  apps::report_unshared(request_.solver, clause);
}

void SolverRun::keep_best(std::function<Json()> field, std::function<std::vector<std::string>()> save) {
  // A slice has a file of its own, which needs all of its items.
  if (request_.slice) return;
  const std::lock_guard lock(best_mutex_);
  best_ = {std::move(field), std::move(save)};
}

std::optional<SolverRun::BestFound> SolverRun::best_found() {
  const std::lock_guard lock(best_mutex_);
  return best_;
}

std::vector<std::string> SolverRun::draw_plot(const Devices& devices, Watchdog& watchdog,
                                              const std::function<Svg(Device&)>& draw) {
  const auto& plot = request_.files.plot;
  if (plot.empty()) return {};
  watchdog.proceed(fmt::format("the picture {} is not drawn", printable(plot)));
  std::string failure;
  const auto open = devices.is_automatic() ? open_devices({"openmp:0"}, request_.common.device) : devices.given();
  for (const auto& device : open) try {
      auto unwritten = write_plot(request_.files, draw(*device));
      watchdog.end();
      return {std::move(unwritten)};
    } catch (const Error& error) {
      failure = with_option_names(error.what());
    } catch (const std::bad_alloc&) {
      failure = "memory ran out";
    }
  watchdog.end();
  return {fmt::format("the picture {} was not drawn: {}", printable(plot), failure)};
}

}  // namespace clopt::apps
