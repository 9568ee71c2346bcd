#include "block_hashes.hpp"

#include <shared/checksum.h>

#include <algorithm>
#include <bit>

namespace clopt {
namespace {

static_assert(Checksum::block_bytes == sizeof(std::uint64_t) * CHECKSUM_BLOCK_WORDS);

// Of the kernel, at most.
constexpr std::uint32_t group_size = 32;

}  // namespace

BlockHashes::BlockHashes(Device& device)
    : device_(device), hash_blocks_(device.kernel<checksums::operations::HashBlocks>()) {}

bool BlockHashes::is_able(const Device& device) {
  return std::endian::native == std::endian::little && device.info().max_work_group_size >= CHECKSUM_LANES;
}

std::vector<std::uint64_t> BlockHashes::hash(Queue& queue, const Buffer<std::uint64_t>& words,
                                             std::size_t blocks) const {
  if (blocks == 0) return {};
  const auto hashes = device_.buffer<std::uint64_t>("checksums of blocks", blocks);
  const auto most = std::min(group_size, hash_blocks_.max_group_size());
  const auto blocks_of_group = std::max(1U, most / CHECKSUM_LANES);
  queue.launch(hash_blocks_,
               Range::of_groups((blocks + blocks_of_group - 1) / blocks_of_group, blocks_of_group * CHECKSUM_LANES),
               {.words = words, .hashes = hashes, .blocks = static_cast<std::uint32_t>(blocks)});
  return queue.read_all(hashes);
}

}  // namespace clopt
