/// \file
/// How pairs of rows are counted on a device.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>

#include <ecga/dimensions.hpp>

namespace clopt::ecga {

/// Counts pairs of rows on a device: by matrix units or population counts, in as many parts as fill the device.
class PairKernels {
 public:
  PairKernels() = default;
  /// \param counting the one that is used.
  PairKernels(Device& device, Counting counting);

  /// \param counts a table of stride tiles.stride. \param first_row, end_row the rows of the table that are counted:
  ///        they are set to 0 first where parts add up; none: there is one part. \param words that a row may have.
  void launch(Queue& queue, const Buffer<std::uint32_t>& rows, const Buffer<std::uint32_t>& lists,
              const Buffer<std::uint32_t>& totals, const Buffer<std::uint32_t>& counts, Tiles tiles,
              std::uint32_t words, std::uint32_t first_row, std::uint32_t end_row) const;

 private:
  std::uint64_t wanted_groups_ = 1;
  Kernel<operations::CountPairs> count_;         // where there are no matrix units
  Kernel<operations::CountPairsMatrix> matrix_;  // where there are
  Kernel<operations::CountPairsWide> wide_;      // the same for many rows
};

}  // namespace clopt::ecga
