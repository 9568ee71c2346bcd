/// \file
/// What tests of whole runs have in common: built-in problems, and the host as a device.
#pragma once

#include <clopt/devices.hpp>
#include <clopt/differential_evolution.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace clopt::test {

inline differential_evolution::Problem problem_of(const char* objective, std::size_t dimensions, std::size_t problems) {
  differential_evolution::Problem problem{Objective::named(objective)};
  problem.dimensions = dimensions;
  problem.problems = problems;
  return problem;
}

/// Options of the classical algorithm, which the numbers that tests expect are of.
inline differential_evolution::Options classical() {
  differential_evolution::Options options;
  options.adapt = "none";
  return options;
}

inline std::shared_ptr<Device> host(unsigned threads) {
  DeviceOptions options;
  options.threads = threads;
  options.self_test = false;
  return open_device("openmp:0", options);
}

inline void require_same(const differential_evolution::Statistics& row,
                         const differential_evolution::Statistics& expected) {
  BOOST_TEST(row.generation == expected.generation);
  BOOST_TEST(row.running == expected.running);
  BOOST_TEST(row.evaluations == expected.evaluations);
  BOOST_TEST(row.best == expected.best);
  BOOST_TEST(row.mean == expected.mean);
  BOOST_TEST(row.worst == expected.worst);
}

/// \param rows as many as expected, or the first of them.
inline void require_first(std::span<const differential_evolution::Statistics> rows,
                          std::span<const differential_evolution::Statistics> expected) {
  BOOST_REQUIRE(rows.size() <= expected.size());
  for (std::size_t n = 0; n < rows.size(); ++n) require_same(rows[n], expected[n]);
}

inline void require_same(std::span<const differential_evolution::Statistics> rows,
                         std::span<const differential_evolution::Statistics> expected) {
  BOOST_TEST(rows.size() == expected.size());
  require_first(rows, expected);
}

}  // namespace clopt::test
