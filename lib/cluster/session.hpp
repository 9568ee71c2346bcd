/// \file
/// This process among the ranks of a job.
#pragma once

#include <clopt/cluster.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "communicator.hpp"
#include "mailbox.hpp"

namespace clopt::cluster {

struct Launcher;

/// All ranks have one, once they have found each other the same.
class Session {
 public:
  /// \throws InvalidInput as join().
  explicit Session(const Launcher& launcher);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The one of this process; none outside a job.
  static Session* current();
  /// The one whose ranks may share a run of this thread; none outside a job, and for a PrivateRun.
  /// \throws InvalidInput where this rank is not the first one, which alone calls solve().
  static Session* of_run();

  Communicator& communicator() { return communicator_; }
  /// Of this rank's machine.
  int local_ranks() const { return communicator_.local_ranks(); }
  const std::string& host_of(std::size_t rank) const { return hosts_[rank]; }
  std::string name_of(std::size_t rank) const;  ///< "rank 2 on node7"
  /// Another number for each run of rank 0.
  std::uint32_t next_run_number() { return ++runs_; }
  /// Of rank 0: a rank could not open its devices; its message of Kind::error without kind and number. None else.
  const std::optional<Bytes>& failure_of(std::size_t rank) const { return failures_[rank]; }
  /// Of rank 0: takes messages. Those of no run are kept here, others are handed over, without kind.
  bool poll(const std::function<void(std::size_t rank, Kind kind, std::uint32_t run_number, ByteReader message)>& take);

  using Open = std::function<std::vector<std::shared_ptr<Device>>()>;
  int serve(const Open& open);
  void leave(int status, bool waits);
  bool has_left() const { return has_left_; }

 private:
  bool await_byes();

  Communicator communicator_;
  std::vector<std::string> hosts_;  // at rank 0
  std::vector<std::optional<Bytes>> failures_;
  std::vector<bool> said_bye_;
  std::uint32_t runs_ = 0;
  bool has_left_ = false;
};

}  // namespace clopt::cluster
