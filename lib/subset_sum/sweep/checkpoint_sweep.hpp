/// \file
/// Sweeps over capacities as bits that keep no item for each capacity.
#pragma once

#include <clopt/run.hpp>
#include <subset_sum/reduction/reduced_problem.hpp>
#include "sparse_sweep.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace clopt {
class Device;
struct DeviceInfo;
}  // namespace clopt

namespace clopt::subset_sum {

/// What a recovery by checkpoints may take; the tests make it small.
struct CheckpointLimits {
  std::optional<std::uint64_t> words;  ///< for checkpoints; none: what 3 bits a capacity leave
  /// Words of 64 capacities that are swept on the host, at about a nanosecond each, where a device needs some
  /// microseconds for a launch and more for an answer. On an H200, 2^16 words and more took longer there than on the
  /// device.
  std::uint64_t host_words = std::uint64_t{1} << 12;
  std::size_t items_tried = 10;  ///< items whose subsets are always tried one by one, at most 30
  /// Of sweep_in_pieces(), words of each vector on the device, at least 4; none: what its memory has.
  std::optional<std::uint64_t> device_words = std::nullopt;
};

/// The paper's implementation 3 (chapter 5.4) without the vector g. The bit vector is kept as it was after some items;
/// the walk back from the optimum looks for the earliest of these checkpoints that holds the sum, so that the item
/// that reached it first lies before, and after the checkpoint before. What lies between two checkpoints is swept once
/// more, over the capacities that can still lead to the sum, with checkpoints that are nearer to each other, until so
/// few items are left that their subsets are tried, or so few capacities that the host sweeps them. The subset is the
/// one that g gives.
///
/// Takes 3 bits a capacity, or a little more where that is less than 64 KiB.
/// \param word_bits 16, 32 or 64.
/// \param known what the first items reach; null: the sweep begins with all items.
/// \throws DeviceError, OutOfMemory, InternalError.
Found sweep_with_checkpoints(const ReducedProblem& reduced, unsigned word_bits, Device& device, const Watch& watch,
                             const CheckpointLimits& limits = {}, const NamedSums* known = nullptr);

/// The same with the vector and its checkpoints in the host's memory, 3 bits a capacity there: pieces of the vector
/// visit the device, which may have far less, one after the other.
Found sweep_in_pieces(const ReducedProblem& reduced, unsigned word_bits, Device& device, const Watch& watch,
                      const CheckpointLimits& limits = {}, const NamedSums* known = nullptr);

/// What either takes for capacities up to one, on the device or the host.
std::uint64_t checkpoint_bytes(std::uint64_t high);

}  // namespace clopt::subset_sum
