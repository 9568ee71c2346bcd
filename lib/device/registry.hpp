/// \file
/// Loads backends and keeps them until the process ends.
#pragma once

#include <clopt/backend.hpp>
#include <clopt/devices.hpp>
#include <device/kept_devices.hpp>
#include <support/threads/process_mutex.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clopt {

/// The backends that are in this library itself, as in a static one; none in a shared one, which loads them.
std::span<const BackendEntry* const> linked_backends();

/// Every backend that was loaded, in one place. Modules are never unloaded: drivers run code when the process ends.
class Registry {
 public:
  static Registry& instance();

  /// The devices of every backend, or of the one called \p only.
  DeviceList list(std::string_view only = {});
  /// Whether a device is a driver's that was loaded before this process was forked: its threads are the parent's, and
  /// calls hang or crash.
  bool is_lost_by_fork(const DeviceInfo& info);
  /// Opens a device of the list, or gives the one that was opened so before.
  std::shared_ptr<Device> open(const DeviceInfo& info, const DeviceOptions& options);
  /// The one that open() would give without opening it; null where there is none. At once.
  std::shared_ptr<Device> find_open(const DeviceInfo& info, const DeviceOptions& options);
  /// See release_devices(); one device, or all.
  void release(const Device& device) { kept_.release(device); }
  void release() { kept_.release(); }
  /// Runs what a device must prove and has not, see KnownAnswers::run_all().
  std::string test(const DeviceInfo& info, const DeviceOptions& options,
                   const std::function<void(std::string_view name, double done)>& progress);
  /// The answer of a backend, see BackendEntry::answer. \throws Error where there is no such backend.
  std::string answer(std::string_view backend, std::span<const std::string> question);

 private:
  std::shared_ptr<Device> open_untested(const DeviceInfo& info, const DeviceOptions& options);
  std::shared_ptr<KnownAnswers> known_answers_of(const DeviceInfo& info, const DeviceOptions& options);

  struct Module {
    std::string name;
    std::filesystem::path file;        // empty where it is in this library
    std::unique_ptr<Backend> backend;  // none where it cannot be used
    std::string reason;                // why not
    const BackendEntry* entry = nullptr;
    // Of what follows: while a driver is looked for, which may take seconds, other backends are used.
    std::unique_ptr<ProcessMutex> mutex = std::make_unique<ProcessMutex>(Holding::others);
    bool described = false;
    unsigned forks = 0;  // when it was described
    std::vector<DeviceInfo> devices;
    std::vector<Unavailable> left_out;
  };

  void load_modules();
  void load_module(const std::filesystem::path& file);
  /// \param file the module's; empty for a backend of the library itself.
  void add(const BackendEntry* entry, const std::filesystem::path& file);
  void describe(Module& module);

  KeptDevices kept_;
  ProcessMutex mutex_{Holding::others};  // while modules are loaded, once: their list does not change later
  bool loaded_ = false;
  std::vector<Module> modules_;
  std::vector<Unavailable> unloadable_;
};

}  // namespace clopt
