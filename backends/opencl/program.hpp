/// \file
/// Building programs, in memory and in the cache on disk.
#pragma once

#include "opencl.hpp"

#include <clopt/program.hpp>

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace clopt::opencl {

/// Whether the driver is PoCL, which compiles a kernel when it is first launched with work-groups of a size.
bool compiles_when_launched(const cl::Device& device);

/// Builds programs for one device and remembers them.
class ProgramBuilder {
 public:
  /// \param name what messages call the device.
  ProgramBuilder(cl::Context context, cl::Device device, std::string name);

  /// Builds an expanded source, or finds it built in memory, in the cache or in the one of the driver.
  /// \param operation what messages call it; \param options the compiler's.
  /// \throws BuildError with device, options and log.
  cl::Program build(std::string_view operation, const std::string& source, const std::string& options);

  /// Whether the compiler takes an option. Asked by building one line; remembered.
  bool takes_option(const std::string& option);

  /// Platform, device and driver with their versions: what a built program or a probe's answer depends on.
  const std::string& identity() const { return identity_; }

 private:
  bool load(const std::string& key, const std::string& options, cl::Program& program) const;
  void store(const std::string& key, const cl::Program& program) const;
  cl::Program compile(std::string_view operation, const std::string& source, const std::string& options) const;

  cl::Context context_;
  cl::Device device_;
  std::string name_;
  std::string identity_;
  bool driver_remembers_;
  std::mutex mutex_;
  std::map<std::string, cl::Program> built_;
};

}  // namespace clopt::opencl
