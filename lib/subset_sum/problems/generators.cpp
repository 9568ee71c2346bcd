#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <limits>
#include <numeric>
#include <optional>

#include <shared/random.h>
#include <support/numbers/uint128.hpp>

namespace clopt::subset_sum {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t most_items = 100'000'000;

/// What a random number is for. A number keeps its meaning for ever: instances must stay the same.
enum class Purpose : std::uint32_t {
  half_weight = 0x5353'0001,
  p_weight = 0x5353'0002,
  uniform_weight = 0x5353'0003,
  hidden_divisor_weight = 0x5353'0004,
  even_odd_weight = 0x5353'0005,
  two_digit_high = 0x5353'0006,
  two_digit_low = 0x5353'0007,
  random_weight = 0x5353'0008
};

/// What stands behind the name of a class.
struct Parameters {
  std::uint64_t items = 0;
  std::uint64_t bound = 0;  ///< of the weights, for the classes that take one
};

std::uint64_t sum_of(const std::vector<std::uint64_t>& weights) {
  return std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
}

/// Weights unit * k with k uniform in [1, choices].
std::vector<std::uint64_t> multiples(Purpose purpose, std::uint64_t seed, std::uint64_t items, std::uint32_t unit,
                                     std::uint32_t choices) {
  std::vector<std::uint64_t> weights(items);
  for (std::uint64_t i = 0; i < items; ++i) {
    const std::uint32_t k = shared::uniform_at(seed, static_cast<std::uint32_t>(purpose), i, choices);
    weights[i] = std::uint64_t{unit} * (k + 1);
  }
  return weights;
}

// The classes of chapter 6.1.

Instance half(const Parameters& parameters, std::uint64_t seed) {
  auto weights = multiples(Purpose::half_weight, seed, parameters.items, 10, 100'000);
  const std::uint64_t capacity = sum_of(weights) / 20 * 10 + 5;
  return {std::move(weights), capacity};
}

Instance half_small(const Parameters& parameters, std::uint64_t seed) {
  auto weights = multiples(Purpose::half_weight, seed, parameters.items, 10, 10'000);
  const std::uint64_t capacity = sum_of(weights) / 20 * 10 + 5;
  return {std::move(weights), capacity};
}

Instance p(const Parameters& parameters, std::uint64_t seed) {
  return {multiples(Purpose::p_weight, seed, parameters.items, 2, 500'000), (parameters.items * 1'000'000 / 8) | 1};
}

Instance uniform(const Parameters& parameters, std::uint64_t seed) {
  return {multiples(Purpose::uniform_weight, seed, parameters.items, 2, 500'000), 1'000'001};
}

// Classes that stay hard, each for another reason.

/// Half's weights, three of them one more: no common divisor is left, and no subset reaches 7 mod 10.
Instance hidden_divisor(const Parameters& parameters, std::uint64_t seed) {
  auto weights = multiples(Purpose::hidden_divisor_weight, seed, parameters.items, 10, 100'000);
  const std::uint64_t capacity = sum_of(weights) / 20 * 10 + 7;
  for (const std::size_t odd : {std::size_t{0}, weights.size() / 2, weights.size() - 1}) ++weights[odd];
  return {std::move(weights), capacity};
}

/// Avis: consecutive weights, and the gaps between the sums of k and of k + 1 of them hold the capacity.
Instance avis(const Parameters& parameters, std::uint64_t) {
  const std::uint64_t n = parameters.items;
  Instance instance{std::vector<std::uint64_t>(n), n * (n + 1) * ((n - 1) / 2) + n * (n - 1) / 2};
  for (std::uint64_t j = 1; j <= n; ++j) instance.weights[j - 1] = n * (n + 1) + j;
  return instance;
}

/// Todd: all 2^n sums differ, and none is the capacity.
Instance todd(const Parameters& parameters, std::uint64_t) {
  const std::uint64_t n = parameters.items;
  const auto k = static_cast<std::uint64_t>(std::bit_width(n)) - 1;  // log2 n, rounded down
  Instance instance{std::vector<std::uint64_t>(n), 0};
  Uint128 sum = 0;
  for (std::uint64_t j = 1; j <= n; ++j) {
    instance.weights[j - 1] = (std::uint64_t{1} << (k + n + 1)) + (std::uint64_t{1} << (k + j)) + 1;
    sum += instance.weights[j - 1];
  }
  instance.capacity = static_cast<std::uint64_t>(sum / 2);
  return instance;
}

/// Even weights, an odd capacity of about half the sum.
Instance even_odd(const Parameters& parameters, std::uint64_t seed) {
  Instance instance{std::vector<std::uint64_t>(parameters.items), 0};
  for (std::uint64_t i = 0; i < parameters.items; ++i) {
    instance.weights[i] = 2 + 2 * shared::uniform_at_64(seed, static_cast<std::uint32_t>(Purpose::even_odd_weight), i,
                                                        parameters.bound / 2);
  }
  instance.capacity = static_cast<std::uint64_t>(Uint128{parameters.items} * parameters.bound / 4) | 1;
  return instance;
}

/// Weights 2^20 a + 3 b with a and b uniform in [1, 1000]; the capacity's lower digit is 1 mod 3.
Instance two_digit(const Parameters& parameters, std::uint64_t seed) {
  constexpr std::uint32_t choices = 1000;
  const auto high = multiples(Purpose::two_digit_high, seed, parameters.items, 1, choices);
  const auto low = multiples(Purpose::two_digit_low, seed, parameters.items, 1, choices);
  const auto both = [](std::uint64_t a, std::uint64_t b) { return (a << 20) + 3 * b; };
  Instance instance{std::vector<std::uint64_t>(parameters.items), both(sum_of(high) / 2, sum_of(low) / 2) + 1};
  for (std::uint64_t i = 0; i < parameters.items; ++i) instance.weights[i] = both(high[i], low[i]);
  return instance;
}

/// Weights uniform in [1, bound], the capacity half of their sum.
Instance random(const Parameters& parameters, std::uint64_t seed) {
  Instance instance{std::vector<std::uint64_t>(parameters.items), 0};
  Uint128 sum = 0;
  for (std::uint64_t i = 0; i < parameters.items; ++i) {
    instance.weights[i] =
        1 + shared::uniform_at_64(seed, static_cast<std::uint32_t>(Purpose::random_weight), i, parameters.bound);
    sum += instance.weights[i];
  }
  instance.capacity = static_cast<std::uint64_t>(sum / 2);
  return instance;
}

struct InstanceClass {
  std::string_view name;
  std::uint64_t fewest_items;
  std::uint64_t most_items;
  bool takes_bound;
  std::uint64_t default_bound;  ///< 0: it must be given
  Instance (*make)(const Parameters& parameters, std::uint64_t seed);
};

// Avis' capacity is below n^3 / 2, Todd's about n 2^(n + log2 n): both stay below 2^63.
constexpr std::array<InstanceClass, 10> classes{{
    {"half", 1, most_items, false, 0, half},
    {"half-small", 1, most_items, false, 0, half_small},
    {"p", 1, most_items, false, 0, p},
    {"uniform", 1, most_items, false, 0, uniform},
    {"hidden-divisor", 3, most_items, false, 0, hidden_divisor},
    {"avis", 2, 2'000'000, false, 0, avis},
    {"todd", 1, 52, false, 0, todd},
    {"even-odd", 1, most_items, true, 1000, even_odd},
    {"two-digit", 1, most_items, false, 0, two_digit},
    {"random", 1, most_items, true, 0, random},
}};

std::string usage_of(const InstanceClass& each) {
  return fmt::format("{}:N{}", each.name, !each.takes_bound ? "" : each.default_bound != 0 ? "[:BOUND]" : ":BOUND");
}

[[noreturn]] void refuse_class(std::string_view description) {
  std::string usages;
  for (const InstanceClass& each : classes) {
    usages += (usages.empty() ? "" : &each == &classes.back() ? " or " : ", ") + usage_of(each);
  }
  throw InvalidInput(fmt::format("'{}' is not an instance class; give {}", description.substr(0, 60), usages));
}

/// An integer in digits, or as digits, `e` and how many zeros follow: 1e12.
std::optional<std::uint64_t> round_integer(std::string_view text) {
  const std::size_t exponent = text.find('e');
  if (exponent == std::string_view::npos) return number_in<std::uint64_t>(text);
  const auto factor = number_in<std::uint64_t>(text.substr(0, exponent));
  const auto zeros = number_in<std::uint64_t>(text.substr(exponent + 1));
  if (!factor || !zeros || *zeros > 18) return std::nullopt;
  Uint128 number = *factor;
  for (std::uint64_t i = 0; i < *zeros; ++i) number *= 10;
  return number > largest ? std::nullopt : std::optional(static_cast<std::uint64_t>(number));
}

Parameters parameters_of(const InstanceClass& kind, std::string_view description, std::string_view text) {
  const std::size_t colon = kind.takes_bound ? text.find(':') : std::string_view::npos;
  const auto items = number_in<std::uint64_t>(text.substr(0, colon));
  if (!items || *items < kind.fewest_items || *items > kind.most_items) {
    throw InvalidInput(fmt::format("'{}' draws no instance; give {} with N from {} to {}", description.substr(0, 60),
                                   usage_of(kind), kind.fewest_items, kind.most_items));
  }
  Parameters parameters{*items, kind.default_bound};
  if (!kind.takes_bound) return parameters;
  if (colon != std::string_view::npos) {
    parameters.bound = round_integer(text.substr(colon + 1)).value_or(0);
  }
  // The capacity, at most half of the items' largest sum, fits 2^63 - 1 as well.
  const std::uint64_t most = std::min(largest - 1, largest / (*items / 2 + 1));
  if (parameters.bound < 2 || parameters.bound > most) {
    throw InvalidInput(fmt::format(
        "'{}' draws no instance; give {} with the weights' BOUND, such as 1000000 or 1e12, from 2 to {} for "
        "{} items",
        description.substr(0, 60), usage_of(kind), most, *items));
  }
  return parameters;
}

}  // namespace

const std::vector<std::string>& instance_classes() {
  static const std::vector<std::string> usages = [] {
    std::vector<std::string> all;
    all.reserve(std::size(classes));
    for (const InstanceClass& each : classes) all.push_back(usage_of(each));
    return all;
  }();
  return usages;
}

Instance make_instance(std::string_view description, std::uint64_t seed) {
  const std::size_t colon = description.find(':');
  if (colon == std::string_view::npos) refuse_class(description);
  const auto* kind = std::find_if(classes.begin(), classes.end(),
                                  [&](const InstanceClass& each) { return each.name == description.substr(0, colon); });
  if (kind == classes.end()) refuse_class(description);
  return kind->make(parameters_of(*kind, description, description.substr(colon + 1)), seed);
}

}  // namespace clopt::subset_sum
