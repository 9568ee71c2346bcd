#include "host_recursion.hpp"
#include <support/numbers/vectorize.hpp>

#include <algorithm>

namespace clopt::subset_sum {
namespace {

constexpr std::int64_t bits = 64;

std::uint64_t words_for(const Range& range) { return (range.size() + bits - 1) / bits; }

// into |= the bits of `from` and `from + 1` from a bit of `from` on, for words that are all there.
CLOPT_VECTORIZE(void, or_whole_words, (std::uint64_t * into, const std::uint64_t* from, std::int64_t count, int shift),
                (into, from, count, shift)) {
  // In two steps, since a shift by all bits of a word is undefined.
  for (std::int64_t x = 0; x < count; ++x) into[x] |= from[x] >> shift | from[x + 1] << 1 << (bits - 1 - shift);
}

std::uint64_t word_at(const std::vector<std::uint64_t>& words, std::int64_t x) {
  return x >= 0 && x < std::ssize(words) ? words[static_cast<std::size_t>(x)] : 0;
}

// into |= the bits of `from` from bit `offset` on, which may lie before its first; what is not there is 0.
void or_bits(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& from, std::int64_t offset) {
  const auto shift = static_cast<int>(offset & (bits - 1));
  const auto first = (offset - shift) / bits;
  const auto count = std::ssize(into);
  const auto one_word = [&](std::int64_t x) {
    into[static_cast<std::size_t>(x)] |= word_at(from, first + x) >> shift | word_at(from, first + x + 1)
                                                                                 << 1 << (bits - 1 - shift);
  };
  const auto whole_from = std::clamp<std::int64_t>(-first, 0, count);
  const auto whole_to = std::clamp<std::int64_t>(std::ssize(from) - 1 - first, whole_from, count);
  for (std::int64_t x = 0; x < whole_from; ++x) one_word(x);
  if (whole_to > whole_from)
    or_whole_words(&into[static_cast<std::size_t>(whole_from)], &from[static_cast<std::size_t>(first + whole_from)],
                   whole_to - whole_from, shift);
  for (auto x = whole_to; x < count; ++x) one_word(x);
}

}  // namespace

std::uint64_t HostRecursion::words_of(const Stretch& stretch) {
  std::uint64_t words = 0;
  for (auto item = stretch.begin(); item <= stretch.end(); ++item) words += words_for(stretch.after(item));
  return words;
}

HostRecursion::HostRecursion(const Stretch& stretch, std::uint64_t first, std::vector<std::uint64_t> known)
    : stretch_(stretch) {
  windows_.push_back({first, std::move(known)});
  for (auto item = stretch.begin() + 1; item <= stretch.end(); ++item) {
    const auto& range = stretch.after(item);
    const auto& before = windows_.back();
    Window window{range.first, std::vector<std::uint64_t>(words_for(range))};
    const auto offset = static_cast<std::int64_t>(range.first - before.first);
    or_bits(window.words, before.words, offset);
    or_bits(window.words, before.words, offset - static_cast<std::int64_t>(stretch.weight(item)));
    windows_.push_back(std::move(window));
  }
}

bool HostRecursion::Window::holds(std::uint64_t capacity) const {
  if (capacity < first || (capacity - first) / bits >= words.size()) return false;
  return (words[(capacity - first) / bits] >> ((capacity - first) % bits) & 1) != 0;
}

}  // namespace clopt::subset_sum
