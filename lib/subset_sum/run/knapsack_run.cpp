#include "knapsack_run.hpp"
#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <device/solver_devices.hpp>
#include <group/local_group.hpp>
#include <subset_sum/knapsack/core_search.hpp>
#include <subset_sum/knapsack/number_bound.hpp>
#include <subset_sum/knapsack/profit_sweep.hpp>
#include <subset_sum/options.hpp>
#include <subset_sum/run/asked_subsets.hpp>
#include <subset_sum/run/run.hpp>
#include <support/numbers/uint128.hpp>

namespace clopt::subset_sum {
namespace {

constexpr std::uint64_t largest_sum = std::numeric_limits<std::int64_t>::max();
// The longest sweep that `auto` begins, in steps: half an hour on two threads. It does not depend on the device, since
// of several packings with the most profit each way may find another one.
constexpr double most_sweep_steps = 4e12;

/// One run of solve_knapsack().
class KnapsackRun {
 public:
  KnapsackRun(const Amounts& amounts, const Options& options, std::span<const std::shared_ptr<Device>> devices,
              const RunControl& control, const KnapsackLimits& limits)
      : amounts_(amounts),
        options_(options),
        devices_(devices),
        control_(control),
        limits_(limits),
        watch_(control),
        method_(method_names.value(options.method, "method")) {}

  AmountsResult finish() {
    const TimedPart computing(TimePart::compute);
    auto& run = result_.run;
    run.solved_by = preprocessing;
    decide();
    if (run.method.empty()) run.method = run.solved_by;
    run.optimal = run.proof != Proof::none;
    // A core that fills the memory has come to its end, too.
    if (!run.optimal && watch_.expired()) run.ending = watch_.interrupted() ? Ending::interrupted : Ending::time;
    seal();
    return std::move(result_);
  }

 private:
  void decide() {
    if (amounts_.capacity < 0) {
      result_.possible = false;
      return settle(Proof::exhaustive, "the capacity is below 0");
    }
    result_.possible = true;
    if (choose_items() <= knapsack_.capacity) {
      for (const auto& item : knapsack_.items) result_.indices.push_back(item.index);
      return settle(Proof::everything_fits, "everything with a profit fits that fits alone");
    }
    if (options_.reduce) {
      if (method_ == Method::automatic && is_proportional() && is_solved_as_sums()) return;
      divide();
    }
    sort();
    const auto known = greedy(knapsack_);
    watch_.report("core", 0, static_cast<double>(known.profit) * static_cast<double>(knapsack_.profit_unit));
    report(known);
    if (method_ == Method::automatic)
      search(known);
    else
      sweep(known);
  }

  /// Items that may be chosen, and their weight; those that weigh nothing are chosen.
  std::uint64_t choose_items() {
    knapsack_.capacity = static_cast<std::uint64_t>(amounts_.capacity);
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < amounts_.numbers.size(); ++i) {
      if (amounts_.profits[i] == 0 || amounts_.numbers[i] > amounts_.capacity) continue;
      if (amounts_.numbers[i] == 0) {
        result_.indices.push_back(i);
        continue;
      }
      knapsack_.items.push_back({static_cast<std::uint64_t>(amounts_.numbers[i]),
                                 static_cast<std::uint64_t>(amounts_.profits[i]), static_cast<std::uint32_t>(i)});
      weight += knapsack_.items.back().weight;
    }
    return weight;
  }

  /// Whether all items bring as much a unit of weight: then the largest sum is wanted.
  bool is_proportional() const {
    const auto& one = knapsack_.items.front();
    return std::all_of(knapsack_.items.begin(), knapsack_.items.end(), [&](const ProfitItem& other) {
      return Uint128{one.profit} * other.weight == Uint128{other.profit} * one.weight;
    });
  }

  /// \returns false where the problem of sums is too large for all methods.
  bool is_solved_as_sums() {
    Instance instance{{}, knapsack_.capacity};
    for (const auto& item : knapsack_.items) instance.weights.push_back(item.weight);
    const auto& one = knapsack_.items.front();
    auto control = control_;
    if (control.progress)
      control.progress = [&](const Progress& each) {
        auto of_profit = each;
        if (each.best) of_profit.best = *each.best * static_cast<double>(one.profit) / static_cast<double>(one.weight);
        return control_.progress(of_profit);
      };
    auto of_sums = options_;
    if (options_.found)
      of_sums.found = [&](std::int64_t, const std::vector<std::size_t>& indices) {
        Packing packing;
        for (const auto index : indices) packing.positions.push_back(static_cast<std::uint32_t>(index));
        report(packing);
      };
    try {
      auto sums = solve(instance, of_sums, devices_, control);
      for (const auto index : sums.indices) result_.indices.push_back(knapsack_.items[index].index);
      sums.reason += "; the profits are in proportion to the weights";
      result_.run = std::move(sums);
    } catch (const InvalidInput&) {
      return false;
    }
    // It is of the weights' sum, not of the profit.
    if (result_.run.optimal) result_.run.proof = Proof::exhaustive;
    return true;
  }

  void divide() {
    std::uint64_t of_weights = 0;
    std::uint64_t of_profits = 0;
    for (const auto& item : knapsack_.items) {
      of_weights = std::gcd(of_weights, item.weight);
      of_profits = std::gcd(of_profits, item.profit);
    }
    for (auto& item : knapsack_.items) {
      item.weight /= of_weights;
      item.profit /= of_profits;
    }
    knapsack_.capacity /= of_weights;
    // Bounds are whole numbers of it.
    knapsack_.profit_unit = of_profits;
  }

  void sort() {
    // A quotient of numbers without rounding is rounded to the same side.
    constexpr auto largest_exact = std::uint64_t{1} << 53;
    auto& items = knapsack_.items;
    if (std::all_of(items.begin(), items.end(), [](const ProfitItem& item) {
          return item.weight <= largest_exact && item.profit <= largest_exact;
        }))
      for (auto& item : items) item.efficiency = static_cast<double>(item.profit) / static_cast<double>(item.weight);
    std::sort(items.begin(), items.end(), [](const ProfitItem& one, const ProfitItem& other) {
      if (one.efficiency != other.efficiency) return one.efficiency > other.efficiency;
      const auto first = Uint128{one.profit} * other.weight;
      const auto second = Uint128{other.profit} * one.weight;
      if (first != second) return first > second;
      return one.weight != other.weight ? one.weight > other.weight : one.index < other.index;
    });
  }

  /// Reports a packing before a method begins that may not return.
  void report(const Packing& known) {
    if (!options_.found) return;
    auto indices = result_.indices;
    for (const auto position : known.positions) indices.push_back(knapsack_.items[position].index);
    std::sort(indices.begin(), indices.end());
    std::int64_t sum = 0;
    for (const auto index : indices) sum += amounts_.numbers[index];
    options_.found(sum, indices);
  }

  /// In the core; where that has too many states, with better bounds, and then by a sweep of what they leave, if it is
  /// not too long.
  void search(const Packing& known) {
    auto limits = limits_;
    limits.most_states = std::min(limits.most_states, limits.states_before_bounds);
    auto found = search_core(knapsack_, known, limits, watch_);
    if (found.complete || watch_.expired()) return accept(found, "core", "the core around the break item");
    const bool may_sweep = sweep_steps(knapsack_) <= most_sweep_steps;
    limits.most_states = may_sweep ? limits_.most_states : ~std::uint64_t{0};
    const auto reason = search_by_number(found, limits);
    if (found.complete || watch_.expired()) return accept(found, "core", reason);
    if (!may_sweep) return accept(found, "core", "the core's states fill the memory, and a sweep would take too long");
    report(found.best);
    try {
      sweep(found.best);
    } catch (const InvalidInput& error) {
      accept(found, "core", error.what());
    }
  }

  /// Takes over a better packing. \returns what has found or proven it.
  std::string_view search_by_number(Packed& best, const KnapsackLimits& limits) {
    const auto bound = bound_by_number(knapsack_, best.best.profit, watch_);
    best.complete = bound.most <= best.best.profit;
    if (best.complete) return "the bound by the number of items";
    const auto [knapsack, positions] = reordered(knapsack_, bound.surrogate);
    const auto before = best.best.profit;
    auto better = exchanged(knapsack, bound.surrogate, before, bound.most);
    best.complete = better && better->profit == bound.most;
    const bool is_proven = best.complete;
    if (!is_proven) {
      auto found = search_core(knapsack, bound.surrogate, better.value_or(Packing{before, {}}), limits, watch_);
      best.complete = found.complete;
      better = std::move(found.best);
    }
    if (better->profit > before) {
      for (auto& position : better->positions) position = positions[position];
      best.best = *std::move(better);
    }
    return is_proven ? "exchanges that reach the bound by the number of items"
                     : "the core around the break item, with the bound by the number of items";
  }

  void sweep(const Packing& known) {
    Remainder rest;
    rest.knapsack = knapsack_;
    if (options_.reduce) rest = remainder_of(knapsack_, known.profit);
    if (rest.knapsack.items.empty())
      return accept({known, true}, preprocessing, "the bound of Dembo and Hammer fixes all items");
    auto swept = sweep_on_devices(rest.knapsack);
    auto& best = swept.best;
    best.profit += rest.taken.profit;
    if (options_.reduce)
      for (auto& position : best.positions) position = rest.positions[position];
    best.positions.insert(best.positions.end(), rest.taken.positions.begin(), rest.taken.positions.end());
    // What is left can lead to more alone.
    if (!swept.complete || best.profit <= known.profit) best = known;
    result_.run.capacities_swept = swept.steps;
    result_.run.launches = swept.launches;
    accept(swept, name_of(Method::k1),
           fmt::format("a sweep of {} items over the capacities up to {}", rest.knapsack.items.size(),
                       rest.knapsack.capacity));
  }

  /// On the first that does not fail and has the memory.
  Packed sweep_on_devices(const Knapsack& rest) {
    return on_first_that_works(devices_, result_.run.failures, [&](std::size_t i) {
      try {
        return sweep_profits(rest, limits_, *devices_[i], watch_);
      } catch (const InvalidInput& error) {
        if (i + 1 == devices_.size()) throw;
        throw DeviceError(error.what());
      }
    });
  }

  void accept(const Packed& found, std::string_view method, std::string_view reason) {
    for (const auto position : found.best.positions) result_.indices.push_back(knapsack_.items[position].index);
    result_.run.solved_by = method;
    settle(found.complete ? Proof::exhaustive : Proof::none,
           found.complete ? std::string(reason) : fmt::format("ended early, with the best so far: {}", reason));
  }

  void settle(Proof proof, std::string_view reason) {
    result_.run.proof = proof;
    result_.run.reason = reason;
  }

  /// Adds weights and profits up once more, from the amounts themselves.
  void seal() {
    std::sort(result_.indices.begin(), result_.indices.end());
    for (const auto index : result_.indices) {
      result_.value += amounts_.numbers[index];
      result_.profit += amounts_.profits[index];
    }
    if (result_.value > std::max<std::int64_t>(amounts_.capacity, 0) ||
        std::adjacent_find(result_.indices.begin(), result_.indices.end()) != result_.indices.end())
      throw InternalError("subset-sum: the chosen items do not fit, or one is chosen twice; please report it");
    result_.zeros = static_cast<std::size_t>(std::count(amounts_.profits.begin(), amounts_.profits.end(), 0));
    result_.is_largest = false;
    result_.run.value = static_cast<std::uint64_t>(result_.value);
    if (devices_.size() > 1) result_.run.reason += group::one_of(devices_.size(), "a knapsack is not shared out");
    result_.run.checksum = checksum_of(result_);
  }

  const Amounts& amounts_;
  const Options& options_;
  std::span<const std::shared_ptr<Device>> devices_;
  const RunControl& control_;
  const KnapsackLimits& limits_;
  Watch watch_;
  const Method method_;
  Knapsack knapsack_;
  AmountsResult result_;
};

std::uint64_t sum_of(const std::vector<std::int64_t>& numbers, std::string_view name) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0)
      throw InvalidInput(
          fmt::format("subset-sum: `{}` has {} (index {}); with profits, give numbers from 0 on", name, numbers[i], i));
    sum += static_cast<std::uint64_t>(numbers[i]);
    if (sum > largest_sum)
      throw InvalidInput(
          fmt::format("subset-sum: with profits, `{}` must add up to less than 2^63; give fewer digits", name));
  }
  return sum;
}

}  // namespace

void check_knapsack(const Amounts& amounts, const Options& options) {
  if (amounts.profits.size() != amounts.numbers.size())
    throw InvalidInput(fmt::format("subset-sum: there are {} `profits` for {} `numbers`; give one for each",
                                   amounts.profits.size(), amounts.numbers.size()));
  sum_of(amounts.numbers, "numbers");
  sum_of(amounts.profits, "profits");
  if (options.exactly || options.range || asks_for_more(amounts, options))
    throw InvalidInput(
        "subset-sum: with `profits` the most profit is found; leave `exactly`, `tolerance`, `at_least`, `fewest`, "
        "`count`, `all`, `unique` and parts of a run out");
  const auto method = method_names.value(options.method, "method");
  if (options.recovery != name_of(Recovery::automatic))
    throw InvalidInput("subset-sum: `recovery` is of sums; with `profits` leave it out");
  if (method != Method::automatic && method != Method::k1)
    throw InvalidInput(
        fmt::format("subset-sum: `method` {} finds sums alone; with `profits` give auto or k1", options.method));
}

AmountsResult solve_knapsack(const Amounts& amounts, const Options& options,
                             std::span<const std::shared_ptr<Device>> devices, const RunControl& control,
                             const KnapsackLimits& limits) {
  require_devices(devices);
  check_knapsack(amounts, options);
  static_cast<void>(parse_options(options, control));
  return KnapsackRun(amounts, options, devices, control, limits).finish();
}

}  // namespace clopt::subset_sum
