/// \file
/// Runs that ranks make in step: each takes a part, and where a device of one fails, all begin anew.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <support/stopwatch.hpp>
#include "distribution.hpp"
#include "range_servant.hpp"
#include "ring.hpp"

namespace clopt::cluster {

/// A rank that takes part.
struct TeamMember {
  std::uint32_t rank = 0;
  std::uint32_t failed = 0;  ///< of its devices, the first ones
};

/// How a member's part has ended.
struct PartEnd {
  enum class Kind : std::uint8_t { none, done, failed };
  Kind kind = Kind::none;
  std::string failure;            ///< of the device
  bool has_other_device = false;  ///< to begin anew on
  Bytes result;                   ///< of a part that is done
};
Bytes encode(const PartEnd& end);
PartEnd decode_part_end(Reader& message);

/// The ring of a team's members.
Ring ring_of(Mailbox& mailbox, const std::vector<TeamMember>& members, std::size_t place);

/// Takes a rank's part in a run, until the job has ended. \param work is called with the devices that it has left and
/// its place among the members, and returns its result and the launches that it took. What the first rank's work throws
/// as InvalidInput ends the run; of another rank it says that it has no room, for which it is left out.
template <class Work>
void serve_team(const std::vector<TeamMember>& members, std::span<const std::shared_ptr<Device>> devices,
                Mailbox& mailbox, bool is_first, const Work& work) {
  if (devices.empty()) throw NoDevice("there is no device to run on");
  const auto take_part = [&](const Order& order, const RunControl&) {
    const auto place = static_cast<std::size_t>(order.range.first);
    const auto own = devices.subspan(std::min<std::size_t>(members.at(place).failed, devices.size() - 1));
    PartEnd end;
    std::uint64_t launches = 0;
    const auto fail = [&](const Error& error) {
      end.kind = PartEnd::Kind::failed;
      end.failure = fmt::format("{}: {}", own.front()->info().id, error.what());
      end.has_other_device = own.size() > 1;
    };
    try {
      std::tie(end.result, launches) = work(own, place);
      end.kind = PartEnd::Kind::done;
    } catch (const Cancelled&) {
    } catch (const DeviceError& error) {
      fail(error);
    } catch (const InvalidInput& error) {
      if (is_first) throw;
      fail(error);
    }
    return std::pair(encode(end), launches);
  };
  serve_ranges(devices, std::nullopt, mailbox, {.devices = devices.size()}, take_part);
}

/// The progress of a run that one thread makes and another one tells.
class KeptProgress {
 public:
  /// For the run's thread. \returns that the run goes on.
  bool keep(const Progress& progress);
  /// For the thread that called solve().
  void report(const Watch& watch) const;

 private:
  mutable std::mutex mutex_;
  std::string phase_;
  std::optional<Progress> progress_;  // without its phase and point
  std::vector<double> point_;
};

/// What the first rank wants of a team. All functions are called on the thread that calls Team::run().
struct TeamWork {
  std::string servant;
  std::function<Bytes(const std::vector<TeamMember>& members)> job;
  /// The first rank's own part, on a thread of its own.
  std::function<void(const std::vector<TeamMember>& members, Mailbox& mailbox)> local;
  std::function<void()> begin;  ///< called before each attempt
  std::function<void(std::size_t place, Reader result)> accept;
  std::function<void()> attend;  ///< called often, for what the run does meanwhile
};

/// The ranks that make a run, at the first one.
class Team {
 public:
  /// \param most members. \param watch of the run, whose limits it tells to all by itself.
  Team(Session& session, std::size_t most, const Watch& watch);

  /// Has all take part, again without a device that has failed. \throws DeviceError where none of the first rank's is
  /// left, and as distribute().
  Distributed run(const TeamWork& work);
  /// Those that came to the end.
  const std::vector<TeamMember>& members() const { return members_; }
  std::string name_of(std::size_t place) const { return session_.name_of(members_[place].rank); }
  /// Devices that a member lost while others of its own did their work.
  void note_losses(std::size_t place, const std::vector<std::string>& losses);
  /// Tells devices that were lost. \param failures of the first rank's last attempt, to which those of others are
  /// added.
  void tell_losses(std::vector<std::string>& failures, Report& report) const;

 private:
  struct Failed {
    std::size_t place;
    PartEnd end;
  };
  struct Loss {
    std::uint32_t rank;
    std::string what;
  };
  Distributed attempt(const TeamWork& work);
  void go_on_without(const Failed& failed);
  bool has_lost_patience();

  Session& session_;
  const Watch& watch_;
  std::vector<TeamMember> members_;
  std::vector<Loss> losses_;
  std::optional<Stopwatch> interrupted_;
};

}  // namespace clopt::cluster
