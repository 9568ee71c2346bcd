/// \file
/// A run's work, distributed over all ranks by the first one.
#pragma once

#include <clopt/cluster.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "group.hpp"
#include "mailbox.hpp"
#include "ranges.hpp"

namespace clopt::group {

/// What the first rank's solver wants to have done. Its functions are called on the thread that calls distribute().
struct Work {
  std::string solver;
  Bytes message;                    ///< for the workers of other ranks
  std::optional<double> seconds{};  ///< left of the run's limit of time
  std::vector<Range> ranges{};      ///< intervals of items that are cut into ranges
  Cutting cutting = Cutting::guided;
  /// What goes with a range; none: nothing.
  std::function<Bytes(const Range& range)> details{};
  /// Takes the first result of a range, or of a part of it where the run was stopped.
  std::function<void(const Range& range, ByteReader result)> accept{};
  /// Takes word of how far a range is; none: it is of no use.
  std::function<void(const Range& range, ByteReader progress)> progress{};
  /// What all ranks are to know at once, for ranges under way; called often, none: nothing new.
  std::function<std::optional<Bytes>()> news{};
  /// Called often, for what the run does meanwhile.
  std::function<void()> attend{};
  std::function<bool()> expired{};      ///< whether the run must end, with what it has
  std::function<bool()> interrupted{};  ///< whether it must end without waiting for other ranks
  /// The first rank's own worker, on a thread of its own.
  std::function<void(Mailbox& mailbox)> local{};
};

/// What has become of it.
struct Distributed {
  cluster::Report report;
  std::uint64_t launches = 0;
};

/// Brings all ranges to their ends, or to where the run is stopped. What it takes counts as computing, but for the time
/// in which ranks wait for programs: of those that take from a queue the least one, of those that work in step the
/// longest. \throws what a rank throws that cannot begin, of several the lowest one's; DeviceError where no rank has a
/// device left.
Distributed distribute(Group& group, const Work& work);

/// Adds to a report that of another part of the same run, which the same ranks have done.
void add_report(cluster::Report& whole, const cluster::Report& part);

/// The report of a run that is not shared out. \param reason why, a clause.
cluster::Report report_of_one(Group& group, std::string reason);

}  // namespace clopt::group
