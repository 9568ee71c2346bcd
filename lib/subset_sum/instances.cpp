#include <fmt/format.h>

#include <array>
#include <charconv>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <numeric>

#include "../../kernels_cl/shared/random.h"

namespace clopt::subset_sum {
namespace {

constexpr std::uint64_t most_items = 100'000'000;

/// What a random number is for. A number keeps its meaning for ever: instances must stay the same.
enum class Purpose : std::uint32_t { half_weight = 0x5353'0001, p_weight = 0x5353'0002, uniform_weight = 0x5353'0003 };

/// A class of chapter 6.1: every weight is unit * k with k uniform in [1, choices].
struct InstanceClass {
  std::string_view name;
  Purpose purpose;
  std::uint32_t unit;
  std::uint32_t choices;
  std::uint64_t (*capacity)(std::uint64_t items, std::uint64_t sum);
};

std::uint64_t half_capacity(std::uint64_t, std::uint64_t sum) { return sum / 20 * 10 + 5; }
std::uint64_t p_capacity(std::uint64_t items, std::uint64_t) { return (items * 1'000'000 / 8) | 1; }
std::uint64_t uniform_capacity(std::uint64_t, std::uint64_t) { return 1'000'001; }

constexpr std::array<InstanceClass, 4> classes{{
    {"half", Purpose::half_weight, 10, 100'000, half_capacity},
    {"half-small", Purpose::half_weight, 10, 10'000, half_capacity},
    {"p", Purpose::p_weight, 2, 500'000, p_capacity},
    {"uniform", Purpose::uniform_weight, 2, 500'000, uniform_capacity},
}};

[[noreturn]] void refuse(std::string_view description) {
  throw InvalidInput(
      fmt::format("'{}' is no instance class; give half:N, half-small:N, p:N or uniform:N with N from 1 to {}",
                  description, most_items));
}

}  // namespace

Instance make_instance(std::string_view description, std::uint64_t seed) {
  const std::size_t colon = description.find(':');
  if (colon == std::string_view::npos) refuse(description);
  const auto* kind = std::find_if(classes.begin(), classes.end(),
                                  [&](const InstanceClass& each) { return each.name == description.substr(0, colon); });
  if (kind == classes.end()) refuse(description);

  const std::string_view number = description.substr(colon + 1);
  std::uint64_t items = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), items);
  if (error != std::errc{} || end != number.data() + number.size() || items < 1 || items > most_items) {
    refuse(description);
  }

  Instance instance;
  instance.weights.resize(items);
  for (std::uint64_t i = 0; i < items; ++i) {
    const std::uint32_t k = shared::uniform_at(seed, static_cast<std::uint32_t>(kind->purpose), i, kind->choices);
    instance.weights[i] = std::uint64_t{kind->unit} * (k + 1);
  }
  const std::uint64_t sum = std::accumulate(instance.weights.begin(), instance.weights.end(), std::uint64_t{0});
  instance.capacity = kind->capacity(items, sum);
  return instance;
}

}  // namespace clopt::subset_sum
