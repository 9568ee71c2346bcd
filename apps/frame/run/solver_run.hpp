/// \file
/// A run of a solver's subcommand, from its options to its exit status: what all solvers do, in the same order.
#pragma once

#include <clopt/devices.hpp>
#include <clopt/run.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <frame/options/run_options.hpp>
#include <frame/options/runs_options.hpp>
#include <frame/options/shard_options.hpp>
#include <frame/output/progress_bar.hpp>
#include <frame/output/run_report.hpp>
#include <pictures/svg.hpp>
#include "run_files.hpp"
#include "watchdog.hpp"

namespace clopt::apps {

/// What the options of every solver say.
struct RunRequest {
  std::string_view solver;  ///< the subcommand
  Options given;            ///< as typed
  Options options;          ///< the same, completed from the checkpoint
  std::shared_ptr<const Checkpoint> resumed;
  CommonOptions common;
  RunOptions files;
  std::optional<SliceOrder> slice;    ///< the only one that is done
  std::vector<std::string> outputs;   ///< the files of --output, for the whole run; a slice has none
  std::optional<std::uint64_t> runs;  ///< several, with seeds one after the other; none: one run
};

/// Reads them. \param refused as for read_slice_order(). \throws InvalidInput.
RunRequest read_run_request(std::string_view solver, const Options& given,
                            const std::vector<std::pair<std::string, std::string>>& refused = {});

/// A run whose options are read. A solver derives from it what is its own.
class SolverRun {
 public:
  virtual ~SolverRun() = default;
  SolverRun(const SolverRun&) = delete;
  SolverRun& operator=(const SolverRun&) = delete;

  /// Does all that follows the options, a slice of the run or the whole of it. \returns the exit status.
  int run();
  /// Does the whole run, and writes its files, but prints nothing. \param failures gets what went wrong.
  std::unique_ptr<RunReport> run_quietly(std::vector<std::string>& failures);

 protected:
  explicit SolverRun(RunRequest request) : request_(std::move(request)) {}

  /// The options that the result depends on, as settings_json() has them.
  virtual Json settings() const = 0;
  /// What a message about a run that does not end contains. `save` and `found` are the frame's.
  virtual RunDescription description() const = 0;
  /// Opens the files that the run writes as it goes.
  virtual void begin_files(RunFiles&) {}
  /// Refuses devices that the run cannot use, before they are opened. \throws InvalidInput.
  virtual void check_devices(const std::vector<DeviceInfo>&) const {}
  virtual std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) = 0;
  /// Writes what is written at the end of the whole run. \returns what went wrong, an empty text for what did not.
  virtual std::vector<std::string> finish_files(const RunReport& report);
  /// What follows the printed report and may hang, too. \returns as finish_files().
  virtual std::vector<std::string> after_report(const RunReport&, const Devices&, Watchdog&) { return {}; }

  /// Draws --plot, where it was given, by the first device that is not lost; where the work chose one, by the
  /// processor. For after_report(). \returns as finish_files().
  std::vector<std::string> draw_plot(const Devices& devices, Watchdog& watchdog,
                                     const std::function<Svg(Device&)>& draw);

  /// What slices of the run have in common. Solver, seed and form of output are the frame's. Only where the parser has
  /// --shard, as solve_slice().
  virtual SliceReport slice_report() const { return {}; }
  /// The result of a slice's items, and its record. Devices and their time are the frame's.
  virtual SliceOutcome solve_slice(const WorkRange&, const Devices&, const RunControl&) { return {}; }

  const RunRequest& request() const { return request_; }
  RunFiles& files() { return *files_; }
  /// Reports on standard error what the ranks of a job do not share, a clause before "shared out".
  void report_unshared(std::string_view clause);
  /// Keeps the best so far, where the solver has more of it than progress shows, for a run that does not return.
  /// \param field the report's field `best`; \param save writes the files of --output. Any thread may call them.
  void keep_best(std::function<Json()> field, std::function<std::vector<std::string>()> save);

 private:
  struct BestFound {
    std::function<Json()> field;
    std::function<std::vector<std::string>()> save;
  };
  struct Opened {
    Devices devices;
    std::vector<DeviceInfo> infos;
    RunSeconds seconds{};  // with the run's
  };

  std::unique_ptr<RunReport> report_of_whole(Watchdog& watchdog, std::optional<Devices>& devices,
                                             std::vector<std::string>& failures);
  RunDescription whole_description();
  std::optional<BestFound> best_found();
  Opened work(Watchdog& watchdog, const std::function<void(const Devices&, const RunControl&)>& call);
  int run_slice(Watchdog& watchdog, const SliceReport& report);

  RunRequest request_;
  std::optional<RunFiles> files_;
  std::optional<ProgressBar> bar_;
  std::mutex best_mutex_;
  std::optional<BestFound> best_;  // under the mutex
};

/// Writes the files of --summary and --output-runs. \param tables of the settings of a sweep, or a single one.
void write_tables(const Options& options, const std::vector<const RunsTable*>& tables,
                  std::vector<std::string>& failures);

}  // namespace clopt::apps
