/// \file
/// The device of a run, chosen by its work: it begins on the processor, and moves to an accelerator that was opened and
/// tried beside it where the rest of the run gains.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/detail/dropped_launches.hpp>
#include <clopt/device.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/run.hpp>
#include <support/stopwatch.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "known_runs.hpp"
#include "work_rate.hpp"

namespace clopt {

/// What Devices::automatic() does; tests have other choices.
struct AutomaticOptions {
  DeviceOptions device{};
  /// Seconds of work in this process from which on the accelerator is opened.
  double begin_after = 0.05;
  /// Opens the accelerator; none: open_accelerator().
  std::function<std::shared_ptr<Device>()> open_accelerator{};
  /// Asked with each progress whether the run moves to the other device now, in place of measurements. The accelerator
  /// is then opened before the run begins.
  std::function<bool(const Progress&)> moves{};
};

/// Devices::automatic() with other choices.
Devices chosen_by_work(AutomaticOptions options);

/// What the choice has to know of a run.
struct WorkToChooseFor {
  std::string_view solver;
  bool may_move = false;   ///< whether an accelerator can take part
  bool has_state = false;  ///< whether its state moves; else a run that moves begins again
  WorkMeasure measure{};   ///< of its progress
  std::string likeness{};  ///< a text that runs of the same kind and size have in common
  /// Makes a copy of the work, whose call runs it on a device for a trial, and returns what its result says.
  std::function<std::function<RunResult(const std::shared_ptr<Device>&, const RunControl&)>()> copy{};
};

/// One run. The caller asks device() and control() for each part of it, and reports what became of the part.
class DeviceChoice {
 public:
  /// \param control of the whole run, which must outlive the object.
  DeviceChoice(const Devices& devices, const RunControl& control, WorkToChooseFor work,
               std::shared_ptr<CheckpointWriter> checkpoint);
  ~DeviceChoice();
  DeviceChoice(const DeviceChoice&) = delete;
  DeviceChoice& operator=(const DeviceChoice&) = delete;

  /// Begins a part. \returns its device.
  std::shared_ptr<Device> begin_part();
  /// While it lives, the part's launches end where the run continues without what they do. For the part's thread.
  DroppedLaunches drop_launches() { return DroppedLaunches(dropped_); }
  /// The controls of the part.
  RunControl control();
  /// What the part gives its states to; null where there is no need of them.
  std::shared_ptr<CheckpointWriter> checkpoint();
  /// The state that the part begins with, of this run; null at the run's beginning.
  std::shared_ptr<const Checkpoint> state() const { return state_; }
  /// Calls a function of the caller's, whose exceptions are not those of a device.
  template <class Call>
  auto call(const Call& call) {
    const Calling calling(calls_caller_);
    return call();
  }
  /// Whether a row of statistics is not of a generation that an earlier part has reported.
  bool is_new(std::uint64_t generation);

  /// A part has ended. \returns whether another one follows.
  bool continues_after(const RunResult& part);
  /// A part has ended by an exception. Throws it again where no other device can take over.
  void continue_after(const Error& error);
  /// Completes what all results have in common. \param whole the last part's. \param evaluations of the run.
  void finish(RunResult& whole, std::optional<std::uint64_t> evaluations);

  /// The devices that are given, or in a job of MPI those of the default; none where the work chooses.
  static std::vector<std::shared_ptr<Device>> named(const Devices& devices);

 private:
  // Stays marked where the call throws.
  class Calling {
   public:
    explicit Calling(bool& mark) : mark_(mark) { mark_ = true; }
    ~Calling() { mark_ = std::uncaught_exceptions() > before_; }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

   private:
    bool& mark_;
    int before_ = std::uncaught_exceptions();
  };
  struct Shared;
  struct Part {
    std::shared_ptr<Device> device;
    double begin = 0;
    double seconds = 0;
    double work = 0;
  };

  const AutomaticOptions& options() const { return *options_; }
  bool take(const Progress& progress);
  void take_state(const Record& state);
  bool is_copy_due();
  void move();
  void end_part();
  void take_over();
  void check_gain();
  void begin_as_known();
  void begin_trial(double after);
  bool is_whole(const RunResult& run) const;
  void keep_times(const RunResult& whole, double seconds);

  const std::shared_ptr<const AutomaticOptions> options_;
  const RunControl& control_;
  const WorkToChooseFor work_;
  const std::shared_ptr<CheckpointWriter> caller_checkpoint_;
  const Stopwatch stopwatch_;
  std::shared_ptr<Device> processor_;
  std::shared_ptr<Device> accelerator_;  // null until the run has moved there, or may
  bool is_on_accelerator_ = false;
  double opening_seconds_ = 0;  // for which the run waited
  bool may_move_;

  std::vector<Part> parts_;
  std::uint64_t launches_ = 0;
  std::vector<std::string> failures_;
  std::shared_ptr<const Checkpoint> state_;
  std::shared_ptr<const Checkpoint> kept_;  // the last state that was copied
  bool kept_is_new_ = false;                // and not given to the caller's checkpoint
  std::optional<double> copy_asked_;        // when a copy was due
  double next_copy_ = 0;

  WorkRate rate_{WorkMeasure{}};          // of the part on the accelerator
  std::optional<double> processor_rate_;  // by which the run moved there
  std::optional<WorkRate> moved_from_;    // that of the processor, kept
  KnownRun known_;
  bool calls_caller_ = false;
  bool stopped_by_caller_ = false;
  double next_report_ = 0;
  std::optional<std::uint64_t> reported_;  // the newest generation of the statistics
  std::optional<std::uint64_t> reported_before_;

  std::stop_token dropped_;  // of the part under way
  std::optional<std::stop_callback<std::function<void()>>> stop_by_caller_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace clopt
