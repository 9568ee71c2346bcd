/// \file
/// Building programs, in memory and in the cache on disk.
#pragma once

#include "helper_builds.hpp"
#include "opencl.hpp"

#include <clopt/device.hpp>
#include <clopt/program.hpp>

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace clopt::opencl {

/// The compiler's option for divisions and square roots that are rounded correctly.
inline constexpr const char* correctly_rounded = "-cl-fp32-correctly-rounded-divide-sqrt";

/// Whether the driver is PoCL, which compiles a kernel when it is first launched with work-groups of a size.
bool compiles_when_launched(const cl::Device& device);

/// Platform, device and driver with their versions: what a built program or a probe's answer depends on.
std::string identity_of(const cl::Device& device);

/// Whether the driver's compiler serves several threads. NVIDIA's does. PoCL's builds wait for each other, those of
/// Oclgrind, which calls itself a GPU, crash, and what others do is not known.
bool builds_at_once(const cl::Device& device);

/// Builds programs for one device and remembers them.
class ProgramBuilder {
 public:
  ProgramBuilder(SharedContext context, cl::Device device, const DeviceInfo& description, SharedLabel label);
  ProgramBuilder(const ProgramBuilder&) = delete;
  ProgramBuilder& operator=(const ProgramBuilder&) = delete;

  /// Builds an expanded source, or finds it built in memory, in the cache or in the one of the driver. Threads that
  /// want the same program build it once.
  /// \throws BuildError with device, options and log.
  cl::Program build(const ProgramText& program);
  /// Waits for the device's context, whether or not it can be made.
  void wait_for_context() const { context_.wait(); }
  /// Whether several programs may be built at once.
  bool builds_at_once() const { return builds_at_once_; }

  /// Compiles a program and keeps it in the cache: in a process of its own, for one that asks by build_question.
  void fill_cache(const ProgramText& program) const;
  /// The same, unless it is there or another process builds it; the process that uses the program reports its errors.
  void fill_cache_if_free(const ProgramText& program) const;

  /// Whether the compiler takes an option. Asked by building one line, and remembered, where the device does not say
  /// so.
  bool takes_option(const std::string& option);

  /// identity_of() the device.
  const std::string& identity() const { return identity_; }

 private:
  cl::Program make(const ProgramText& program, const std::string& key);
  cl::Program make_in_turn(const ProgramText& program, const std::string& key);
  bool load(const std::string& key, const std::string& options, cl::Program& program) const;
  void store(const std::string& key, const cl::Program& program) const;
  cl::Program compile(const ProgramText& wanted) const;
  cl::Program compile_first(const ProgramText& program, const std::string& key) const;

  SharedContext context_;
  cl::Device device_;
  DeviceInfo info_;
  SharedLabel label_;
  std::string identity_;
  bool driver_remembers_;
  bool builds_at_once_;
  std::timed_mutex compiling_;                       // where the driver builds several at once
  std::unique_ptr<ParallelBuilds> parallel_builds_;  // the same
  std::mutex mutex_;
  std::map<std::string, std::shared_future<cl::Program>> built_;
};

}  // namespace clopt::opencl
