#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <primitives/barrier.hpp>

#include <fmt/format.h>

namespace clopt::subset_sum {

std::optional<double> barrier_seconds(Device& device, std::string_view barrier, std::uint32_t groups) {
  constexpr std::uint32_t group_size = 256;
  if (barrier != "xiao-feng" && barrier != "cyclic")
    throw InvalidInput(fmt::format("subset-sum: there is no barrier '{}'; choose xiao-feng or cyclic", barrier));
  const auto kind = barrier == "cyclic" ? primitives::BarrierKind::cyclic : primitives::BarrierKind::xiao_feng;
  const auto support = primitives::probe_barrier(device, groups, group_size, kind);
  return support.groups == groups ? std::optional(support.seconds) : std::nullopt;
}

}  // namespace clopt::subset_sum
