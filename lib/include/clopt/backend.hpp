/// \file
/// What a backend is: a shared module that offers devices. Third parties may write one against the installed headers.
#pragma once

#include <clopt/export.hpp>

#include <clopt/device.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace clopt {

/// A backend or device that cannot be used, and why.
struct Unavailable {
  std::string backend;  ///< the backend's name, or the file's where it does not load
  std::string reason;
};

/// A way to reach devices. It lives until the process ends.
class CLOPT_API Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Describes the devices without opening them, cheaply; the index in the list is the device's number, and `id`,
  /// `backend` are filled in by the caller.
  /// \param left_out receives what was found and cannot be used.
  virtual std::vector<DeviceInfo> devices(std::vector<Unavailable>& left_out) = 0;
  /// Opens a device of the list. \throws NoDevice, DeviceError.
  virtual std::shared_ptr<Device> open(std::size_t index, const DeviceInfo& description,
                                       const DeviceOptions& options) = 0;
};

/// The version of these headers' interface: a module that was built with another one is left out.
inline constexpr std::uint32_t backend_interface_version = 8;

/// What a backend's module offers. The layout of the first two members never changes.
struct BackendEntry {
  std::uint32_t interface_version;
  const char* name;  ///< lower case, also the first part of its devices' ids
  /// Makes the backend; throws clopt::Error with the reason where it cannot serve here.
  std::unique_ptr<Backend> (*create)();
  /// Answers a question that the backend asks by ask_apart() (clopt/detail/probe.hpp), in a process of its own. None
  /// where it asks none. What it throws is the fault of the answer.
  std::string (*answer)(std::span<const std::string> question) = nullptr;
};

}  // namespace clopt

/// The one entry point of a backend's module.
extern "C" __attribute__((visibility("default"))) const clopt::BackendEntry* clopt_backend();
