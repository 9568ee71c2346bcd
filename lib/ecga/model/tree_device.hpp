/// \file
/// Blocks of loci on one device: the trees that greedy makes of them, and which of these clash.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "pair_device.hpp"

namespace clopt::ecga {

/// Blocks of loci, and what their rows are made of.
struct BlockLists {
  std::vector<Block> blocks;
  std::vector<std::uint32_t> lists;  ///< the blocks' loci, then their rows
  std::uint32_t first_row = 0;       ///< of all rows, which follow each other
  std::uint32_t end_row = 0;
  std::uint64_t version = 0;  ///< another one for other blocks

  std::uint32_t row_of(std::size_t block) const { return block < blocks.size() ? blocks[block].row : end_row; }
};

/// Counts blocks on one device, with the rows and the table of counts of a PairDevice.
class TreeDevice {
 public:
  TreeDevice(PairDevice& pairs, const Dimensions& dimensions);

  /// Whether the device takes the work-groups that trees need.
  bool is_able() const;
  /// Takes blocks unless it has them; they stay as they are until the next answer was read.
  void take(const BlockLists& lists);
  void make_rows(std::uint32_t block_count);
  /// Counts the pairs of rows of blocks \p begin to \p end, and of these with the rows of earlier blocks.
  void count(const BlockLists& lists, std::uint32_t begin, std::uint32_t end);
  /// Grows all trees; empties \p clashes.
  void grow(const Pairs& which, const Buffer<Edge>& clashes);
  /// Finds clashes of trees `fresh` to `fresh + fresh_count` with earlier ones.
  void check(const Pairs& which, const Buffer<Edge>& clashes);
  const Buffer<Tree>& trees() const { return trees_; }

 private:
  PairDevice& pairs_;
  Kernel<operations::GrowTrees> grow_trees_;
  Kernel<operations::CheckTrees> check_trees_;
  Buffer<Block> blocks_;
  Buffer<std::uint32_t> lists_;
  Buffer<Tree> trees_;
  std::uint64_t version_ = 0;
};

}  // namespace clopt::ecga
