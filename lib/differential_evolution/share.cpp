#include "share.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <thread>
#include <utility>

namespace clopt::differential_evolution {
namespace {

// Pieces that a device of its own memory is at: while one is read back, the other runs.
constexpr int pieces_at_once = 2;

}  // namespace

Share::Share(std::vector<Piece> pieces, Work work) : work_(std::move(work)), waiting_(pieces.begin(), pieces.end()) {}

void Share::run(std::span<const std::shared_ptr<Device>> devices) {
  if (devices.size() == 1) {
    for (; !waiting_.empty(); waiting_.pop_front()) work_(*devices.front(), waiting_.front());
    return;
  }
  std::vector<std::thread> threads;
  for (const auto& device : devices)
    for (int n = 0; n < (device->info().launches_are_calls ? 1 : pieces_at_once); ++n)
      threads.emplace_back([this, &device = *device] { serve(device); });
  for (auto& thread : threads) thread.join();
  if (error_) std::rethrow_exception(error_);
  if (!waiting_.empty()) std::rethrow_exception(device_error_);
}

void Share::serve(Device& device) {
  for (Piece piece; take(piece);) {
    bool failed = false;
    std::exception_ptr error;
    try {
      work_(device, piece);
    } catch (const OutOfMemory&) {
      error = std::current_exception();
    } catch (const BuildError&) {
      error = std::current_exception();
    } catch (const DeviceError& failure) {
      const std::lock_guard lock(mutex_);
      failures_.push_back(fmt::format("{} ({}): {}", device.info().id, device.info().name, failure.what()));
      device_error_ = std::current_exception();
      waiting_.push_back(piece);
      failed = true;
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (error && !error_) error_ = error;
    --at_work_;
    changed_.notify_all();
    if (failed) return;
  }
}

// A piece; none once nothing waits, and nobody is at one that might come back.
bool Share::take(Piece& piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || !waiting_.empty() || at_work_ == 0; });
  if (error_ || waiting_.empty()) return false;
  piece = waiting_.front();
  waiting_.pop_front();
  ++at_work_;
  return true;
}

}  // namespace clopt::differential_evolution
