#include "bit_vector.hpp"

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
BitVector<Word>::BitVector(Device& device, Queue& queue, LimitCheck& limit_check, LaunchCount& launches)
    : device_(device),
      queue_(queue),
      limit_check_(limit_check),
      launches_(launches),
      in_place_(sweeps_in_place<Word>(device.info())) {
  if (in_place_)
    reach_items_ = device.kernel<operations::ReachItems>();
  else
    launcher_.emplace(device, queue, launches, false);
}

template <class Word>
void BitVector<Word>::allocate(std::uint64_t words, std::size_t most_items) {
  for (std::size_t i = 0; i < count(); ++i) vectors_[i] = device_.buffer<Word>("reached capacities", words);
  steps_on_device_ = device_.buffer<SweepStep>("steps", most_items);
}

template <class Word>
void BitVector<Word>::load(const Stretch& stretch, const Checkpoint& from, const Buffer<Word>& pool) {
  const auto& begin = stretch.after(stretch.begin());
  base_ = begin.first / bits * bits;
  current_ = 0;
  const Range known{base_, std::min(begin.last, from.capacities.last)};
  for (std::size_t i = 0; i < count(); ++i) {
    queue_.fill(vectors_[i], 0, 0, words_for(stretch));
    queue_.copy(pool, vectors_[i], words_of(known, bits), from.offset + (base_ - from.capacities.first) / bits);
  }
  write_steps(stretch);
}

template <class Word>
void BitVector<Word>::write_steps(const Stretch& stretch) {
  steps_.clear();
  for (auto item = stretch.begin() + 1; item <= stretch.end(); ++item) {
    auto range = stretch.taken(item);
    if (range.size() == 0) range = {base_ + 1, base_};
    steps_.push_back({stretch.weight(item), range.first - base_, range.last - base_});
  }
  if (in_place_)
    queue_.write(steps_on_device_, steps_);
  else
    launcher_->begin(steps_, steps_on_device_);
}

template <class Word>
bool BitVector<Word>::take(const Stretch& stretch, std::size_t first, std::size_t last, std::string_view phase) {
  return in_place_ ? take_together(stretch, first, last, phase) : take_by_launches(stretch, first, last, phase);
}

template <class Word>
bool BitVector<Word>::take_together(const Stretch& stretch, std::size_t first, std::size_t last,
                                    std::string_view phase) {
  if constexpr (std::is_same_v<Word, std::uint64_t>) {
    while (first < last) {
      std::uint64_t work = 0;
      auto end = first;
      while (end < last && (work < work_in_launch || end - first < items_in_launch))
        work += stretch.taken(++end).size();
      if (!limit_check_.proceed(work, part(stretch, first), phase)) return false;
      queue_.launch(reach_items_, clopt::Range::of_items(1, 1),
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
                                       std::string_view phase) {
  while (first < last) {
    if (!limit_check_.proceed(stretch.taken(first + 1).size(), part(stretch, first), phase)) return false;
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
double BitVector<Word>::part(const Stretch& stretch, std::size_t item) {
  return static_cast<double>(item - stretch.begin()) / static_cast<double>(stretch.end() - stretch.begin());
}

template <class Word>
void BitVector<Word>::keep(const Range& capacities, const Buffer<Word>& pool, std::uint64_t offset) {
  queue_.copy(vectors_[current_], pool, words_of(capacities, bits), (capacities.first - base_) / bits, offset);
}

template <class Word>
bool BitVector<Word>::holds(std::uint64_t capacity) {
  Word word = 0;
  read_twice(device_, queue_, vectors_[current_], std::span(&word, 1), (capacity - base_) / bits);
  return (word >> (capacity % bits) & 1) != 0;
}

template class BitVector<std::uint16_t>;
template class BitVector<std::uint32_t>;
template class BitVector<std::uint64_t>;

}  // namespace clopt::subset_sum
