/// \file
/// Conflicts of many schedules at once, for an optimiser of one's own: the devices count them as they do for `umda`.
#pragma once

#include <clopt/exchange.hpp>
#include <clopt/export.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::exchange {

/// The fitness of the paper (J. Jaros and R. Tyrala, GECCO 2014, sections 2.3 and 3), whose optimiser can be exchanged.
/// A schedule is two numbers for each transfer of the problem, in its order: the slot, and which of its shortest paths
/// it takes. Conflicts are counted over all slots, over all pairs of transfers in it, as the channels that they share.
/// A path goes over certain ones of parallel channels. Calls from several threads come one after the other.
class CLOPT_API Fitness {
 public:
  /// \param slots of a schedule, from 1 to most_slots. \param method a choice of the field. O(links of all paths).
  /// \throws InvalidInput for no device, another method, slots out of range, a problem without transfers, more than
  /// 65,535 links, and shortest paths of 2^32 links or more in all; DeviceError where no device takes the tables.
  Fitness(Problem problem, std::uint32_t slots, std::span<const std::shared_ptr<Device>> devices,
          std::string_view method = "links");
  /// The same on one device, which must outlive the object.
  Fitness(Problem problem, std::uint32_t slots, Device& device, std::string_view method = "links");
  ~Fitness();
  Fitness(const Fitness&) = delete;
  Fitness& operator=(const Fitness&) = delete;

  const Problem& problem() const;
  std::uint32_t slots() const;
  /// Of each transfer, how many shortest paths it can take, 1 to 4,096: all, or some that are evenly spread over them.
  std::span<const std::uint32_t> paths() const;
  /// The nodes of a transfer's path, both ends included. \throws InvalidInput for a path or a transfer out of range.
  std::vector<std::uint32_t> path(std::size_t transfer, std::uint32_t number) const;

  /// Counts the conflicts of schedules, batch by batch, on all devices. One that fails leaves its batches to the
  /// others. \param slots, numbers of the transfers and their paths, schedule after schedule. \param conflicts one for
  /// each schedule. O(schedules times links of a schedule). \throws InvalidInput for sizes that do not fit each other,
  /// and for a number out of range, with its place; DeviceError where the last device fails.
  void count(std::span<const std::uint32_t> slots, std::span<const std::uint32_t> numbers,
             std::span<std::uint64_t> conflicts);

  /// One schedule, for check(), to_json() and others. \throws InvalidInput as count().
  Schedule schedule(std::span<const std::uint32_t> slots, std::span<const std::uint32_t> numbers) const;

  /// Devices that failed, and how.
  std::vector<std::string> failures() const;

 private:
  struct Members;
  std::unique_ptr<Members> members_;
};

}  // namespace clopt::exchange
