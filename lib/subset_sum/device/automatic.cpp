#include <automatic/automatic.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>

namespace clopt::subset_sum {
namespace {

constexpr std::size_t most_hashed = 10'000;

template <class Number>
void add_numbers(RunIdentity& like, const std::string& name, const std::vector<Number>& numbers) {
  like.add("count of " + name, numbers.size());
  like.add_data(name, std::span<const Number>(numbers).first(std::min(numbers.size(), most_hashed)));
}

/// A run cannot be divided in time: one that moves begins again. It moves only from a sweep to a sweep, or from a
/// search to a search, which find the same subset; other methods may find another one of the same sum.
struct AutomaticSubsetSum {
  static constexpr std::string_view name = "subset-sum";
  static constexpr WorkMeasure measure{.done_is_even = true, .phases = "sweep,search"};

  template <class Problem>
  static bool may_move(const Problem&, const Options& options) {
    // Subsets are listed on the host.
    if (asks_for_subsets(options) || options.count) return false;
    return options.method == "auto" || runs_on_device(options.method);
  }
  template <class Problem>
  static double state_bytes(const Problem&, const Options&) {
    return 0;
  }
  static void add_likeness(RunIdentity& like, const Instance& instance, const Options& options) {
    add_numbers(like, "numbers", instance.weights);
    like.add("capacity", instance.capacity);
    add_fields(like, options);
  }
  static void add_likeness(RunIdentity& like, const Amounts& amounts, const Options& options) {
    add_numbers(like, "numbers", amounts.numbers);
    add_numbers(like, "profits", amounts.profits);
    like.add("capacity", amounts.capacity);
    add_fields(like, options);
  }
};

}  // namespace

Result solve(const Instance& instance, const Options& options, const Devices& devices, const RunControl& control) {
  return solve_automatically<AutomaticSubsetSum>(instance, options, devices, control);
}

AmountsResult solve(const Amounts& amounts, const Options& options, const Devices& devices, const RunControl& control) {
  return solve_automatically<AutomaticSubsetSum>(amounts, options, devices, control);
}

}  // namespace clopt::subset_sum
