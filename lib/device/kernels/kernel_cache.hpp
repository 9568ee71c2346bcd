/// \file
/// The kernels that a device has built.
#pragma once

#include <clopt/operation.hpp>
#include <clopt/program.hpp>
#include <clopt/queue.hpp>

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace clopt {

/// Keeps kernels for later runs. Of very many, as where each run has an objective of its own, the oldest go.
class KernelCache {
 public:
  /// Everything that a kernel is built from; empty for one that is not kept: its program calls a function of the
  /// caller.
  static std::string key_of(const OperationInfo& operation, const Program& program);
  /// The same of a program alone.
  static std::string key_of(const Program& program);

  /// The kernel that was kept under a key, or null.
  std::shared_ptr<KernelBase> find(const std::string& key);
  /// Keeps one that is built, unless its key is empty.
  void keep(const std::string& key, std::shared_ptr<KernelBase> kernel);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<KernelBase>> kernels_;
  std::deque<std::string> keys_;  // the oldest first
};

}  // namespace clopt
