/// \file
/// Twins of kernels_cl/closest_value.
#include <openmp/twin.hpp>

#include <generated/operations/closest_value.hpp>

#include <cstdint>

namespace clopt::openmp::closest_value {

const Twin distances{Implementation([](const Range&, const clopt::closest_value::operations::Distances& arguments) {
  const std::uint64_t wanted = arguments.wanted;
  const auto count = static_cast<std::int64_t>(*arguments.count);
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < count; ++item) {
    const auto i = static_cast<std::size_t>(item);
    const auto value = arguments.values[i];
    arguments.results[i] = value > wanted ? value - wanted : wanted - value;
  }
})};

}  // namespace clopt::openmp::closest_value
