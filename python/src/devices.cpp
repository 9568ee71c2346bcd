#include <clopt/devices.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cluster.hpp"
#include "control.hpp"
#include "job_member.hpp"

namespace clopt::python {
namespace nb = nanobind;
namespace {

nb::dict fields_of(const DeviceInfo& info) {
  const auto kind = name_of(info.kind);
  nb::dict fields;
  fields["id"] = info.id;
  fields["backend"] = info.backend;
  fields["platform"] = info.platform;
  fields["name"] = info.name;
  fields["version"] = info.version;
  fields["kind"] = nb::str(kind.data(), kind.size());
  fields["compute_units"] = info.compute_units;
  fields["global_memory_bytes"] = info.global_memory_bytes;
  fields["max_allocation_bytes"] = info.max_allocation_bytes;
  fields["local_memory_bytes"] = info.local_memory_bytes;
  fields["max_work_group_size"] = info.max_work_group_size;
  fields["has_double"] = info.has_double;
  return fields;
}

// Drivers are asked, which may take seconds.
DeviceList list() {
  const nb::gil_scoped_release released;
  return list_devices();
}

nb::list devices() {
  nb::list result;
  for (const auto& info : list().devices) result.append(fields_of(info));
  return result;
}

nb::list unavailable() {
  nb::list result;
  for (const auto& each : list().unavailable) result.append(nb::make_tuple(each.backend, each.reason));
  return result;
}

// In a job as many as are this rank's, where no number is asked for.
unsigned threads_of_rank(unsigned asked) {
  const auto member = JobMember::current();
  return member ? member->threads(asked) : asked;
}

// Without a device that was opened before, the work may choose one. In a job each rank has devices of its own.
bool leave_to_work(const std::vector<std::string>& texts) {
  return !JobMember::current() && leave_device_to_work(texts);
}

std::vector<OpenDevice> open_all(const std::vector<std::string>& texts) {
  const nb::gil_scoped_release released;
  std::vector<OpenDevice> result;
  for (auto& device : open_share(texts)) result.push_back({std::move(device)});
  return result;
}

OpenDevice open_one(const std::string& text, unsigned threads, bool force, bool self_test) {
  const nb::gil_scoped_release released;
  return {open_device(text, {.threads = threads_of_rank(threads), .force = force, .self_test = self_test})};
}

}  // namespace

std::vector<std::shared_ptr<Device>> open_share(const std::vector<std::string>& texts) {
  const auto member = JobMember::current();
  if (!member) return open_devices(texts);
  std::vector<std::shared_ptr<Device>> devices;
  for (const auto& info : member->share_of(find_devices(texts)))
    devices.push_back(open_listed_device(info, {.threads = member->threads(0)}));
  return devices;
}

void bind_devices(nb::module_& module) {
  nb::class_<OpenDevice>(module, "Device").def_prop_ro("info", [](const OpenDevice& open) {
    return fields_of(open.device->info());
  });
  module.def("list_devices", devices);
  module.def("list_unavailable", unavailable);
  module.def("open_devices", open_all);
  module.def("release_devices", release_devices, nb::call_guard<nb::gil_scoped_release>());
  module.def("leave_device_to_work", leave_to_work);
  module.def("open_device", open_one, nb::arg("text"), nb::arg("threads"), nb::arg("force"), nb::arg("self_test"));
}

}  // namespace clopt::python
