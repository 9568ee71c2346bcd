/// \file
/// The OpenCL backend: every device of every platform that the ICD loader finds.
#include "device.hpp"
#include "drivers.hpp"
#include "helper_builds.hpp"
#include "subgroups.hpp"

#include <clopt/backend.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/detail/probe.hpp>
#include <clopt/detail/streams.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace clopt::opencl {
namespace {

// The places to check where the loader finds no platform.
std::string where_platforms_come_from() {
  const auto variable = environment::opencl_vendors();
  const std::filesystem::path folder = variable.empty() ? "/etc/OpenCL/vendors" : variable;
  std::string files;
  std::error_code error;
  for (std::filesystem::directory_iterator item(folder, error), end; !error && item != end; item.increment(error))
    files += (files.empty() ? "" : ", ") + item->path().filename().string();
  return fmt::format(
      "the loader looks for .icd files in {}{}, which {}; `clinfo -l` shows what it finds. Debian's "
      "package pocl-opencl-icd brings a platform for any processor",
      folder.string(), variable.empty() ? "" : " (OCL_ICD_VENDORS)",
      error           ? "cannot be read"
      : files.empty() ? "has none"
                      : "has " + files);
}

// Why a device cannot be used, or nothing.
std::string refusal(const cl::Device& device) {
  if (!device.getInfo<CL_DEVICE_AVAILABLE>()) return "its driver says that it is not available";
  if (!device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>()) return "its platform has no compiler";
  if (!device.getInfo<CL_DEVICE_ENDIAN_LITTLE>()) return "it is big-endian";
  const auto version = device.getInfo<CL_DEVICE_VERSION>();  // "OpenCL 1.2 ..."
  if (version.substr(0, 10) < "OpenCL 1.2") return "it has " + version + ", and clopt needs OpenCL 1.2";
  return {};
}

// A device's parts with equally many compute units each, or the device where it cannot be divided so. Some drivers
// lack the function of a feature that they do not report, so that it is not called.
std::vector<cl::Device> divide(const cl::Device& device, unsigned parts) {
  const auto ways = device.getInfo<CL_DEVICE_PARTITION_PROPERTIES>();
  const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  if (parts < 2 || units < parts || device.getInfo<CL_DEVICE_PARTITION_MAX_SUB_DEVICES>() < parts ||
      std::find(ways.begin(), ways.end(), CL_DEVICE_PARTITION_EQUALLY) == ways.end())
    return {device};
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                     static_cast<cl_device_partition_property>(units / parts), 0};
  std::vector<cl::Device> found;
  cl::Device(device).createSubDevices(properties, &found);
  found.resize(std::min<std::size_t>(found.size(), parts));
  return found;
}

std::vector<cl::Platform> all_platforms() {
  std::vector<cl::Platform> found;
  try {
    cl::Platform::get(&found);
  } catch (const cl::Error&) {
    found.clear();
  }
  // A loader that is given a library twice lists its platforms twice.
  std::vector<cl::Platform> each;
  for (auto& platform : found)
    if (std::none_of(each.begin(), each.end(), [&](const cl::Platform& known) { return known() == platform(); }))
      each.push_back(std::move(platform));
  return each;
}

// Asks what devices() would ask, so that what fails there fails here.
std::string look() {
  report_probe_step("its platforms were asked for");
  const auto platforms = all_platforms();
  for (const auto& platform : platforms) {
    try {
      const auto name = platform.getInfo<CL_PLATFORM_NAME>();
      report_probe_step(fmt::format("the devices of {} were asked for", printable(name)));
      std::vector<cl::Device> devices;
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
      for (const auto& device : devices)
        if (refusal(device).empty()) describe(device);
    } catch (const cl::Error&) {
      // An error is an answer, which devices() gets too.
    }
  }
  return std::to_string(platforms.size());
}

class ClBackend : public Backend {
 public:
  std::vector<DeviceInfo> devices(std::vector<Unavailable>& left_out) override {
    const Drivers drivers(left_out);
    const DriverOutput hidden;
    std::vector<DeviceInfo> list;
    for (const auto& platform : platforms(drivers)) {
      std::vector<cl::Device> found;
      std::string name = "a platform";
      try {
        name = platform.getInfo<CL_PLATFORM_NAME>();
        platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
        // The binding returns an empty list where the platform answers CL_DEVICE_NOT_FOUND.
        if (found.empty()) left_out.push_back({"opencl", fmt::format("{}: it has no device", name)});
      } catch (const cl::Error& error) {
        left_out.push_back(
            {"opencl", fmt::format("{}: {} failed with {}", name, error.what(), status_name(error.err()))});
      }
      for (const auto& device : found) add(device, name, list, left_out);
    }
    return list;
  }

  std::shared_ptr<Device> open(std::size_t index, const DeviceInfo& description, const DeviceOptions&) override {
    const DriverOutput hidden;
    return std::make_shared<ClDevice>(devices_.at(index), description);
  }

 private:
  static std::vector<cl::Platform> platforms(const Drivers& drivers) {
    std::vector<cl::Platform> found;
    {
      const Drivers::Restriction restriction(drivers);
      found = all_platforms();
    }
    if (found.empty()) throw NoDevice("there is no OpenCL platform: " + where_platforms_come_from());
    return found;
  }

  void add(const cl::Device& device, const std::string& platform, std::vector<DeviceInfo>& list,
           std::vector<Unavailable>& left_out) {
    try {
      if (const auto reason = refusal(device); !reason.empty()) {
        left_out.push_back({"opencl", fmt::format("{} of {}: {}", device.getInfo<CL_DEVICE_NAME>(), platform, reason)});
        return;
      }
      auto parts = divide(device, parts_);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        list.push_back(describe(parts[i]));
        if (parts.size() > 1) list.back().name += fmt::format(" (part {} of {})", i + 1, parts.size());
        devices_.push_back(std::move(parts[i]));
      }
    } catch (const cl::Error& error) {
      left_out.push_back({"opencl", fmt::format("a device of {}: {} failed with {}", platform, error.what(),
                                                status_name(error.err()))});
    }
  }

  unsigned parts_ = environment::sub_devices();
  std::vector<cl::Device> devices_;
};

std::unique_ptr<Backend> create() { return std::make_unique<ClBackend>(); }

// The device that a question is about.
std::shared_ptr<Device> device_of(std::span<const std::string> words) {
  if (words.size() < 3) throw InvalidInput("a question about a device needs its number, platform and name");
  report_probe_step("the devices were listed");
  ClBackend backend;
  std::vector<Unavailable> left_out;
  const auto list = backend.devices(left_out);
  const auto index = leading_number(words[0]);
  if (index >= list.size() || list[index].platform != words[1] || list[index].name != words[2])
    throw NoDevice(fmt::format("{} is not device {} in a process of its own", words[2], index));
  report_probe_step(fmt::format("{} was opened", words[2]));
  return backend.open(index, list[index], {});
}

// Answers about a device, which is opened here.
std::string answer_about(std::string_view question, std::span<const std::string> words) {
  const auto device = device_of(words);
  auto& opened = dynamic_cast<ClDevice&>(*device);
  const auto more = words.subspan(3);
  if (question == subgroups_question) {
    report_probe_step(fmt::format("sub-groups were tried on {}", words[2]));
    // Not those that subgroup() trusts while they are tried.
    return text_of(opened.try_subgroups());
  }
  if (more.empty()) throw InvalidInput("a build needs a record, or lists of offers");
  report_probe_step("programs were built");
  if (question == build_offers_question)
    build_offers(opened, more);
  else
    build_record(opened, more.front());
  return {};
}

std::string answer(std::span<const std::string> question) {
  const auto is = [&](const char* word) { return !question.empty() && question.front() == word; };
  if (is(look_question)) return look();
  if (is(subgroups_question) || is(build_question) || is(build_offers_question))
    return answer_about(question.front(), question.subspan(1));
  throw InvalidInput("the OpenCL backend does not know this question");
}

}  // namespace
}  // namespace clopt::opencl

namespace clopt {

const BackendEntry* opencl_backend() {
  static constexpr BackendEntry entry{backend_interface_version, "opencl", &opencl::create, &opencl::answer};
  return &entry;
}

}  // namespace clopt
