#include "checkpoint_sweep.hpp"
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <support/stopwatch.hpp>
#include "bit_vector.hpp"
#include "checkpoints.hpp"
#include "host_recursion.hpp"
#include "streamed_vector.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <vector>

namespace clopt::subset_sum {
namespace {

// In all: the vectors that are swept, and the checkpoints.
constexpr std::uint64_t bits_a_capacity = 3;
constexpr std::uint64_t least_bytes_of_checkpoints = std::uint64_t{1} << 16;
// Checkpoints need not be nearer to each other: the subsets of that many items are soon tried.
constexpr std::size_t items_apart = 8;
// Subsets are tried of at most this many items.
constexpr std::size_t most_items_tried = 30;
// Subsets that are tried together grow by that factor: the first ones mostly do.
constexpr std::uint32_t first_subsets = 1U << 8;
constexpr std::uint32_t subsets_factor = 1U << 4;
// Words of a list of sums that are written together.
constexpr std::uint64_t words_together = std::uint64_t{1} << 16;

/// \tparam Vector a bit vector and where it and its checkpoints lie: a BitVector, or a StreamedVector.
template <class Vector>
class CheckpointSweep {
 public:
  CheckpointSweep(const ReducedProblem& reduced, Device& device, const Watch& watch, const CheckpointLimits& limits,
                  const NamedSums* known)
      : reduced_(reduced), watch_(watch), limits_(limits), known_(known), vector_(device, watch) {}

  Found run() {
    front_.resize(reduced_.size() + 1);
    for (std::size_t i = 0; i < reduced_.size(); ++i)
      front_[i + 1] = front_[i] + std::min(reduced_.weights[i], ~std::uint64_t{0} - front_[i]);
    const auto begin = known_ ? known_->items : 0;
    const Stretch all(reduced_.weights, begin, front_[begin], reduced_.size(), {reduced_.low, reduced_.high});
    allocate(all);
    if (sweep(all, {"sweep", static_cast<double>(begin) / static_cast<double>(reduced_.size())})) {
      found_.capacities_swept = all.work();
      const auto sum = vector_.best_sum({reduced_.low, all.after(all.end()).last}, reduced_.complement);
      if (!sum) throw InternalError("k3: the sweep reached no sum that is wanted");
      found_.sum = *sum;
      const Stopwatch stopwatch;
      found_.complete = recover();
      // The sweep's and the recovery's.
      if (found_.complete) vector_.require_all_launches();
      found_.recovery_seconds = stopwatch.seconds();
    }
    found_.launches = vector_.launches();
    return std::move(found_);
  }

 private:
  using Word = typename Vector::Word;
  using Pool = typename Vector::Pool;
  static constexpr std::uint64_t bits = Vector::bits;

  /// What is left of the walk back: a sum that the first `items` items reach.
  struct Rest {
    std::uint64_t sum;
    std::size_t items;
  };

  void allocate(const Stretch& all) {
    const auto words = reduced_.high / bits + 1;
    if constexpr (std::is_same_v<Pool, HostArray<Word>>)
      vector_.allocate(words, reduced_.size(), limits_.device_words);
    else
      vector_.allocate(words, reduced_.size());
    const auto left = (bits_a_capacity - vector_.count()) * words;
    const auto& matters = all.after(all.begin());
    const Range begin{matters.first / bits * bits, matters.last};
    add_pool(vector_.pool(words_of(begin, bits) +
                          limits_.words.value_or(std::max(left, least_bytes_of_checkpoints / sizeof(Word)))));
    // What a shorter stretch leaves of the vectors is free in the recovery.
    for (std::size_t i = 0; i < vector_.count(); ++i) add_pool(vector_.vectors()[i]);
    vector_.begin_search(reduced_.weights);
    stack_.push(all.begin(), begin, words_of(begin, bits));
    write_sums(begin);
    found_.recovery = Vector::name;
  }

  /// The first checkpoint: the sums that are known, or the empty sum, which there is before all items.
  void write_sums(const Range& begin) {
    const std::vector<std::uint64_t> empty{0};
    const auto& sums = known_ ? known_->sums : empty;
    auto sum = std::lower_bound(sums.begin(), sums.end(), begin.first);
    for (std::uint64_t done = 0; done < stack_.back().words; done += words_together) {
      std::vector<Word> words(std::min(words_together, stack_.back().words - done));
      for (; sum != sums.end() && *sum <= begin.last; ++sum) {
        const auto bit = *sum - begin.first;
        if (bit / bits >= done + words.size()) break;
        words[bit / bits - done] = static_cast<Word>(words[bit / bits - done] | Word{1} << (bit % bits));
      }
      vector_.write(pools_[0], words, done);
    }
  }

  void add_pool(const Pool& pool) {
    pools_.push_back(pool);
    stack_.add_pool(pool.size());
    found_.recovery_bytes += pool.size() * sizeof(Word);
  }

  /// Sweeps a stretch from the last checkpoint on, which it begins with, and keeps checkpoints on the way.
  /// \returns false where a limit ended the run.
  bool sweep(const Stretch& stretch, const Phase& phase) {
    load(stretch);
    auto item = stretch.begin();
    for (const auto place : places(stretch)) {
      if (!vector_.take(stretch, item, place, phase)) return false;
      item = place;
      keep(item, stretch.after(item));
    }
    return vector_.take(stretch, item, stretch.end(), phase);
  }

  void load(const Stretch& stretch) {
    // A word more: a stretch within this one may lie across the words in another way.
    for (std::size_t pool = 1; pool < pools_.size(); ++pool) stack_.begin_pool_at(pool, Vector::words_for(stretch) + 1);
    vector_.load(stretch, stack_.back(), pools_[stack_.back().pool]);
  }

  std::vector<std::size_t> places(const Stretch& stretch) const {
    // Of what may be kept, a part is left for stretches within this one, which are shorter.
    const auto room = stretch.end() == reduced_.size() ? stack_.room() / 4 * 3 : stack_.room() / 2;
    auto items = stretch.places(bits, room, items_apart);
    // Where no equal parts fit, the last items' capacities are the fewest.
    const bool is_short = stretch.end() - stretch.begin() <= limits_.items_tried;
    for (auto item = stretch.begin() + 1; items.empty() && !is_short && item < stretch.end(); ++item)
      if (words_of(stretch.after(item), bits) <= stack_.largest_room()) items.push_back(item);
    return items;
  }

  void keep(std::size_t item, const Range& matters) {
    const Range capacities{matters.first / bits * bits, matters.last};
    if (capacities.size() == 0 || !stack_.push(item, capacities, words_of(capacities, bits))) return;
    vector_.keep(capacities, pools_[stack_.back().pool], stack_.back().offset);
  }

  bool holds(const Checkpoint& checkpoint, std::uint64_t capacity) {
    const auto& known = checkpoint.capacities;
    if (capacity < known.first || capacity > known.last) return false;
    Word word = 0;
    const auto place = checkpoint.offset + (capacity - known.first) / bits;
    vector_.read(pools_[checkpoint.pool], std::span(&word, 1), place);
    return (word >> (capacity % bits) & 1) != 0;
  }

  /// The walk back. \returns false where a limit ended the run.
  bool recover() {
    Rest rest{found_.sum, reduced_.size()};
    while (rest.sum != 0) {
      const auto sum = static_cast<double>(found_.sum);
      watch_.report("recovery", 1 - static_cast<double>(rest.sum) / sum, sum);
      if (watch_.expired()) return false;
      while (stack_.back().item >= rest.items || holds(stack_.back(), rest.sum)) {
        rest.items = std::min(rest.items, stack_.back().item);
        if (known_ && rest.items == known_->items) return walk_back_in_list(rest.sum);
        if (rest.items == 0) throw InternalError("k3: the walk back from the optimum ends above 0");
        stack_.pop();
      }
      if (!step_back(rest)) return false;
    }
    return true;
  }

  bool walk_back_in_list(std::uint64_t sum) {
    const auto positions = subset_sum::recover(
        reduced_, [&](std::uint64_t each) { return known_->first_item(each); }, sum);
    found_.positions.insert(found_.positions.end(), positions.begin(), positions.end());
    return true;
  }

  /// The last checkpoint does not hold the rest. Takes items that bring it down to what it does hold, or one item, or
  /// puts checkpoints before the item that is looked for. \returns false where a limit ended the run.
  bool step_back(Rest& rest) {
    const auto begin = stack_.back().item;
    if (walk_on_host(rest)) return true;
    if (rest.items - begin > limits_.items_tried)
      // An item that leads there at once is a bound for the one that is looked for.
      if (const auto item = vector_.first_item(stack_.back(), pools_[stack_.back().pool], rest.sum,
                                               static_cast<std::uint32_t>(rest.items - begin));
          item != nothing)
        rest.items = begin + item + 1;
    if (rest.items - begin <= limits_.items_tried) {
      if (!take_subset(rest, rest.items)) throw InternalError("k3: no subset leads from a checkpoint to the next");
      return true;
    }
    for (auto distance = first_distance(rest);; distance *= 2) {
      const auto end = end_of(rest, distance);
      const Stretch stretch(reduced_.weights, begin, front_[begin], end, {rest.sum, rest.sum});
      const auto size = stack_.size();
      if (subsets_are_cheaper(stretch)) {
        if (take_subset(rest, end)) return true;
      } else {
        if (!sweep(stretch, {"recovery"})) return false;
        if (vector_.holds(rest.sum)) {
          rest.items = end;
          return stack_.size() > size || take_item(rest, stretch);
        }
        while (stack_.size() > size) stack_.pop();
      }
      if (end == rest.items) throw InternalError("k3: the items after a checkpoint do not reach what the next holds");
    }
  }

  /// Walks back to the last checkpoint on the host, if few capacities matter on the way. \returns whether it did.
  bool walk_on_host(Rest& rest) {
    const auto begin = stack_.back().item;
    for (auto distance = first_distance(rest);; distance *= 2) {
      const auto end = end_of(rest, distance);
      if (end - begin > limits_.host_words) return false;
      const Stretch stretch(reduced_.weights, begin, front_[begin], end, {rest.sum, rest.sum});
      if (HostRecursion::words_of(stretch) > limits_.host_words) return false;
      const HostRecursion on_host(stretch, first_known(stretch), read_known(stretch));
      if (on_host.holds(rest.sum)) {
        on_host.walk_back(rest.sum, [&](std::size_t item) { add(item); });
        rest.items = begin;
        return true;
      }
      if (end == rest.items) throw InternalError("k3: the items after a checkpoint do not reach what the next holds");
    }
  }

  // The first capacity of a stretch from the last checkpoint on, at the beginning of a word.
  std::uint64_t first_known(const Stretch& stretch) const {
    return std::max(stretch.after(stretch.begin()).first / bits * bits, stack_.back().capacities.first);
  }

  /// What the last checkpoint holds of a stretch, from first_known() on.
  std::vector<std::uint64_t> read_known(const Stretch& stretch) {
    const auto& from = stack_.back();
    const Range known{first_known(stretch), std::min(stretch.after(stretch.begin()).last, from.capacities.last)};
    std::vector<Word> words(words_of(known, bits));
    if (words.empty()) return {};
    const auto place = from.offset + (known.first - from.capacities.first) / bits;
    vector_.read(pools_[from.pool], std::span(words), place);
    std::vector<std::uint64_t> wide((words.size() * bits + 63) / 64);
    for (std::size_t x = 0; x < words.size(); ++x) wide[x * bits / 64] |= std::uint64_t{words[x]} << (x * bits % 64);
    return wide;
  }

  // Items in descending order reach a sum soon after their own sum has passed it, if they can by then: few sums are
  // near the largest one. The search goes as far beyond the sum as that distance, and then twice as far, until it is
  // as far as the items allow. Capacities that matter then lie no farther from the largest sum.
  std::uint64_t first_distance(const Rest& rest) const {
    if (front_[stack_.back().item] >= rest.sum) return ~std::uint64_t{0} / 2;
    const auto reaches = std::lower_bound(front_.begin(), front_.end(), rest.sum) - front_.begin();
    return 2 * reduced_.weights[static_cast<std::size_t>(reaches) - 1];
  }

  std::size_t end_of(const Rest& rest, std::uint64_t distance) const {
    const auto wanted = rest.sum + std::min(distance, ~std::uint64_t{0} - rest.sum);
    const auto found = std::lower_bound(front_.begin(), front_.end(), wanted) - front_.begin();
    return std::min(rest.items, static_cast<std::size_t>(found));
  }

  bool subsets_are_cheaper(const Stretch& stretch) const {
    const auto items = stretch.end() - stretch.begin();
    return items <= most_items_tried && std::uint64_t{1} << items <= stretch.work() / Vector::capacities_a_subset;
  }

  /// Takes the first subset of the items after the last checkpoint up to `end` that leads to it. \returns whether
  /// there is one.
  bool take_subset(Rest& rest, std::size_t end) {
    const auto& from = stack_.back();
    const auto all = std::uint32_t{1} << (end - from.item);
    auto together = first_subsets;
    auto subset = nothing;
    for (std::uint32_t first = 1; first < all && subset == nothing; first += together) {
      if (first > 1) together = std::min(together * subsets_factor, std::uint32_t{1} << most_items_tried);
      const auto count = std::min(together, all - first);
      subset = vector_.first_subset(from, pools_[from.pool], rest.sum, first, count);
    }
    if (subset == nothing) return false;
    for (; subset != 0; subset &= subset - 1)
      take(rest, from.item + static_cast<std::size_t>(std::countr_zero(subset)) + 1);
    rest.items = from.item;
    return true;
  }

  /// Where there is no room for any checkpoint: sweeps item by item until one reaches the rest, and takes it.
  bool take_item(Rest& rest, const Stretch& stretch) {
    load(stretch);
    for (auto item = stretch.begin() + 1; item <= stretch.end(); ++item) {
      if (!vector_.take(stretch, item - 1, item, {"recovery"})) return false;
      if (stretch.after(item).last < rest.sum || !vector_.holds(rest.sum)) continue;
      take(rest, item);
      rest.items = item - 1;
      return true;
    }
    throw InternalError("k3: a stretch reaches a sum in one go and not item by item");
  }

  void take(Rest& rest, std::size_t item) {
    if (reduced_.weights[item - 1] > rest.sum)
      throw InternalError("k3: the walk back takes an item above what is left");
    add(item);
    rest.sum -= reduced_.weights[item - 1];
  }

  void add(std::size_t item) { found_.positions.push_back(static_cast<std::uint32_t>(item - 1)); }

  const ReducedProblem& reduced_;
  const Watch& watch_;
  CheckpointLimits limits_;
  const NamedSums* known_;
  Vector vector_;
  CheckpointStack stack_;
  std::vector<Pool> pools_;           // first the one for checkpoints alone
  std::vector<std::uint64_t> front_;  // sums of the first items, the largest that they reach
  Found found_;
};

template <template <class> class Vector>
Found sweep_with(const ReducedProblem& reduced, unsigned word_bits, Device& device, const Watch& watch,
                 const CheckpointLimits& limits, const NamedSums* known) {
  if (word_bits == 16) return CheckpointSweep<Vector<std::uint16_t>>(reduced, device, watch, limits, known).run();
  // In place, words of 32 and 64 bits are the same memory, swept the same way.
  if (word_bits == 64 || device.info().launches_are_calls)
    return CheckpointSweep<Vector<std::uint64_t>>(reduced, device, watch, limits, known).run();
  return CheckpointSweep<Vector<std::uint32_t>>(reduced, device, watch, limits, known).run();
}

}  // namespace

Found sweep_with_checkpoints(const ReducedProblem& reduced, unsigned word_bits, Device& device, const Watch& watch,
                             const CheckpointLimits& limits, const NamedSums* known) {
  return sweep_with<BitVector>(reduced, word_bits, device, watch, limits, known);
}

Found sweep_in_pieces(const ReducedProblem& reduced, unsigned word_bits, Device& device, const Watch& watch,
                      const CheckpointLimits& limits, const NamedSums* known) {
  return sweep_with<StreamedVector>(reduced, word_bits, device, watch, limits, known);
}

std::uint64_t checkpoint_bytes(std::uint64_t high) {
  return std::max(high / 8 * bits_a_capacity, least_bytes_of_checkpoints) + least_bytes_of_checkpoints;
}

}  // namespace clopt::subset_sum
