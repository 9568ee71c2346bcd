/// \file
/// Features of a device that its driver does not report: detected by running them, once for each driver.
#pragma once

#include <functional>
#include <string>

namespace clopt::opencl {

class ClDevice;

/// The cached answer to a question about a device, or that of a new probe.
/// \param question a word; \param identity of device and driver.
bool ask_once(const std::string& question, const std::string& identity, const std::function<bool()>& ask);

/// Whether a loop of a work-item may take many steps.
bool probe_long_loops(ClDevice& device, const std::string& identity);

}  // namespace clopt::opencl
