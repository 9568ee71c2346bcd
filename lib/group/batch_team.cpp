#include "batch_team.hpp"

#include <clopt/error.hpp>
#include <support/stopwatch.hpp>

#include <algorithm>
#include <chrono>
#include <exception>

namespace clopt::group {
namespace {

// Runs after which a device that took nothing is measured again.
constexpr unsigned most_idle_runs = 64;
constexpr std::chrono::milliseconds time_between_looks{5};

}  // namespace

BatchTeam::BatchTeam(std::span<const std::shared_ptr<Device>> devices, const Make& make)
    : devices_(devices.begin(), devices.end()),
      places_(devices.size()),
      threads_(devices.size()),
      done_(devices.size()),
      seconds_each_(devices.size()),
      begun_(devices.size()),
      idle_runs_(devices.size()) {
  for (std::size_t number = 0; number < devices_.size(); ++number) {
    try {
      places_[number] = make(number);
    } catch (const DeviceError&) {
      lost_.lose(*devices_[number], std::current_exception());
    }
  }
  if (!has_any()) lost_.rethrow();
}

bool BatchTeam::has_any() const {
  return std::any_of(devices_.begin(), devices_.end(), [this](const auto& device) { return !lost_.has(*device); });
}

void BatchTeam::run(std::uint64_t items, std::uint64_t most, const std::function<void()>& attend) {
  forget_old_times();
  next_ = 0;
  items_ = unfinished_ = items;
  most_ = most;
  given_back_.clear();
  std::fill(begun_.begin(), begun_.end(), 0);
  // A device that fails may leave batches that the others were too early to see.
  while (unfinished_ != 0) {
    if (!has_any()) lost_.rethrow();
    working_ = devices_.size();
    threads_.run([&](std::size_t number) {
      const auto leave = [this] {
        const std::lock_guard lock(mutex_);
        --working_;
        changed_.notify_all();
      };
      try {
        if (!lost_.has(*devices_[number])) work(number);
      } catch (...) {
        leave();
        throw;
      }
      leave();
      if (number == 0 && attend) wait_for_others(attend);
    });
  }
}

void BatchTeam::wait_for_others(const std::function<void()>& attend) {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, time_between_looks, [this] { return working_ == 0; })) {
    lock.unlock();
    try {
      attend();
    } catch (...) {
      end_work();
      throw;
    }
    lock.lock();
  }
}

// A device that was slow once may not be so again.
void BatchTeam::forget_old_times() {
  for (std::size_t number = 0; number < devices_.size(); ++number)
    if (++idle_runs_[number] > most_idle_runs) {
      idle_runs_[number] = 0;
      seconds_each_[number] = 0;
    }
}

// Nothing more is begun.
void BatchTeam::end_work() {
  const std::lock_guard lock(mutex_);
  next_ = items_;
  given_back_.clear();
}

std::optional<Batch> BatchTeam::take(std::size_t number) {
  const std::lock_guard lock(mutex_);
  if (!given_back_.empty()) {
    const auto batch = given_back_.front();
    given_back_.pop_front();
    return batch;
  }
  const Batch batch{next_, std::min(most_, items_ - next_)};
  if (batch.count == 0) return std::nullopt;
  auto quickest = number;
  for (std::size_t other = 0; other < devices_.size(); ++other)
    if (seconds_each_[other] > 0 && seconds_each_[other] < seconds_each_[quickest] && !lost_.has(*devices_[other]))
      quickest = other;
  // What the quickest one has begun comes before it could take this.
  const auto left = static_cast<double>(items_ - next_ + begun_[quickest]);
  if (static_cast<double>(batch.count) * seconds_each_[number] > left * seconds_each_[quickest]) return std::nullopt;
  next_ += batch.count;
  begun_[number] += batch.count;
  idle_runs_[number] = 0;
  return batch;
}

void BatchTeam::work(std::size_t number) {
  const auto& places = places_[number];
  std::vector<std::optional<Batch>> taken(places.size());
  const Stopwatch stopwatch;
  std::uint64_t done = 0;
  const auto finish = [&](std::size_t place) {
    if (!taken[place]) return;
    places[place]->finish(*taken[place]);
    const std::lock_guard lock(mutex_);
    done += taken[place]->count;
    unfinished_ -= taken[place]->count;
    begun_[number] -= std::min(begun_[number], taken[place]->count);
    seconds_each_[number] = stopwatch.seconds() / static_cast<double>(done);
    taken[place].reset();
  };
  try {
    for (std::size_t turn = 0;; turn = (turn + 1) % places.size()) {
      finish(turn);
      taken[turn] = take(number);
      if (!taken[turn]) break;
      places[turn]->begin(*taken[turn]);
    }
    for (std::size_t place = 0; place < places.size(); ++place) finish(place);
  } catch (const DeviceError&) {
    lost_.lose(*devices_[number], std::current_exception());
    const std::lock_guard lock(mutex_);
    for (const auto& batch : taken)
      if (batch) given_back_.push_back(*batch);
    begun_[number] = 0;
  } catch (...) {
    // No device's fault: it ends the work.
    end_work();
    throw;
  }
  const std::lock_guard lock(mutex_);
  done_[number].items += done;
  done_[number].seconds += stopwatch.seconds();
}

}  // namespace clopt::group
