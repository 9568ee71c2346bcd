/// \file
/// How the primitives share a buffer out among work-groups.
#pragma once

#include <clopt/device.hpp>

#include <algorithm>
#include <cstdint>

#include "operations.hpp"

namespace clopt::primitives {

/// The sections of a buffer, one for each work-group of a launch.
struct Sections {
  std::uint64_t count = 1;
  std::uint64_t elements = 0;  ///< of each but the last ones
};

/// The most sections that a device is given: enough groups for all of it, few enough for one group to finish.
inline std::uint64_t most_sections(const Device& device) {
  constexpr std::uint64_t sections_a_unit = 8;
  constexpr std::uint64_t most = 2048;
  return std::min(device.info().compute_units * sections_a_unit, most);
}

/// Cuts \p count elements into at most \p most sections, none of them too small to be worth a work-group.
inline Sections sections_of(std::uint64_t count, std::uint64_t most) {
  constexpr std::uint64_t least_elements = 4 * most_group_size;
  const auto even = (count + most - 1) / most;
  const auto elements = std::max((even + most_group_size - 1) / most_group_size * most_group_size, least_elements);
  return {std::max<std::uint64_t>((count + elements - 1) / elements, 1), elements};
}

/// The work-groups of a launch of one of the primitives' kernels.
template <class... Parameters>
Range groups_of(const Kernel<Parameters...>& kernel, std::uint64_t groups) {
  return Range::of_groups(groups, std::min(kernel.max_group_size(), most_group_size));
}

}  // namespace clopt::primitives
