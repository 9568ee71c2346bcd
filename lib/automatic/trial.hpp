/// \file
/// The trial of a run's work on the accelerator, beside the run.
#pragma once

#include <condition_variable>
#include <mutex>

#include "device_choice.hpp"

namespace clopt {

/// Logs a decision, where CLOPT_LOG has `device`.
void log_choice(const std::string& line);
/// Opens the accelerator. \throws NoDevice.
std::shared_ptr<Device> open_by(const AutomaticOptions& options);

/// What a run and its trial, which may outlive it, have in common.
struct DeviceChoice::Shared {
  explicit Shared(WorkMeasure measure) : processor(measure) {}

  const Stopwatch stopwatch;
  std::mutex mutex;
  std::condition_variable changed;
  // Under the mutex:
  bool is_over = false;   // the run
  WorkRate processor;     // of the run there
  double work_begun = 0;  // with which the run began
  bool has_best = false;  // whether it has reported one
  bool wants_to_move = false;
  std::stop_source stop;     // of the part under way
  std::stop_source dropped;  // of its launches
  std::optional<double> time_limit;
  std::shared_ptr<Device> accelerator;  // once it was tried
  double beside = 0;                    // seconds for which it was made ready and tried
  std::optional<double> ended_after;    // seconds, of a run that the processor did alone

  // Set once, before the trial.
  bool is_remembered = false;  // what is found out, by later processes

  // The rest of this is the trial's.
  struct Tried {
    WorkRate rate;
    double seconds = 0;  // of computing, where it came to the end
    double setup_seconds = 0;
    double work_in_second = 0;
  };
  Tried try_on(const std::shared_ptr<Device>& device, const WorkToChooseFor& work,
               const std::function<RunResult(const std::shared_ptr<Device>&, const RunControl&)>& trial,
               const std::stop_token& stop_trial);
  void decide(const WorkToChooseFor& work, const std::string& name, const Tried& tried,
              const std::stop_token& stop_trial);
  void run_trial(const AutomaticOptions& options, const WorkToChooseFor& work);
  bool has_ended();
  // Under the mutex: the part under way ends, and another one follows.
  void move(const WorkToChooseFor& work) {
    wants_to_move = true;
    stop.request_stop();
    // What it has found so far would be lost with its launch.
    if (!work.has_state && !has_best) dropped.request_stop();
  }
};

}  // namespace clopt
