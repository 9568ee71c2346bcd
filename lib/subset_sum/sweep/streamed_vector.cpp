#include "streamed_vector.hpp"
#include "sweep.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace clopt::subset_sum {
namespace {

// Where the device's memory is the host's: a piece for each of some caches, no more.
constexpr double bytes_of_host = 1 << 28;

// Whether a checkpoint holds a capacity.
template <class Word>
bool holds(const Checkpoint& from, const HostArray<Word>& pool, std::uint64_t capacity) {
  constexpr std::uint64_t bits = 8 * sizeof(Word);
  if (capacity < from.capacities.first || capacity > from.capacities.last) return false;
  return (pool[from.offset + (capacity - from.capacities.first) / bits] >> (capacity % bits) & 1) != 0;
}

}  // namespace

template <class Word>
StreamedVector<Word>::StreamedVector(Device& device, const Watch& watch) : device_(device) {
  for (auto& each : on_device_) each = std::make_unique<BitVector<Word>>(device, watch);
}

// Memory that is 0, and taken from the system only where it is used.
template <class Word>
auto StreamedVector<Word>::pool(std::uint64_t words) -> Pool {
  auto* const data = static_cast<Word*>(std::calloc(words, sizeof(Word)));
  if (!data) throw std::bad_alloc();
  return {std::shared_ptr<const void>(data, std::free), data, words};
}

template <class Word>
void StreamedVector<Word>::allocate(std::uint64_t words, std::size_t most_items,
                                    std::optional<std::uint64_t> on_device) {
  vectors_[0] = pool(words);
  const auto vectors = on_device_.size() * on_device_[0]->count();
  const auto wanted = static_cast<double>(vectors * words * sizeof(Word));
  const auto& info = device_.info();
  auto usable = std::min(wanted, memory_left(device_, wanted));
  if (info.kind == DeviceKind::cpu) usable = std::min(usable, bytes_of_host);
  piece_words_ = on_device.value_or(std::max<std::uint64_t>(
      4, std::min(static_cast<std::uint64_t>(usable) / vectors, info.max_allocation_bytes) / sizeof(Word)));
  for (auto& each : on_device_) each->allocate(piece_words_, most_items);
}

template <class Word>
void StreamedVector<Word>::load(const Stretch& stretch, const Checkpoint& from, const Pool& pool) {
  const auto& begin = stretch.after(stretch.begin());
  base_ = begin.first / bits * bits;
  const auto& words = vectors_[0];
  if (!fresh_) std::fill_n(words.begin(), words_for(stretch), Word{0});
  fresh_ = false;
  const Range known{base_, std::min(begin.last, from.capacities.last)};
  std::copy_n(pool.begin() + from.offset + (base_ - from.capacities.first) / bits, words_of(known, bits),
              words.begin());
}

template <class Word>
bool StreamedVector<Word>::take(const Stretch& stretch, std::size_t first, std::size_t last, const Phase& phase) {
  while (first < last) {
    const auto next = group(stretch, first, last);
    if (!take_group(stretch, first, next, phase)) return false;
    first = next.last;
  }
  return true;
}

// As many items as fit at once, or as leave a piece as much as what it needs beneath it.
template <class Word>
auto StreamedVector<Word>::group(const Stretch& stretch, std::size_t first, std::size_t last) const -> Group {
  const auto fits = [&](std::size_t end) {
    return words_of({stretch.after(first).first, stretch.after(end).last}, bits) <= piece_words_;
  };
  const auto most = piece_words_ / 2 * bits;
  Group group{first + 1, stretch.weight(first + 1), false};
  group.apart = group.weight > most && !fits(group.last);
  while (!group.apart && group.last < last) {
    const auto weight = stretch.weight(group.last + 1);
    if (weight > most - std::min(most, group.weight) && !fits(group.last + 1)) break;
    ++group.last;
    group.weight += std::min(weight, ~std::uint64_t{0} - group.weight);
  }
  return group;
}

// The first capacity of a piece that ends where `left` does: at the beginning of a word, or of `left`.
template <class Word>
std::uint64_t StreamedVector<Word>::begin_of_piece(const Range& left, const Group& group) const {
  const auto words = group.apart ? piece_words_ / 2 - 1 : piece_words_ - (group.weight + bits - 1) / bits;
  const auto end = left.last / bits + 1;
  return end <= words ? left.first : std::max(left.first, (end - words) * bits);
}

template <class Word>
bool StreamedVector<Word>::take_group(const Stretch& stretch, std::size_t first, const Group& group,
                                      const Phase& phase) {
  const auto last = group.last;
  const auto& matters = stretch.after(last);
  // The lightest of the items changes nothing below its weight.
  Range left{std::max(matters.first, stretch.weight(last)), matters.last};
  const auto all = left;
  const bool at_once = words_of({stretch.after(first).first, matters.last}, bits) <= piece_words_;
  const Checkpoint here{first, {base_, stretch.after(stretch.end()).last}, 0, 0, 0};
  const auto part_of = [&](std::uint64_t capacities) {
    const auto done = static_cast<double>(capacities) / static_cast<double>(all.size());
    const auto items = static_cast<double>(first - stretch.begin()) + done * static_cast<double>(last - first);
    return phase.from + items / static_cast<double>(stretch.end() - stretch.begin()) * (phase.to - phase.from);
  };
  bool complete = true;
  // load() waits for its transfers: the next piece may then write the words that were read beneath this one.
  while (complete && left.size() > 0) {
    const Range range{at_once ? left.first : begin_of_piece(left, group), left.last};
    const auto piece = stretch.part(first, last, range);
    auto& vector = *on_device_[turn_++ % on_device_.size()];
    if (group.apart)
      vector.load_apart(piece, here, vectors_[0]);
    else
      vector.load(piece, here, vectors_[0]);
    complete = vector.take(piece, first, last,
                           {phase.name, part_of(all.last - range.last), part_of(all.last - range.first + 1)});
    if (complete) vector.keep(range, vectors_[0], range.first / bits - base_ / bits);
    left.last = range.first - 1;
  }
  for (auto& each : on_device_) each->finish();
  return complete;
}

template <class Word>
void StreamedVector<Word>::keep(const Range& capacities, const Pool& pool, std::uint64_t offset) {
  std::copy_n(vectors_[0].begin() + (capacities.first - base_) / bits, words_of(capacities, bits),
              pool.begin() + offset);
}

template <class Word>
std::optional<std::uint64_t> StreamedVector<Word>::best_sum(const Range& sums, bool smallest) const {
  return subset_sum::best_sum(sums, smallest, [&](std::uint64_t capacity) { return holds(capacity); });
}

template <class Word>
void StreamedVector<Word>::read(const Pool& pool, std::span<Word> words, std::uint64_t first) const {
  std::copy_n(pool.begin() + first, words.size(), words.begin());
}

template <class Word>
std::uint32_t StreamedVector<Word>::first_item(const Checkpoint& from, const Pool& pool, std::uint64_t sum,
                                               std::uint32_t count) const {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto weight = weights_[from.item + i];
    if (weight <= sum && subset_sum::holds(from, pool, sum - weight)) return i;
  }
  return nothing;
}

template <class Word>
std::uint32_t StreamedVector<Word>::first_subset(const Checkpoint& from, const Pool& pool, std::uint64_t sum,
                                                 std::uint32_t begin, std::uint32_t count) const {
  for (auto subset = begin; subset < begin + count; ++subset) {
    auto rest = sum;
    auto items = subset;
    for (; items != 0; items &= items - 1) {
      const auto weight = weights_[from.item + static_cast<std::size_t>(std::countr_zero(items))];
      if (weight > rest) break;
      rest -= weight;
    }
    if (items == 0 && subset_sum::holds(from, pool, rest)) return subset;
  }
  return nothing;
}

template <class Word>
void StreamedVector<Word>::require_all_launches() const {
  for (const auto& each : on_device_) each->require_all_launches();
}

template <class Word>
std::uint64_t StreamedVector<Word>::launches() const {
  return on_device_[0]->launches() + on_device_[1]->launches();
}

template class StreamedVector<std::uint16_t>;
template class StreamedVector<std::uint32_t>;
template class StreamedVector<std::uint64_t>;

}  // namespace clopt::subset_sum
