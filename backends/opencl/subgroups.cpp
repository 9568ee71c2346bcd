#include "subgroups.hpp"

#include "device.hpp"
#include "probes.hpp"

#include <generated/operations/probes.hpp>
#include <support/environment.hpp>
#include <support/log.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <type_traits>
#include <vector>

namespace clopt::opencl {
namespace {

// CL_DEVICE_SUB_GROUP_SIZES_INTEL of cl_intel_required_subgroup_size, which not every header has.
constexpr cl_device_info sub_group_sizes_intel = 0x4108;
// The width to ask for where the compiler lets us choose, and the width of emulation: a processor's work-items run one
// after the other, and gain nothing from the barriers that make them share.
constexpr std::uint32_t usual_width = 16;
constexpr std::uint32_t emulated_width = 32;
constexpr std::uint32_t emulated_width_of_processors = 1;
constexpr std::uint32_t widest = 64;

constexpr std::size_t most_rows = 41;  // of the results of each, see probes/subgroup.cl

bool announces(const cl::Device& device, const std::string& extension) {
  return (" " + device.getInfo<CL_DEVICE_EXTENSIONS>() + " ").find(" " + extension) != std::string::npos;
}

std::vector<std::size_t> widths(const cl::Device& device) {
  std::size_t bytes = 0;
  if (!announces(device, "cl_intel_required_subgroup_size") ||
      clGetDeviceInfo(device(), sub_group_sizes_intel, 0, nullptr, &bytes) != CL_SUCCESS)
    return {};
  std::vector<std::size_t> list(bytes / sizeof(std::size_t));
  if (clGetDeviceInfo(device(), sub_group_sizes_intel, bytes, list.data(), nullptr) != CL_SUCCESS) return {};
  std::erase_if(list, [](std::size_t width) { return width > widest || !std::has_single_bit(width); });
  return list;
}

// The default width of a provider that lets us choose; 0 where it does not.
std::uint32_t default_width(const cl::Device& device) {
  const auto list = widths(device);
  if (list.empty()) return 0;
  if (std::find(list.begin(), list.end(), usual_width) != list.end()) return usual_width;
  return static_cast<std::uint32_t>(*std::max_element(list.begin(), list.end()));
}

// Providers worth trying, the best first. An extension's name only lets it be tried: inline PTX could stop another
// vendor's compiler altogether.
std::vector<Subgroup> candidates(const cl::Device& device, const DeviceInfo& info) {
  std::vector<Subgroup> list;
  const auto width = default_width(device);
  if (width != 0 && announces(device, "cl_khr_subgroup_shuffle ") && announces(device, "cl_khr_subgroup_ballot "))
    list.push_back({SubgroupProvider::khr, width});
  if (width != 0 && announces(device, "cl_intel_subgroups ")) list.push_back({SubgroupProvider::intel, width});
  if (announces(device, "cl_nv_")) list.push_back({SubgroupProvider::ptx, 32});
  const auto emulated = info.kind == DeviceKind::cpu ? emulated_width_of_processors : emulated_width;
  list.push_back({SubgroupProvider::emulated, std::min(emulated, std::bit_floor(info.max_work_group_size))});
  return list;
}

// What a probe writes when one work-group of the given size runs it.
template <OperationArguments Probe>
std::vector<std::uint64_t> run_probe(ClDevice& device, const Subgroup& subgroup, std::uint32_t group_size) {
  std::vector<std::uint64_t> values(group_size);
  for (std::uint32_t i = 0; i < group_size; ++i) {
    // Finite floats above, scattered integers below.
    const std::uint64_t high = 0x3f800000U + i * 0x00012345U;
    values[i] = high << 32 | (i * 2654435761U);
  }
  const auto kernel = device.kernel<Probe>(subgroup);
  auto queue = device.queue({});
  const auto input = device.buffer<std::uint64_t>("probe input", group_size);
  const auto output = device.buffer<std::uint64_t>("probe output", group_size * most_rows);
  std::vector<std::uint64_t> results(output.size());
  queue->write(input, values);
  queue->fill(output, 0);
  queue->launch(kernel, Range::of_groups(1, group_size), {.values = input, .results = output, .count = group_size});
  queue->read(output, std::span(results));
  queue->finish();
  return results;
}

// Emulation is plain OpenCL C, so what a provider must give is what emulation of the same width gives.
template <OperationArguments... Probes>
bool agrees_with_emulation(ClDevice& device, const Subgroup& subgroup) {
  const Subgroup emulated{SubgroupProvider::emulated, subgroup.size};
  const auto most = std::min<std::uint32_t>(device.info().max_work_group_size, 256);
  const auto agrees = [&]<class Probe>(std::type_identity<Probe>) {
    for (const auto wanted : {subgroup.size + subgroup.size / 2 + 1, subgroup.size * 2}) {
      const auto group_size = std::min(most, wanted);
      if (run_probe<Probe>(device, subgroup, group_size) != run_probe<Probe>(device, emulated, group_size))
        return false;
    }
    return true;
  };
  return (agrees(std::type_identity<Probes>()) && ...);
}

// What is wrong somewhere is wrong in the first case, the votes of a partial sub-group: some drivers take a second for
// each.
bool passes_probes(ClDevice& device, const Subgroup& subgroup) {
  namespace operations = clopt::probes::operations;
  return agrees_with_emulation<operations::SubgroupVotes, operations::SubgroupFunctionsUint,
                               operations::SubgroupFunctionsLong, operations::SubgroupFunctionsFloat>(device, subgroup);
}

bool works(ClDevice& device, const Subgroup& subgroup, const std::string& identity) {
  if (subgroup.provider == SubgroupProvider::emulated) return true;
  const auto key = fmt::format("{}{} {}", identity, name_of(subgroup.provider), subgroup.size);
  return ask_once("subgroups", key, [&] {
    const auto name = fmt::format("{}: sub-groups of {}", device.info().id, name_of(subgroup.provider));
    try {
      if (passes_probes(device, subgroup)) return true;
      log("probe", name + " are wrong");
    } catch (const Error& error) {
      log("probe", fmt::format("{} do not work: {}", name, error.what()));
    }
    return false;
  });
}

}  // namespace

std::string subgroup_definitions(const Subgroup& subgroup) {
  switch (subgroup.provider) {
    case SubgroupProvider::khr:
      return fmt::format("#define CLOPT_SUBGROUP_KHR\n#define CLOPT_SUBGROUP_SIZE_REQUIRED {}\n", subgroup.size);
    case SubgroupProvider::intel:
      return fmt::format("#define CLOPT_SUBGROUP_INTEL\n#define CLOPT_SUBGROUP_SIZE_REQUIRED {}\n", subgroup.size);
    case SubgroupProvider::ptx: return "#define CLOPT_SUBGROUP_PTX\n";
    case SubgroupProvider::emulated: break;
  }
  return fmt::format("#define CLOPT_SUBGROUP_EMULATED\n#define CLOPT_SUBGROUP_SIZE {}\n", subgroup.size);
}

Subgroup choose_subgroups(ClDevice& device, const cl::Device& cl_device, const std::string& identity) {
  const auto forced = environment::subgroups();
  const auto list = candidates(cl_device, device.info());
  for (const auto& candidate : list) {
    if (!forced.empty() && name_of(candidate.provider) != forced) continue;
    if (works(device, candidate, identity)) return candidate;
  }
  throw InvalidInput(fmt::format("CLOPT_SUBGROUPS asks for '{}', which does not work on {} ({}); unset it", forced,
                                 device.info().id, device.info().name));
}

}  // namespace clopt::opencl
