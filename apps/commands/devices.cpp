/// \file
/// `clopt devices`: lists the devices.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <future>
#include <string_view>
#include <utility>
#include <vector>

#include <frame/options/common_options.hpp>
#include <frame/output/progress_bar.hpp>
#include "subcommand.hpp"

namespace clopt::apps::devices {
namespace {

/// A device, and what opening it found out.
struct Found {
  DeviceInfo info;
  Subgroup subgroup;
  std::string self_test;
};

struct FoundList {
  std::vector<Found> devices;
  std::vector<Unavailable> unavailable;
};

Json to_json(const Found& found) {
  const auto& info = found.info;
  return {{"id", info.id},
          {"backend", info.backend},
          {"platform", info.platform},
          {"kind", name_of(info.kind)},
          {"name", info.name},
          {"version", info.version},
          {"compute_units", info.compute_units},
          {"global_memory_bytes", info.global_memory_bytes},
          {"max_allocation_bytes", info.max_allocation_bytes},
          {"local_memory_bytes", info.local_memory_bytes},
          {"max_work_group_size", info.max_work_group_size},
          {"subgroup", {{"provider", name_of(found.subgroup.provider)}, {"size", found.subgroup.size}}},
          {"self_test", found.self_test}};
}

Json to_json(const FoundList& list) {
  Json object;
  object["devices"] = Json::array();
  for (const auto& found : list.devices) object["devices"].push_back(to_json(found));
  object["unavailable"] = Json::array();
  for (const auto& left_out : list.unavailable)
    object["unavailable"].push_back({{"backend", left_out.backend}, {"reason", left_out.reason}});
  return object;
}

std::string to_text(const FoundList& list) {
  std::string text;
  for (const auto& found : list.devices) {
    const auto& info = found.info;
    text += fmt::format("{:<10}  {}\n", info.id, info.name);
    text += fmt::format("{:<10}  {}, {}\n", "", info.platform, info.version);
    text += fmt::format("{:<10}  {} compute units, {} memory, {} at most in a buffer, {} local, work-groups of {}\n",
                        "", info.compute_units, readable_bytes(info.global_memory_bytes),
                        readable_bytes(info.max_allocation_bytes), readable_bytes(info.local_memory_bytes),
                        info.max_work_group_size);
    text += fmt::format("{:<10}  sub-groups of {} ({}); self-test: {}\n", "", found.subgroup.size,
                        name_of(found.subgroup.provider), found.self_test);
  }
  if (list.devices.empty()) text = "no device\n";
  if (!list.unavailable.empty()) text += "\nunavailable:\n";
  for (const auto& left_out : list.unavailable) text += fmt::format("{}: {}\n", left_out.backend, left_out.reason);
  return text;
}

std::string test(const DeviceInfo& info, bool shows_progress) {
  ProgressBar bar(shows_progress);
  const auto wrong = run_self_tests(info, {}, [&](std::string_view name, double done) {
    bar.show({fmt::format("{} {}", info.id, name), done});
  });
  return wrong.empty() ? self_test_state(info) : wrong;
}

// Opening a device finds out its sub-groups, which is remembered. Each driver takes its own time for that.
std::vector<std::future<Found>> open_all(const std::vector<DeviceInfo>& devices) {
  std::vector<std::future<Found>> opened;
  opened.reserve(devices.size());
  for (const auto& info : devices)
    opened.push_back(std::async(std::launch::async, [&info]() -> Found {
      const auto device = open_listed_device(info);
      return {device->info(), device->subgroup(), self_test_state(device->info())};
    }));
  return opened;
}

FoundList opened(DeviceList listed, bool tests, bool shows_progress) {
  FoundList list;
  list.unavailable = std::move(listed.unavailable);
  auto found = open_all(listed.devices);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& info = listed.devices[i];
    try {
      list.devices.push_back(found[i].get());
      auto& outcome = list.devices.back().self_test;
      if (tests && outcome != "passed") outcome = test(info, shows_progress);
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
  OptionParser parser(
      "devices", "[OPTION...]",
      "Lists the devices to run on, and what was left out and why. A solver tests a device itself, when "
      "it uses it for the first time; --self-test runs what has not run.");
  parser.example("")
      .example("--self-test --json")
      .switch_("self-test", "run the self-tests that have not passed: random numbers, and every solver")
      .switch_("force", "accepted for older scripts: devices that fail their self-test are listed too")
      .switch_("json", "print one JSON object")
      .switch_("quiet", "show no progress");
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const bool json = options->is_set("json");
  const auto list = opened(list_devices(), options->is_set("self-test"), !json && !options->is_set("quiet"));
  if (json)
    print_json(to_json(list));
  else
    print(to_text(list));
  return list.devices.empty() ? Status::device_failed : Status::done;
}

}  // namespace clopt::apps::devices
