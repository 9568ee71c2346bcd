/// \file
/// Whether the work-groups of a launch can synchronise on a device (kernels_cl/common/barrier.cl).
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace clopt {

/// The barriers over work-groups of the subset-sum paper, section 2.1.6.
enum class BarrierKind {
  xiao_feng,  ///< all groups wait for all: Xiao and Feng's lock-free barrier with the paper's correction
  cyclic      ///< each group waits for the one before, the first one for the last one's step before
};

/// What a device's work-groups can do.
struct BarrierSupport {
  std::uint32_t groups = 0;  ///< how many work-groups can cross, of those tried; 0: not supported
  std::uint32_t polls =
      0;               ///< how long a work-item should poll before it gives up: the bound that the probe ended with
  double seconds = 0;  ///< of one crossing, with the launch's share
  std::string reason;  ///< why it is not supported, or fewer groups than were asked for
};

/// Tries a barrier on a device: every work-item writes, its group crosses, others' numbers are read, some hundred
/// times. Starts with \p groups and halves them until they cross. Every wait is bounded, so that a device that runs its
/// groups one after the other answers "not supported" in some tens of milliseconds, instead of hanging. An answer holds
/// for kernels of \p group_size that take no more registers or local memory than the probe: a kernel that uses a
/// barrier keeps its own bound and has a path without it. \param groups, group_size at least 1; group_size is clamped
/// to what the kernel allows. \throws DeviceError where the device fails, not where it has no barrier.
BarrierSupport probe_barrier(Device& device, std::uint32_t groups, std::uint32_t group_size,
                             BarrierKind kind = BarrierKind::xiao_feng);

/// Seconds of a step of the same work without a barrier. \param launches whether each step is a launch, which then is
/// the barrier; else all are one launch. \returns none where the device cannot build the probe. \throws DeviceError.
std::optional<double> step_seconds(Device& device, std::uint32_t groups, std::uint32_t group_size, bool launches);

}  // namespace clopt
