/// \file
/// Building programs, in memory and in the cache on disk.
#pragma once

#include "opencl.hpp"

#include <clopt/device.hpp>
#include <clopt/program.hpp>

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace clopt::opencl {

/// Whether the driver is PoCL, which compiles a kernel when it is first launched with work-groups of a size.
bool compiles_when_launched(const cl::Device& device);

/// Platform, device and driver with their versions: what a built program or a probe's answer depends on.
std::string identity_of(const cl::Device& device);

/// Builds programs for one device and remembers them.
class ProgramBuilder {
 public:
  /// \param name what messages call the device.
  ProgramBuilder(cl::Context context, cl::Device device, const DeviceInfo& description, std::string name);
  /// Waits for builds that were begun.
  ~ProgramBuilder();
  ProgramBuilder(const ProgramBuilder&) = delete;
  ProgramBuilder& operator=(const ProgramBuilder&) = delete;

  /// Builds an expanded source, or finds it built in memory, in the cache or in the one of the driver.
  /// \param operation what messages call it; \param options the compiler's.
  /// \param ahead whether to begin only, in a thread of its own, where the driver builds several programs at once;
  /// else get() of the result builds. The builder must live until then.
  /// \returns what throws BuildError with device, options and log.
  std::shared_future<cl::Program> build(std::string_view operation, const std::string& source,
                                        const std::string& options, bool ahead);

  /// Compiles a source and keeps it in the cache: in a process of its own, for one that asks by build_question.
  void fill_cache(const std::string& operation, const std::string& source, const std::string& options) const;

  /// Whether the compiler takes an option. Asked by building one line; remembered.
  bool takes_option(const std::string& option);

  /// identity_of() the device.
  const std::string& identity() const { return identity_; }

 private:
  cl::Program make(const std::string& operation, const std::string& source, const std::string& options,
                   const std::string& key);
  bool load(const std::string& key, const std::string& options, cl::Program& program) const;
  void store(const std::string& key, const cl::Program& program) const;
  cl::Program compile(std::string_view operation, const std::string& source, const std::string& options) const;
  cl::Program compile_first(const std::string& operation, const std::string& source, const std::string& options,
                            const std::string& key) const;

  cl::Context context_;
  cl::Device device_;
  DeviceInfo info_;
  std::string name_;
  std::string identity_;
  bool driver_remembers_;
  bool builds_at_once_;
  std::mutex mutex_;
  std::map<std::string, std::shared_future<cl::Program>> built_;
};

}  // namespace clopt::opencl
