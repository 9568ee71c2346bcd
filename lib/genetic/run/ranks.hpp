/// \file
/// Islands that the ranks of a job share.
#pragma once

#include <clopt/cluster.hpp>
#include <clopt/genetic.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace clopt::cluster {
class Session;
}

namespace clopt::genetic {

struct Request;

/// The ranks' part in a run of the first one.
class Ranks {
 public:
  /// \param devices, control must live as long. \returns null outside a job. \throws InvalidInput where this rank is
  /// not the first one.
  static std::unique_ptr<Ranks> find(const Request& request, std::span<const std::shared_ptr<Device>> devices,
                                     const RunControl& control);

  Ranks(cluster::Session& session, const Request& request, std::span<const std::shared_ptr<Device>> devices,
        const RunControl& control, std::string alone)
      : session_(session), request_(request), devices_(devices), control_(control), alone_(std::move(alone)) {}

  /// Whether several ranks take part.
  bool share_work() const { return alone_.empty(); }
  /// As genetic::solve(), by all ranks. Where a rank's device fails, all restart, that rank with its next device.
  Result solve();
  std::shared_ptr<const cluster::Report> report() const;

 private:
  cluster::Session& session_;
  const Request& request_;
  std::span<const std::shared_ptr<Device>> devices_;
  const RunControl& control_;
  std::string alone_;  ///< why the first rank has all islands; empty: they are shared
  std::optional<cluster::Report> report_;
};

}  // namespace clopt::genetic
