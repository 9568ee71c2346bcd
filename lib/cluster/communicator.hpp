/// \file
/// MPI between ranks.
#pragma once

#include <clopt_cluster_module.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <group/transport.hpp>
#include <run/bytes.hpp>

namespace clopt::cluster {

/// All ranks of the job. One thread uses it.
class Communicator : public group::Transport {
 public:
  /// Begins MPI. \throws InvalidInput where it does not begin.
  explicit Communicator(const clopt_cluster_module& module);

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  int local_rank() const { return local_rank_; }
  int local_ranks() const { return local_ranks_; }
  /// The library's own name and version, one line.
  std::string library() const override;

  /// All ranks' texts, at rank 0; nothing elsewhere. All ranks call it, as they call broadcast().
  std::vector<std::string> gather(const std::string& text);
  /// Rank 0's text.
  std::string broadcast(std::string text);

  void send(int rank, Bytes message) override;
  bool poll(const std::function<void(int rank, Bytes message)>& take) override;
  bool has_sent_all() const override { return outgoing_.empty(); }
  std::uint64_t bytes() const override { return bytes_; }
  void finalise() override;
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
