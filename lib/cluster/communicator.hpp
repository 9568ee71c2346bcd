/// \file
/// Messages to and from other ranks, without waiting for them.
#pragma once

#include <clopt_cluster_module.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <run/bytes.hpp>

namespace clopt::cluster {

/// All ranks of the job. One thread uses it.
class Communicator {
 public:
  /// Begins MPI. \throws InvalidInput where it does not begin.
  explicit Communicator(const clopt_cluster_module& module);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  int local_rank() const { return local_rank_; }
  int local_ranks() const { return local_ranks_; }
  /// The library's own name and version, one line.
  std::string library() const;

  /// All ranks' texts, at rank 0; nothing elsewhere. All ranks call it, as they call broadcast().
  std::vector<std::string> gather(const std::string& text);
  /// Rank 0's text.
  std::string broadcast(std::string text);

  static constexpr std::size_t most_bytes = std::size_t{1} << 30;
  /// Begins to send a message of at most most_bytes.
  void send(int rank, Bytes message);
  /// Continues all transfers, and hands over the messages that are complete, those of one rank in their order.
  /// \returns whether there was any, or has begun to come.
  bool poll(const std::function<void(int rank, Bytes message)>& take);
  /// Whether no message is on its way out.
  bool has_sent_all() const { return outgoing_.empty(); }
  std::uint64_t bytes() const { return bytes_; }  ///< of messages sent and received so far

  /// Ends MPI; all ranks call it.
  void finalise();
  /// Ends all ranks.
  [[noreturn]] void abort(int status);

 private:
  struct Transfer {
    int rank;
    Bytes message;
    void* handle;
    bool is_done = false;
  };
  void require(int code, const char* call) const;
  void test(Transfer& transfer);
  bool begin_receiving();

  const clopt_cluster_module& module_;
  int rank_ = 0;
  int ranks_ = 1;
  int local_rank_ = 0;
  int local_ranks_ = 1;
  std::list<Transfer> outgoing_;  // whose elements stay where they are, as MPI needs
  std::list<Transfer> incoming_;
  std::uint64_t bytes_ = 0;
};

}  // namespace clopt::cluster
