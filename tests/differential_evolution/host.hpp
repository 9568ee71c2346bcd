/// \file
/// What tests of whole runs have in common: built-in problems, and the host as a device.
#pragma once

#include <clopt/devices.hpp>
#include <clopt/differential_evolution.hpp>

#include <cstddef>
#include <memory>

namespace clopt::test {

inline differential_evolution::Problem problem_of(const char* objective, std::size_t dimensions, std::size_t problems) {
  differential_evolution::Problem problem{Objective::named(objective)};
  problem.dimensions = dimensions;
  problem.problems = problems;
  return problem;
}

inline std::shared_ptr<Device> host(unsigned threads) {
  DeviceOptions options;
  options.threads = threads;
  options.self_test = false;
  return open_device("openmp:0", options);
}

}  // namespace clopt::test
