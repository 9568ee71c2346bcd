#include "device.hpp"

#include "probes.hpp"
#include "subgroups.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/kernel_source.hpp>
#include <clopt/detail/probe.hpp>
#include <clopt/detail/streams.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace clopt::opencl {
namespace {

// Of cl_nv_device_attribute_query, which not every header has: the compute capability's first number, the watchdog.
constexpr cl_device_info compute_capability_major_nv = 0x4000;
constexpr cl_device_info kernel_exec_timeout_nv = 0x4005;
constexpr cl_uint volta = 7;
// Of buffers that are kept for the next run: the random numbers of a genetic run of a thousand generations fit. The
// part of a device's memory that they may be.
constexpr std::uint64_t most_kept_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t least_part_kept = 64;

bool has_extension(const cl::Device& device, const std::string& name) {
  const auto all = " " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ";
  return all.find(" " + name + " ") != std::string::npos;
}

DeviceKind kind_of(const cl::Device& device) {
  const auto type = device.getInfo<CL_DEVICE_TYPE>();
  if (type & CL_DEVICE_TYPE_GPU) return DeviceKind::gpu;
  return type & CL_DEVICE_TYPE_CPU ? DeviceKind::cpu : DeviceKind::other;
}

bool has_watchdog(const cl::Device& device) {
  cl_bool timeout = CL_FALSE;
  return has_extension(device, "cl_nv_device_attribute_query") &&
         clGetDeviceInfo(device(), kernel_exec_timeout_nv, sizeof timeout, &timeout, nullptr) == CL_SUCCESS &&
         timeout == CL_TRUE;
}

// The first number of NVIDIA's compute capability, 0 where it is not reported.
cl_uint compute_capability(const cl::Device& device) {
  cl_uint major = 0;
  const bool known =
      has_extension(device, "cl_nv_device_attribute_query") &&
      clGetDeviceInfo(device(), compute_capability_major_nv, sizeof major, &major, nullptr) == CL_SUCCESS;
  return known ? major : 0;
}

// The generic types of an operation and the program's own defines, as lines of OpenCL C.
std::string definitions(const OperationInfo& operation, const Program& program) {
  std::string text;
  for (const auto& generic : operation.generics)
    if (!generic.name.empty()) text += fmt::format("typedef {} {};\n", generic.type, generic.name);
  for (const auto& [name, value] : program.defines.entries()) text += fmt::format("#define {} {}\n", name, value);
  return text;
}

// A GPU's driver takes longer to make a context than a run's host to get ready.
SharedContext make_context(const cl::Device& device, const SharedLabel& label) {
  const auto make = [device, label] { return translate(*label, [&] { return cl::Context(device); }); };
  if (builds_at_once(device)) try {
      return std::async(std::launch::async,
                        [make, label] {
                          const Activity activity("opening", label->text);
                          const DriverOutput hidden;
                          return make();
                        })
          .share();
    } catch (const std::system_error&) {
      // The system has no more threads.
    }
  std::promise<cl::Context> made;
  made.set_value(make());
  return made.get_future().share();
}

}  // namespace

DeviceInfo describe(const cl::Device& device) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  DeviceInfo info;
  info.platform = platform.getInfo<CL_PLATFORM_NAME>();
  info.name = device.getInfo<CL_DEVICE_NAME>();
  info.version = fmt::format("{}; driver {}", device.getInfo<CL_DEVICE_VERSION>(), device.getInfo<CL_DRIVER_VERSION>());
  info.kind = kind_of(device);
  info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  info.global_memory_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.max_allocation_bytes = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.local_memory_bytes = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.max_work_group_size = static_cast<std::uint32_t>(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  info.has_double = has_extension(device, "cl_khr_fp64");
  info.has_execution_timeout = has_watchdog(device);
  return info;
}

ClDevice::ClDevice(cl::Device device, const DeviceInfo& description)
    : device_(std::move(device)),
      label_(std::make_shared<DeviceLabel>(fmt::format("{} ({})", description.id, description.name))),
      context_(make_context(device_, label_)),
      buffers_(
          std::make_shared<BufferPool>(context_, device_, description.kind,
                                       std::min(most_kept_bytes, description.global_memory_bytes / least_part_kept))),
      builder_(context_, device_, description, label_),
      trusted_(std::make_shared<TrustedSubgroups>(label_)) {
  info_ = description;
  // Sub-groups that someone asks for must be there.
  if (!environment::subgroups().empty()) subgroup();
}

ClDevice::~ClDevice() { trusted_->leave(); }

bool ClDevice::find_long_loops() { return probe_long_loops(*this, builder_.identity()); }

Subgroup ClDevice::find_subgroup() {
  const auto& identity = builder_.identity();
  const auto find = [this] { return try_subgroups(); };
  if (knows_subgroups(info_, device_, identity)) return choose_subgroups(*this, device_, identity);
  // NVIDIA's work since Volta, and whatever uses them is built while they are tried: by the process that tests the
  // device, or, where that is this one, here.
  if (compute_capability(device_) < volta || !environment::subgroups().empty()) return find();
  const auto likely = likely_subgroups(info_, device_);
  trusted_->trust(likely, find, !can_ask_apart());
  return likely;
}

Subgroup ClDevice::try_subgroups() {
  const auto& identity = builder_.identity();
  if (!knows_subgroups(info_, device_, identity) && can_ask_apart())
    if (const auto found = ask_for_subgroups(info_, device_, identity)) return *found;
  return choose_subgroups(*this, device_, identity);
}

std::unique_ptr<Queue> ClDevice::do_queue(const QueueOptions& options) {
  // NVIDIA's driver, the one that builds several programs at once, has kernels for the processor once they are built.
  const QueueTraits traits{.polls = info_.kind == DeviceKind::gpu,
                           .compiles_when_launched = compiles_when_launched(device_),
                           .may_compile_late = !builder_.builds_at_once(),
                           // Mesa 22.3 gives later writes to a read that is under way, or crashes.
                           .awaits_transfers = info_.platform == "rusticl"};
  // A driver may lack a thread for it.
  const DriverOutput hidden;
  return translate(*label_, [&] {
    return std::make_unique<ClQueue>(await(context_), device_, buffers_, label_, traits, options.measure_time,
                                     trusted_);
  });
}

std::shared_ptr<Memory> ClDevice::do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) {
  const Activity activity("taking memory for", name, label_->text);
  try {
    return std::make_shared<ClMemory>(name, bytes, kind, buffers_);
  } catch (const cl::Error& error) {
    throw OutOfMemory(fmt::format("{} gives no {} bytes for the buffer '{}' ({}); its memory is {} bytes in all",
                                  label_->text, bytes, name, status_name(error.err()), info_.global_memory_bytes));
  }
}

void ClDevice::refuse_functions(const Program& program) const {
  if (program.host_function)
    throw InvalidInput(
        fmt::format("'{}' is a C++ function, and {} can call none: take the device openmp:0, or give the "
                    "function as a text in OpenCL C",
                    program.host_function->name(), label_->text));
}

std::shared_ptr<KernelBase> ClDevice::do_kernel(const OperationInfo& operation, const Program& program) {
  refuse_functions(program);
  return build(operation, program, std::nullopt, false);
}

std::shared_ptr<KernelBase> ClDevice::do_begin_kernel(const OperationInfo& operation, const Program& program) {
  refuse_functions(program);
  return build(operation, program, std::nullopt, true);
}

// The sub-groups of a program that uses them.
Subgroup ClDevice::subgroup_of(const OperationInfo& operation, const Program& program) const {
  auto found = subgroup();
  if (program.subgroup_size == 0) return found;
  // A warp's width is the processor's, whatever is asked for.
  if (found.provider == SubgroupProvider::ptx && program.subgroup_size != found.size)
    throw BuildError(fmt::format("'{}' was asked for with sub-groups of {}, and {} has them of {} only", operation.name,
                                 program.subgroup_size, label_->text, found.size));
  found.size = program.subgroup_size;
  return found;
}

ClDevice::BuiltProgram ClDevice::build_program(const OperationInfo& operation, const Program& program,
                                               const std::string& body, const std::optional<Subgroup>& given) {
  const bool uses_subgroups = body.find(subgroup_marker) != std::string::npos;
  const auto subgroup = given ? *given : uses_subgroups ? subgroup_of(operation, program) : Subgroup{};
  const bool newer = uses_subgroups && subgroup.provider != SubgroupProvider::emulated &&
                     subgroup.provider != SubgroupProvider::ptx && builder_.takes_option("-cl-std=CL3.0");
  // Some compilers have sub-groups only in the language versions that have them built in.
  std::string options = newer ? "-cl-std=CL3.0" : "-cl-std=CL1.2";
  if (!program.fast_math && builder_.takes_option(correctly_rounded)) options += std::string(" ") + correctly_rounded;
  if (program.fast_math) options += " -cl-fast-relaxed-math";
  std::string source;
  // NVIDIA's.
  if (const auto option = fmt::format("-cl-nv-maxrregcount={}", program.registers);
      program.registers != 0 && builder_.takes_option(option)) {
    options += " " + option;
    source += "#define CLOPT_GIVEN_REGISTERS\n";
  }
  if (!program.fast_math) source += "#pragma OPENCL FP_CONTRACT OFF\n";
  if (info_.has_double) source += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#define CLOPT_FP64\n";
  if (uses_subgroups) source += subgroup_definitions(subgroup);
  if (uses_subgroups && subgroup.provider == SubgroupProvider::ptx && compute_capability(device_) >= 8)
    source += "#define CLOPT_SUBGROUP_PTX_REDUX\n";
  source += definitions(operation, program) + body;
  try {
    return {builder_.build({std::string(operation.name), options, source}), uses_subgroups ? subgroup.size : 1};
  } catch (const BuildError&) {
    // They may not even compile.
    if (uses_subgroups && !given) trusted_->confirm();
    throw;
  }
}

std::shared_ptr<KernelBase> ClDevice::build(const OperationInfo& operation, const Program& program,
                                            const std::optional<Subgroup>& given, bool ahead) {
  auto body = kernel_source(kernel_file(operation.name), program);
  // What hangs may be the kernel or the user's objective.
  const bool calls_objective = !program.objective.empty() && body.find("objective_of(") != std::string::npos;
  const auto name = fmt::format("{}{}{}", operation.name, calls_objective ? " with the objective " : "",
                                calls_objective ? program.objective : "");
  const bool begins = ahead && builder_.builds_at_once();
  const auto policy = begins ? std::launch::async : std::launch::deferred;
  const auto built = std::async(policy, [this, operation, program, given, body = std::move(body)] {
                       return build_program(operation, program, body, given);
                     }).share();
  if (begins) begun_.add(built);
  auto kernel = std::make_shared<ClKernel>(name, [this, built, operation = std::string(operation.name)] {
    return find_kernel(built.get(), operation.substr(operation.find('/') + 1));
  });
  if (!ahead) kernel->finish_build();
  return kernel;
}

ClDevice::Begun::~Begun() {
  for (const auto& build : builds_) build.wait();
}

void ClDevice::Begun::add(std::shared_future<BuiltProgram> build) {
  const std::lock_guard lock(mutex_);
  std::erase_if(builds_,
                [](const auto& begun) { return begun.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  builds_.push_back(std::move(build));
}

ClKernel::Built ClDevice::find_kernel(const BuiltProgram& program, const std::string& name) const {
  const DriverOutput hidden;
  return translate(*label_, [&] {
    cl::Kernel kernel(program.program, name.c_str());
    auto most = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_);
    // NVIDIA says 256 of kernels that require more and are made for it; rusticl says nonsense of those that require
    // none.
    if (has_extension(device_, "cl_nv_device_attribute_query")) {
      const auto required = kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device_);
      most = std::max<std::size_t>(most, required[0] * required[1] * required[2]);
    }
    return ClKernel::Built{std::move(kernel), static_cast<std::uint32_t>(most), program.subgroup_size};
  });
}

}  // namespace clopt::opencl
