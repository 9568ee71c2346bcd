#include "subgroups.hpp"

#include "device.hpp"
#include "drivers.hpp"
#include "probes.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/detail/probe.hpp>
#include <generated/operations/probes.hpp>
#include <support/process/environment.hpp>
#include <support/process/log.hpp>

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

constexpr const char* subgroups_kind = "subgroups";  // in the cache
constexpr double most_trial_seconds = 30;            // that trying them may take

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
  Program program;
  program.defines.set("SUBGROUP_TEST_FEW", 1U);
  const auto kernel = device.kernel<Probe>(subgroup, program);
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

// What a probe writes in the usual cases, in short.
struct KnownResult {
  std::string_view operation;
  std::uint32_t width;
  std::uint32_t group_size;
  std::uint64_t hash;
};

constexpr KnownResult known_results[] = {
    {"probes/subgroup_votes", 8, 13, 0x2fc24605ccddbf8b},
    {"probes/subgroup_votes", 8, 16, 0xf7463639b134a3fd},
    {"probes/subgroup_votes", 16, 25, 0x74c769661bb284a3},
    {"probes/subgroup_votes", 16, 32, 0x470c9774a4a08315},
    {"probes/subgroup_votes", 32, 49, 0xcf48ea93b5f70993},
    {"probes/subgroup_votes", 32, 64, 0x5d9de8b3587ead05},
    {"probes/subgroup_votes", 64, 97, 0x4353b523d4331bd3},
    {"probes/subgroup_votes", 64, 128, 0x43c9bc4b3db8bfe5},
    {"probes/subgroup_functions_uint", 8, 13, 0x7f6c5c9dac634cbd},
    {"probes/subgroup_functions_uint", 8, 16, 0x5a53781efea93b25},
    {"probes/subgroup_functions_uint", 16, 25, 0xce1578fff5bc67cd},
    {"probes/subgroup_functions_uint", 16, 32, 0xb4cb88213477e00b},
    {"probes/subgroup_functions_uint", 32, 49, 0x68d3eae73c1600cb},
    {"probes/subgroup_functions_uint", 32, 64, 0x8d84a834612182af},
    {"probes/subgroup_functions_uint", 64, 97, 0x2537a61714acc922},
    {"probes/subgroup_functions_uint", 64, 128, 0xa1ef04e7c6e6d883},
    {"probes/subgroup_functions_long", 8, 13, 0xeed9892ae5748abb},
    {"probes/subgroup_functions_long", 8, 16, 0x64848b59fb105e05},
    {"probes/subgroup_functions_long", 16, 25, 0x0b2b55a4cd970c3e},
    {"probes/subgroup_functions_long", 16, 32, 0x1e2b8b5f1dd0b7bb},
    {"probes/subgroup_functions_long", 32, 49, 0x3eb31f0296a3002b},
    {"probes/subgroup_functions_long", 32, 64, 0xe4fd31b8153a89ef},
    {"probes/subgroup_functions_long", 64, 97, 0xa00e53a5ea42ac65},
    {"probes/subgroup_functions_long", 64, 128, 0x4fdb081b56cfde03},
    {"probes/subgroup_functions_float", 8, 13, 0x24b492fcd316ac2d},
    {"probes/subgroup_functions_float", 8, 16, 0xf628cae893138999},
    {"probes/subgroup_functions_float", 16, 25, 0x17df7277e533e800},
    {"probes/subgroup_functions_float", 16, 32, 0x4a42aefcfd0d048d},
    {"probes/subgroup_functions_float", 32, 49, 0x5e95df5cea8b9c25},
    {"probes/subgroup_functions_float", 32, 64, 0x6e4607174e5a77b9},
    {"probes/subgroup_functions_float", 64, 97, 0xc7544cfb6e8bc353},
    {"probes/subgroup_functions_float", 64, 128, 0x4f2920539a1c04e4},
};

// FNV-1a by words.
std::uint64_t hash_of(std::span<const std::uint64_t> words) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto word : words) hash = (hash ^ word) * 0x100000001b3;
  return hash;
}

const KnownResult* find_known(std::string_view operation, std::uint32_t width, std::uint32_t group_size) {
  for (const auto& known : known_results)
    if (known.operation == operation && known.width == width && known.group_size == group_size) return &known;
  return nullptr;
}

// Emulation is plain OpenCL C, so what a provider must give is what emulation of the same width gives: known for the
// usual widths, or run.
template <OperationArguments... Probes>
bool agrees_with_emulation(ClDevice& device, const Subgroup& subgroup) {
  const Subgroup emulated{SubgroupProvider::emulated, subgroup.size};
  const auto most = std::min<std::uint32_t>(device.info().max_work_group_size, 256);
  const auto agrees = [&]<class Probe>(std::type_identity<Probe>) {
    for (const auto wanted : {subgroup.size + subgroup.size / 2 + 1, subgroup.size * 2}) {
      const auto group_size = std::min(most, wanted);
      const auto results = run_probe<Probe>(device, subgroup, group_size);
      if (const auto* known = find_known(Probe::info.name, subgroup.size, group_size)) {
        if (hash_of(results) != known->hash) return false;
      } else if (results != run_probe<Probe>(device, emulated, group_size)) {
        return false;
      }
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

std::string key_of(const Subgroup& subgroup, const std::string& identity) { return identity + text_of(subgroup); }

bool works(ClDevice& device, const Subgroup& subgroup, const std::string& identity) {
  if (subgroup.provider == SubgroupProvider::emulated) return true;
  return ask_once(subgroups_kind, key_of(subgroup, identity), [&] {
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

// Those that the environment lets us try.
std::vector<Subgroup> wanted_candidates(const cl::Device& device, const DeviceInfo& info) {
  auto list = candidates(device, info);
  if (const auto forced = environment::subgroups(); !forced.empty())
    std::erase_if(list, [&](const Subgroup& candidate) { return name_of(candidate.provider) != forced; });
  return list;
}

}  // namespace

std::string text_of(const Subgroup& subgroup) {
  return fmt::format("{} {}", name_of(subgroup.provider), subgroup.size);
}

Subgroup subgroup_in(const std::string& text) {
  const auto space = text.find(' ');
  for (const auto provider :
       {SubgroupProvider::khr, SubgroupProvider::intel, SubgroupProvider::ptx, SubgroupProvider::emulated})
    if (text.substr(0, space) == name_of(provider))
      if (const auto size = space == text.npos ? 0 : leading_number(std::string_view(text).substr(space + 1));
          size != 0)
        return {provider, static_cast<std::uint32_t>(size)};
  throw InvalidInput(fmt::format("'{}' names no sub-groups", printable(text)));
}

Subgroup likely_subgroups(const DeviceInfo& info, const cl::Device& cl_device) {
  return candidates(cl_device, info).front();
}

bool knows_subgroups(const DeviceInfo& info, const cl::Device& cl_device, const std::string& identity) {
  for (const auto& candidate : wanted_candidates(cl_device, info)) {
    if (candidate.provider == SubgroupProvider::emulated) return true;
    const auto known = Cache::instance().load(subgroups_kind, key_of(candidate, identity));
    if (!known) return false;
    if (*known == "yes") return true;
  }
  return true;
}

std::optional<Subgroup> ask_for_subgroups(const DeviceInfo& info, const cl::Device& cl_device,
                                          const std::string& identity) {
  const Activity activity(fmt::format("trying the sub-groups of {} ({}) for the first time", info.id, info.name));
  const auto answer = ask_apart(std::vector{question_about(info, subgroups_question)}, most_trial_seconds).front();
  if (answer.end == ProbeEnd::answered) return subgroup_in(answer.text);
  if (answer.end != ProbeEnd::lost) return std::nullopt;
  log("probe", fmt::format("{}: its driver {}", info.id, answer.fault));
  // Whichever of them it was: none is tried again.
  for (const auto& candidate : candidates(cl_device, info))
    if (candidate.provider != SubgroupProvider::emulated)
      Cache::instance().store(subgroups_kind, key_of(candidate, identity), "no");
  return candidates(cl_device, info).back();
}

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
  for (const auto& candidate : wanted_candidates(cl_device, device.info()))
    if (works(device, candidate, identity)) return candidate;
  throw InvalidInput(fmt::format("CLOPT_SUBGROUPS asks for '{}', which does not work on {} ({}); unset it", forced,
                                 device.info().id, device.info().name));
}

}  // namespace clopt::opencl
