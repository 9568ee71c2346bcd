/// \file
/// The sub-groups of a device: detected by running them, once for each driver.
#pragma once

#include "opencl.hpp"

#include <clopt/device.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace clopt::opencl {

class ClDevice;

/// What the expanded source of a kernel that uses sub-groups contains.
inline constexpr std::string_view subgroup_marker = "CLOPT_COMMON_SUBGROUP_CL";

/// The lines that make common/subgroup.cl use a provider.
std::string subgroup_definitions(const Subgroup& subgroup);

/// Those that are tried first.
Subgroup likely_subgroups(const DeviceInfo& info, const cl::Device& cl_device);

/// Whether choose_subgroups() would find its answer remembered.
bool knows_subgroups(const DeviceInfo& info, const cl::Device& cl_device, const std::string& identity);

/// Has the sub-groups of a device tried in a process of its own. Where that does not end well, emulated ones serve, and
/// that is remembered. \returns none where no process could be started.
std::optional<Subgroup> ask_for_subgroups(const DeviceInfo& info, const cl::Device& cl_device,
                                          const std::string& identity);

/// A text, and what is in it. \throws InvalidInput for another text.
std::string text_of(const Subgroup& subgroup);
Subgroup subgroup_in(const std::string& text);

/// Chooses the first provider that gives, for whole and for partial sub-groups, what emulation gives on this device.
/// \param identity of device and driver, under which the answer is remembered.
/// \throws InvalidInput where CLOPT_SUBGROUPS names a provider that does not work here.
Subgroup choose_subgroups(ClDevice& device, const cl::Device& cl_device, const std::string& identity);

}  // namespace clopt::opencl
