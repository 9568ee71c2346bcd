/// \file
/// Finding and opening devices of every backend.
#pragma once

#include <clopt/export.hpp>

#include <clopt/backend.hpp>
#include <clopt/device.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clopt {

/// The available devices, and those that were left out.
struct DeviceList {
  std::vector<DeviceInfo> devices;  ///< OpenMP's first
  std::vector<Unavailable> unavailable;
};

/// Finds every device of every backend. Backends are looked for in the folders of the environment's
/// CLOPT_BACKEND_PATH, then beside the library; of two with one name the first is used. Nothing is opened.
/// Where OpenCL drivers must be left out, the variables OCL_ICD_VENDORS and OCL_ICD_FILENAMES are changed for a moment
/// of the first call: make it before other threads read the environment.
CLOPT_API DeviceList list_devices();

/// The devices that some of the texts name, each once, in the order in which they are named. Nothing is opened.
/// \param texts each is an id ("opencl:1"), any part of a device's or platform's name in any case, `all`, or several of
///        these with commas between them; a text may fit several devices. No text at all: the environment's
///        CLOPT_DEVICE. Where that is unset too, and for the text `auto`: the first GPU, else the first device
///        (openmp:0).
/// \throws InvalidInput for an empty text; NoDevice where a text fits none.
CLOPT_API std::vector<DeviceInfo> find_devices(const std::vector<std::string>& texts);

/// Opens a device that find_devices() or list_devices() found.
/// A device opens without a test. The first time that a solver uses it, it must give known answers of random numbers
/// and of that solver: see Device::kernel() and DeviceOptions::self_test. The outcome is remembered for the driver.
/// The process keeps it, with its kernels and small buffers: who opens the same one in the same way again gets it, at
/// no cost, on any thread. One that has failed is opened anew. In the child of a fork, which opens its own, drivers
/// that its parent had loaded cannot be used. \throws NoDevice where it cannot be opened.
CLOPT_API std::shared_ptr<Device> open_listed_device(const DeviceInfo& info, const DeviceOptions& options = {});

/// Gives up the devices that the process keeps, and their memory; those that are in use close with their last user.
CLOPT_API void release_devices();

/// What is remembered of a device's self-tests, for its driver and this library's kernels: "passed", where all have
/// passed, "not run", or what was wrong. Nothing is run. \param info of an open device.
CLOPT_API std::string self_test_state(const DeviceInfo& info);

/// Runs the self-tests of a listed device that have not passed: of random numbers and of every solver.
/// \param progress is called before each, on the calling thread, with the test's name and the part of all tests that is
///        done. \returns an empty text, or what is wrong. \throws NoDevice where the device cannot be opened.
CLOPT_API std::string run_self_tests(const DeviceInfo& info, const DeviceOptions& options = {},
                                     const std::function<void(std::string_view name, double done)>& progress = {});

/// Opens the device that a text names.
/// \param text an id ("opencl:1"), any part of a device's or platform's name in any case, or empty: the environment's
///        CLOPT_DEVICE, else the first GPU, else the first device (openmp:0).
/// \throws InvalidInput where the text fits several devices, with the choices; NoDevice where it fits none, where the
///         device cannot be opened.
CLOPT_API std::shared_ptr<Device> open_device(const std::string& text = {}, const DeviceOptions& options = {});

/// Opens every device of find_devices(). \throws as find_devices() and open_listed_device().
CLOPT_API std::vector<std::shared_ptr<Device>> open_devices(const std::vector<std::string>& texts,
                                                            const DeviceOptions& options = {});

/// Whether texts, as find_devices() takes them, leave the device to the work: the text `auto` alone, or no text, where
/// the environment's CLOPT_DEVICE is unset or `auto`.
CLOPT_API bool leave_device_to_work(const std::vector<std::string>& texts);

struct AutomaticOptions;  // of the library

/// The devices of a run: those that are given, or the one that the work chooses.
class CLOPT_API Devices {
 public:
  /// A run begins on the processor (openmp:0) at once. After some 50 ms of work the first GPU (or the device that the
  /// environment's CLOPT_ACCELERATOR names; `none`: none) is opened and its kernels are built beside it, on a thread of
  /// its own, and the run moves there where its rest gains. Results have the same bits as on one device;
  /// RunResult::devices says which device did what. A run that ends before costs what the processor costs. The GPU
  /// stays open for later runs, and like ones begin there where it was the quicker one. Where the objective is a
  /// function of the host, all is done on the processor; in a job of MPI by the first GPU, else the processor. \param
  /// options of both devices.
  static Devices automatic(const DeviceOptions& options = {});
  /// Devices that are open.
  explicit Devices(std::vector<std::shared_ptr<Device>> given) : given_(std::move(given)) {}

  bool is_automatic() const { return automatic_ != nullptr; }
  /// Those that were given; none where the work chooses.
  const std::vector<std::shared_ptr<Device>>& given() const { return given_; }

 private:
  friend Devices chosen_by_work(AutomaticOptions options);
  friend class DeviceChoice;

  Devices() = default;

  std::vector<std::shared_ptr<Device>> given_;
  std::shared_ptr<const AutomaticOptions> automatic_;
};

}  // namespace clopt
