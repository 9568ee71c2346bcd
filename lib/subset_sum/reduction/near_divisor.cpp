#include "near_divisor.hpp"

#include <algorithm>
#include <numeric>

#include "certificate.hpp"

namespace clopt::subset_sum {
namespace {

constexpr std::size_t most_exceptions = 10;  ///< all their subsets are listed
constexpr std::size_t sampled_items = 24;    ///< enough that two of them are rarely both exceptions
constexpr int most_certificates = 4;         ///< each takes a millisecond at most

/// Positions of the items that a number does not divide; nothing when they are too many.
std::optional<std::vector<std::uint32_t>> exceptions_of(const std::vector<Item>& items, std::uint64_t divisor) {
  std::vector<std::uint32_t> exceptions;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].weight % divisor == 0) continue;
    if (exceptions.size() == most_exceptions) return std::nullopt;
    exceptions.push_back(static_cast<std::uint32_t>(i));
  }
  return exceptions;
}

/// A sum of some of the exceptions.
struct ExceptionSum {
  std::uint64_t sum = 0;
  std::uint32_t subset = 0;  ///< bit i: exception i is in it
};

/// All sums of exceptions up to the capacity, those first that may come closest to it.
std::vector<ExceptionSum> sums_of(const SortedProblem& problem, const std::vector<std::uint32_t>& exceptions,
                                  std::uint64_t divisor) {
  std::vector<ExceptionSum> sums{{}};
  for (std::size_t i = 0; i < exceptions.size(); ++i) {
    const std::uint64_t weight = problem.items[exceptions[i]].weight;
    for (std::size_t j = sums.size(); j-- > 0;) {
      if (weight > problem.capacity - sums[j].sum) continue;
      sums.push_back({sums[j].sum + weight, sums[j].subset | std::uint32_t{1} << i});
    }
  }
  const auto gap = [&](const ExceptionSum& each) { return (problem.capacity - each.sum) % divisor; };
  std::sort(sums.begin(), sums.end(), [&](const ExceptionSum& a, const ExceptionSum& b) {
    return gap(a) != gap(b) ? gap(a) < gap(b) : a.subset < b.subset;
  });
  return sums;
}

/// Positions in `items` of a subset with this sum; the cheaper of the sum and what it leaves out is searched.
std::optional<std::vector<std::uint32_t>> reach(const std::vector<Item>& items, Uint128 total, std::uint64_t target) {
  if (target > total) return std::nullopt;
  if (target == 0) return std::vector<std::uint32_t>{};
  if (total - target >= target) return reach_by_interval(items, target);
  const auto rest = static_cast<std::uint64_t>(total - target);
  if (rest == 0) return complement_of({}, items).positions;
  const auto left_out = reach_by_interval(items, rest);
  if (!left_out) return std::nullopt;
  return complement_of({*left_out, rest}, items).positions;
}

std::optional<Selection> solve_with_divisor(const SortedProblem& problem, const std::vector<std::uint32_t>& exceptions,
                                            std::uint64_t divisor) {
  std::vector<Item> multiples;  // their index is the position in the problem's items
  Uint128 total = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const std::uint64_t weight = problem.items[i].weight;
    if (weight % divisor != 0) continue;
    multiples.push_back({weight / divisor, static_cast<std::uint32_t>(i)});
    total += weight / divisor;
  }
  const std::vector<ExceptionSum> sums = sums_of(problem, exceptions, divisor);
  const std::uint64_t gap = (problem.capacity - sums.front().sum) % divisor;
  int certificates = 0;
  for (const ExceptionSum& each : sums) {
    if ((problem.capacity - each.sum) % divisor != gap || certificates++ == most_certificates) break;
    const auto positions = reach(multiples, total, (problem.capacity - each.sum) / divisor);
    if (!positions) continue;
    Selection selection{{}, problem.capacity - gap};
    for (const std::uint32_t position : *positions) selection.positions.push_back(multiples[position].index);
    for (std::size_t i = 0; i < exceptions.size(); ++i) {
      if ((each.subset >> i & 1) != 0) selection.positions.push_back(exceptions[i]);
    }
    return selection;
  }
  return std::nullopt;
}

/// The divisors of most weights that are worth a try.
std::vector<std::uint64_t> likely_divisors(const SortedProblem& problem) {
  const std::size_t sampled = std::min(problem.size(), sampled_items);
  std::vector<std::uint64_t> candidates;
  for (std::size_t i = 0; i < sampled; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      // Neighbours may be equal: the sample is spread over the whole order.
      const std::uint64_t a = problem.items[i * problem.size() / sampled].weight;
      const std::uint64_t b = problem.items[j * problem.size() / sampled].weight;
      candidates.push_back(std::gcd(a, b));
    }
  }
  // A divisor of nearly all weights is the commonest divisor of pairs or a part of it: try the commonest first.
  std::sort(candidates.begin(), candidates.end());
  std::vector<std::pair<std::size_t, std::uint64_t>> by_count;
  for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
    while (end < candidates.size() && candidates[end] == candidates[begin]) ++end;
    if (candidates[begin] > 1) by_count.push_back({end - begin, candidates[begin]});
  }
  std::sort(by_count.rbegin(), by_count.rend());
  constexpr std::size_t most_tries = 2;
  std::vector<std::uint64_t> likely;
  for (std::size_t i = 0; i < std::min(by_count.size(), most_tries); ++i) likely.push_back(by_count[i].second);
  return likely;
}

}  // namespace

std::optional<NearDivisorAnswer> solve_by_near_divisor(const SortedProblem& problem) {
  for (const std::uint64_t divisor : likely_divisors(problem)) {
    const auto exceptions = exceptions_of(problem.items, divisor);
    if (!exceptions) continue;
    if (auto selection = solve_with_divisor(problem, *exceptions, divisor)) {
      return NearDivisorAnswer{std::move(*selection), divisor};
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> divisor_that_proves(const SortedProblem& problem, std::uint64_t value) {
  if (value == problem.capacity) return 1;
  for (const std::uint64_t divisor : likely_divisors(problem)) {
    const auto exceptions = exceptions_of(problem.items, divisor);
    if (!exceptions) continue;
    const auto closest = sums_of(problem, *exceptions, divisor).front();
    if (problem.capacity - value == (problem.capacity - closest.sum) % divisor) return divisor;
  }
  return std::nullopt;
}

}  // namespace clopt::subset_sum
