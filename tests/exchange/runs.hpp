/// \file
/// Runs of the solver on the device under test.
#pragma once

#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace clopt::test {

/// Solves, and checks what must be true of every result.
inline exchange::Result solve_here(const exchange::Problem& problem, const exchange::Options& options = {},
                                   const RunControl& control = {}) {
  auto result = exchange::solve(problem, options, device(), control);
  BOOST_TEST(result.schedule.placements.size() == problem.transfers.size());
  BOOST_TEST(exchange::count_conflicts(problem, result.schedule) == result.conflicts);
  if (result.conflicts == 0) BOOST_TEST(exchange::check(problem, exchange::claim(problem, result.schedule)) == "");
  BOOST_TEST(exchange::bound_of(problem, result.bound.weights) == result.bound.steps);
  BOOST_TEST(result.schedule.steps >= result.bound.steps);
  return result;
}

/// Solving is refused with a message that has this in it.
inline void refuses(const exchange::Problem& problem, const exchange::Options& options, const std::string& because) {
  BOOST_CHECK_EXCEPTION(exchange::solve(problem, options, device()), InvalidInput, [&](const InvalidInput& error) {
    BOOST_TEST_INFO(error.what());
    BOOST_TEST(std::string(error.what()).find(because) != std::string::npos, error.what()
                                                                                 << " does not say: " << because);
    return true;
  });
}

}  // namespace clopt::test
