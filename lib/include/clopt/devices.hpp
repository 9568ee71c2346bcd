/// \file
/// Finding and opening devices of every backend.
#pragma once

#include <clopt/backend.hpp>
#include <clopt/device.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {

/// The devices at hand, and what was left out.
struct DeviceList {
  std::vector<DeviceInfo> devices;  ///< OpenMP's first
  std::vector<Unavailable> unavailable;
};

/// Finds every device of every backend. Backends are looked for in the folders of the environment's
/// CLOPT_BACKEND_PATH, then beside the library; of two with one name the first is used. Nothing is opened.
DeviceList list_devices();

/// Opens the device that a text names.
/// \param text an id ("opencl:1"), any part of a device's or platform's name in any case, or empty: the environment's
///        CLOPT_DEVICE, else the first GPU, else the first device (openmp:0).
/// \throws InvalidInput where the text fits several devices, with the choices; NoDevice where it fits none, where the
///         device cannot be opened, or where its self-test fails (see DeviceOptions::force).
std::shared_ptr<Device> open_device(std::string_view text = {}, const DeviceOptions& options = {});

/// Opens every device that some of the texts name; `all` names every one. Each device is opened once, in the list's
/// order. \throws as open_device, though a text may fit several devices.
std::vector<std::shared_ptr<Device>> open_devices(const std::vector<std::string>& texts,
                                                  const DeviceOptions& options = {});

}  // namespace clopt
