/// \file
/// Loads backends and keeps them until the process ends.
#pragma once

#include <clopt/backend.hpp>
#include <clopt/devices.hpp>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// Every backend that was loaded, in one place. Modules are never unloaded: drivers run code when the process ends.
class Registry {
 public:
  static Registry& instance();

  /// The devices of every backend, or of the one called \p only.
  DeviceList list(std::string_view only = {});
  /// Opens a device of the list.
  std::shared_ptr<Device> open(const DeviceInfo& info, const DeviceOptions& options);

 private:
  struct Module {
    std::string name;
    std::filesystem::path file;
    std::unique_ptr<Backend> backend;  // none where it cannot be used
    std::string reason;                // why not
    const BackendEntry* entry = nullptr;
    bool described = false;
    std::vector<DeviceInfo> devices;
    std::vector<Unavailable> left_out;
  };

  void load_modules();
  void load_module(const std::filesystem::path& file);
  void describe(Module& module);

  std::mutex mutex_;
  bool loaded_ = false;
  std::vector<Module> modules_;
  std::vector<Unavailable> unloadable_;
};

}  // namespace clopt
