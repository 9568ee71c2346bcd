/// \file
/// Runs that ranks make in step: each takes a part, and where a device of one fails, all restart.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/run.hpp>

#include <fmt/format.h>

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
#include "ring.hpp"
#include "workers.hpp"

namespace clopt::group {

/// A rank that takes part.
struct TeamMember {
  static constexpr std::size_t most_devices = 64;
  std::uint32_t rank = 0;
  std::uint64_t failed = 0;  ///< a bit for each of its first devices: those that failed
};

/// A device that has failed, of those that take a rank's part.
class LostDevice : public DeviceError {
 public:
  /// \param device its place among them.
  LostDevice(std::size_t device, const std::string& what) : DeviceError(what), device_(device) {}
  std::size_t device() const { return device_; }

 private:
  std::size_t device_;
};

/// How a member's part has ended.
struct PartOutcome {
  enum class Kind : std::uint8_t { none, done, failed };
  Kind kind = Kind::none;
  std::string failure;            ///< of the device
  std::uint64_t device = 0;       ///< that has failed, of all that the rank has
  bool has_other_device = false;  ///< to restart on
  Bytes result;                   ///< of a part that is done
};
template <class Archive>
void fields(Archive& archive, PartOutcome& end) {
  archive("kind", end.kind)("failure", end.failure)("device", end.device);
  archive("has_other_device", end.has_other_device)("result", end.result);
}

/// The ring of a team's members.
Ring ring_of(Mailbox& mailbox, const std::vector<TeamMember>& members, std::size_t place);

/// Takes a rank's part in a run, until it has ended. \param work is called with the devices that it has left and
/// the order of its part, whose range begins at its place among the members, and returns its result and the launches
/// that it took. A DeviceError is of the first of
/// the devices, unless it is a LostDevice. What the first rank's work throws as InvalidInput ends the run; of another
/// rank it says that there is no room.
template <class Work>
void serve_team(const std::vector<TeamMember>& members, std::span<const std::shared_ptr<Device>> devices,
                Mailbox& mailbox, bool is_first, const Work& work) {
  if (devices.empty()) throw NoDevice("there is no device to run on");
  const auto take_part = [&](const Order& order, const RunControl&) {
    const auto place = static_cast<std::size_t>(order.range.first);
    std::vector<std::size_t> numbers;
    std::vector<std::shared_ptr<Device>> own;
    for (std::size_t number = 0; number < devices.size(); ++number) {
      if (number < TeamMember::most_devices && (members.at(place).failed >> number & 1) != 0) continue;
      numbers.push_back(number);
      own.push_back(devices[number]);
    }
    PartOutcome end;
    std::uint64_t launches = 0;
    const auto fail = [&](const Error& error, std::size_t device) {
      end.kind = PartOutcome::Kind::failed;
      const auto& id = own.at(device)->info().id;
      const std::string what = error.what();
      end.failure = what.starts_with(id) ? what : fmt::format("{}: {}", id, what);
      end.device = numbers[device];
      end.has_other_device = own.size() > 1 && end.device < TeamMember::most_devices;
    };
    try {
      std::tie(end.result, launches) = work(std::span<const std::shared_ptr<Device>>(own), order);
      end.kind = PartOutcome::Kind::done;
    } catch (const Cancelled&) {
    } catch (const LostDevice& error) {
      fail(error, error.device());
    } catch (const DeviceError& error) {
      fail(error, 0);
    } catch (const InvalidInput& error) {
      if (is_first) throw;
      fail(error, 0);
    }
    return std::pair(encode(end), launches);
  };
  serve_ranges(devices, std::nullopt, mailbox, {.devices = devices.size()}, take_part);
}

/// The progress of a run that one thread makes and another one reports.
class KeptProgress {
 public:
  /// For the run's thread. \returns that the run continues.
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
  std::string worker;
  std::function<Bytes(const std::vector<TeamMember>& members)> message;
  /// The first rank's own part, on a thread of its own.
  std::function<void(const std::vector<TeamMember>& members, Mailbox& mailbox)> local;
  std::function<void()> begin;  ///< called before each attempt
  /// What goes with a member's order; none: nothing.
  std::function<Bytes(std::size_t place)> details{};
  std::function<void(std::size_t place, ByteReader result)> accept;
  /// Takes word of how far a part is; none: it is of no use.
  std::function<void(std::size_t place, ByteReader progress)> progress{};
  std::function<void()> attend;  ///< called often, for what the run does meanwhile
};

/// The ranks that make a run, at the first one. Where there are more than may take part, one of the others takes the
/// place of one that is left out.
class Team {
 public:
  /// \param most members. \param watch of the run, which sends its limits to all by itself.
  Team(Group& group, std::size_t most, const Watch& watch);

  /// Has all take part, again without a device that has failed. \throws DeviceError where none of the first rank's is
  /// left, and as distribute().
  Distributed run(const TeamWork& work);
  /// Those that came to the end.
  const std::vector<TeamMember>& members() const { return members_; }
  std::string name_of(std::size_t place) const { return group_.name_of(members_[place].rank); }
  /// Devices that a member lost while others of its own did their work.
  void note_losses(std::size_t place, const std::vector<std::string>& losses);
  /// Reports devices that were lost. \param failures of the first rank's last attempt, to which those of others are
  /// added.
  void report_losses(std::vector<std::string>& failures, cluster::Report& report) const;

 private:
  struct Failed {
    std::size_t place;
    PartOutcome end;
  };
  struct Loss {
    std::uint32_t rank;
    std::string what;
  };
  Distributed attempt(const TeamWork& work);
  void continue_without(const Failed& failed);
  bool shutdown_timed_out();

  Group& group_;
  const Watch& watch_;
  const std::size_t most_;
  std::vector<TeamMember> able_;
  std::vector<TeamMember> members_;  ///< the first ones of them
  std::vector<Loss> losses_;
  std::optional<Stopwatch> interrupted_;
};

}  // namespace clopt::group
