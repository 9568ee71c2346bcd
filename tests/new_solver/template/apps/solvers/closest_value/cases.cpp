/// \file
/// What `clopt validate` runs of the closest value.
#include <clopt/closest_value.hpp>

#include "solver.hpp"

namespace clopt::apps::closest_value {

std::vector<ValidationCase> validation_cases(bool) {
  const auto run = [](Device& device, const RunControl& control) {
    const auto result = clopt::closest_value::solve({{5, 1, 9, 7}}, {.wanted = 8}, device, control);
    ValidationOutcome outcome;
    outcome.checksum = result.checksum;
    if (result.index != 2) outcome.wrong = "9 is the first of those closest to 8";
    return outcome;
  };
  return {{"closest-value/scan/four", true, run}};
}

}  // namespace clopt::apps::closest_value
