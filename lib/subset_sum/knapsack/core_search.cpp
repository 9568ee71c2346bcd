#include "core_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include <support/numbers/uint128.hpp>
#include <support/process/memory.hpp>

namespace clopt::subset_sum {
namespace {

// States and items between two checks of the limits, well below a millisecond.
constexpr std::uint64_t work_between_checks = std::uint64_t{1} << 14;
// Changes that can have numbers, with those that come between two checks.
constexpr std::size_t most_numbered = std::numeric_limits<std::uint32_t>::max() - 2 * work_between_checks;

class CoreSearch {
 public:
  CoreSearch(const Knapsack& knapsack, const Surrogate& surrogate, const Packing& known, const KnapsackLimits& limits,
             const Watch& watch)
      : items_(knapsack.items),
        capacity_(knapsack.capacity),
        profit_unit_(static_cast<double>(knapsack.profit_unit)),
        surrogate_(surrogate),
        known_(known),
        limits_(limits),
        watch_(watch),
        broken_(break_solution(knapsack, surrogate)),
        first_(broken_.break_item),
        end_(broken_.break_item),
        best_(known.profit) {}

  Packed run() {
    keep({broken_.weight, broken_.profit, 0, static_cast<std::uint32_t>(broken_.break_item)});
    // By turns, so that the core has its middle at the break item.
    for (bool adds = true; !states_.empty() && proceeds(); adds = !adds) {
      expand((adds && end_ < items_.size()) || first_ == 0);
      if (changes_.size() > most_changes_) clean();
    }
    return {best_packing(), !has_ended_};
  }

 private:
  /// The break solution with some items of the core changed; none that weighs less has as much profit.
  struct State {
    std::uint64_t weight;
    std::uint64_t profit;
    std::uint32_t change;  ///< its last one
    std::uint32_t count;   ///< of items
  };
  /// An item that is the other way than in the break solution, and the change before it.
  struct Change {
    std::uint32_t before;
    std::uint32_t item;
  };

  /// Whether no limit ends the search.
  bool proceeds() {
    if (has_ended_ || ++work_ < next_check_) return !has_ended_;
    next_check_ = work_ + work_between_checks;
    watch_.report("core", static_cast<double>(end_ - first_) / static_cast<double>(items_.size()),
                  static_cast<double>(best_) * profit_unit_);
    const auto bytes = sizeof(State) * (states_.capacity() + before_.capacity()) + sizeof(Change) * changes_.capacity();
    has_ended_ =
        steps_ >= limits_.most_states || bytes > most_bytes_ || changes_.size() > most_numbered || watch_.expired();
    return !has_ended_;
  }

  /// Takes one more item into the core: each state also with the item, or without it.
  void expand(bool adds) {
    const auto number = static_cast<std::uint32_t>(adds ? end_++ : --first_);
    const auto& item = items_[number];
    states_.swap(before_);
    states_.clear();
    least_wanted_ = 0;
    const auto changed = [&](const State& state) -> State {
      if (adds) return {state.weight + item.weight, state.profit + item.profit, state.change, state.count + 1};
      return {state.weight - item.weight, state.profit - item.profit, state.change, state.count - 1};
    };
    // Both lists ascend.
    for (auto same = before_.begin(), other = same; (other != before_.end() || same != before_.end()) && proceeds();) {
      const bool takes_other =
          other != before_.end() && (same == before_.end() || changed(*other).weight < same->weight);
      takes_other ? keep(changed(*other++), number) : keep(*same++);
    }
  }

  /// Keeps a state that none dominates and that may lead to more than the best profit. States come by weight.
  /// \param item the one by which it was changed; none: it was there before.
  void keep(State state, std::optional<std::uint32_t> item = std::nullopt) {
    if (state.profit < least_wanted_) return;
    least_wanted_ = state.profit + 1;
    const bool is_best = state.weight <= capacity_ && state.profit > best_;
    if (is_best) best_ = state.profit;
    const bool is_kept = may_lead_to_more(state);
    if (item && (is_best || is_kept)) {
      changes_.push_back({state.change, *item});
      state.change = static_cast<std::uint32_t>(changes_.size() - 1);
    }
    if (is_best) best_change_ = state.change;
    if (!is_kept) return;
    ++steps_;
    if (!states_.empty() && states_.back().weight == state.weight)
      states_.back() = state;
    else
      states_.push_back(state);
  }

  /// By the linear bound: what is left is filled with the next item, or what is too much taken from the last one.
  bool may_lead_to_more(const State& state) const {
    const auto used = static_cast<std::int64_t>(state.weight) + surrogate_.per_item * std::int64_t{state.count};
    const auto left = surrogate_.capacity - used;
    // Its weight does not fit, though the constraint holds: items are to be taken out.
    if (left >= 0 && state.profit > best_) return first_ > 0;
    if (left >= 0)
      return end_ < items_.size() && Uint128(left) * items_[end_].profit >=
                                         Uint128{best_ + 1 - state.profit} * Uint128(surrogate_.of(items_[end_]));
    return first_ > 0 && state.profit > best_ &&
           Uint128{state.profit - best_ - 1} * Uint128(surrogate_.of(items_[first_ - 1])) >=
               Uint128(-left) * items_[first_ - 1].profit;
  }

  /// Drops the changes on which no state rests.
  void clean() {
    std::vector<std::uint32_t> places(changes_.size());
    for (const auto& state : states_) places[state.change] = 1;
    if (best_change_) places[*best_change_] = 1;
    for (auto i = changes_.size() - 1; i > 0; --i)
      if (places[i] != 0) places[changes_[i].before] = 1;
    places[0] = 0;
    std::uint32_t count = 1;
    for (std::size_t i = 1; i < changes_.size(); ++i) {
      if (places[i] == 0) continue;
      changes_[count] = {places[changes_[i].before], changes_[i].item};
      places[i] = count++;
    }
    changes_.resize(count);
    for (auto& state : states_) state.change = places[state.change];
    if (best_change_) best_change_ = places[*best_change_];
    most_changes_ = std::max(limits_.changes_before_cleaning, 2 * changes_.size());
  }

  Packing best_packing() const {
    if (!best_change_) return known_;
    std::vector<bool> is_in(items_.size());
    std::fill_n(is_in.begin(), broken_.break_item, true);
    for (auto change = *best_change_; change != 0; change = changes_[change].before)
      is_in[changes_[change].item].flip();
    Packing packing{best_, {}};
    for (std::uint32_t i = 0; i < is_in.size(); ++i)
      if (is_in[i]) packing.positions.push_back(i);
    return packing;
  }

  const std::vector<ProfitItem>& items_;
  const std::uint64_t capacity_;
  const double profit_unit_;
  const Surrogate surrogate_;
  const Packing& known_;
  const KnapsackLimits& limits_;
  const Watch& watch_;
  const BreakSolution broken_;
  std::size_t first_, end_;  ///< the core
  std::uint64_t best_;
  std::optional<std::uint32_t> best_change_;  ///< none: the packing that was known is the best
  std::uint64_t least_wanted_ = 0;            ///< a state that comes with less profit is dominated
  std::uint64_t steps_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t next_check_ = 0;
  bool has_ended_ = false;
  const std::uint64_t most_bytes_ = limits_.most_bytes > 0 ? limits_.most_bytes : available_memory() / 2;
  std::vector<State> states_, before_;
  std::vector<Change> changes_{{0, 0}};  ///< the first one stands for none
  std::size_t most_changes_ = limits_.changes_before_cleaning;
};

}  // namespace

Packed search_core(const Knapsack& knapsack, const Packing& known, const KnapsackLimits& limits, const Watch& watch) {
  return search_core(knapsack, {0, static_cast<std::int64_t>(knapsack.capacity)}, known, limits, watch);
}

Packed search_core(const Knapsack& knapsack, const Surrogate& surrogate, const Packing& known,
                   const KnapsackLimits& limits, const Watch& watch) {
  return CoreSearch(knapsack, surrogate, known, limits, watch).run();
}

}  // namespace clopt::subset_sum
