/// \file
/// Islands that the members of a group share: ranks of a job, or devices of this process.
#pragma once

#include <clopt/cluster.hpp>
#include <clopt/genetic.hpp>

#include <memory>
#include <span>
#include <string>

namespace clopt::group {
class Group;
}

namespace clopt::genetic {

struct Request;

/// Why the first of some members has all islands; empty where they share them.
std::string why_alone(const Request& request, int members);

/// As genetic::solve(), by all members. Where a member's device fails, all restart, that member with its next device.
/// \param devices of the first member. \param report what they have done.
Result solve_by_group(group::Group& group, const Request& request, std::span<const std::shared_ptr<Device>> devices,
                      const RunControl& control, cluster::Report& report);

}  // namespace clopt::genetic
