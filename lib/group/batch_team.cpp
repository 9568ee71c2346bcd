#include "batch_team.hpp"

#include <clopt/error.hpp>
#include <support/stopwatch.hpp>

#include <algorithm>
#include <exception>

namespace clopt::group {

BatchTeam::BatchTeam(std::span<const std::shared_ptr<Device>> devices, const Make& make)
    : devices_(devices.begin(), devices.end()),
      places_(devices.size()),
      threads_(devices.size()),
      done_(devices.size()),
      seconds_each_(devices.size()) {
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

void BatchTeam::run(std::uint64_t items, std::uint64_t most) {
  next_ = 0;
  items_ = unfinished_ = items;
  most_ = most;
  given_back_.clear();
  // A device that fails may leave batches that the others were too early to see.
  while (unfinished_ != 0) {
    if (!has_any()) lost_.rethrow();
    threads_.run([this](std::size_t number) {
      if (!lost_.has(*devices_[number])) work(number);
    });
  }
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
  double least = seconds_each_[number];
  for (std::size_t other = 0; other < devices_.size(); ++other)
    if (seconds_each_[other] > 0 && !lost_.has(*devices_[other])) least = std::min(least, seconds_each_[other]);
  if (static_cast<double>(batch.count) * seconds_each_[number] > static_cast<double>(items_ - next_) * least)
    return std::nullopt;
  next_ += batch.count;
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
  } catch (...) {
    // No device's fault: it ends the work.
    const std::lock_guard lock(mutex_);
    next_ = items_;
    given_back_.clear();
    throw;
  }
  const std::lock_guard lock(mutex_);
  done_[number].items += done;
  done_[number].seconds += stopwatch.seconds();
}

}  // namespace clopt::group
