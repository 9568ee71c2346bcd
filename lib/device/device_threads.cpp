#include "device_threads.hpp"

#include <exception>
#include <utility>

namespace clopt {

DeviceThreads::DeviceThreads(std::size_t devices) {
  errors_.resize(devices);
  try {
    for (std::size_t device = 1; device < devices; ++device) threads_.emplace_back([this, device] { serve(device); });
  } catch (...) {
    end();
    throw;
  }
}

DeviceThreads::~DeviceThreads() { end(); }

void DeviceThreads::end() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void DeviceThreads::run(const std::function<void(std::size_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    working_ = threads_.size();
    ++round_;
  }
  changed_.notify_all();
  if (!errors_.empty()) attempt(0);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return working_ == 0; });
  }
  std::exception_ptr first;
  for (auto& error : errors_)
    if (auto own = std::exchange(error, nullptr); own && !first) first = std::move(own);
  if (first) std::rethrow_exception(first);
}

void DeviceThreads::serve(std::size_t device) {
  for (std::uint64_t seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_ending_ || round_ != seen; });
      if (is_ending_) return;
      seen = round_;
    }
    attempt(device);
    const std::lock_guard lock(mutex_);
    if (--working_ == 0) changed_.notify_all();
  }
}

void DeviceThreads::attempt(std::size_t device) {
  try {
    (*work_)(device);
  } catch (...) {
    errors_[device] = std::current_exception();
  }
}

}  // namespace clopt
