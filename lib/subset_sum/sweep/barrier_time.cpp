#include <clopt/device.hpp>
#include <clopt/subset_sum.hpp>
#include <device/verification/barrier.hpp>

namespace clopt::subset_sum {

std::optional<double> barrier_seconds(Device& device, Barrier barrier, std::uint32_t groups) {
  constexpr std::uint32_t group_size = 256;
  const auto kind = barrier == Barrier::cyclic ? BarrierKind::cyclic : BarrierKind::xiao_feng;
  const auto support = probe_barrier(device, groups, group_size, kind);
  return support.groups == groups ? std::optional(support.seconds) : std::nullopt;
}

}  // namespace clopt::subset_sum
