/// \file
/// The sub-groups of a device: detected by running them, once for each driver.
#pragma once

#include "opencl.hpp"

#include <clopt/device.hpp>

#include <string>
#include <string_view>

namespace clopt::opencl {

class ClDevice;

/// What the expanded source of a kernel that uses sub-groups contains.
inline constexpr std::string_view subgroup_marker = "CLOPT_COMMON_SUBGROUP_CL";

/// The lines that make common/subgroup.cl use a provider.
std::string subgroup_definitions(const Subgroup& subgroup);

/// Chooses the first provider that gives, for whole and for partial sub-groups, what emulation gives on this device.
/// \param identity of device and driver, under which the answer is remembered.
/// \throws InvalidInput where CLOPT_SUBGROUPS names a provider that does not work here.
Subgroup choose_subgroups(ClDevice& device, const cl::Device& cl_device, const std::string& identity);

}  // namespace clopt::opencl
