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

  /// The one of this process; none outside a job.
  static Session* current() { return static_cast<Session*>(job()); }

  Communicator& communicator() { return communicator_; }
  group::Transport& transport() override { return communicator_; }
  int neighbours() const override { return communicator_.local_ranks(); }
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
