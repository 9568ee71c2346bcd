#include "trial.hpp"
#include <clopt/detail/activity.hpp>
#include <clopt/detail/background.hpp>
#include <clopt/detail/run_times.hpp>
#include <device/accelerator.hpp>
#include <support/process/log.hpp>
#include "trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace clopt {
namespace {

// Of work on a device for which a rate is measured.
constexpr double measured_seconds = 0.02;
constexpr std::size_t measured_steps = 2;
// A trial of long steps ends after one where that is so much quicker than the processor can be, or after this time.
constexpr double clearly_quicker = 4;
constexpr double longest_measurement = 0.3;
// A trial whose run is over, and which is slow, teaches nothing.
constexpr double longest_trial_of_ended_run = 2;

std::string readable(double seconds) { return fmt::format("{:.3g} s", seconds); }

}  // namespace

void log_choice(const std::string& line) { log("device", line); }

std::shared_ptr<Device> open_by(const AutomaticOptions& options) {
  const TimedPart opening(TimePart::open);
  return options.open_accelerator ? options.open_accelerator() : open_accelerator(options.device);
}

DeviceChoice::Shared::Tried DeviceChoice::Shared::try_on(
    const std::shared_ptr<Device>& device, const WorkToChooseFor& work,
    const std::function<RunResult(const std::shared_ptr<Device>&, const RunControl&)>& trial,
    const std::stop_token& stop_trial) {
  Tried tried{WorkRate(work.measure)};
  const Stopwatch trial_time;
  RunControl control;
  control.stop = stop_trial;
  control.progress_interval = 0;
  control.progress = [&](const Progress& progress) {
    const double now = trial_time.seconds();
    tried.rate.add(progress, now);
    const bool is_long = tried.rate.has_rate() && now - *tried.rate.first_seconds() > longest_measurement;
    if (is_long || (tried.rate.steps() >= measured_steps && tried.rate.measured_seconds() >= measured_seconds))
      return false;
    const std::lock_guard lock(mutex);
    if (is_over) return now < longest_trial_of_ended_run;
    return !tried.rate.has_rate() ||
           tried.rate.rate() < clearly_quicker * processor.most_rate(tried.rate.step(), stopwatch.seconds());
  };
  const auto result = trial(device, control);
  tried.setup_seconds = std::max(0.0, tried.rate.first_seconds().value_or(0) - result.seconds.build);
  tried.work_in_second = tried.rate.rate();
  if (result.ending == Ending::interrupted) return tried;
  // It came to its end.
  const double whole = work.measure.done_is_even ? 1 : tried.rate.work();
  if (!tried.rate.has_rate() || work.measure.done_is_even)
    tried.work_in_second = whole / std::max(result.seconds.compute, 1e-9);
  return tried;
}

void DeviceChoice::Shared::decide(const WorkToChooseFor& work, const std::string& name, const Tried& tried,
                                  const std::stop_token& stop_trial) {
  std::unique_lock lock(mutex);
  while (!is_over && !stop_trial.stop_requested()) {
    const double now = stopwatch.seconds();
    const bool is_measured = processor.measured_seconds() >= measured_seconds;
    // What the host does before is not to be stopped: a bound that is cut short may be another one.
    const bool is_alike =
        processor.phase() == tried.rate.phase() || (work.measure.phases.empty() && processor.phase().empty());
    const double most = processor.most_rate(tried.rate.step(), now);
    if (is_alike && (is_measured || tried.work_in_second > 2 * most)) {
      RestOfRun rest{.work_done = processor.work(),
                     .work_begun = work_begun,
                     .rate = is_measured ? processor.rate() : most,
                     .other_rate = tried.work_in_second,
                     .step = tried.rate.step(),
                     .move_seconds = tried.setup_seconds,
                     .begins_again = !work.has_state,
                     .work_is_part = work.measure.done_is_even};
      if (time_limit) rest.seconds_left = std::max(0.0, *time_limit - now);
      const auto estimate = rest.estimate();
      log_choice(fmt::format("{}: {} {}: the rest takes about {} on openmp:0, and {} there{}", work.solver,
                             estimate.gains ? "moves to" : "does not move to", name, readable(estimate.stays),
                             readable(estimate.moves), rest.begins_again ? ", where it begins again" : ""));
      if (estimate.gains) return move(work);
      const bool is_known = work.measure.done_is_even && processor.work() > 0;
      const KnownRun known{Start::processor, is_known ? now + estimate.stays : 0, is_known ? now + estimate.moves : 0};
      KnownRuns::instance().keep(work.likeness, known, is_remembered);
      return;
    }
    changed.wait_for(lock, std::chrono::milliseconds(5));
  }
  const bool is_alike = work.measure.phases.empty() || processor.phase() == tried.rate.phase();
  if (!is_over || !ended_after || !is_alike || tried.work_in_second <= 0) return;
  // The run was over before; others like it know.
  const double there = (processor.work() - work_begun) / tried.work_in_second + tried.setup_seconds;
  const bool gains = there * RestOfRun::least_gain < *ended_after;
  log_choice(fmt::format("{}: later runs like this one begin on {}: {} there, and {} on openmp:0", work.solver,
                         gains ? name : "openmp:0", readable(there), readable(*ended_after)));
  KnownRuns::instance().keep(work.likeness, {gains ? Start::accelerator : Start::processor, *ended_after, there},
                             is_remembered);
}

void DeviceChoice::Shared::run_trial(const AutomaticOptions& options, const WorkToChooseFor& work) {
  const BackgroundWork background;
  const HiddenActivities hidden;
  if (has_ended()) return;
  const Stopwatch beside_run;
  std::string name = "the accelerator";
  try {
    const Stopwatch opening;
    const auto device = open_by(options);
    if (is_remembered) KnownRuns::instance().keep_opening(opening.seconds());
    name = fmt::format("{} ({})", device->info().id, device->info().name);
    log_choice(fmt::format("{}: {} is open after {}", work.solver, name, readable(stopwatch.seconds())));
    std::function<RunResult(const std::shared_ptr<Device>&, const RunControl&)> trial;
    std::optional<TrialSlot> slot(std::in_place);
    while (!slot->take()) {
      std::unique_lock lock(mutex);
      if (changed.wait_for(lock, std::chrono::milliseconds(5), [&] { return is_over; })) return;
    }
    {
      const std::lock_guard lock(mutex);
      if (is_over) return;
      accelerator = device;
      trial = work.copy();
    }
    const auto tried = try_on(device, work, trial, background.stop());
    slot.reset();
    {
      const std::lock_guard lock(mutex);
      beside = beside_run.seconds();
    }
    decide(work, name, tried, background.stop());
  } catch (const std::exception& error) {
    log_choice(fmt::format("{}: {} does not take part: {}", work.solver, name, error.what()));
  } catch (...) {
    log_choice(fmt::format("{}: {} does not take part: its driver fails in an unknown way", work.solver, name));
  }
}

bool DeviceChoice::Shared::has_ended() {
  const std::lock_guard lock(mutex);
  return is_over;
}

}  // namespace clopt
