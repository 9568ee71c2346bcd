/// \file
/// This process among the ranks of a job.
#pragma once

#include <clopt/cluster.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <group/group.hpp>
#include "communicator.hpp"

namespace clopt::cluster {

struct Launcher;

/// All ranks have one, once they have found each other the same.
class Session : public group::Group {
 public:
  /// \throws InvalidInput as join().
  explicit Session(const Launcher& launcher);
  ~Session() override;

  /// The one of this process; none outside a job.
  static Session* current();
  /// The one whose ranks may share a run of this thread; none outside a job, and for a PrivateRun.
  /// \throws InvalidInput where this rank is not the first one, which alone calls solve().
  static Session* of_run();

  Communicator& communicator() { return communicator_; }
  group::Transport& transport() override { return communicator_; }
  /// Of this rank's machine.
  int local_ranks() const { return communicator_.local_ranks(); }
  std::string name_of(std::size_t rank) const override;  ///< "rank 2 on node7"

  using Open = std::function<std::vector<std::shared_ptr<Device>>()>;
  int serve(const Open& open);
  void leave(int status, bool waits);
  bool has_left() const { return has_left_; }

 private:
  bool await_byes();

  Communicator communicator_;
  bool has_left_ = false;
};

}  // namespace clopt::cluster
