#include <clopt/error.hpp>
#include <device/registry.hpp>
#include <device/self_test.hpp>
#include <support/environment.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace clopt {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view module_prefix = "libclopt-backend-";
constexpr std::string_view module_extension = ".so";

// The folder of this very library, where its backends lie in a folder of their own.
fs::path library_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&library_folder), &info) || !info.dli_fname) return {};
  std::error_code error;
  const auto file = fs::canonical(info.dli_fname, error);
  return error ? fs::path{} : file.parent_path();
}

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

}  // namespace

Registry& Registry::instance() {
  static auto* registry = new Registry;  // never destroyed: see the class
  return *registry;
}

void Registry::load_module(const fs::path& file) {
  const auto refuse = [&](std::string reason) {
    unloadable_.push_back({file.filename().string(), std::move(reason)});
  };
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return refuse(dlerror());
  const auto entry_point = reinterpret_cast<const BackendEntry* (*)()>(dlsym(handle, "clopt_backend"));
  if (!entry_point) return refuse("it is no backend of clopt: it has no function clopt_backend");
  const auto* entry = entry_point();
  if (!entry) return refuse("its function clopt_backend returns nothing");
  if (entry->interface_version != backend_interface_version)
    return refuse(fmt::format("it was built for version {} of the backend interface, and this clopt has version {}: "
                              "build it against this clopt's headers",
                              entry->interface_version, backend_interface_version));
  const std::string name = entry->name ? entry->name : "";
  if (name.empty()) return refuse("it has no name");
  if (!entry->create) return refuse("it has no way to make its backend");
  for (const auto& module : modules_)
    if (module.name == name) return;  // an earlier folder's comes first
  Module module;
  module.name = name;
  module.entry = entry;
  modules_.push_back(std::move(module));
}

void Registry::load_modules() {
  if (loaded_) return;
  loaded_ = true;
  auto folders = environment::backend_path();
  folders.push_back(library_folder() / "clopt");
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
  const std::lock_guard lock(mutex_);
  load_modules();
  DeviceList list;
  list.unavailable = unloadable_;
  for (auto& module : modules_) {
    if (!only.empty() && module.name != only) continue;
    describe(module);
    list.devices.insert(list.devices.end(), module.devices.begin(), module.devices.end());
    if (!module.reason.empty()) list.unavailable.push_back({module.name, module.reason});
    list.unavailable.insert(list.unavailable.end(), module.left_out.begin(), module.left_out.end());
  }
  return list;
}

std::shared_ptr<Device> Registry::open(const DeviceInfo& info, const DeviceOptions& options) {
  std::shared_ptr<Device> device;
  {
    const std::lock_guard lock(mutex_);
    for (auto& module : modules_) {
      if (module.name != info.backend || !module.backend) continue;
      const auto index = std::stoul(info.id.substr(module.name.size() + 1));
      device = module.backend->open(index, module.devices.at(index), options);
    }
  }
  if (!device) throw NoDevice(fmt::format("the device {} is gone", info.id));
  if (options.self_test) require_self_test(*device, options.force);
  return device;
}

}  // namespace clopt
