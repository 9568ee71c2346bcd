/// \file
/// How pieces of a run come to devices.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "progress.hpp"

namespace clopt::differential_evolution {

/// Pieces that wait for a device. What a device that fails was at is done by the others.
class Share {
 public:
  using Work = std::function<void(Device&, const Piece&)>;

  /// \param work brings a piece to its end; several threads call it at once.
  Share(std::vector<Piece> pieces, Work work);

  /// Does them all. \throws what \p work throws, but a DeviceError only if no device is left.
  void run(std::span<const std::shared_ptr<Device>> devices);

  /// The devices that failed, and how.
  const std::vector<std::string>& failures() const { return failures_; }

 private:
  void serve(Device& device);
  bool take(Piece& piece);

  Work work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> waiting_;
  std::size_t at_work_ = 0;
  std::exception_ptr error_;         // that ends the run
  std::exception_ptr device_error_;  // the last of a device
  std::vector<std::string> failures_;
};

}  // namespace clopt::differential_evolution
