/// \file
/// What tests of whole runs begin with.
#pragma once

#include <clopt/ecga.hpp>

#include <cstdint>
#include <string>

namespace clopt::test {

inline ecga::Problem problem_of(const std::string& objective, std::uint32_t length) {
  return {ecga::find_objective(objective), length};
}

inline ecga::Options options_of(std::uint64_t population) {
  ecga::Options options;
  options.population = population;
  return options;
}

}  // namespace clopt::test
