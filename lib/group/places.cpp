#include "places.hpp"

#include <clopt/error.hpp>

#include <algorithm>
#include <limits>
#include <thread>

namespace clopt::group {

Places::Places(std::vector<std::shared_ptr<Device>> devices, LostDevices& lost, Mailbox& mailbox, Work work)
    : devices_(std::move(devices)),
      lost_(lost),
      mailbox_(mailbox),
      work_(std::move(work)),
      done_(devices_.size()),
      build_seconds_(devices_.size(), std::numeric_limits<double>::infinity()) {}

void Places::serve() {
  std::vector<std::thread> threads;
  try {
    for (std::size_t place = 0; place < devices_.size(); ++place) threads.emplace_back([this, place] { serve(place); });
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
  for (auto& thread : threads) thread.join();
  if (error_) std::rethrow_exception(error_);
  if (!mailbox_.has_ended()) lost_.rethrow();
}

void Places::serve(std::size_t place) {
  const RunTimes times;
  try {
    if (work_.prepare) work_.prepare(place);
    take_ranges(place, times);
  } catch (const DeviceError& error) {
    if (!lost_.has(*devices_[place])) mailbox_.send_failure(error.what());
    lost_.lose(*devices_[place], std::current_exception());
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  mailbox_.notify();
}

bool Places::is_over(std::size_t place) const {
  const std::lock_guard lock(mutex_);
  return error_ || lost_.has(*devices_[place]);
}

void Places::take_ranges(std::size_t place, const RunTimes& times) {
  mailbox_.ask();
  while (const auto order = mailbox_.await_order([&] { return is_over(place); })) {
    // One ahead.
    mailbox_.ask();
    try {
      do_range(place, *order, times);
    } catch (const DeviceError&) {
      mailbox_.put_back(*order);
      throw;
    }
  }
}

void Places::do_range(std::size_t place, const Order& order, const RunTimes& times) {
  {
    const std::lock_guard lock(mutex_);
    if (at_work_++ == 0) since_busy_ = Stopwatch();
  }
  const Stopwatch working;
  const auto end = [&] {
    const std::lock_guard lock(mutex_);
    const double busy = busy_seconds_ + since_busy_.seconds();
    if (--at_work_ == 0) busy_seconds_ = busy;
    return busy;
  };
  std::pair<Bytes, std::uint64_t> done;
  try {
    done = work_.run(place, order);
  } catch (...) {
    end();
    throw;
  }
  RangeResult result{order.range.ticket, working.seconds(), end(), 0, 0, std::move(done.first)};
  {
    const std::lock_guard lock(mutex_);
    const auto spent = times.seconds();
    done_[place].items += order.range.count;
    done_[place].seconds += result.seconds;
    build_seconds_[place] = spent.open + spent.build;
    result.launches = launches_ += done.second;
    result.build_seconds = *std::min_element(build_seconds_.begin(), build_seconds_.end());
  }
  mailbox_.send_result(result);
}

std::vector<DevicePart> Places::parts(std::span<const std::shared_ptr<Device>> devices) const {
  const std::lock_guard lock(mutex_);
  return parts_of(devices, devices_, done_, lost_);
}

}  // namespace clopt::group
