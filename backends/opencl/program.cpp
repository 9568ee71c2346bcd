#include "program.hpp"

#include "build_apart.hpp"
#include "probes.hpp"

#include <clopt/activity.hpp>
#include <clopt/cache.hpp>
#include <clopt/kernel_source.hpp>
#include <clopt/streams.hpp>
#include <clopt/version.hpp>
#include <support/environment.hpp>
#include <support/log.hpp>

#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <vector>

namespace clopt::opencl {
namespace {

// PoCL remembers on disk what it compiles, unless told not to. Asked for a program's binary, it compiles every kernel
// of it once more, for work-groups of any size, which takes longer than all else.
bool remembers_itself(const cl::Device& device) {
  return compiles_when_launched(device) && environment::pocl_keeps_kernels();
}

// NVIDIA's compiler serves several threads. PoCL's builds wait for each other, those of Oclgrind, which calls itself a
// GPU, crash, and what others do is not known.
bool builds_at_once(const cl::Device& device) {
  return device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_") != std::string::npos;
}

std::string key_of(const std::string& identity, const std::string& options, const std::string& source) {
  return fmt::format("{}{}\n{}", identity, options, source);
}

}  // namespace

std::string identity_of(const cl::Device& device) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  return fmt::format("{}\n{}\n{}\n{}\n{}\nclopt {}\n", platform.getInfo<CL_PLATFORM_NAME>(),
                     platform.getInfo<CL_PLATFORM_VERSION>(), device.getInfo<CL_DEVICE_NAME>(),
                     device.getInfo<CL_DEVICE_VERSION>(), device.getInfo<CL_DRIVER_VERSION>(), version());
}

bool compiles_when_launched(const cl::Device& device) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  return platform.getInfo<CL_PLATFORM_NAME>() == "Portable Computing Language";
}

ProgramBuilder::ProgramBuilder(cl::Context context, cl::Device device, const DeviceInfo& description, std::string name)
    : context_(std::move(context)),
      device_(std::move(device)),
      info_(description),
      name_(std::move(name)),
      identity_(identity_of(device_)),
      driver_remembers_(remembers_itself(device_)),
      builds_at_once_(builds_at_once(device_)) {}

ProgramBuilder::~ProgramBuilder() {
  std::unique_lock lock(mutex_);
  const auto begun = std::exchange(built_, {});
  lock.unlock();
  for (const auto& [key, build] : begun)
    if (build.wait_for(std::chrono::seconds(0)) != std::future_status::deferred) build.wait();
}

std::shared_future<cl::Program> ProgramBuilder::build(std::string_view operation, const std::string& source,
                                                      const std::string& options, bool ahead) {
  const auto key = key_of(identity_, options, source);
  const std::lock_guard lock(mutex_);
  if (const auto found = built_.find(key); found != built_.end()) return found->second;
  const auto policy = ahead && builds_at_once_ ? std::launch::async : std::launch::deferred;
  auto result = std::async(policy, [this, key, source, options, operation = std::string(operation)] {
                  return make(operation, source, options, key);
                }).share();
  return built_[key] = result;
}

cl::Program ProgramBuilder::make(const std::string& operation, const std::string& source, const std::string& options,
                                 const std::string& key) {
  const DriverOutput hidden;
  try {
    cl::Program result;
    if (driver_remembers_) {
      // PoCL 3.1 fails where two processes put the same program into its cache at once.
      const auto turn = Cache::instance().wait_for_turn("program", key);
      result = compile(operation, source, options);
    } else if (!load(key, options, result)) {
      // The device's test, a process of its own, builds some of the same programs at the same time.
      const auto turn = Cache::instance().wait_for_turn("program", key);
      if (!turn.waited() || !load(key, options, result)) {
        result = compile_first(operation, source, options, key);
      }
    }
    return result;
  } catch (...) {
    // It may have lacked memory, and is tried again when it is asked for again.
    const std::lock_guard lock(mutex_);
    built_.erase(key);
    throw;
  }
}

// A compiler that aborts or hangs must not take this process with it. One of a processor is called in a process of its
// own, which starts at once; that of a GPU, whose driver takes longer to start than most programs to build, only where
// a build has ended a process before.
cl::Program ProgramBuilder::compile_first(const std::string& operation, const std::string& source,
                                          const std::string& options, const std::string& key) const {
  cl::Program result;
  const bool is_apart = info_.kind == DeviceKind::cpu || UnfinishedBuild::is_known(key);
  if (is_apart && build_apart(info_, name_, operation, source, options, key) && load(key, options, result))
    return result;
  const UnfinishedBuild unfinished(key);
  result = compile(operation, source, options);
  store(key, result);
  return result;
}

void ProgramBuilder::fill_cache(const std::string& operation, const std::string& source,
                                const std::string& options) const {
  store(key_of(identity_, options, source), compile(operation, source, options));
}

bool ProgramBuilder::load(const std::string& key, const std::string& options, cl::Program& program) const {
  const auto binary = Cache::instance().load("program", key);
  if (!binary) return false;
  try {
    program = cl::Program(context_, {device_}, {std::vector<unsigned char>(binary->begin(), binary->end())});
    program.build({device_}, options.c_str());
    return true;
  } catch (const cl::Error& error) {
    log("cache", fmt::format("{} does not take its own binary ({}): building anew", name_, status_name(error.err())));
    return false;
  }
}

void ProgramBuilder::store(const std::string& key, const cl::Program& program) const {
  try {
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (binaries.empty() || binaries.front().empty()) return;
    Cache::instance().store("program", key,
                            {reinterpret_cast<const char*>(binaries.front().data()), binaries.front().size()});
  } catch (const cl::Error& error) {
    log("cache", fmt::format("{} gives no binary ({})", name_, status_name(error.err())));
  }
}

cl::Program ProgramBuilder::compile(std::string_view operation, const std::string& source,
                                    const std::string& options) const {
  log("build", fmt::format("building {} bytes for {} with {}", source.size(), name_, options));
  const Activity activity(fmt::format("building {} for {} for the first time", operation, name_));
  cl::Program program = translate(name_, [&] { return cl::Program(context_, source); });
  try {
    program.build({device_}, options.c_str());
  } catch (const cl::Error& error) {
    std::string text;
    try {
      text = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
    } catch (const cl::Error&) {
      text = "(the driver gives no log)";
    }
    throw BuildError(fmt::format("a kernel does not build for {}: {}\noptions: {}\n{}", name_, status_name(error.err()),
                                 options, explain_log(text, source)));
  }
  return program;
}

bool ProgramBuilder::takes_option(const std::string& option) {
  return ask_once("option", identity_ + option, [&] {
    const DriverOutput hidden;
    try {
      cl::Program(context_, "kernel void nothing(global float *x) { *x = 0; }").build({device_}, option.c_str());
      return true;
    } catch (const cl::Error&) {
      return false;
    }
  });
}

}  // namespace clopt::opencl
