/// \file
/// Meet in the middle by the members of a group: ranks of a job, or devices of this process.
#pragma once

#include <clopt/cluster.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <subset_sum/reduction/reduced_problem.hpp>

namespace clopt {
class Device;
namespace group {
class Group;
}
}  // namespace clopt

namespace clopt::subset_sum {

/// What the ranks of a job, or outside one the devices, do in a run of the first one.
class Ranks {
 public:
  /// \throws InvalidInput where this rank is not the first one of a job.
  explicit Ranks(const RunControl& control);

  /// As meet_in_the_middle(), by all members where it is worth it. \param devices of this process; in a job the first
  /// one works for this rank.
  Found meet_in_the_middle(const ReducedProblem& reduced, std::span<const std::shared_ptr<Device>> devices,
                           const Watch& watch, const std::optional<WorkRange>& parts);
  /// What each device of this process has done; empty where one has done all, and in a job.
  const std::vector<DevicePart>& parts() const { return parts_; }
  /// Why the first member has done all; empty where all have shared it.
  const std::string& why_alone() const { return alone_; }
  /// Devices of this process that have failed while others did their work.
  const std::vector<std::string>& failures() const { return failures_; }
  /// What they have done, or why the first rank has done all; null outside a job.
  std::shared_ptr<const cluster::Report> report() const;

 private:
  const RunControl& control_;
  group::Group* job_;
  std::string alone_ = "other work than meet-in-the-middle is not shared out";
  std::optional<cluster::Report> report_;
  std::vector<DevicePart> parts_;
  std::vector<std::string> failures_;
};

}  // namespace clopt::subset_sum
