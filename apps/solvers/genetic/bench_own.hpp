/// \file
/// How the benchmarks of the genetic algorithm measure a run, and their tables that no paper has.
#pragma once

#include <clopt/genetic.hpp>

#include <optional>
#include <string>
#include <vector>

#include <commands/solver.hpp>

namespace clopt::apps::genetic {

inline constexpr std::uint32_t usual_per_group = 8;

/// What is run, on OneMax with the paper's operators.
struct Shape {
  std::uint32_t genes;
  std::uint64_t population;
  std::uint64_t generations;
  std::string granularity;
  std::uint32_t per_group = usual_per_group;
  bool stages = false;
  std::string selection = "roulette";
  std::uint32_t group_size = 0;
};

/// How it went.
struct Measurement {
  std::optional<clopt::genetic::Result> result;  ///< none where it did not end by itself
  std::string note;                              ///< why there is none
};

/// One run. \param number of the run, which gives its seed.
Measurement measure_once(const Shape& shape, const BenchmarkOptions& bench, Device& device, std::uint32_t number = 0);
/// The quickest of a few runs, where they are short.
Measurement measure(const Shape& shape, const BenchmarkOptions& bench, Device& device);

/// Large populations, and `auto` against the best granularity.
std::vector<BenchmarkTable> own_tables();

}  // namespace clopt::apps::genetic
