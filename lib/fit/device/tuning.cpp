#include <clopt/fit.hpp>

#include <fmt/format.h>

namespace clopt::fit {

std::optional<std::string> tune(Device& device, const RunControl& control) {
  constexpr std::size_t rows = 100'000;
  constexpr std::size_t columns = 16;
  std::vector<double> data;
  for (std::size_t i = 0; i < rows * columns; ++i)
    data.push_back(1 + 16.0 / static_cast<double>(1 + i % columns) + 0.01 * static_cast<double>(i * 7 % 11));
  Problem problem{Model::named("exponential"), std::move(data), columns};
  problem.parameters = 3;
  problem.guess = {15, 0.5, 1};
  const auto result = solve(problem, {}, device, control);
  if (result.interrupted()) return std::nullopt;
  return fmt::format(R"({{"fits_a_second": {:.0f}}})", rows / result.seconds.compute);
}

}  // namespace clopt::fit
