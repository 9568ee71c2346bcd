/// \file
/// The shape of work-groups that breed in local memory, and which runs fit into it.
#pragma once

#include <clopt/device.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernel_builder.hpp"

namespace clopt::genetic {

// Lanes of a team: fewer cannot draw all that a pair needs at once, more have little to do.
inline constexpr std::uint32_t fewest_lanes = 4;
inline constexpr std::uint32_t most_lanes = 16;
// Units of bits that each of them takes, and which are on their way at the same time.
inline constexpr std::uint32_t units_of_lane = 2;
// What emulated sub-groups take of local memory, and what a driver may.
inline constexpr std::uint64_t reserved_local_memory = 9216;
// Pairs of a work-group that has their children in local memory, at most: many share the work out evenly. And local
// memory for it, where several work-groups are to fit.
inline constexpr std::uint64_t most_local_pairs = 32;
inline constexpr std::uint64_t local_pairs_bytes = std::uint64_t{24} << 10;

/// The work-groups of a kernel whose teams are neighbouring lanes of a sub-group.
struct LaneShape {
  std::uint32_t lanes = 1;  ///< of a team
  std::uint32_t group_size = 1;

  /// As many work-items as \p pairs have use for, at most \p most_items. \param width of a sub-group.
  void set_group(std::uint64_t pairs, std::uint32_t width, std::uint32_t most_items) {
    const auto items = (pairs * lanes + width - 1) / width * width;
    group_size =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(items, std::max(most_items / width * width, lanes)));
  }
  /// Defines it for a program that is made for the run.
  void fix(Program& program) const {
    program.defines.set("GENETIC_FIXED_LANES", lanes).set("GENETIC_FIXED_ITEMS", group_size);
  }
};

inline std::uint32_t lanes_of_team(const Settings& settings, std::uint32_t width, std::uint32_t fewest) {
  const auto useful =
      settings.kind == GENETIC_BITS ? (settings.units + units_of_lane - 1) / units_of_lane : settings.genes;
  return std::min(std::bit_floor(std::max(1U, width)), std::clamp(std::bit_ceil(useful), fewest, most_lanes));
}

/// Whether the width of sub-groups does not depend on the kernel, so that it may be made for a shape.
inline bool is_shaped_first(const Builder& builder) {
  return builder.is_gpu() && builder.device.subgroup().provider == SubgroupProvider::ptx;
}

/// How many pairs' children local memory holds.
inline std::uint64_t pairs_in_local_memory(const Device& device, const Settings& settings) {
  if (settings.kind != GENETIC_BITS) return most_local_pairs;
  const auto pair = std::uint64_t{settings.units} * (2 * sizeof(std::uint64_t) + sizeof(std::uint32_t)) + 8;
  const auto local = device.info().local_memory_bytes;
  return std::min(local_pairs_bytes, local - std::min(local, reserved_local_memory)) / pair;
}

}  // namespace clopt::genetic
