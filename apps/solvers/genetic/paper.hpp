/// \file
/// The figures of the genetic algorithm's paper, chapter 5 and appendices: a Titan V, and one core of a Xeon E5-2407;
/// 2000 generations of OneMax.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace clopt::apps::genetic::paper {

inline constexpr std::uint64_t generations = 2000;
inline constexpr std::array<std::uint32_t, 5> genes{32, 128, 256, 512, 1024};
inline constexpr std::array<std::uint32_t, 5> populations{32, 64, 128, 256, 512};
inline constexpr std::array<std::uint32_t, 6> individuals_per_group{1, 2, 4, 8, 16, 32};

/// Table 6.5: milliseconds of the processor, by genes and the first three populations.
inline constexpr std::array<std::array<double, 3>, 5> processor_milliseconds{{{119.3, 289.4, 786.1},
                                                                              {352.7, 762.7, 1748.9},
                                                                              {650.7, 1359.0, 2959.7},
                                                                              {1262.4, 2642.0, 5420.9},
                                                                              {2488.8, 5043.4, 10304.9}}};

/// How often a granularity is faster than the processor, by genes, individuals a group, population; 0: not measured.
using Speedups = std::array<std::array<std::array<double, 5>, 6>, 5>;

/// Table 6.1, which continues table 5.3: n-threads.
inline constexpr Speedups group{{{{{2.1, 3.9, 7.0, 12.7, 25.3},
                                   {2.3, 4.5, 9.0, 17.0, 34.8},
                                   {2.2, 4.6, 9.9, 20.6, 41.4},
                                   {2.2, 4.6, 10.1, 22.4, 46.7},
                                   {1.9, 4.2, 9.6, 22.1, 47.5},
                                   {1.6, 3.6, 8.3, 20.1, 47.3}}},
                                 {{{5.9, 9.7, 14.4, 22.2, 36.1},
                                   {6.2, 11.0, 17.7, 29.2, 48.4},
                                   {5.7, 10.7, 18.5, 32.2, 51.7},
                                   {4.7, 9.4, 18.5, 33.5, 57.3},
                                   {3.7, 7.3, 14.9, 30.3, 57.0},
                                   {2.5, 5.2, 10.9, 23.6, 50.9}}},
                                 {{{10.5, 15.8, 23.0, 32.6, 45.9},
                                   {10.2, 16.8, 26.7, 37.7, 55.0},
                                   {8.7, 16.3, 28.4, 42.4, 58.9},
                                   {6.7, 13.1, 24.8, 42.2, 62.8},
                                   {4.7, 9.3, 18.4, 36.0, 61.5},
                                   {2.9, 5.8, 11.9, 25.0, 50.9}}},
                                 {{{17.1, 27.0, 34.0, 45.0, 63.9},
                                   {16.8, 29.0, 40.2, 51.2, 71.7},
                                   {13.0, 24.6, 39.9, 54.6, 70.8},
                                   {9.0, 17.8, 33.1, 53.3, 74.3},
                                   {5.6, 11.2, 21.8, 41.7, 72.0},
                                   {3.2, 6.4, 12.8, 26.0, 53.0}}},
                                 {{{29.9, 41.2, 50.6, 65.3, 83.6},
                                   {25.4, 41.2, 55.4, 66.4, 83.8},
                                   {17.8, 33.4, 53.5, 70.4, 83.2},
                                   {10.9, 21.4, 40.7, 68.3, 84.4},
                                   {6.2, 12.3, 24.3, 47.3, 81.7},
                                   {3.3, 6.6, 13.3, 26.8, 54.1}}}}};

/// Table 6.1: the modified warp.
inline constexpr Speedups hybrid{{{{{2.1, 4.1, 7.5, 13.7, 27.7},
                                    {2.3, 4.7, 9.6, 17.8, 35.2},
                                    {2.3, 4.9, 10.3, 21.6, 44.2},
                                    {2.2, 4.8, 10.6, 22.7, 48.4},
                                    {2.0, 4.4, 9.8, 22.6, 49.1},
                                    {1.7, 3.6, 8.4, 20.3, 48.0}}},
                                  {{{5.6, 9.5, 15.3, 24.3, 41.0},
                                    {5.9, 10.7, 17.8, 29.2, 50.6},
                                    {5.6, 10.7, 18.9, 32.8, 55.0},
                                    {4.8, 9.4, 18.4, 33.5, 59.5},
                                    {3.7, 7.5, 15.2, 30.8, 58.4},
                                    {2.6, 5.3, 11.1, 23.8, 51.6}}},
                                  {{{8.8, 14.7, 23.4, 34.9, 50.4},
                                    {9.0, 15.6, 25.4, 37.4, 56.2},
                                    {8.1, 15.3, 27.1, 42.8, 61.9},
                                    {6.5, 12.6, 24.3, 41.6, 64.6},
                                    {4.7, 9.3, 18.5, 36.3, 62.6},
                                    {2.9, 5.9, 12.1, 25.4, 51.5}}},
                                  {{{13.3, 23.0, 32.6, 45.3, 63.2},
                                    {13.2, 23.6, 35.8, 48.9, 70.2},
                                    {11.1, 21.7, 35.9, 53.2, 72.1},
                                    {8.4, 16.7, 31.1, 51.2, 76.0},
                                    {5.5, 11.1, 21.6, 41.5, 73.3},
                                    {3.2, 6.6, 13.0, 26.4, 54.0}}},
                                  {{{19.1, 31.0, 44.2, 61.5, 80.3},
                                    {17.5, 29.8, 45.3, 60.1, 79.6},
                                    {14.0, 26.7, 45.1, 66.1, 81.1},
                                    {9.9, 19.3, 36.9, 63.6, 84.0},
                                    {6.1, 12.1, 23.8, 46.6, 81.8},
                                    {3.4, 6.8, 13.5, 27.2, 55.0}}}}};

/// Table 5.3: the warp.
inline constexpr Speedups subgroup{
    {{{{1.8, 3.1, 3.5}, {2.0, 3.4, 3.8}, {2.0, 3.5, 4.0}, {1.9, 3.4, 3.9}, {1.7, 3.2, 3.7}, {1.4, 2.7, 3.3}}},
     {{{3.6, 4.9, 4.8}, {4.4, 6.3, 5.2}, {4.6, 6.9, 5.7}, {4.1, 6.7, 5.9}, {3.2, 5.6, 5.8}, {2.3, 4.1, 4.8}}},
     {{{4.6, 5.5, 5.0}, {6.0, 7.8, 5.8}, {6.4, 8.8, 6.6}, {5.5, 8.6, 7.0}, {4.1, 7.0, 6.9}, {2.6, 4.8, 5.7}}},
     {{{5.5, 6.3, 5.0}, {7.8, 9.5, 7.4}, {8.5, 11.7, 9.0}, {7.0, 11.5, 9.9}, {4.9, 8.6, 8.9}, {3.0, 5.6, 7.1}}},
     {{{6.2, 6.9, 5.8}, {9.5, 10.8, 9.8}, {10.8, 14.9, 13.3}, {8.5, 14.6, 15.4}, {5.5, 10.1, 12.9}, {3.2, 6.1, 9.1}}}}};

/// Table 5.2: microseconds and part of a stage, 128 individuals of 1024 genes, 8 a group.
struct StageFigure {
  std::string_view granularity;
  std::string_view stage;
  double microseconds;
  double percent;  ///< of the time of all stages
};
inline constexpr std::array<StageFigure, 9> stages{{{"subgroup", "selection", 197.49, 60.74},
                                                    {"subgroup", "crossover", 43.22, 13.29},
                                                    {"subgroup", "mutation", 69.13, 21.26},
                                                    {"subgroup", "evaluation", 9.23, 2.84},
                                                    {"group", "selection", 17.19, 14.67},
                                                    {"group", "crossover", 33.09, 28.24},
                                                    {"group", "mutation", 54.83, 46.79},
                                                    {"group", "evaluation", 5.99, 5.12},
                                                    {"group", "replacement", 3.16, 2.69}}};

/// The paper's figures for a shape; none where it has none.
struct Figure {
  double speedup = 0;
  std::optional<double> seconds;            ///< the speed-up applied to the processor's time
  std::optional<double> processor_seconds;  ///< of 2000 generations
};

inline std::optional<Figure> figure(std::string_view granularity, std::uint32_t n, std::uint32_t population,
                                    std::uint32_t per_group) {
  const auto place = [](const auto& list, std::uint32_t value) {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
  };
  const auto row = place(genes, n);
  const auto column = place(populations, population);
  const auto line = place(individuals_per_group, per_group);
  if (row == genes.size() || column == populations.size() || line == individuals_per_group.size()) return std::nullopt;
  const Speedups* table = granularity == "group"      ? &group
                          : granularity == "hybrid"   ? &hybrid
                          : granularity == "subgroup" ? &subgroup
                                                      : nullptr;
  if (!table || (*table)[row][line][column] == 0) return std::nullopt;
  Figure result{(*table)[row][line][column], std::nullopt, std::nullopt};
  if (column < processor_milliseconds[row].size()) {
    result.processor_seconds = processor_milliseconds[row][column] / 1e3;
    result.seconds = *result.processor_seconds / result.speedup;
  }
  return result;
}

}  // namespace clopt::apps::genetic::paper
