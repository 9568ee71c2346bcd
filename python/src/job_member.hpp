/// \file
/// This process's part in a job of MPI, as Python has it.
#pragma once

#include <clopt/cluster.hpp>
#include <clopt/device.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "task_thread.hpp"

namespace clopt::python {

/// A cluster::Member whose thread is the job's. Functions that wait are to be called with the interpreter's lock, look
/// for signals as Caller::run() does, and throw what a signal's handler raises.
class JobMember : public std::enable_shared_from_this<JobMember> {
 public:
  using Open = std::function<std::vector<std::shared_ptr<Device>>()>;

  /// As cluster::join(). \returns null where there is no job.
  static std::shared_ptr<JobMember> join();
  /// The one of this process until it has left; else null.
  static std::shared_ptr<JobMember> current();

  unsigned rank() const { return rank_; }
  unsigned ranks() const { return ranks_; }
  unsigned local_rank() const { return local_rank_; }
  unsigned local_ranks() const { return local_ranks_; }
  const std::string& library() const { return library_; }
  bool has_left() const { return !member(); }

  /// As those of cluster::Member. \throws InvalidInput once this process has left.
  std::vector<DeviceInfo> share_of(const std::vector<DeviceInfo>& devices) const;
  unsigned threads(unsigned asked) const;
  int serve(Open open);
  int serve_as_failed(const std::string& reason);
  void leave(int status, bool waits);

  /// \returns whether the job's thread does nothing, or ends to work within this time.
  bool wait_until_idle(std::chrono::milliseconds longest) const { return thread_->wait_until_idle(longest); }

 private:
  std::shared_ptr<cluster::Member> member() const;
  std::shared_ptr<cluster::Member> require_member() const;
  void take(std::shared_ptr<cluster::Member> member);
  void run_and_forget(std::function<void(cluster::Member&)> last);

  std::shared_ptr<TaskThread> thread_;
  mutable std::mutex mutex_;
  std::shared_ptr<cluster::Member> member_;  // under the mutex; none once it has left
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
  unsigned local_rank_ = 0;
  unsigned local_ranks_ = 1;
  std::string library_;
};

/// Refuses a call of a solver that cannot be: by another rank than the first, by a fork of a rank, and by a function
/// that another call waits for. \throws InvalidInput.
void require_may_solve();

}  // namespace clopt::python
