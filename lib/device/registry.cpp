#include "registry.hpp"
#include <clopt/detail/activity.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <device/after_fork.hpp>
#include <support/numbers/instruction_set.hpp>
#include <support/process/environment.hpp>
#include <support/process/helper_program.hpp>
#include "self_test.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace clopt {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view module_prefix = "libclopt-backend-";
constexpr std::string_view module_extension = ".so";

std::vector<fs::path> modules_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator item(folder, error), end; !error && item != end; item.increment(error)) {
    const auto name = item->path().filename().string();
    if (name.starts_with(module_prefix) && name.ends_with(module_extension)) files.push_back(item->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Turns every exception of a backend into one of clopt's.
template <class Work>
auto guarded(const DeviceInfo& info, const Work& work) {
  const auto refuse = [&](const char* reason) -> NoDevice {
    return NoDevice(fmt::format("the device {} ({}) cannot be opened: {}", info.id, info.name, reason));
  };
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw refuse(error.what());
  } catch (...) {
    throw refuse("its backend fails in an unknown way");
  }
}

// What a device is kept under.
std::string key_of(const DeviceInfo& info, const DeviceOptions& options) {
  return fmt::format("{} {} {} {} {}", info.id, options.threads, options.force, options.self_test,
                     environment::subgroups());
}

}  // namespace

Registry& Registry::instance() {
  static auto* registry = new Registry;  // never destroyed: see the class
  return *registry;
}

void Registry::load_module(const fs::path& file) {
  const auto refuse = [&](std::string reason) { unloadable_.push_back({file.filename().string(), std::move(reason)}); };
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return refuse(loader_message());
  const auto entry_point = reinterpret_cast<const BackendEntry* (*)()>(dlsym(handle, "clopt_backend"));
  if (!entry_point) return refuse("it is not a backend of clopt: it has no function clopt_backend");
  add(entry_point(), file);
}

void Registry::add(const BackendEntry* entry, const fs::path& file) {
  const auto refuse = [&](std::string reason) { unloadable_.push_back({file.filename().string(), std::move(reason)}); };
  if (!entry) return refuse("its function clopt_backend returns nothing");
  if (entry->interface_version != backend_interface_version)
    return refuse(
        fmt::format("it was built for version {} of the backend interface, and this clopt has version {}: "
                    "build it against this clopt's headers",
                    entry->interface_version, backend_interface_version));
  const std::string name = entry->name ? entry->name : "";
  if (name.empty()) return refuse("it has no name");
  if (!entry->create) return refuse("it has no way to make its backend");
  Module module;
  module.file = file;
  module.name = name;
  module.entry = entry;
  modules_.push_back(std::move(module));
}

void Registry::load_modules() {
  const TimedPart loading(TimePart::open);
  const std::lock_guard lock(mutex_);
  if (loaded_) return;
  loaded_ = true;
  auto folders = environment::backend_path();
  const auto linked = linked_backends();
  for (const auto* entry : linked) add(entry, {});
  if (linked.empty()) folders.push_back(folder_of_this_code() / modules_folder);
  for (const auto& folder : folders) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
      unloadable_.push_back({folder.string(), "there is no such folder of backends"});
    for (const auto& file : modules_in(folder)) load_module(file);
  }
  // OpenMP's devices come first, the others by name.
  std::stable_sort(modules_.begin(), modules_.end(), [](const Module& a, const Module& b) {
    return std::pair(a.name != "openmp", a.name) < std::pair(b.name != "openmp", b.name);
  });
}

void Registry::describe(Module& module) {
  if (module.described) return;
  module.described = true;
  module.forks = number_of_forks();
  const Activity activity("looking for the devices of the backend", module.name);
  try {
    module.backend = module.entry->create();
    if (!module.backend) throw Error("it made no backend");
    module.devices = module.backend->devices(module.left_out);
  } catch (const std::exception& error) {
    module.devices.clear();
    module.reason = error.what();
  } catch (...) {
    module.devices.clear();
    module.reason = "it failed in an unknown way";
  }
  for (std::size_t i = 0; i < module.devices.size(); ++i) {
    module.devices[i].backend = module.name;
    module.devices[i].id = fmt::format("{}:{}", module.name, i);
  }
}

DeviceList Registry::list(std::string_view only) {
  require_instruction_set();
  load_modules();
  DeviceList list;
  list.unavailable = unloadable_;
  const Module* serving = nullptr;  // the last that has devices
  for (auto& module : modules_) {
    if (!only.empty() && module.name != only) continue;
    // Modules of one name stand together, in the order of their folders.
    if (serving && serving->name == module.name) {
      list.unavailable.push_back(
          {module.file.string(), fmt::format("another backend called {} comes first: {}", module.name,
                                             serving->file.empty() ? "the library's own" : serving->file.string())});
      continue;
    }
    const TimedPart looking(TimePart::open);
    const std::lock_guard lock(*module.mutex);
    describe(module);
    if (!module.devices.empty()) serving = &module;
    list.devices.insert(list.devices.end(), module.devices.begin(), module.devices.end());
    if (!module.reason.empty()) list.unavailable.push_back({module.name, module.reason});
    list.unavailable.insert(list.unavailable.end(), module.left_out.begin(), module.left_out.end());
  }
  return list;
}

bool Registry::is_lost_by_fork(const DeviceInfo& info) {
  return !info.launches_are_calls && std::any_of(modules_.begin(), modules_.end(), [&](const Module& module) {
    if (module.name != info.backend) return false;
    const std::lock_guard lock(*module.mutex);
    return module.described && module.forks != number_of_forks();
  });
}

std::shared_ptr<Device> Registry::open_untested(const DeviceInfo& info, const DeviceOptions& options) {
  for (auto& module : modules_) {
    const std::lock_guard lock(*module.mutex);
    const auto found = std::find_if(module.devices.begin(), module.devices.end(),
                                    [&](const DeviceInfo& each) { return each.id == info.id; });
    if (found == module.devices.end()) continue;
    const auto index = static_cast<std::size_t>(found - module.devices.begin());
    const Activity activity("opening", info.id);
    auto device = guarded(info, [&] { return module.backend->open(index, *found, options); });
    if (device) return device;
  }
  throw NoDevice(fmt::format("there is no device {}; `clopt devices` lists those that there are", info.id));
}

std::shared_ptr<KnownAnswers> Registry::known_answers_of(const DeviceInfo& info, const DeviceOptions& options) {
  auto untested = options;
  untested.self_test = false;
  // The host's own code needs no process of its own.
  return std::make_shared<KnownAnswers>(info, !info.launches_are_calls, options.force, [this, info, untested] {
    return guarded(info, [&] { return open_untested(info, untested); });
  });
}

std::shared_ptr<Device> Registry::find_open(const DeviceInfo& info, const DeviceOptions& options) {
  return kept_.find(key_of(info, options));
}

std::shared_ptr<Device> Registry::open(const DeviceInfo& info, const DeviceOptions& options) {
  if (is_lost_by_fork(info)) refuse_after_fork(info);
  return kept_.find_or_open(key_of(info, options), [&] {
    auto device = open_untested(info, options);
    if (options.self_test) device->tag()->known_answers = known_answers_of(device->info(), options);
    return device;
  });
}

std::string Registry::test(const DeviceInfo& info, const DeviceOptions& options,
                           const std::function<void(std::string_view name, double done)>& progress) {
  return known_answers_of(info, options)->run_all(progress);
}

std::string Registry::answer(std::string_view backend, std::span<const std::string> question) {
  load_modules();
  for (const auto& module : modules_)
    if (module.name == backend && module.entry->answer) return module.entry->answer(question);
  throw NoDevice(fmt::format("no backend {} answers questions", backend));
}

}  // namespace clopt
