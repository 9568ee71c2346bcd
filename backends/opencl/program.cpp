#include "program.hpp"

#include "probes.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/kernel_source.hpp>
#include <clopt/detail/streams.hpp>
#include <clopt/version.hpp>
#include <support/process/environment.hpp>
#include <support/process/log.hpp>

#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace clopt::opencl {
namespace {

// While a thread waits for the compiler, how soon it sees that another process has built its program.
constexpr auto look_again = std::chrono::milliseconds(2);

constexpr std::string_view program_kind = "program";  // in the cache

// PoCL caches on disk what it compiles, unless that is disabled. Asked for a program's binary, it compiles every kernel
// of it once more, for work-groups of any size, which takes longer than all else.
bool remembers_itself(const cl::Device& device) {
  return compiles_when_launched(device) && environment::pocl_keeps_kernels();
}

// OpenCL 1.2, 5.6.4.2: the option may be given where the device reports the property.
bool divides_correctly(const cl::Device& device) {
  return (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
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

bool builds_at_once(const cl::Device& device) {
  return device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_") != std::string::npos;
}

ProgramBuilder::ProgramBuilder(SharedContext context, cl::Device device, const DeviceInfo& description,
                               SharedLabel label)
    : context_(std::move(context)),
      device_(std::move(device)),
      info_(description),
      label_(std::move(label)),
      identity_(identity_of(device_)),
      driver_remembers_(remembers_itself(device_)),
      builds_at_once_(opencl::builds_at_once(device_)) {
  if (builds_at_once_) parallel_builds_ = std::make_unique<ParallelBuilds>(description);
}

cl::Program ProgramBuilder::build(const ProgramText& program) {
  const auto key = key_of(identity_, program.options, program.source);
  std::unique_lock lock(mutex_);
  auto& place = built_[key];
  // The first thread that waits builds.
  if (!place.valid())
    place = std::async(std::launch::deferred, [this, key, program] { return make(program, key); }).share();
  const auto result = place;
  lock.unlock();
  return result.get();
}

cl::Program ProgramBuilder::make(const ProgramText& program, const std::string& key) {
  const DriverOutput hidden;
  try {
    cl::Program result;
    if (driver_remembers_) {
      // PoCL 3.1 fails where two processes put the same program into its cache at once.
      const auto turn = Cache::instance().wait_for_turn(program_kind, key);
      result = compile(program);
    } else if (!load(key, program.options, result)) {
      result = make_in_turn(program, key);
    }
    return result;
  } catch (...) {
    // It may have lacked memory, and is tried again when it is asked for again.
    const std::lock_guard lock(mutex_);
    built_.erase(key);
    throw;
  }
}

// The device's test, a process of its own, builds some of the same programs at the same time. Waiting for another
// process's build must not delay this process's next program.
cl::Program ProgramBuilder::make_in_turn(const ProgramText& program, const std::string& key) {
  cl::Program result;
  const auto& cache = Cache::instance();
  if (!parallel_builds_) {
    const auto turn = cache.wait_for_turn(program_kind, key);
    return turn.waited() && load(key, program.options, result) ? result : compile_first(program, key);
  }
  context_.wait();
  const ParallelBuilds::Offer offer(*parallel_builds_, program);
  std::unique_lock one(compiling_, std::defer_lock);
  do
    if (load(key, program.options, result)) return result;
  while (!one.try_lock_for(look_again));
  if (const auto turn = cache.take_turn(program_kind, key))
    return load(key, program.options, result) ? result : compile_first(program, key);
  one.unlock();
  const auto turn = cache.wait_for_turn(program_kind, key);
  if (load(key, program.options, result)) return result;
  one.lock();
  return compile_first(program, key);
}

// A compiler that aborts or hangs must not take this process with it. One of a processor is called in a process of its
// own, which starts at once; that of a GPU, whose driver takes longer to start than most programs to build, only where
// a build has ended a process before.
cl::Program ProgramBuilder::compile_first(const ProgramText& program, const std::string& key) const {
  cl::Program result;
  const bool is_isolated = info_.kind == DeviceKind::cpu || UnfinishedBuild::is_known(key);
  if (is_isolated && build_isolated(info_, label_->text, program, key) && load(key, program.options, result))
    return result;
  const UnfinishedBuild unfinished(key);
  result = compile(program);
  store(key, result);
  return result;
}

void ProgramBuilder::fill_cache(const ProgramText& program) const {
  store(key_of(identity_, program.options, program.source), compile(program));
}

void ProgramBuilder::fill_cache_if_free(const ProgramText& program) const {
  const auto key = key_of(identity_, program.options, program.source);
  const auto& cache = Cache::instance();
  const auto turn = cache.take_turn(program_kind, key);
  if (!turn || cache.load(program_kind, key) || UnfinishedBuild::is_known(key)) return;
  try {
    fill_cache(program);
  } catch (const Error& error) {
    log("build", error.what());
  }
}

bool ProgramBuilder::load(const std::string& key, const std::string& options, cl::Program& program) const {
  const auto binary = Cache::instance().load(program_kind, key);
  if (!binary) return false;
  try {
    program = cl::Program(await(context_), {device_}, {std::vector<unsigned char>(binary->begin(), binary->end())});
    program.build({device_}, options.c_str());
    return true;
  } catch (const cl::Error& error) {
    log("cache",
        fmt::format("{} does not take its own binary ({}): building anew", label_->text, status_name(error.err())));
    return false;
  }
}

void ProgramBuilder::store(const std::string& key, const cl::Program& program) const {
  try {
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    if (binaries.empty() || binaries.front().empty()) return;
    Cache::instance().store(program_kind, key,
                            {reinterpret_cast<const char*>(binaries.front().data()), binaries.front().size()});
  } catch (const cl::Error& error) {
    log("cache", fmt::format("{} gives no binary ({})", label_->text, status_name(error.err())));
  }
}

cl::Program ProgramBuilder::compile(const ProgramText& wanted) const {
  const auto& source = wanted.source;
  const auto& options = wanted.options;
  log("build", fmt::format("building {} bytes for {} with {}", source.size(), label_->text, options));
  const Activity activity(fmt::format("building {} for {} for the first time", wanted.operation, label_->text));
  cl::Program program = translate(*label_, [&] { return cl::Program(await(context_), source); });
  try {
    program.build({device_}, options.c_str());
  } catch (const cl::Error& error) {
    std::string text;
    try {
      text = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_);
    } catch (const cl::Error&) {
      text = "(the driver gives no log)";
    }
    throw BuildError(fmt::format("a kernel does not build for {}: {}\noptions: {}\n{}", label_->text,
                                 status_name(error.err()), options, explain_log(text, source)));
  }
  return program;
}

bool ProgramBuilder::takes_option(const std::string& option) {
  // A compiler that is known to do as the device says is spared a build.
  if (builds_at_once_ && option == correctly_rounded && divides_correctly(device_)) return true;
  return ask_once("option", identity_ + option, [&] {
    const DriverOutput hidden;
    try {
      cl::Program(await(context_), "kernel void nothing(global float *x) { *x = 0; }").build({device_}, option.c_str());
      return true;
    } catch (const cl::Error&) {
      return false;
    }
  });
}

}  // namespace clopt::opencl
