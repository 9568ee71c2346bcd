/// \file
/// Islands that evolve elsewhere, in step with those here.
#pragma once

#include <run/bytes.hpp>

#include <algorithm>
#include <cstdint>

namespace clopt::exchange {

/// What all ranks know alike after each round of generations.
struct IslandStatus {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  /// The first generation in which an island has found a schedule, and below it the first of these islands.
  std::uint64_t found = none;
  std::uint64_t least_conflicts = none;
  std::uint32_t step = ~std::uint32_t{0};  ///< generations of the next round, at most
  std::uint32_t is_late = 0;               ///< whether the limit of time has passed; of the first rank

  static std::uint64_t found_by(std::uint32_t generation, std::uint32_t island) {
    return std::uint64_t{generation} << 32 | island;
  }
  bool has_found() const { return found != none; }
  std::uint32_t generation() const { return static_cast<std::uint32_t>(found >> 32); }
  std::uint32_t island() const { return static_cast<std::uint32_t>(found); }
};

inline IslandStatus join(const IslandStatus& one, const IslandStatus& other) {
  return {std::min(one.found, other.found), std::min(one.least_conflicts, other.least_conflicts),
          std::min(one.step, other.step), std::max(one.is_late, other.is_late)};
}

/// The islands of other ranks. All call the same functions in the same order.
class PeerIslands {
 public:
  PeerIslands() = default;
  PeerIslands(const PeerIslands&) = delete;
  PeerIslands& operator=(const PeerIslands&) = delete;
  virtual ~PeerIslands() = default;

  /// Gives the migrant of the last island to the next rank, and takes that for the first one.
  virtual Bytes pass_on(const Bytes& migrant) = 0;
  /// The statuses of all ranks, joined.
  virtual IslandStatus combine(IslandStatus own) = 0;
  /// Whether a search that is stopped in step with others has its result here.
  virtual bool is_first() const = 0;
};

}  // namespace clopt::exchange
