#include "tree_device.hpp"

namespace clopt::ecga {

TreeDevice::TreeDevice(PairDevice& pairs, const Dimensions& dimensions) : pairs_(pairs) {
  if (dimensions.most_row_loci < 2 || dimensions.most_loci < 2) return;
  auto& device = pairs.device();
  grow_trees_ = device.kernel<operations::GrowTrees>();
  check_trees_ = device.kernel<operations::CheckTrees>();
  const std::size_t rows = dimensions.most_rows - dimensions.length;
  blocks_ = device.buffer<Block>("blocks", dimensions.length);
  lists_ = device.buffer<std::uint32_t>("lists of blocks", dimensions.length + rows);
  trees_ = device.buffer<Tree>("trees", dimensions.length);
}

bool TreeDevice::is_able() const {
  return grow_trees_ && grow_trees_.max_group_size() >= tree_group && check_trees_.max_group_size() >= tree_group;
}

void TreeDevice::take(const BlockLists& lists) {
  if (version_ == lists.version) return;
  version_ = lists.version;
  pairs_.queue().write_later(blocks_, lists.blocks);
  pairs_.queue().write_later(lists_, lists.lists);
  // Should they not be grown, those of other blocks are no use.
  pairs_.queue().write_later(trees_, HostArray<Tree>(lists.blocks.size()));
}

void TreeDevice::make_rows(std::uint32_t block_count) { pairs_.make_blocks(blocks_, block_count, lists_); }

void TreeDevice::count(const BlockLists& lists, std::uint32_t begin, std::uint32_t end) {
  const auto first = lists.row_of(begin);
  const auto last = lists.row_of(end);
  const auto list = static_cast<std::uint32_t>(lists.lists.size()) - (lists.end_row - lists.first_row);
  pairs_.count(pairs_.tiles(list + first - lists.first_row, last - first, list, last - lists.first_row), first, last,
               &lists_);
}

void TreeDevice::grow(const Pairs& which, const Buffer<Edge>& clashes) {
  pairs_.queue().launch(grow_trees_, Range::of_groups(which.fresh + which.fresh_count, tree_group),
                        {.counts = pairs_.counts(),
                         .blocks = blocks_,
                         .lists = lists_,
                         .logarithms = pairs_.logarithms(),
                         .ones = pairs_.ones(),
                         .trees = trees_,
                         .clashes = clashes,
                         .pairs = which});
}

void TreeDevice::check(const Pairs& which, const Buffer<Edge>& clashes) {
  const std::uint64_t end = which.fresh + which.fresh_count;
  pairs_.queue().launch(check_trees_, Range{{end * tree_group, which.fresh_count, 1}, {tree_group, 1, 1}},
                        {.counts = pairs_.counts(),
                         .blocks = blocks_,
                         .trees = trees_,
                         .logarithms = pairs_.logarithms(),
                         .clashes = clashes,
                         .pairs = which});
}

}  // namespace clopt::ecga
