#include "block_hashes.hpp"

#include <fmt/format.h>
#include <shared/checksum.h>

#include <algorithm>
#include <bit>

#include <device/verification/fault_detection.hpp>

namespace clopt {

static_assert(Checksum::block_bytes == sizeof(std::uint64_t) * CHECKSUM_BLOCK_WORDS);

BlockHashes::BlockHashes(Device& device, std::size_t bytes)
    : device_(device),
      hash_blocks_(device.kernel<checksums::operations::HashBlocks>()),
      hashes_(device.buffer<std::uint64_t>("checksums of blocks", bytes / Checksum::block_bytes)) {}

bool BlockHashes::is_able() const {
  return std::endian::native == std::endian::little && hash_blocks_.max_group_size() >= CHECKSUM_LANES;
}

void BlockHashes::require_same(std::uint64_t found, std::uint64_t on_host) const {
  if (found != on_host)
    report_fault(device_,
                 fmt::format("gives a block of its memory the checksum {:016x}, and the host finds {:016x} for it",
                             found, on_host));
}

std::vector<std::uint64_t> BlockHashes::hash(Queue& queue, const Buffer<std::uint64_t>& words,
                                             std::size_t blocks) const {
  const auto blocks_of_group = std::min(CHECKSUM_GROUP_SIZE, hash_blocks_.max_group_size()) / CHECKSUM_LANES;
  queue.launch(hash_blocks_,
               Range::of_groups((blocks + blocks_of_group - 1) / blocks_of_group, blocks_of_group * CHECKSUM_LANES),
               {.words = words, .hashes = hashes_, .blocks = static_cast<std::uint32_t>(blocks)});
  std::vector<std::uint64_t> hashes(blocks);
  queue.read(hashes_, std::span(hashes));
  return hashes;
}

}  // namespace clopt
