/// \file
/// OpenCL's C++ bindings as this backend uses them, and its errors as clopt's. The only file that includes them.
#pragma once

// Calls of OpenCL 1.2 only, so that devices of every version work; newer queries are made where a device has them.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/opencl.hpp>

#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <utility>

namespace clopt::opencl {

/// "CL_INVALID_VALUE" and the like.
std::string status_name(cl_int status);

/// An open device: what messages call it, and whether a call of its driver has failed, after which its context is not
/// used for another run.
struct DeviceLabel {
  explicit DeviceLabel(std::string name) : text(std::move(name)) {}

  const std::string text;  ///< "opencl:0 (name)"
  std::atomic<bool> has_failed{false};
};
using SharedLabel = std::shared_ptr<DeviceLabel>;

/// A context that may still be made: get() waits for it, and throws what its making threw.
using SharedContext = std::shared_future<cl::Context>;

/// The same, and what is waited counts as opening.
inline const cl::Context& await(const SharedContext& context) {
  const TimedPart waiting(TimePart::open);
  return context.get();
}

/// Throws the clopt::Error that fits a status: OutOfMemory or DeviceError, naming call, device and status.
[[noreturn]] void throw_status(cl_int status, const std::string& call, DeviceLabel& device);

/// Does work whose cl::Error becomes a clopt::Error naming the device.
template <class Work>
decltype(auto) translate(DeviceLabel& device, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const cl::Error& error) {
    throw_status(error.err(), error.what(), device);
  }
}

}  // namespace clopt::opencl
