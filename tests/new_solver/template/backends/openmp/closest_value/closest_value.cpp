/// \file
/// Twins of kernels_cl/closest_value.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <generated/operations/closest_value.hpp>

#include <cstdint>

namespace clopt::openmp::closest_value {

const Twin distances{Implementation([](const Range&, const clopt::closest_value::operations::Distances& arguments) {
  const std::uint64_t wanted = arguments.wanted;
  constexpr std::uint64_t worth_a_thread = 4096;
  for_each_index(*arguments.count, worth_a_thread, [&](std::uint64_t i) {
    const auto value = arguments.values[i];
    arguments.results[i] = value > wanted ? value - wanted : wanted - value;
  });
})};

}  // namespace clopt::openmp::closest_value
