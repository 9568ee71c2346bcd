/// \file
/// `clopt devices`: what there is to run on.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <frame/common_options.hpp>
#include "subcommand.hpp"

namespace clopt::apps::devices {
namespace {

Json to_json(const DeviceInfo& info) {
  return {{"id", info.id},
          {"backend", info.backend},
          {"platform", info.platform},
          {"name", info.name},
          {"version", info.version},
          {"compute_units", info.compute_units},
          {"global_memory_bytes", info.global_memory_bytes},
          {"max_allocation_bytes", info.max_allocation_bytes},
          {"local_memory_bytes", info.local_memory_bytes},
          {"max_work_group_size", info.max_work_group_size},
          {"subgroup", {{"provider", name_of(info.subgroup.provider)}, {"size", info.subgroup.size}}}};
}

Json to_json(const DeviceList& list) {
  Json object;
  object["devices"] = Json::array();
  for (const auto& info : list.devices) object["devices"].push_back(to_json(info));
  object["unavailable"] = Json::array();
  for (const auto& left_out : list.unavailable)
    object["unavailable"].push_back({{"backend", left_out.backend}, {"reason", left_out.reason}});
  return object;
}

std::string to_text(const DeviceList& list) {
  std::string text;
  for (const auto& info : list.devices) {
    text += fmt::format("{:<10}  {}\n", info.id, info.name);
    text += fmt::format("{:<10}  {}, {}\n", "", info.platform, info.version);
    text += fmt::format("{:<10}  {} compute units, {} memory, {} at most in a buffer, {} local, work-groups of {}\n",
                        "", info.compute_units, readable_bytes(info.global_memory_bytes),
                        readable_bytes(info.max_allocation_bytes), readable_bytes(info.local_memory_bytes),
                        info.max_work_group_size);
    text += fmt::format("{:<10}  sub-groups of {} ({})\n", "", info.subgroup.size, name_of(info.subgroup.provider));
  }
  if (list.devices.empty()) text = "no device\n";
  if (!list.unavailable.empty()) text += "\nunavailable:\n";
  for (const auto& left_out : list.unavailable) text += fmt::format("{}: {}\n", left_out.backend, left_out.reason);
  return text;
}

// Opening a device finds out its sub-groups, and whether it can be trusted; both are remembered.
DeviceList opened(DeviceList found, const DeviceOptions& options) {
  DeviceList list;
  list.unavailable = std::move(found.unavailable);
  for (const auto& info : found.devices) {
    try {
      list.devices.push_back(open_listed_device(info, options)->info());
    } catch (const Error& error) {
      const std::string_view reason = error.what();
      const bool names_itself = reason.find(info.id) != reason.npos;
      list.unavailable.push_back(
          {info.backend, names_itself ? std::string(reason) : fmt::format("{} ({}): {}", info.id, info.name, reason)});
    }
  }
  return list;
}

}  // namespace

int run(const Arguments& arguments) {
  OptionParser parser("devices", "[OPTION...]",
                      "Lists the devices to run on, and what was left out and why. A device that fails its self-test\n"
                      "is left out, unless forced; the test runs once for each device and driver.");
  parser.switch_("force", "list devices that fail their self-test too").switch_("json", "print one JSON object");
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  DeviceOptions device_options;
  device_options.force = options->is_set("force");
  const auto list = opened(list_devices(), device_options);
  if (options->is_set("json"))
    print_json(to_json(list));
  else
    print(to_text(list));
  return list.devices.empty() ? Status::device_failed : Status::done;
}

}  // namespace clopt::apps::devices
