/// \file
/// What a device can do that its driver does not tell: found out by running it, once for each driver.
#pragma once

#include <functional>
#include <string>

namespace clopt::opencl {

class ClDevice;

/// The remembered answer to a question about a device, or the one that asking gives.
/// \param question a word; \param identity of device and driver.
bool ask_once(const std::string& question, const std::string& identity, const std::function<bool()>& ask);

/// Whether a loop of a work-item may take many steps.
bool probe_long_loops(ClDevice& device, const std::string& identity);

}  // namespace clopt::opencl
