#include "device_choice.hpp"
#include <clopt/detail/system_message.hpp>
#include <device/accelerator.hpp>
#include <device/registry.hpp>
#include <group/group.hpp>
#include "trial.hpp"
#include "trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace clopt {
namespace {

// Of work on the accelerator after which the processor may continue in its place.
constexpr double checked_seconds = 0.05;
// By how much a run must be longer than earlier ones like it before an accelerator is tried: one that had not started
// when they ended, and one that was slower.
constexpr double longer_run = 1.5;
constexpr double long_run = 3;
// A run shorter than this never tries an accelerator that is open.
constexpr double least_seconds_to_try = 0.002;
constexpr double progress_interval = 0.01;
constexpr double seconds_between_copies = 1;
// What copies may take of a run's time.
constexpr double copy_share = 0.05;

// Seconds that runs of this process have worked.
std::atomic<double> worked_seconds = 0;

}  // namespace

DeviceChoice::DeviceChoice(const Devices& devices, const RunControl& control, WorkToChooseFor work,
                           std::shared_ptr<CheckpointWriter> checkpoint)
    : options_(devices.automatic_),
      control_(control),
      work_(std::move(work)),
      caller_checkpoint_(std::move(checkpoint)),
      processor_(open_device("openmp:0", options_->device)),
      may_move_(work_.may_move),
      shared_(std::make_shared<Shared>(work_.measure)) {
  shared_->time_limit = control.time_limit;
  if (!may_move_) {
    log_choice(fmt::format("{}: all is done on openmp:0, which alone can do this work", work_.solver));
    return;
  }
  if (options().moves) {
    accelerator_ = open_by(options());
    return;
  }
  shared_->is_remembered = !options().open_accelerator;
  known_ = KnownRuns::instance().find(work_.likeness, shared_->is_remembered);
  begin_as_known();
  log_choice(fmt::format("{}: begins on {}{}", work_.solver, is_on_accelerator_ ? accelerator_->info().id : "openmp:0",
                         known_.start == Start::unknown ? "" : ", as runs like it have shown"));
}

void DeviceChoice::begin_as_known() {
  const auto open = options().open_accelerator ? nullptr : find_accelerator(options().device);
  if (known_.start == Start::processor) {
    // What was so may have changed.
    if (known_.processor > 0) begin_trial(std::max(options().begin_after, known_.processor * long_run));
    return;
  }
  if (known_.start == Start::accelerator && !options().open_accelerator) {
    accelerator_ = open;
    const double there = known_.accelerator + KnownRuns::instance().opening_seconds();
    if (!open && known_.accelerator > 0 && there * RestOfRun::least_gain < known_.processor) {
      try {
        accelerator_ = open_by(options());
        opening_seconds_ = shared_->stopwatch.seconds();
        KnownRuns::instance().keep_opening(opening_seconds_);
      } catch (const Error& error) {
        log_choice(fmt::format("{}: the accelerator cannot be opened: {}", work_.solver, error.what()));
        KnownRuns::instance().keep(work_.likeness, {}, true);
        return;
      }
    }
    is_on_accelerator_ = accelerator_ != nullptr;
    if (is_on_accelerator_) return;
  }
  // Runs that have ended before the accelerator was ready do so again; but together they may be worth it.
  double after = std::max(options().begin_after, known_.processor * longer_run) - worked_seconds;
  if (open) after = 0;
  if (options().begin_after > 0) after = std::max(after, least_seconds_to_try);
  begin_trial(after);
}

void DeviceChoice::begin_trial(double after) {
  const auto begin = [shared = shared_, options = options_, work = work_] {
    if (shared->has_ended()) return;
    try {
      std::thread([=] { shared->run_trial(*options, work); }).detach();
    } catch (const std::system_error& error) {
      log_choice(fmt::format("{}: stays on openmp:0: no thread can be begun: {}", work.solver,
                             system_message(error.code().value())));
    }
  };
  const std::chrono::duration<double> wait(std::max(after, 0.0));
  try {
    TrialTimer::instance().call_at(
        TrialTimer::Clock::now() + std::chrono::duration_cast<TrialTimer::Clock::duration>(wait), begin);
  } catch (const std::system_error& error) {
    log_choice(fmt::format("{}: stays on openmp:0: no thread can be begun: {}", work_.solver,
                           system_message(error.code().value())));
  }
}

// A driver that is being started is not waited for.
DeviceChoice::~DeviceChoice() {
  if (!parts_.empty()) worked_seconds.fetch_add(shared_->stopwatch.seconds());
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_over = true;
  }
  shared_->changed.notify_all();
}

std::shared_ptr<Device> DeviceChoice::begin_part() {
  const auto& device = is_on_accelerator_ ? accelerator_ : processor_;
  const double now = shared_->stopwatch.seconds();
  parts_.push_back({device, now});
  rate_ = WorkRate(work_.measure, now);
  reported_before_ = reported_;
  next_copy_ = now + seconds_between_copies;
  kept_is_new_ = false;
  const std::lock_guard lock(shared_->mutex);
  shared_->stop = std::stop_source();
  shared_->dropped = std::stop_source();
  dropped_ = shared_->dropped.get_token();
  shared_->wants_to_move = false;
  stop_by_caller_.emplace(control_.stop, [stop = shared_->stop]() mutable { stop.request_stop(); });
  return device;
}

RunControl DeviceChoice::control() {
  RunControl control;
  control.stop = shared_->stop.get_token();
  if (control_.time_limit) control.time_limit = std::max(0.0, *control_.time_limit - shared_->stopwatch.seconds());
  control.progress_interval =
      control_.progress ? std::min(control_.progress_interval, progress_interval) : progress_interval;
  if (options().moves) control.progress_interval = 0;
  control.progress = [this](const Progress& progress) { return take(progress); };
  // A time that is not a number is refused as ever.
  if (control_.time_limit && !(*control_.time_limit >= 0)) control.time_limit = control_.time_limit;
  return control;
}

bool DeviceChoice::take(const Progress& progress) {
  const double now = shared_->stopwatch.seconds();
  rate_.add(progress, now);
  if (!is_on_accelerator_) {
    const std::lock_guard lock(shared_->mutex);
    const bool is_first = !shared_->processor.counts();
    shared_->processor.add(progress, now);
    shared_->has_best = shared_->has_best || progress.best;
    if (is_first && shared_->processor.counts()) shared_->work_begun = shared_->processor.first_work();
  }
  if (options().moves) {
    if (may_move_ && work_.measure.counts(progress.phase) && options().moves(progress)) move();
  } else if (is_on_accelerator_) {
    check_gain();
  }
  if (!control_.progress || stopped_by_caller_ || now < next_report_) return !stopped_by_caller_;
  stopped_by_caller_ = !call([&] { return control_.progress(progress); });
  next_report_ = shared_->stopwatch.seconds() + std::clamp(control_.progress_interval, 0.0, 1e9);
  return !stopped_by_caller_;
}

// What a short trial has promised may not hold.
void DeviceChoice::check_gain() {
  if (!processor_rate_ || !work_.has_state || rate_.measured_seconds() < checked_seconds) return;
  const double there = *std::exchange(processor_rate_, std::nullopt);
  if (rate_.rate() * RestOfRun::least_gain >= there) return;
  log_choice(fmt::format("{}: moves back to openmp:0, which is {:.2g} times as quick as {}", work_.solver,
                         there / rate_.rate(), accelerator_->info().id));
  KnownRuns::instance().keep(work_.likeness, {.start = Start::processor}, shared_->is_remembered);
  move();
}

void DeviceChoice::move() {
  const std::lock_guard lock(shared_->mutex);
  shared_->move(work_);
}

bool DeviceChoice::is_new(std::uint64_t generation) {
  if (reported_before_ && generation <= *reported_before_) return false;
  reported_ = std::max(reported_.value_or(0), generation);
  return true;
}

std::shared_ptr<CheckpointWriter> DeviceChoice::checkpoint() {
  if (!caller_checkpoint_ && !(work_.has_state && may_move_)) return nullptr;
  return std::make_shared<CheckpointWriter>(
      [this] {
        const bool is_copied = is_copy_due();
        return is_copied || (caller_checkpoint_ && caller_checkpoint_->due());
      },
      [this](const Record& state) { take_state(state); });
}

// Of a device that may fail: the processor continues from there.
bool DeviceChoice::is_copy_due() {
  const double now = shared_->stopwatch.seconds();
  if (!is_on_accelerator_ || !work_.has_state || now < next_copy_) return false;
  if (!copy_asked_) copy_asked_ = now;
  return true;
}

void DeviceChoice::take_state(const Record& state) {
  bool moves = false;
  {
    const std::lock_guard lock(shared_->mutex);
    moves = shared_->wants_to_move;
  }
  const bool is_asked = copy_asked_.has_value();
  if (work_.has_state && (moves || is_asked)) kept_ = std::make_shared<const Checkpoint>(state.copy());
  if (is_asked) {
    const double now = shared_->stopwatch.seconds();
    next_copy_ = now + std::max(seconds_between_copies, (now - *copy_asked_) / copy_share);
    copy_asked_.reset();
  }
  if (!caller_checkpoint_) return;
  // That of a part's end is no checkpoint of the caller's, unless the run ends with it.
  kept_is_new_ = moves && work_.has_state;
  if (!kept_is_new_ && (!is_asked || caller_checkpoint_->due())) call([&] { return caller_checkpoint_->write(state); });
}

void DeviceChoice::end_part() {
  auto& part = parts_.back();
  part.seconds = shared_->stopwatch.seconds() - part.begin;
  part.work = std::max(0.0, rate_.work() - rate_.first_work());
  stop_by_caller_.reset();
}

void DeviceChoice::take_over() {
  if (!accelerator_) {
    const std::lock_guard lock(shared_->mutex);
    accelerator_ = shared_->accelerator;
    if (shared_->processor.has_rate()) processor_rate_ = shared_->processor.rate();
    moved_from_ = shared_->processor;
  }
  is_on_accelerator_ = !is_on_accelerator_;
  if (work_.has_state) {
    if (kept_) state_ = kept_;
  } else {
    for (auto& part : parts_) part.work = 0;
  }
}

bool DeviceChoice::continues_after(const RunResult& part) {
  end_part();
  launches_ += part.launches;
  failures_.insert(failures_.end(), part.failures.begin(), part.failures.end());
  if (part.ending != Ending::interrupted || stopped_by_caller_ || control_.stop.stop_requested()) return false;
  {
    const std::lock_guard lock(shared_->mutex);
    if (!shared_->wants_to_move) return false;
  }
  take_over();
  return true;
}

void DeviceChoice::continue_after(const Error& error) {
  end_part();
  if (calls_caller_) throw;
  bool moves = false;
  {
    const std::lock_guard lock(shared_->mutex);
    moves = shared_->wants_to_move;
  }
  if (dynamic_cast<const LaunchDropped*>(&error) != nullptr) return take_over();
  if (dynamic_cast<const Cancelled*>(&error) != nullptr) {
    if (!moves || stopped_by_caller_ || control_.stop.stop_requested()) throw;
    return take_over();
  }
  const auto id = parts_.back().device->info().id;
  if (is_on_accelerator_) {
    // What the caller has given wrongly is so on every device.
    if (parts_.size() == 1 && dynamic_cast<const InvalidInput*>(&error) != nullptr) throw;
    KnownRuns::instance().keep(work_.likeness, {}, shared_->is_remembered);
    // Later runs open it anew.
    Registry::instance().release(*accelerator_);
  } else {
    const bool is_of_device = dynamic_cast<const DeviceError*>(&error) != nullptr;
    if (!may_move_ || !is_of_device || parts_.size() > 1) throw;
    try {
      accelerator_ = open_by(options());
    } catch (const Error&) {
      accelerator_ = nullptr;
    }
    if (!accelerator_) throw;
  }
  failures_.push_back(fmt::format("{}: {}", id, error.what()));
  log_choice(fmt::format("{}: {} fails, and {} continues: {}", work_.solver, id,
                         is_on_accelerator_ ? "openmp:0" : accelerator_->info().id, error.what()));
  take_over();
  may_move_ = false;
  processor_rate_.reset();
}

void DeviceChoice::finish(RunResult& whole, std::optional<std::uint64_t> evaluations) {
  const double seconds = shared_->stopwatch.seconds();
  if (kept_is_new_ && caller_checkpoint_) caller_checkpoint_->write(kept_->record());
  if (parts_.size() == 1 && !is_on_accelerator_) {
    const std::lock_guard lock(shared_->mutex);
    shared_->ended_after = whole.seconds.compute;
    const auto phase = shared_->processor.phase();
    Progress end{.phase = phase, .done = 1, .evaluations = evaluations};
    if (whole.ending != Ending::interrupted && !phase.empty()) shared_->processor.add(end, seconds);
  }
  keep_times(whole, seconds);
  whole.failures = failures_;
  if (parts_.size() > 1) {
    whole.launches = launches_;
  }
  const double beside = [&] {
    const std::lock_guard lock(shared_->mutex);
    return shared_->beside;
  }();
  double work = 0;
  for (const auto& part : parts_) work += part.work;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& part = parts_[i];
    const auto& info = part.device->info();
    const double share = work > 0 ? part.work / work : i + 1 == parts_.size() ? 1 : 0;
    const auto known = std::find_if(whole.devices.begin(), whole.devices.end(),
                                    [&](const DevicePart& each) { return each.id == info.id; });
    if (known == whole.devices.end()) {
      whole.devices.push_back({info.id, info.name, share, part.seconds, part.device == accelerator_ ? beside : 0});
    } else {
      known->share += share;
      known->seconds += part.seconds;
    }
  }
}

bool DeviceChoice::is_whole(const RunResult& run) const {
  return may_move_ && !options().moves && run.ending != Ending::interrupted && run.ending != Ending::time;
}

// What later runs like this one go by.
void DeviceChoice::keep_times(const RunResult& whole, double seconds) {
  if (!is_whole(whole)) {
    if (is_on_accelerator_ && parts_.size() > 1 && may_move_)
      KnownRuns::instance().keep(work_.likeness, {.start = Start::accelerator}, shared_->is_remembered);
    return;
  }
  auto known = KnownRuns::instance().find(work_.likeness, shared_->is_remembered);
  if (!is_on_accelerator_) {
    if (parts_.size() > 1) return;
    known.processor = seconds;
  } else if (parts_.size() == 1) {
    known.accelerator = seconds - opening_seconds_;
  } else {
    // The last part had the rest of the work, or all of it again.
    const double work = rate_.work();
    known.start = Start::accelerator;
    known.accelerator = parts_.back().seconds * work / std::max(parts_.back().work, 1e-9);
    if (moved_from_) {
      const double there =
          moved_from_->whole_seconds(work, rate_.step(), parts_.front().begin + parts_.front().seconds);
      // The least that it would take says nothing against what it took once.
      known.processor = moved_from_->has_rate() ? there : std::max(there, known.processor);
    }
  }
  KnownRuns::instance().keep(work_.likeness, known, shared_->is_remembered);
}

std::vector<std::shared_ptr<Device>> DeviceChoice::named(const Devices& devices) {
  if (!devices.is_automatic()) return devices.given();
  if (group::Group::job() == nullptr) return {};
  return open_devices({}, devices.automatic_->device);
}

Devices Devices::automatic(const DeviceOptions& options) { return chosen_by_work({.device = options}); }

Devices chosen_by_work(AutomaticOptions options) {
  Devices devices;
  devices.automatic_ = std::make_shared<const AutomaticOptions>(std::move(options));
  return devices;
}

}  // namespace clopt
