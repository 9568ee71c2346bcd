/// \file
/// Known answers that a device must give before it is used.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {

/// A device cannot be tested as it is; nothing is known of it then.
class NotTested : public Error {
 public:
  using Error::Error;
};

/// A test with a known answer. Its name is that of a folder of kernels: "random_numbers", "genetic".
struct KnownAnswer {
  std::string_view name;
  /// \returns an empty text, or what is wrong. \throws NotTested where something that it needs is missing.
  std::string (*test)(Device& device);
};

/// The tests: of the random numbers that steer every search, and of each solver.
std::span<const KnownAnswer> known_answers();

/// Runs a test. \returns an empty text, or what the device did wrong; an exception of the device is wrong, too. Where
/// it cannot be run, nothing is wrong, and nothing is remembered.
std::string run_known_answer(const KnownAnswer& test, Device& device);

/// What is remembered of a test on a device and driver with these kernels: "passed", what was wrong, or nothing.
std::string remembered_outcome(const DeviceInfo& info, std::string_view test);

/// What a device that was opened for use must prove, the first time that an operation of a solver is built.
class KnownAnswers {
 public:
  /// Opens the same device again, without tests.
  using Opener = std::function<std::shared_ptr<Device>()>;

  /// \param device as it is listed; \param uses_driver whether it is foreign code that is tested, in a process of its
  ///        own where there can be one; \param force whether a device that fails is used all the same.
  KnownAnswers(DeviceInfo device, bool uses_driver, bool force, Opener open)
      : device_(std::move(device)), uses_driver_(uses_driver), force_(force), open_(std::move(open)) {}

  /// Ends tests that still run: their results are no longer needed.
  ~KnownAnswers() { stop_.request_stop(); }
  KnownAnswers(const KnownAnswers&) = delete;
  KnownAnswers& operator=(const KnownAnswers&) = delete;

  /// Begins the tests of random numbers and of the solver of a folder of kernels, unless they are known to be passed.
  /// Folders without a test need none. Those of a GPU then run beside the compilers of this process; others, which take
  /// the same processor's cores, run to their end. Threads wait for each other. \throws NoDevice where one fails,
  /// unless forced.
  void begin(std::string_view folder);
  /// Whether a test has failed, and the device is refused for it.
  bool has_failed() const { return is_refused_; }
  /// Waits for the tests that were begun. \returns the seconds waited. \throws NoDevice as begin().
  double settle();

  /// Runs those of all tests that have not passed. \param progress is called before each, with its name and the part
  /// of them that is done. \returns an empty text, or what is wrong, a test after the other.
  std::string run_all(const std::function<void(std::string_view name, double done)>& progress);

 private:
  std::string outcome_of(const std::vector<const KnownAnswer*>& tests);
  std::string run_here(std::span<const KnownAnswer* const> tests);
  void refuse_if_wrong() const;

  const DeviceInfo device_;
  const bool uses_driver_;
  const bool force_;
  const Opener open_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> begun_;            // folders whose tests were begun
  std::string wrong_;                                   // what was wrong
  std::vector<std::shared_future<std::string>> tests_;  // that run
  mutable std::atomic<bool> is_refused_{false};
  std::atomic<bool> is_unsettled_{false};  // whether there are some, or the device is refused
};

}  // namespace clopt
