/// \file
/// Twins of kernels_cl/checksums.
#include "team.hpp"
#include "twin.hpp"

#include <shared/checksum.h>
#include <generated/operations/checksums.hpp>

#include <array>
#include <cstdint>

namespace clopt::openmp::checksums {
namespace {

namespace operations = clopt::checksums::operations;
using std::uint32_t;
using std::uint64_t;

uint64_t hash_block(const uint64_t* words) {
  std::array<uint64_t, CHECKSUM_LANES> sums;
  for (uint32_t lane = 0; lane < CHECKSUM_LANES; ++lane) sums[lane] = shared::checksum_start[lane];
  for (uint32_t section = 1; section <= CHECKSUM_SECTIONS; ++section) {
    for (uint32_t stripe = 0; stripe < CHECKSUM_STRIPES; ++stripe, words += CHECKSUM_LANES) {
      const bool is_last = section == CHECKSUM_SECTIONS && stripe + 1 == CHECKSUM_STRIPES;
      for (uint32_t lane = 0; lane < CHECKSUM_LANES; ++lane) {
        const auto key = is_last ? shared::checksum_last_key(lane) : shared::checksum_key(stripe, lane);
        sums[lane] = shared::checksum_added(sums[lane], words[lane], words[lane ^ 1U], key);
      }
    }
    if (section == CHECKSUM_SECTIONS) break;
    for (uint32_t lane = 0; lane < CHECKSUM_LANES; ++lane)
      sums[lane] = shared::checksum_scrambled(sums[lane], shared::checksum_scrambling_key(lane));
  }
  uint64_t all = 0;
  for (uint32_t pair = 0; pair < CHECKSUM_LANES / 2; ++pair)
    all += shared::checksum_folded(sums[std::size_t{2} * pair], sums[std::size_t{2} * pair + 1], pair);
  return shared::checksum_finished(all);
}

}  // namespace

const Twin hash_blocks{Implementation([](const Range&, const operations::HashBlocks& arguments) {
  for_each_index(*arguments.blocks, 1, [&](uint64_t block) {
    arguments.hashes[block] = hash_block(&arguments.words[block * CHECKSUM_BLOCK_WORDS]);
  });
})};

}  // namespace clopt::openmp::checksums
