#include <clopt/device.hpp>
#include <clopt/fit.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clopt::fit {

std::string self_test(Device& device) {
  // Of the library's OpenMP backend no compiler is asked for, which need not be there.
  if (device.info().launches_are_calls) return {};
  Problem problem{Model::named("line"), {1, 3, 5, 7, 2, 1, 0, -1}, 4};
  problem.parameters = 2;
  problem.guess = {0.5, 0.5};
  const auto result = solve(problem, {}, device);
  const double right[] = {1, 2, 2, -1};
  for (std::size_t i = 0; i < 4; ++i)
    if (!(std::abs(result.parameters[i] - right[i]) < 1e-5))
      return fmt::format("parameter {} of the line of row {} is {} in place of {}", i % 2, i / 2, result.parameters[i],
                         right[i]);
  return {};
}

}  // namespace clopt::fit
