/// \file
/// Meet in the middle by the ranks of a job.
#pragma once

#include <clopt/cluster.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <memory>
#include <optional>

#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt {
class Device;
namespace cluster {
class Session;
}
}  // namespace clopt

namespace clopt::subset_sum {

/// What the ranks of a job do in a run of the first one; outside a job all is as without.
class Ranks {
 public:
  /// \throws InvalidInput where this rank is not the first one of a job.
  explicit Ranks(const RunControl& control);

  /// As meet_in_the_middle(), by all ranks where it is worth it. \param device of this rank.
  Found meet_in_the_middle(const ReducedProblem& reduced, const std::shared_ptr<Device>& device, const Watch& watch,
                           const std::optional<WorkRange>& parts);
  /// What they have done, or why the first rank has done all; null outside a job.
  std::shared_ptr<const cluster::Report> report() const;

 private:
  const RunControl& control_;
  cluster::Session* session_;
  std::optional<cluster::Report> report_;
};

}  // namespace clopt::subset_sum
