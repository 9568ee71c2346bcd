#include "bbe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>

#include "bit_sums.hpp"

namespace clopt::subset_sum {

Found bbe(const ReducedProblem& reduced, const Watch& watch) {
  const std::uint64_t target = reduced.complement ? reduced.low : reduced.high;
  if (const Uint128 bytes = BitSums::bytes_for(target); bytes > bbe_memory) {
    throw InvalidInput(fmt::format(
        "method bbe: a bit for each of {} capacities takes {} bytes, at most {} are allowed; use `method` auto",
        Uint128{target} + 1, bytes, bbe_memory));
  }
  // The ranges of chapter 4.2 become Toth's bound where nothing but the capacity is wanted.
  ReducedProblem exact;
  exact.weights = reduced.weights;
  exact.low = target;
  exact.high = target;
  const std::vector<Range> ranges = item_ranges(exact);

  Found found;
  BitSums sums(target);
  for (std::size_t i = 0; i < reduced.size() && !sums.reached(target); ++i) {
    watch.report("rows", static_cast<double>(i) / static_cast<double>(reduced.size()));
    if (!sums.add_item(reduced.weights[i], ranges[i], watch) || watch.expired()) return found;
    found.capacities_swept += ranges[i].size();
    if (sums.bytes() > bbe_memory) {
      throw InvalidInput(
          fmt::format("method bbe: the decisions of the first {} of {} items on {} capacities take {} bytes, at most "
                      "{} are allowed; use `method` auto",
                      i + 1, reduced.size(), Uint128{target} + 1, sums.bytes(), bbe_memory));
    }
  }
  if (!sums.reached(target)) {
    found.undecided = "the capacity is not reached, and bbe cannot find the best value below it";
    return found;
  }
  found.complete = true;
  found.sum = target;
  found.positions = recover(
      reduced,
      [&](std::uint64_t sum) { return static_cast<std::uint32_t>(sums.row_of(sum).value_or(reduced.size()) + 1); },
      target);
  return found;
}

}  // namespace clopt::subset_sum
