/// \file
/// What the exchange's paper reports of its twelve networks.
#pragma once

#include <cstdint>

#include <commands/solver.hpp>

namespace clopt::apps::exchange {

/// A line of the paper's table 1.
struct Evolved {
  const char* topology;
  std::uint32_t steps;
  std::uint32_t bound;
  double seconds;
  double rate;  ///< individuals a second on that processor, of table 2; 0: it has none
};

inline constexpr double minute = 60, hour = 3600, day = 86400;
inline constexpr Evolved evolved[] = {
    {"mesh:3x3", 6, 6, 2, 89572},
    {"mesh:4x4", 16, 16, 22 * minute + 7, 15930},
    {"mesh:5x5", 32, 32, 9 * hour + 20 * minute, 3588},
    {"mesh:6x6", 56, 54, 3 * day + 20 * hour, 504},
    {"hypercube:3", 4, 4, 1, 145077},
    {"hypercube:4", 9, 9, 10 * minute, 25845},
    {"hypercube:5", 16, 16, 2 * day + 8 * hour, 1369},
    {"hypercube:6", 35, 32, 2 * day + 18 * hour, 65},
    {"torus:3x3", 4, 4, 1, 0},
    {"torus:4x4", 9, 8, 19 * minute, 19498},
    {"torus:5x5", 16, 15, 7 * hour, 3695},
    {"torus:6x6", 30, 24, 1 * day + 12 * hour, 677},
};

/// The lower bounds of the paper's section 2.1, and its model of time.
BenchmarkTable bounds_table();

}  // namespace clopt::apps::exchange
