#include <fmt/format.h>

#include <clopt/subset_sum.hpp>
#include <numeric>

// Independent of the solvers: no code is shared with them, so a fault there cannot hide here.
namespace clopt::subset_sum {
namespace {

__extension__ typedef unsigned __int128 Sum;

std::string check_proof(const Instance& instance, const Result& result) {
  if (result.optimal != (result.proof != Proof::none)) {
    return result.optimal ? "the value is called optimal without a proof"
                          : "there is a proof, but the value is not "
                            "called optimal";
  }
  Sum total = 0;
  std::uint64_t divisor = 0;
  switch (result.proof) {
    case Proof::none:
    case Proof::exhaustive: return {};
    case Proof::capacity_reached:
      if (result.value == instance.capacity) return {};
      return fmt::format("the value {} is said to reach the capacity {}", result.value, instance.capacity);
    case Proof::everything_fits:
      for (const std::uint64_t weight : instance.weights) total += weight <= instance.capacity ? weight : 0;
      if (total == result.value) return {};
      return fmt::format("everything is said to fit, but the weights that fit one by one sum up to {}, not to {}",
                         total, result.value);
    case Proof::divisor:
      for (const std::uint64_t weight : instance.weights) {
        if (weight > instance.capacity || (divisor != 0 && weight % divisor == 0)) continue;
        divisor = std::gcd(divisor, weight);
        if (divisor == 1) break;
      }
      if (divisor != 0 && result.value == instance.capacity - instance.capacity % divisor) return {};
      return fmt::format("the value {} is said to be the largest multiple of the common divisor, which is {}, up to {}",
                         result.value, divisor, instance.capacity);
  }
  return "there is no such proof";
}

}  // namespace

std::string check(const Instance& instance, const Result& result) {
  Sum sum = 0;
  for (std::size_t i = 0; i < result.indices.size(); ++i) {
    const std::size_t index = result.indices[i];
    if (index >= instance.weights.size()) {
      return fmt::format("the index {} is out of range, there are {} weights", index, instance.weights.size());
    }
    if (i > 0 && index <= result.indices[i - 1]) {
      return fmt::format("the index {} comes after {}, but indices must ascend and be given once", index,
                         result.indices[i - 1]);
    }
    sum += instance.weights[index];
  }
  if (sum != result.value) {
    return fmt::format("the chosen weights sum up to {}, but the value is {}", sum, result.value);
  }
  if (sum > instance.capacity) {
    return fmt::format("the chosen weights sum up to {}, above the capacity {}", sum, instance.capacity);
  }
  return check_proof(instance, result);
}

}  // namespace clopt::subset_sum
