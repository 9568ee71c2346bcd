#include "piece_assignment.hpp"

#include <fmt/format.h>
#include <clopt/detail/run_times.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>

namespace clopt::differential_evolution {
namespace {

constexpr auto report_interval = std::chrono::milliseconds(100);

}  // namespace

bool Slots::add(const std::shared_ptr<Device>& device) {
  if (is_lost(*device)) return false;
  try {
    slots_.push_back({device, make_(*device)});
  } catch (const DeviceError&) {
    lose(*device, std::current_exception());
    return false;
  }
  return true;
}

void Slots::attempt(Slot& slot, std::exception_ptr failure, const std::function<void(bool)>& work) {
  for (;;) {
    if (failure) move(slot, failure);
    try {
      return work(failure != nullptr);
    } catch (const DeviceError&) {
      failure = std::current_exception();
    }
  }
}

void Slots::move(Slot& slot, const std::exception_ptr& failure) {
  lose(*slot.device, failure);
  for (const auto& device : devices_) {
    if (is_lost(*device)) continue;
    slot.batch.reset();
    try {
      slot.batch = make_(*device);
      slot.device = device;
      return;
    } catch (const DeviceError&) {
      lose(*device, std::current_exception());
    }
  }
  rethrow();
}

void Slots::lose(const Device& device, const std::exception_ptr& failure) {
  error_ = failure;
  if (is_lost(device)) return;
  lost_.push_back(&device);
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    failures_.push_back(fmt::format("{} ({}): {}", device.info().id, device.info().name, error.what()));
  }
}

bool Slots::is_lost(const Device& device) const {
  return std::find(lost_.begin(), lost_.end(), &device) != lost_.end();
}

PieceAssignment::PieceAssignment(std::vector<Piece> pieces, Slots& slots, Work work)
    : slots_(slots), work_(std::move(work)), waiting_(pieces.begin(), pieces.end()) {}

PieceAssignment::PieceAssignment(Slots& slots, Work work) : slots_(slots), work_(std::move(work)), is_closed_(false) {}

void PieceAssignment::run(const std::function<void()>& report) {
  auto& slots = slots_.all();
  if (slots.size() == 1) {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      slots_.attempt(slots.front(), {}, [&](bool) { work_(slots.front(), waiting_.front()); });
      report();
    }
    return;
  }
  std::vector<std::thread> threads;
  try {
    begin_threads(threads);
    for (std::unique_lock lock(mutex_); serving_ != 0;) {
      changed_.wait_for(lock, report_interval);
      lock.unlock();
      report();
      lock.lock();
    }
  } catch (...) {
    // The threads use what the caller destroys: they end first, and take no further piece.
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    changed_.notify_all();
  }
  end_threads(threads);
}

void PieceAssignment::run_fed(const std::function<void()>& feed) {
  std::vector<std::thread> threads;
  try {
    begin_threads(threads);
    const auto serves = [this] {
      const std::lock_guard lock(mutex_);
      return serving_ != 0;
    };
    while (serves()) feed();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    changed_.notify_all();
  }
  end_threads(threads);
  if (!is_closed_) slots_.rethrow();
}

void PieceAssignment::begin_threads(std::vector<std::thread>& threads) {
  serving_ = slots_.all().size();
  build_seconds_ = std::numeric_limits<double>::infinity();
  for (auto& slot : slots_.all()) threads.emplace_back([this, &slot] { serve(slot); });
}

void PieceAssignment::end_threads(std::vector<std::thread>& threads) {
  for (auto& thread : threads) thread.join();
  if (!threads.empty()) RunTimes::recount(TimePart::build, build_seconds_);
  if (error_) std::rethrow_exception(error_);
  if (!waiting_.empty()) slots_.rethrow();
}

void PieceAssignment::add(const Piece& piece) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(piece);
  }
  changed_.notify_all();
}

void PieceAssignment::close(bool discards) {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    if (discards) waiting_.clear();
  }
  changed_.notify_all();
}

std::size_t PieceAssignment::wanted() const {
  const std::lock_guard lock(mutex_);
  const auto has = waiting_.size() + at_work_;
  return is_closed_ || serving_ == 0 || has > serving_ ? 0 : serving_ + 1 - has;
}

double PieceAssignment::busy_seconds() const {
  const std::lock_guard lock(mutex_);
  const std::chrono::duration<double> current = at_work_ != 0 ? Clock::now() - busy_since_ : Clock::duration{};
  return busy_seconds_ + current.count();
}

std::vector<std::string> PieceAssignment::failures() const {
  const std::lock_guard lock(mutex_);
  return slots_.failures();
}

void PieceAssignment::serve(Slot& slot) {
  const RunTimes times;
  take_pieces(slot);
  const auto seconds = times.seconds();
  const std::lock_guard lock(mutex_);
  build_seconds_ = std::min(build_seconds_, seconds.open + seconds.build);
  --serving_;
  changed_.notify_all();
}

void PieceAssignment::take_pieces(Slot& slot) {
  for (Piece piece; take(*slot.device, piece);) {
    const auto error = try_piece(slot, piece);
    const std::lock_guard lock(mutex_);
    if (error && !error_) error_ = error;
    --at_work_;
    if (at_work_ == 0) busy_seconds_ += std::chrono::duration<double>(Clock::now() - busy_since_).count();
    changed_.notify_all();
  }
}

// Gives the piece back where the device is lost. \returns what ends the run.
std::exception_ptr PieceAssignment::try_piece(Slot& slot, const Piece& piece) {
  try {
    work_(slot, piece);
  } catch (const DeviceError&) {
    const std::lock_guard lock(mutex_);
    slots_.lose(*slot.device, std::current_exception());
    waiting_.push_back(piece);
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

// Takes a waiting piece. \returns false once none waits, and none is under way that might come back.
bool PieceAssignment::take(const Device& device, Piece& piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return error_ || slots_.is_lost(device) || !waiting_.empty() || (is_closed_ && at_work_ == 0); });
  if (error_ || slots_.is_lost(device) || waiting_.empty()) return false;
  piece = waiting_.front();
  waiting_.pop_front();
  if (at_work_ == 0) busy_since_ = Clock::now();
  ++at_work_;
  return true;
}

}  // namespace clopt::differential_evolution
