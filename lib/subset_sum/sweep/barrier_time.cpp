#include <clopt/device.hpp>
#include <clopt/subset_sum.hpp>
#include <device/verification/barrier.hpp>

namespace clopt::subset_sum {
namespace {

constexpr std::uint32_t group_size = 256;

}  // namespace

std::optional<double> barrier_seconds(Device& device, Barrier barrier, std::uint32_t groups) {
  const auto kind = barrier == Barrier::cyclic ? BarrierKind::cyclic : BarrierKind::xiao_feng;
  const auto support = probe_barrier(device, groups, group_size, kind);
  return support.groups == groups ? std::optional(support.seconds) : std::nullopt;
}

std::optional<double> step_seconds(Device& device, std::uint32_t groups, bool launches) {
  return clopt::step_seconds(device, groups, group_size, launches);
}

}  // namespace clopt::subset_sum
