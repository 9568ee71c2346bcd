#include "bit_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <support/numbers/vectorize.hpp>

namespace clopt::subset_sum {
namespace {

/// Blocks between two checks of the time: well below a millisecond.
constexpr std::uint64_t blocks_between_looks = 1024;

/// The words `from`, moved up by some bits, without the bits of the words `to`. The word before `from` is read too.
CLOPT_VECTORIZE(void, fresh_words,
                (const std::uint64_t* from, const std::uint64_t* to, unsigned shift, std::uint64_t words,
                 std::uint64_t* fresh),
                (from, to, shift, words, fresh)) {
  // x >> 64 is not defined, so the lower word is moved in two steps.
  for (std::uint64_t j = 0; j < words; ++j) {
    fresh[j] = (from[j] << shift | *(from + j - 1) >> 1 >> (63 - shift)) & ~to[j];
  }
}

}  // namespace

// A block of zeros goes first, so that a block whose sources begin below 0 needs no other code.
BitSums::BitSums(std::uint64_t limit)
    : limit_(limit), storage_(block_words + (limit / (word_bits * block_words) + 1) * block_words) {
  words_ = storage_.data() + block_words;
  words_[0] = 1;
  bytes_ = storage_.size() * sizeof(std::uint64_t);
}

std::optional<std::uint64_t> BitSums::next(std::uint64_t sum) const {
  if (sum > limit_) return std::nullopt;
  std::uint64_t word = sum / word_bits;
  std::uint64_t bits = words_[word] & ~std::uint64_t{0} << sum % word_bits;
  while (bits == 0) {
    if (++word > limit_ / word_bits) return std::nullopt;
    bits = words_[word];
  }
  return word * word_bits + static_cast<std::uint64_t>(std::countr_zero(bits));
}

void BitSums::insert(std::uint64_t sum) {
  count_ += reached(sum) ? 0 : 1;
  words_[sum / word_bits] |= std::uint64_t{1} << sum % word_bits;
}

bool BitSums::sweep_block(std::uint64_t block, std::uint64_t weight, Range range, std::uint64_t* fresh) const {
  const std::uint64_t first_word = block * block_words;
  const std::uint64_t shift_words = weight / word_bits;
  // Sources of the words before shift_words are below 0.
  const std::uint64_t skipped = shift_words > first_word ? std::min(shift_words - first_word, block_words) : 0;
  std::fill_n(fresh, skipped, std::uint64_t{0});
  if (skipped < block_words) {
    fresh_words(words_ + (first_word + skipped - shift_words), words_ + (first_word + skipped),
                static_cast<unsigned>(weight % word_bits), block_words - skipped, fresh + skipped);
  }
  const std::uint64_t begin = range.first / word_bits;
  const std::uint64_t end = range.last / word_bits;
  if (begin >= first_word) {
    std::fill_n(fresh, std::min(begin - first_word, block_words), std::uint64_t{0});
    if (begin < first_word + block_words) fresh[begin - first_word] &= ~std::uint64_t{0} << range.first % word_bits;
  }
  if (end < first_word + block_words) {
    fresh[end - first_word] &= ~std::uint64_t{0} >> (word_bits - 1 - range.last % word_bits);
    std::fill(fresh + (end - first_word + 1), fresh + block_words, std::uint64_t{0});
  }
  std::uint64_t any = 0;
  for (std::uint64_t j = 0; j < block_words; ++j) any |= fresh[j];
  return any != 0;
}

bool BitSums::add_item(std::uint64_t weight, Range range, const Watch& watch) {
  scratch_.blocks.clear();
  scratch_.words.clear();
  bool complete = true;
  if (range.size() != 0) {
    std::array<std::uint64_t, block_words> fresh;
    const std::uint64_t first = range.first / (word_bits * block_words);
    // Downwards, so that the sources of a block, itself or lower ones, are still without the item.
    for (std::uint64_t block = range.last / (word_bits * block_words) + 1; block-- > first;) {
      if (block % blocks_between_looks == 0 && watch.expired()) {
        complete = false;
        break;
      }
      if (!sweep_block(block, weight, range, fresh.data())) continue;
      Block kept{block, 0, scratch_.words.size()};
      for (std::uint64_t j = 0; j < block_words; ++j) {
        if (fresh[j] == 0) continue;
        kept.present |= std::uint64_t{1} << j;
        scratch_.words.push_back(fresh[j]);
        words_[block * block_words + j] |= fresh[j];
        count_ += static_cast<std::uint64_t>(std::popcount(fresh[j]));
      }
      scratch_.blocks.push_back(kept);
    }
  }
  // Copied, so that a row takes no more than it holds.
  rows_.push_back(scratch_);
  bytes_ += sizeof(Row) + scratch_.blocks.size() * sizeof(Block) + scratch_.words.size() * sizeof(std::uint64_t);
  return complete;
}

std::optional<std::size_t> BitSums::row_of(std::uint64_t sum) const {
  const std::uint64_t word = sum / word_bits;
  const std::uint64_t block = word / block_words;
  const auto j = static_cast<unsigned>(word % block_words);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const auto kept = std::lower_bound(row.blocks.begin(), row.blocks.end(), block,
                                       [](const Block& each, std::uint64_t number) { return each.number > number; });
    if (kept == row.blocks.end() || kept->number != block || (kept->present >> j & 1) == 0) continue;
    const std::uint64_t before = kept->present & ((std::uint64_t{1} << j) - 1);
    const std::uint64_t bits = row.words[kept->first_word + static_cast<std::uint64_t>(std::popcount(before))];
    if ((bits >> sum % word_bits & 1) != 0) return i;
  }
  return std::nullopt;
}

}  // namespace clopt::subset_sum
