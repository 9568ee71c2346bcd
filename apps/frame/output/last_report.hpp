/// \file
/// The last report of a run, for any thread.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace clopt::apps {

/// Keeps the last of some values: one thread gives them, another one asks while the first may not return.
template <class Value>
class LastReport {
 public:
  void keep(Value value) {
    const std::lock_guard lock(mutex_);
    value_ = std::move(value);
  }
  /// None before the first.
  std::optional<Value> get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Value> value_;
};

}  // namespace clopt::apps
