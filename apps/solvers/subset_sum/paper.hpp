/// \file
/// The figures of the subset-sum paper's chapter 6: an AMD FX-6100 with 8 GB, and a GTX 560 with 1 GB.
#pragma once

#include <clopt/subset_sum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clopt::apps::subset_sum::paper {

inline constexpr std::array<std::uint64_t, 7> sizes{10, 30, 100, 300, 1000, 3000, 10'000};

/// What stands where there are no seconds.
inline constexpr double out_of_memory = -1;
inline constexpr double beyond_1800 = -2;

/// A row of the tables 6.1 to 6.8: seconds by the number of items.
struct Row {
  std::string_view method;
  std::string_view instances;
  std::array<double, sizes.size()> seconds;
};

inline constexpr std::array<Row, 24> rows{{
    {"balsub", "half", {0.06, 0.19, 0.66, 1.93, 6.45, out_of_memory, out_of_memory}},
    {"balsub", "p", {0.06, 0.17, 0.64, 1.75, 5.48, out_of_memory, out_of_memory}},
    {"balsub", "uniform", {0.08, 0.19, 0.68, 2.01, 8.99, out_of_memory, out_of_memory}},
    {"decomp", "half", {0, 0, 0.14, 2.34, 37.22, 338.96, beyond_1800}},
    {"decomp", "p", {0, 0.01, 4.82, 59.42, 714.80, beyond_1800, out_of_memory}},
    {"decomp", "uniform", {0, 0, 0.08, 0.86, 3.75, 11.66, 38.30}},
    {"yanasse-soma", "half", {0, 0, 0.07, 0.88, 10.32, 92.04, beyond_1800}},
    {"yanasse-soma", "p", {0.01, 0.05, 1.64, 15.42, 170.94, beyond_1800, beyond_1800}},
    {"yanasse-soma", "uniform", {0, 0, 0.02, 0.29, 1.32, 4.72, 16.08}},
    {"bbe", "half", {0.07, 0.08, 0.17, 0.95, 9.61, out_of_memory, out_of_memory}},
    {"bbe", "p", {0.07, 0.14, 0.71, 3.47, out_of_memory, out_of_memory, out_of_memory}},
    {"bbe", "uniform", {0.06, 0.08, 0.09, 0.15, 0.38, 1.02, 3.10}},
    {"k1", "half", {0, 0, 0.07, 0.18, 1.61, 16.28, 194.08}},
    {"k1", "p", {0.06, 0.07, 0.15, 0.82, 9.39, 84.62, 0}},
    {"k1", "uniform", {0.06, 0.06, 0.06, 0.07, 0.08, 0.10, 0.21}},
    {"k2", "half", {0, 0, 0.08, 0.30, 2.76, out_of_memory, out_of_memory}},
    {"k2", "p", {0.06, 0.08, 0.21, 1.28, 12.27, 108.15, 0}},
    {"k2", "uniform", {0.06, 0.06, 0.06, 0.09, 0.15, 0.32, 1.00}},
    {"k3-16", "half", {0, 0, 0.05, 0.09, 0.32, 2.13, 22.16}},
    {"k3-16", "p", {0.05, 0.06, 0.14, 0.49, 2.45, 13.76, 0}},
    {"k3-16", "uniform", {0.05, 0.05, 0.05, 0.05, 0.06, 0.07, 0.12}},
    {"k3-32", "half", {0, 0, 0.05, 0.08, 0.24, 1.30, 12.57}},
    {"k3-32", "p", {0.05, 0.06, 0.11, 0.32, 1.33, 7.02, 0}},
    {"k3-32", "uniform", {0.05, 0.05, 0.05, 0.05, 0.06, 0.07, 0.11}},
}};

/// A figure; without seconds where the paper has a sign in their place.
struct Figure {
  double seconds;
};

/// The paper's figure for a method. Its times for Half fit weights up to 10^5, so half-small has them too.
inline std::optional<Figure> figure(std::string_view method, std::string_view instances, std::uint64_t items) {
  if (instances == "half-small") instances = "half";
  const auto* const size = std::find(sizes.begin(), sizes.end(), items);
  const auto* const row = std::find_if(
      rows.begin(), rows.end(), [&](const Row& each) { return each.method == method && each.instances == instances; });
  if (size == sizes.end() || row == rows.end()) return std::nullopt;
  return Figure{row->seconds[static_cast<std::size_t>(size - sizes.begin())]};
}

inline std::string text_of(const Figure& figure) {
  if (figure.seconds == out_of_memory) return "out of memory";
  if (figure.seconds == beyond_1800) return "> 1800 s";
  return fmt::format("{:.2f} s", figure.seconds);
}

/// Tables 6.10 and 6.11 in GB, the same for any number of items: the vector g, and K3's vectors of bits beside it.
inline std::string gigabytes(std::string_view method, std::uint64_t capacity) {
  if (method == "k1" || method == "k2" || method == "yanasse-soma")
    return capacity >= 1'000'000'000 ? "3.7" : capacity >= 100'000'000 ? "0.4" : "< 0.1";
  if (clopt::subset_sum::is_k3(method))
    return capacity >= 1'000'000'000 ? "0.2 + g 3.7" : capacity >= 100'000'000 ? "< 0.1 + g 0.4" : "< 0.1";
  return {};
}

}  // namespace clopt::apps::subset_sum::paper
