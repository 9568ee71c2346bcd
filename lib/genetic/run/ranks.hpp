/// \file
/// Islands that the members of a group share: ranks of a job, or devices of this process.
#pragma once

#include <clopt/cluster.hpp>
#include <clopt/genetic.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace clopt::group {
class Group;
}

namespace clopt::genetic {

struct Request;

/// The members' part in a run of the first one.
class Ranks {
 public:
  /// \param devices, control must live as long. \returns null outside a job. \throws InvalidInput where this rank is
  /// not the first one.
  static std::unique_ptr<Ranks> find(const Request& request, std::span<const std::shared_ptr<Device>> devices,
                                     const RunControl& control);

  /// \param devices of the first member.
  Ranks(group::Group& group, const Request& request, std::span<const std::shared_ptr<Device>> devices,
        const RunControl& control);

  /// Whether several members take part.
  bool share_work() const { return alone_.empty(); }
  /// Why not: the first one has all islands.
  const std::string& why_alone() const { return alone_; }
  /// As genetic::solve(), by all ranks. Where a rank's device fails, all restart, that rank with its next device.
  Result solve();
  std::shared_ptr<const cluster::Report> report() const;

 private:
  group::Group& group_;
  const Request& request_;
  std::span<const std::shared_ptr<Device>> devices_;
  const RunControl& control_;
  std::string alone_;  ///< why the first rank has all islands; empty: they are shared
  std::optional<cluster::Report> report_;
};

}  // namespace clopt::genetic
