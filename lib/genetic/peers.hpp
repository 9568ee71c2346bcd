/// \file
/// A run of some of the islands, among those of all others.
#pragma once

#include <run/bytes.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace clopt::genetic {

/// What all runs know alike after each launch; 16 bytes.
struct RingStatus {
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t stop = never;  ///< the first generation in which an island has reached the target
  std::uint32_t improved = 0;  ///< the last one in which an island's best got better
  std::uint32_t improved_since_restart = 0;
  std::uint32_t orders = 0;  ///< of the first run; of all others 0: generations of the next launch, at most, and flags

  static constexpr std::uint32_t wants_state = std::uint32_t{1} << 16;  ///< each run is to send its state
  static constexpr std::uint32_t is_late = std::uint32_t{1} << 17;      ///< the limit of time has passed
  std::uint64_t generations() const { return orders & (wants_state - 1); }
  bool has(std::uint32_t flag) const { return (orders & flag) != 0; }
};

inline RingStatus join(const RingStatus& one, const RingStatus& other) {
  return {std::min(one.stop, other.stop), std::max(one.improved, other.improved),
          std::max(one.improved_since_restart, other.improved_since_restart), std::max(one.orders, other.orders)};
}

/// The runs of all other islands: what a run sends to them and receives from them. All call the same functions in the
/// same order.
class Peers {
 public:
  Peers() = default;
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  virtual ~Peers() = default;

  /// Waits until all runs are ready to begin.
  virtual void await_all() = 0;
  /// Gives the migrants of the last island to the next run, and takes those for the first one.
  virtual Bytes pass_on(const Bytes& migrants) = 0;
  /// The statuses of all runs, joined. \param own with the generations that this run would have in its next launch.
  /// \param generation that it is at.
  virtual RingStatus combine(RingStatus own, std::uint64_t generation) = 0;
  /// Sends the state of the islands.
  virtual void send_state(const Bytes& state) = 0;
  /// Whether it is time to send the best value.
  virtual bool best_is_due() const = 0;
  virtual void send_best(double value, std::span<const double> genes) = 0;
};

}  // namespace clopt::genetic
