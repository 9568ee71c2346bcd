#include "bit_vector.hpp"
#include "best_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace clopt::subset_sum {
namespace {

// Where a launch takes several items: its work in capacities, some tens of milliseconds, and the items that it takes
// even so, as many as a second-level cache lets follow each other.
constexpr std::uint64_t work_in_launch = std::uint64_t{1} << 34;
constexpr std::size_t items_in_launch = 16;

}  // namespace

template <class Word>
BitVector<Word>::BitVector(Device& device, const Watch& watch)
    : device_(device),
      queue_(device.queue()),
      limit_check_(*queue_, watch),
      launches_(device, *queue_),
      in_place_(sweeps_in_place<Word>(device.info())) {
  if (in_place_)
    reach_items_ = device.kernel<operations::ReachItems>();
  else
    launcher_.emplace(device, *queue_, launches_, false);
}

template <class Word>
void BitVector<Word>::allocate(std::uint64_t words, std::size_t most_items) {
  for (std::size_t i = 0; i < count(); ++i) vectors_[i] = device_.buffer<Word>("reached capacities", words);
  steps_on_device_ = device_.buffer<SweepStep>("steps", most_items);
}

template <class Word>
void BitVector<Word>::begin_search(std::span<const std::uint64_t> weights) {
  first_item_ = device_.kernel<operations::FirstItemDown<Word>>();
  first_subset_ = device_.kernel<operations::FirstSubsetDown<Word>>();
  weights_ = device_.buffer<std::uint64_t>("weights", weights.size());
  queue_->write(weights_, weights);
  found_number_ = device_.buffer<std::uint32_t>("first item or subset", 1);
}

template <class Word>
template <class Source>
void BitVector<Word>::load(const Stretch& stretch, const Checkpoint& from, const Source& pool) {
  const auto& begin = stretch.after(stretch.begin());
  base_ = begin.first / bits * bits;
  current_ = 0;
  const Range known{base_, std::min(begin.last, from.capacities.last)};
  for (std::size_t i = 0; i < count(); ++i) queue_->fill(vectors_[i], 0, 0, words_for(stretch));
  fetch(pool, from.offset + (base_ - from.capacities.first) / bits, words_of(known, bits), 0);
  steps_.clear();
  for (auto item = stretch.begin() + 1; item <= stretch.end(); ++item) {
    auto range = stretch.taken(item);
    if (range.size() == 0) range = {base_ + 1, base_};
    steps_.push_back({stretch.weight(item), range.first - base_, range.last - base_});
  }
  write_steps();
}

template <class Word>
template <class Source>
void BitVector<Word>::load_apart(const Stretch& stretch, const Checkpoint& from, const Source& pool) {
  const auto item = stretch.end();
  const auto taken = stretch.taken(item);
  const auto whole_words = stretch.weight(item) / bits;
  const auto known_first = from.capacities.first / bits;
  // Words, counted from capacity 0: those that are written, and the first that is read below.
  const auto first = taken.first / bits;
  const auto last = taken.last / bits;
  const auto low = std::max(known_first, first - whole_words - (first > whole_words ? 1 : 0));
  const auto below = last - whole_words - low + 1;
  current_ = 0;
  base_ = (first - below) * bits;
  fetch(pool, from.offset + low - known_first, below, 0);
  fetch(pool, from.offset + first - known_first, last - first + 1, below);
  // The weight, less the words between the two parts.
  const auto weight = (below + low + whole_words - first) * bits + stretch.weight(item) % bits;
  steps_.assign(1, {weight, taken.first - base_, taken.last - base_});
  write_steps();
}

template <class Word>
void BitVector<Word>::fetch(const Buffer<Word>& from, std::uint64_t first, std::uint64_t words, std::uint64_t to) {
  for (std::size_t i = 0; i < count(); ++i) queue_->copy(from, vectors_[i], words, first, to);
}

template <class Word>
void BitVector<Word>::fetch(const HostArray<Word>& from, std::uint64_t first, std::uint64_t words, std::uint64_t to) {
  if (words == 0) return;
  queue_->write_later(vectors_[0], from.part(first, words), to);
  if (!in_place_) queue_->copy(vectors_[0], vectors_[1], words, to, to);
}

template <class Word>
void BitVector<Word>::write_steps() {
  if (in_place_)
    queue_->write(steps_on_device_, steps_);
  else
    launcher_->begin(steps_, steps_on_device_);
}

template <class Word>
bool BitVector<Word>::take(const Stretch& stretch, std::size_t first, std::size_t last, const Phase& phase) {
  return in_place_ ? take_together(stretch, first, last, phase) : take_by_launches(stretch, first, last, phase);
}

template <class Word>
bool BitVector<Word>::take_together(const Stretch& stretch, std::size_t first, std::size_t last, const Phase& phase) {
  if constexpr (std::is_same_v<Word, std::uint64_t>) {
    while (first < last) {
      std::uint64_t work = 0;
      auto end = first;
      while (end < last && (work < work_in_launch || end - first < items_in_launch))
        work += stretch.taken(++end).size();
      if (!limit_check_.proceed(work, part(stretch, first, phase), phase.name)) return false;
      queue_->launch(reach_items_, clopt::Range::of_items(1, 1),
                     {.reached = vectors_[0],
                      .steps = steps_on_device_,
                      .first_step = static_cast<std::uint32_t>(first - stretch.begin()),
                      .step_count = static_cast<std::uint32_t>(end - first),
                      .launches = launches_.next()});
      first = end;
    }
  }
  return true;
}

template <class Word>
bool BitVector<Word>::take_by_launches(const Stretch& stretch, std::size_t first, std::size_t last,
                                       const Phase& phase) {
  while (first < last) {
    if (!limit_check_.proceed(stretch.taken(first + 1).size(), part(stretch, first, phase), phase.name)) return false;
    // Words outside a launch's range keep in each vector what was true two launches ago, or at first; later items never
    // ask for what could have become true since.
    const auto taken = launcher_->launch(vectors_[current_], vectors_[1 - current_], nullptr, first - stretch.begin(),
                                         last - stretch.begin());
    if (taken.launched) current_ = 1 - current_;
    first += taken.items;
  }
  return true;
}

template <class Word>
double BitVector<Word>::part(const Stretch& stretch, std::size_t item, const Phase& phase) {
  const auto done = static_cast<double>(item - stretch.begin()) / static_cast<double>(stretch.end() - stretch.begin());
  return phase.from + done * (phase.to - phase.from);
}

template <class Word>
void BitVector<Word>::keep(const Range& capacities, const Pool& pool, std::uint64_t offset) {
  queue_->copy(vectors_[current_], pool, words_of(capacities, bits), (capacities.first - base_) / bits, offset);
}

template <class Word>
void BitVector<Word>::keep(const Range& capacities, const HostArray<Word>& pool, std::uint64_t offset) {
  queue_->read_later(vectors_[current_], pool.part(offset, words_of(capacities, bits)),
                     (capacities.first - base_) / bits);
  queue_->flush();
}

template <class Word>
bool BitVector<Word>::holds(std::uint64_t capacity) {
  Word word = 0;
  read(vectors_[current_], std::span(&word, 1), (capacity - base_) / bits);
  return (word >> (capacity % bits) & 1) != 0;
}

template <class Word>
std::optional<std::uint64_t> BitVector<Word>::best_sum(const Range& sums, bool smallest) {
  queue_->finish();
  const Range range{sums.first - base_, sums.last - base_};
  auto best = best_bit_on_device(device_, *queue_, vectors_[current_], range, smallest);
  if (best) *best += base_;
  return best;
}

template <class Word>
void BitVector<Word>::read(const Pool& pool, std::span<Word> words, std::uint64_t first) {
  read_twice(device_, *queue_, pool, words, first);
}

template <class Word>
std::uint32_t BitVector<Word>::first_item(const Checkpoint& from, const Pool& pool, std::uint64_t sum,
                                          std::uint32_t count) {
  queue_->fill(found_number_, nothing);
  queue_->launch(first_item_, clopt::Range::of_items(count),
                 {.reached = pool,
                  .weights = weights_,
                  .found = found_number_,
                  .offset = from.offset,
                  .first_known = from.capacities.first,
                  .last_known = from.capacities.last,
                  .sum = sum,
                  .item = static_cast<std::uint32_t>(from.item),
                  .count = count,
                  .launches = launches_.next()});
  return read_number(0, count);
}

template <class Word>
std::uint32_t BitVector<Word>::first_subset(const Checkpoint& from, const Pool& pool, std::uint64_t sum,
                                            std::uint32_t begin, std::uint32_t count) {
  queue_->fill(found_number_, nothing);
  queue_->launch(first_subset_, clopt::Range::of_items(count),
                 {.reached = pool,
                  .weights = weights_,
                  .found = found_number_,
                  .offset = from.offset,
                  .first_known = from.capacities.first,
                  .last_known = from.capacities.last,
                  .sum = sum,
                  .item = static_cast<std::uint32_t>(from.item),
                  .begin = begin,
                  .count = count,
                  .launches = launches_.next()});
  return read_number(begin, begin + count);
}

// What a search has found: from `first` to below `end`, or `nothing`.
template <class Word>
std::uint32_t BitVector<Word>::read_number(std::uint32_t first, std::uint32_t end) {
  std::uint32_t number = 0;
  read_twice(device_, *queue_, found_number_, std::span(&number, 1));
  if (number != nothing && (number < first || number >= end))
    report_fault(device_, fmt::format("finds item or subset {} among {} to {}", number, first, end - 1));
  return number;
}

#define INSTANTIATE(Word)                                                                         \
  template class BitVector<Word>;                                                                 \
  template void BitVector<Word>::load(const Stretch&, const Checkpoint&, const Buffer<Word>&);    \
  template void BitVector<Word>::load(const Stretch&, const Checkpoint&, const HostArray<Word>&); \
  template void BitVector<Word>::load_apart(const Stretch&, const Checkpoint&, const HostArray<Word>&);
INSTANTIATE(std::uint16_t)
INSTANTIATE(std::uint32_t)
INSTANTIATE(std::uint64_t)

}  // namespace clopt::subset_sum
