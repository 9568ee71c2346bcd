#include <clopt/detail/characters.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>
#include "registry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace clopt {
namespace {

std::string choices(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const auto& device : devices) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", device.id, device.name);
  return text.empty() ? "none" : text;
}

// Whether there is a letter in it, as in each name. A number alone would fit names by their models' numbers.
bool is_part_of_name(std::string_view text) { return std::any_of(text.begin(), text.end(), is_letter); }

// A text in a message, with where it comes from if the caller has not given it.
std::string quoted(std::string_view text, bool is_from_environment) {
  return fmt::format("'{}'{}", text, is_from_environment ? " in CLOPT_DEVICE" : "");
}

// The texts between commas, without the spaces around them.
std::vector<std::string> split(const std::string& list, bool is_from_environment) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    const auto first = list.find_first_not_of(' ', begin);
    if (first >= end)
      throw InvalidInput(fmt::format("{} names no device; give an id of `clopt devices`, a part of a name, or all",
                                     quoted(list, is_from_environment)));
    parts.push_back(list.substr(first, list.find_last_not_of(' ', end - 1) + 1 - first));
    begin = end + 1;
  }
  return parts;
}

// An id names its backend, so that the other backends need not be initialised.
DeviceList list_for(std::string_view text) {
  const auto colon = text.find(':');
  const auto digits = colon == text.npos ? std::string_view{} : text.substr(colon + 1);
  if (!digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit)) {
    auto list = Registry::instance().list(lower(text.substr(0, colon)));
    for (const auto& device : list.devices)
      if (device.id == lower(text)) return list;
  }
  return Registry::instance().list();
}

std::vector<DeviceInfo> matches(const std::vector<DeviceInfo>& devices, std::string_view text) {
  const auto wanted = lower(text);
  std::vector<DeviceInfo> found;
  for (const auto& device : devices)
    if (lower(device.id) == wanted) return {device};
  if (!is_part_of_name(text)) return {};
  for (const auto& device : devices)
    if (wanted == "all" || lower(device.name).find(wanted) != std::string::npos ||
        lower(device.platform).find(wanted) != std::string::npos || lower(device.backend) == wanted)
      found.push_back(device);
  return found;
}

DeviceInfo default_device();

std::vector<DeviceInfo> require_matches(std::string_view text, bool is_from_environment) {
  if (lower(text) == "auto") return {default_device()};
  const auto list = list_for(text);
  auto found = matches(list.devices, text);
  if (found.empty())
    throw NoDevice(fmt::format("no device matches {}{}; there are: {}. `clopt devices` lists what was left out and why",
                               quoted(text, is_from_environment),
                               is_part_of_name(text) ? "" : ", for a number is not a part of a name",
                               choices(Registry::instance().list().devices)));
  return found;
}

DeviceInfo default_device() {
  const auto list = Registry::instance().list();
  if (list.devices.empty()) throw NoDevice("no device was found; `clopt devices` lists what was left out and why");
  for (const auto& device : list.devices)
    if (device.kind == DeviceKind::gpu && !Registry::instance().is_lost_by_fork(device)) return device;
  return list.devices.front();
}

}  // namespace

DeviceList list_devices() { return Registry::instance().list(); }

std::vector<DeviceInfo> find_devices(const std::vector<std::string>& texts) {
  const auto preferred = environment::device();
  if (texts.empty() && preferred.empty()) return {default_device()};
  std::vector<DeviceInfo> wanted;
  for (const auto& text : texts.empty() ? std::vector{preferred} : texts)
    for (const auto& part : split(text, texts.empty()))
      for (auto& info : require_matches(part, texts.empty()))
        if (std::none_of(wanted.begin(), wanted.end(), [&](const DeviceInfo& other) { return other.id == info.id; }))
          wanted.push_back(std::move(info));
  return wanted;
}

bool leave_device_to_work(const std::vector<std::string>& texts) {
  if (texts.size() > 1) return false;
  const auto text = texts.empty() ? environment::device() : texts.front();
  return text.empty() ? texts.empty() : lower(text) == "auto";
}

std::shared_ptr<Device> open_listed_device(const DeviceInfo& info, const DeviceOptions& options) {
  return Registry::instance().open(info, options);
}

void release_devices() { Registry::instance().release(); }

std::string run_self_tests(const DeviceInfo& info, const DeviceOptions& options,
                           const std::function<void(std::string_view name, double done)>& progress) {
  return Registry::instance().test(info, options, progress);
}

std::shared_ptr<Device> open_device(const std::string& text, const DeviceOptions& options) {
  const auto found = find_devices(text.empty() ? std::vector<std::string>{} : std::vector{text});
  if (found.size() > 1)
    throw InvalidInput(fmt::format("{} fits several devices: {}; name one of them",
                                   quoted(text.empty() ? environment::device() : text, text.empty()), choices(found)));
  return open_listed_device(found.front(), options);
}

std::vector<std::shared_ptr<Device>> open_devices(const std::vector<std::string>& texts, const DeviceOptions& options) {
  std::vector<std::shared_ptr<Device>> devices;
  const auto wanted = find_devices(texts);
  devices.reserve(wanted.size());
  for (const auto& info : wanted) devices.push_back(open_listed_device(info, options));
  return devices;
}

}  // namespace clopt
