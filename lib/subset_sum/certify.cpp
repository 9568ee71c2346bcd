/// \file
/// The certificate of an answer: what proves it, by arguments that a checker repeats in little time.
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <run/certificate.hpp>
#include <subset_sum/reduction/near_divisor.hpp>
#include <subset_sum/reduction/preprocessing.hpp>

namespace clopt::subset_sum {
namespace {

using Json = nlohmann::ordered_json;

// The amounts as weights that may be chosen: none is 0 or above the capacity. An amount below 0 is one that is taken
// back.
SortedProblem problem_of(const Amounts& amounts, std::uint64_t capacity) {
  SortedProblem problem;
  problem.capacity = capacity;
  for (std::size_t i = 0; i < amounts.numbers.size(); ++i) {
    const auto number = amounts.numbers[i];
    const auto weight = static_cast<std::uint64_t>(number < 0 ? -number : number);
    if (weight != 0 && weight <= capacity) problem.items.push_back({weight, static_cast<std::uint32_t>(i)});
  }
  problem.total = total_weight(problem.items);
  sort_descending(problem.items);
  return problem;
}

// Why no sum of the weights is above `value` and at most the capacity; null where none of these proofs shows it.
Json proof_of(SortedProblem problem, std::uint64_t value) {
  if (value == problem.capacity) return {{"proof", name_of(Proof::capacity_reached)}};
  if (problem.total <= problem.capacity) return {{"proof", name_of(Proof::everything_fits)}};
  divide_by_common_divisor(problem);
  value /= problem.divisor;
  if (const auto divisor = divisor_that_proves(problem, value))
    return {{"proof", name_of(Proof::divisor)}, {"divisor", *divisor * problem.divisor}};
  // Sums above the value, or those that are left out then.
  const auto swept = std::min<Uint128>(problem.capacity, problem.total - value - 1);
  if (swept <= most_certified_capacity) return {{"proof", "sweep"}};
  if (problem.size() <= most_certified_weights) return {{"proof", "halves"}};
  return nullptr;
}

}  // namespace

Certificate certify(const Amounts& amounts, const AmountsResult& result) {
  if (!amounts.profits.empty())
    return {{}, "there is no proof of a knapsack's profit that can be verified in less time"};
  if (!result.is_largest)
    return {{}, "the value is not the largest sum within the capacity, of which alone there is a proof to be verified"};
  if (!result.run.optimal) return {{}, "the value is not proven to be the optimum"};
  Json evidence;
  if (!result.possible) {
    evidence = {{"proof", "least-sum"}};
  } else {
    // The capacity and value of the weights, which solve() has required to be below 2^63.
    auto capacity = static_cast<std::uint64_t>(amounts.capacity);
    auto value = static_cast<std::uint64_t>(result.value);
    for (const auto number : amounts.numbers) {
      if (number >= 0) continue;
      capacity -= static_cast<std::uint64_t>(number);
      value -= static_cast<std::uint64_t>(number);
    }
    evidence = proof_of(problem_of(amounts, capacity), value);
  }
  if (evidence.is_null())
    return {{},
            fmt::format("a sum is proven to be the optimum for a capacity of at most {}, for {} numbers, or where "
                        "the capacity is reached or a divisor proves it; verifying this one would be to solve it",
                        most_certified_capacity, most_certified_weights)};
  evidence["chosen"] = result.indices;
  auto whole = certificate_head("subset-sum");
  whole["numbers"] = amounts.numbers;
  whole["capacity"] = amounts.capacity;
  whole["claim"] = {{"possible", result.possible},
                    {"value", result.possible ? Json(result.value) : Json()},
                    {"reached", result.possible && result.value == amounts.capacity}};
  whole["evidence"] = std::move(evidence);
  return certificate_of(whole);
}

}  // namespace clopt::subset_sum
