/// \file
/// What every solver's call has in common: devices, limits, the callback, statistics, checkpoints, and the way back.
#pragma once

#include <clopt/certificate.hpp>
#include <clopt/checkpoint.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/run.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "caller.hpp"
#include "fields.hpp"

namespace clopt::python {

namespace nb = nanobind;

/// A device as Python holds it: nothing of it is Python's, so that any thread may give it up.
struct OpenDevice {
  std::shared_ptr<Device> device;
};

/// The controls of a call, as Python gives them.
struct Control {
  /// Opens the devices, once the options are checked; it returns None where the work chooses one.
  nb::object open_devices = nb::none();
  std::optional<double> time_limit;
  nb::object callback = nb::none();  ///< callback(phase, done, best, point, row) returns whether to continue
  double callback_interval = 0;
  bool statistics = false;
  std::optional<std::string> checkpoint;
  std::optional<std::string> resume;
  std::optional<std::string> certificate;  ///< of solvers that have certify()
  std::shared_ptr<Caller> caller = std::make_shared<Caller>();
};

/// The rows that a statistics callback gets, one behind the other.
struct Rows {
  std::vector<std::string> names;
  std::vector<double> numbers;
};

/// Everything of a run that its own thread works with, and that outlives an abandoned call.
template <class Problem, class Options, class Result>
struct PythonRun {
  PythonRun(Problem for_problem, Options with_options)
      : problem(std::move(for_problem)), options(std::move(with_options)) {}

  Problem problem;
  Options options;
  Devices devices = Devices::automatic();
  RunControl control;
  double least_interval = 0;  ///< between two calls of the callback, in seconds
  Rows rows;
  Result result;
  std::mutex mutex;  ///< of what follows: the best by the last progress
  std::optional<double> best;
  std::vector<double> best_point;
  std::optional<std::uint64_t> evaluations;
};

/// Gives the callback a run's progress. \returns whether to continue.
bool report_progress(const std::shared_ptr<nb::object>& callback, const Progress& progress, const Rows& rows);
/// A value that refers to Python's objects, which any thread may give up.
template <class T>
std::shared_ptr<T> kept_for_python(T value) {
  return {new T(std::move(value)), [](T* kept) {
            // An abandoned run may end with the process.
            if (!nb::is_alive() || !begin_to_take_lock()) return;
            const nb::gil_scoped_acquire acquired;
            end_to_take_lock();
            delete kept;
          }};
}
/// The same of an object.
std::shared_ptr<nb::object> shared_object(nb::object object);
/// What all results have: method, reason, ending, checksum, seconds, ...
nb::dict common_fields(const RunResult& result);
nb::dict fields_of_rows(const Rows& rows);
/// What the generation that the run has left has for the result; None where there is none.
nb::object left_fields(const Caller& caller);

/// Writes a certificate. \returns why it is not written, or an empty text.
inline std::string write_certificate(const std::string& file, const Certificate& certificate) {
  return certificate.text.empty() ? "there is no certificate: " + certificate.missing
                                  : write_file(file, certificate.text);
}

/// The part of a result that all solvers have.
template <class Result>
auto& run_of(Result& result) {
  if constexpr (std::is_base_of_v<RunResult, Result>)
    return static_cast<std::conditional_t<std::is_const_v<Result>, const RunResult, RunResult>&>(result);
  else
    return result.run;
}
/// Adds to a run's times those of the thread that called it and waited. \param caller its times, opening devices among
/// them.
inline void add_caller_times(RunSeconds& run, const RunSeconds& caller) {
  run.open += caller.open;
  run.build += caller.build;
  run.other = std::max(0.0, caller.total - run.open - run.build - run.compute);
  run.add_up();
}

/// Solves on a thread of its own. \param fields adds what is the solver's own to a Python dictionary.
template <class Problem, class Options, class Result>
nb::dict solve_for_python(const Control& control, std::shared_ptr<PythonRun<Problem, Options, Result>> run,
                          void (*fields)(nb::dict&, const Problem&, const std::shared_ptr<const Result>&)) {
  const RunTimes times;
  {
    nb::gil_scoped_release others_may_run;
    check(run->problem, run->options);
    if (control.certificate) check_writable(*control.certificate);
  }
  if (const auto opened = control.open_devices(); !opened.is_none()) {
    std::vector<std::shared_ptr<Device>> devices;
    for (auto& each : nb::cast<std::vector<OpenDevice>>(opened)) devices.push_back(std::move(each.device));
    run->devices = Devices(std::move(devices));
  }
  run->control.stop = control.caller->stop_token();
  run->control.time_limit = control.time_limit;
  run->control.progress_interval =
      control.callback.is_none() ? 0.1 : std::max(control.callback_interval, run->least_interval);
  // What Ctrl-C leaves of a function of Python, whose generations may take minutes, is the best of the last progress.
  if constexpr (requires { run->problem.objective; })
    if (control.callback.is_none() && run->problem.objective.is_batch_function()) run->control.progress_interval = 0;
  auto* raw = run.get();
  std::shared_ptr<nb::object> callback;
  if (!control.callback.is_none()) callback = shared_object(control.callback);
  run->control.progress = [raw, callback](const Progress& progress) {
    if (progress.best) {
      const std::lock_guard lock(raw->mutex);
      raw->evaluations = progress.evaluations;
      raw->best = progress.best;
      raw->best_point.assign(progress.best_point.begin(), progress.best_point.end());
    }
    return !callback || report_progress(callback, progress, raw->rows);
  };
  control.caller->begin_run(control.time_limit, control.resume.has_value());
  const bool has_ended =
      control.caller->run([run] { run->result = solve(run->problem, run->options, run->devices, run->control); });
  // A run that was left alone may end now: nothing but the best is taken from it.
  nb::dict result;
  if (has_ended) {
    // Arrays keep the result alone: neither the objective nor the callback, which may be Python's.
    add_caller_times(run_of(run->result).seconds, times.seconds());
    const auto kept = std::make_shared<const Result>(std::move(run->result));
    if constexpr (requires { run->problem.objective.name(); }) result["objective"] = run->problem.objective.name();
    fields(result, run->problem, kept);
    for (auto [name, value] : common_fields(run_of(*kept))) result[name] = value;
    if (control.statistics) result["statistics"] = fields_of_rows(run->rows);
    if constexpr (requires { certify(run->problem, *kept); })
      if (control.certificate)
        result["without_certificate"] = write_certificate(*control.certificate, certify(run->problem, *kept));
    result["left"] = left_fields(*control.caller);
  } else {
    // What does not return may never do so: the next call opens its devices anew.
    release_devices();
    const std::lock_guard lock(run->mutex);
    result["unfinished"] = true;
    result["best"] = run->best;
    result["nfev"] = run->evaluations.value_or(0);
    if (!run->best_point.empty()) result["point"] = array_of(run->best_point);
  }
  result["interrupted"] = control.caller->interrupted();
  return result;
}

/// Checkpoints by path, for options that have them.
template <class Options>
void set_checkpoints(Options& options, const Control& control, std::string_view solver) {
  if (control.checkpoint) {
    options.checkpoint = std::make_shared<CheckpointWriter>(*control.checkpoint);
    // No resumed run would be in such a state: the checkpoint before stays.
    options.checkpoint->set_additions([caller = control.caller](Record&) {
      if (caller->has_guessed()) throw Cancelled("some values are not those of the objective");
    });
  }
  if (control.resume) options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(*control.resume, solver));
}

/// Records the statistics where they are wanted.
template <class Run, class ToNumbers>
void set_statistics(Run& run, const Control& control, std::vector<std::string> names, ToNumbers numbers_of) {
  if (!control.statistics && control.callback.is_none()) return;
  run.rows.names = std::move(names);
  run.options.statistics = [&rows = run.rows, numbers_of, keep = control.statistics](const auto& row) {
    if (!keep) rows.numbers.clear();
    for (const double number : numbers_of(row)) rows.numbers.push_back(number);
  };
}

}  // namespace clopt::python
