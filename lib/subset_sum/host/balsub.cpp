#include "balsub.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <limits>

#include <support/numbers/vectorize.hpp>

namespace clopt::subset_sum {
namespace {

constexpr std::size_t block_states = 128;
/// States or removals between two checks of the time: well below a millisecond.
constexpr std::size_t states_between_looks = std::size_t{1} << 19;

/// Goes down from `end` by whole blocks to the first block in which some state of `from` is above the same of `to`.
/// \returns the end of that block; where there is none, what is left of less than a block above `begin`, or `begin`.
template <typename State>
[[gnu::always_inline]] inline std::size_t find_raised(const State* from, const State* to, std::size_t begin,
                                                      std::size_t end) {
  for (; end >= begin + block_states; end -= block_states) {
    const State* const a = from + (end - block_states);
    const State* const b = to + (end - block_states);
    State any = 0;
    for (std::size_t j = 0; j < block_states; ++j) any = static_cast<State>(any | (a[j] > b[j] ? 1 : 0));
    if (any != 0) break;
  }
  return end;
}
CLOPT_VECTORIZE(std::size_t, raised_block,
                (const std::int16_t* from, const std::int16_t* to, std::size_t begin, std::size_t end),
                (from, to, begin, end)) {
  return find_raised(from, to, begin, end);
}
CLOPT_VECTORIZE(std::size_t, raised_block,
                (const std::int32_t* from, const std::int32_t* to, std::size_t begin, std::size_t end),
                (from, to, begin, end)) {
  return find_raised(from, to, begin, end);
}

/// One run. States are offsets from the capacity less the heaviest weight, so the capacity has the offset w_1.
/// \tparam State holds 1 more than the number of items before the break item.
template <typename State>
class Balsub {
 public:
  /// \param items of the break solution: the first ones, which fit together, while the next one does not fit
  Balsub(const LargestSum& problem, std::size_t items, std::uint64_t left, const BalsubMemory& memory,
         const Watch& watch)
      : weights_(problem.weights),
        broken_(items),
        capacity_(weights_[0]),
        start_(capacity_ - left),
        memory_(memory),
        watch_(watch),
        storage_(padding + capacity_ + weights_[broken_] + 1) {
    // Reserved memory that is never used costs nothing; a log that grows would be copied.
    log_.reserve(std::min<std::size_t>(memory.events / sizeof(Event), 64 * storage_.size()));
    begin();
  }

  /// Visits all balanced states; false when the run must end.
  bool sweep() {
    snapshots_.push_back({broken_, {}});
    for (std::size_t t = broken_; t < weights_.size() && states()[capacity_] == 0; ++t) {
      if (log_.size() * sizeof(Event) > memory_.events) start_segment(t);
      watch_.report("states", static_cast<double>(t - broken_) / static_cast<double>(weights_.size() - broken_));
      if (watch_.expired() || !add_item(t)) return false;
    }
    return true;
  }

  /// Positions of the subset with the largest sum that is at most the capacity; nothing when the run must end.
  std::optional<std::vector<std::uint32_t>> subset() {
    std::size_t offset = capacity_;
    while (states()[offset] == 0) --offset;
    std::vector<bool> chosen(weights_.size());
    std::fill_n(chosen.begin(), broken_, true);
    while (true) {
      walk_back(offset, chosen);
      const std::size_t end = snapshots_.back().item;
      snapshots_.pop_back();
      if (snapshots_.empty()) break;
      if (snapshots_.size() == 1) {
        begin();
      } else {
        storage_ = std::move(snapshots_.back().storage);
      }
      log_.clear();
      marks_.clear();
      for (std::size_t t = snapshots_.back().item; t < end; ++t) {
        if (!add_item(t)) return std::nullopt;
      }
    }
    if (offset != start_) throw InternalError("method balsub: the walk back does not end at the break solution");
    std::vector<std::uint32_t> positions;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) positions.push_back(static_cast<std::uint32_t>(i));
    }
    return positions;
  }

  std::uint64_t steps() const { return steps_; }

 private:
  /// States below the first one, never reached, so that the last block may begin before it.
  static constexpr std::size_t padding = block_states;

  /// A state was raised: by adding the item of that step, from `value`, or by removing item `value`.
  struct Event {
    std::uint32_t offset;
    std::uint32_t value;
  };
  /// Where the events of an item's step begin in the log.
  struct Mark {
    std::size_t added;
    std::size_t removed;
  };
  struct Snapshot {
    std::size_t item;            ///< the first that is not in the states
    std::vector<State> storage;  ///< empty for the first, which begin() makes
  };

  void begin() {
    std::fill(storage_.begin(), storage_.end(), State{0});
    states()[start_] = static_cast<State>(broken_ + 1);
  }

  /// s_t of Pisinger's: 0 where a sum is not reached by a balanced subset; else 1 more than the number of items, from
  /// the first on, that are still in it for certain, so that they may be removed. More is better.
  State* states() { return storage_.data() + padding; }

  bool add_item(std::size_t t) {
    const std::size_t weight = weights_[t];
    Mark mark{log_.size(), 0};
    // Downwards, so that no state is read that already holds the item. Sums up to the capacity grow by it.
    for (std::size_t end = capacity_ + 1 + padding; end > padding;) {
      const std::size_t begin = end > padding + states_between_looks ? end - states_between_looks : 0;
      if (watch_.expired()) return false;
      end = add_down_to(begin, end, weight);
    }
    mark.removed = log_.size();
    marks_.push_back(mark);
    steps_ += capacity_;
    return remove_from_raised(mark);
  }

  /// Adds to the states from `begin` to `end`, both counted in the storage, in whole blocks.
  std::size_t add_down_to(std::size_t begin, std::size_t end, std::size_t weight) {
    State* const from = storage_.data();
    State* const to = storage_.data() + weight;
    while (true) {
      end = raised_block(from, to, begin, end);
      if (end < begin + block_states) return end;
      for (std::size_t j = 0; j < block_states; ++j) {
        --end;
        if (from[end] <= to[end]) continue;
        log_.push_back({static_cast<std::uint32_t>(end + weight - padding), static_cast<std::uint32_t>(to[end])});
        to[end] = from[end];
      }
    }
  }

  /// Sums above the capacity shrink by each item that may be removed now and could not be before this step. Items
  /// before the break item are not lighter than item t, so this leads to sums that are at most the capacity.
  bool remove_from_raised(const Mark& mark) {
    std::size_t since_look = 0;
    State* const state = states();
    for (std::size_t i = mark.added; i < mark.removed; ++i) {
      const Event event = log_[i];
      if (event.offset <= capacity_) break;  // events go down
      const std::size_t before = std::max<std::size_t>(event.value, 1);
      const auto now = static_cast<std::size_t>(state[event.offset]);
      for (std::size_t removed = now - 1; removed-- > before - 1;) {
        const std::size_t offset = event.offset - weights_[removed];
        if (static_cast<std::size_t>(state[offset]) > removed) continue;
        state[offset] = static_cast<State>(removed + 1);
        log_.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(removed)});
      }
      since_look += now - before;
      if (since_look < states_between_looks) continue;
      steps_ += since_look;
      since_look = 0;
      if (watch_.expired()) return false;
    }
    steps_ += since_look;
    return true;
  }

  void start_segment(std::size_t t) {
    const Uint128 bytes = (Uint128{snapshots_.size()} + 1) * storage_.size() * sizeof(State);
    if (bytes > memory_.snapshots) {
      throw InvalidInput(fmt::format(
          "method balsub: the changes of {} states take more than {} bytes {} times within {} of {} items, "
          "and the snapshots {} bytes, at most {} are allowed; use `method` auto",
          storage_.size(), memory_.events, snapshots_.size(), t, weights_.size(), bytes, memory_.snapshots));
    }
    snapshots_.push_back({t, storage_});
    log_.clear();
    marks_.clear();
  }

  /// Undoes the steps in the log, from the last one on: the last event at a state says how it was reached.
  void walk_back(std::size_t& offset, std::vector<bool>& chosen) const {
    std::size_t t = snapshots_.back().item + marks_.size();
    std::size_t end = log_.size();
    for (std::size_t step = marks_.size(); step-- > 0;) {
      --t;
      const Mark mark = marks_[step];
      for (std::size_t i = end; i-- > mark.removed;) {
        if (log_[i].offset != offset) continue;
        chosen[log_[i].value] = false;
        offset += weights_[log_[i].value];
        break;
      }
      for (std::size_t i = mark.removed; i-- > mark.added;) {
        if (log_[i].offset != offset) continue;
        chosen[t] = true;
        offset -= weights_[t];
        break;
      }
      end = mark.added;
    }
  }

  const std::vector<std::uint64_t>& weights_;
  std::size_t broken_;    ///< the break item's position
  std::size_t capacity_;  ///< its offset
  std::size_t start_;     ///< the break solution's offset
  const BalsubMemory& memory_;
  const Watch& watch_;
  std::vector<State> storage_;
  std::vector<Event> log_;
  std::vector<Mark> marks_;
  std::vector<Snapshot> snapshots_;  ///< where the current segment of steps, and those before it, began
  std::uint64_t steps_ = 0;
};

template <typename State>
Found run(const ReducedProblem& reduced, const LargestSum& problem, std::size_t items, std::uint64_t left,
          const BalsubMemory& memory, const Watch& watch) {
  Found found;
  Balsub<State> method(problem, items, left, memory, watch);
  const bool complete = method.sweep();
  const auto positions = complete ? method.subset() : std::nullopt;
  found.capacities_swept = method.steps();
  if (positions) problem.answer(reduced, *positions, found);
  return found;
}

}  // namespace

Found balsub(const ReducedProblem& reduced, const Watch& watch, const BalsubMemory& memory) {
  const LargestSum problem(reduced);
  std::size_t items = 0;
  std::uint64_t left = problem.capacity;
  while (items < problem.weights.size() && problem.weights[items] <= left) left -= problem.weights[items++];
  if (items == problem.weights.size() || left == 0) {
    std::vector<std::uint32_t> positions(items);
    for (std::size_t i = 0; i < items; ++i) positions[i] = static_cast<std::uint32_t>(i);
    Found found;
    problem.answer(reduced, positions, found);
    return found;
  }
  const bool narrow = items < std::numeric_limits<std::int16_t>::max();
  const Uint128 states = Uint128{problem.weights[0]} + problem.weights[items] + 1 + block_states;
  const Uint128 bytes = states * (narrow ? sizeof(std::int16_t) : sizeof(std::int32_t));
  if (bytes > memory.states || states > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidInput(
        fmt::format("method balsub: weights up to {} and {} around the capacity make {} states in {} bytes, at most {} "
                    "are allowed; use `method` auto",
                    problem.weights[0], problem.weights[items], states, bytes, memory.states));
  }
  return narrow ? run<std::int16_t>(reduced, problem, items, left, memory, watch)
                : run<std::int32_t>(reduced, problem, items, left, memory, watch);
}

Found balsub(const ReducedProblem& reduced, const Watch& watch) { return balsub(reduced, watch, BalsubMemory{}); }

}  // namespace clopt::subset_sum
