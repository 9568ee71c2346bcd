/// \file
/// The assignment of a run's pieces to devices.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "batch.hpp"
#include "run_state.hpp"

namespace clopt::differential_evolution {

/// Room for a piece on a device, with a queue of its own.
struct Slot {
  std::shared_ptr<Device> device;
  std::unique_ptr<Batch> batch;
};

/// The slots of a run, and the devices that were lost.
class Slots {
 public:
  using Make = std::function<std::unique_ptr<Batch>(Device&)>;

  /// \param devices that slots may move to. \param make makes the batch of a slot.
  Slots(std::vector<std::shared_ptr<Device>> devices, Make make)
      : devices_(std::move(devices)), make_(std::move(make)) {}

  const std::vector<std::shared_ptr<Device>>& devices() const { return devices_; }

  /// Adds a slot on a device, unless the device is lost. \returns whether it did. \throws what Slots::Make throws,
  /// but no DeviceError of a device that is lost.
  bool add(const std::shared_ptr<Device>& device);
  /// Does work with a slot. Where its device fails, the slot is made again on another one and the work repeated.
  /// \param failure of the device, if it has failed before. \param work is passed whether the slot has moved.
  /// \throws DeviceError where no device is left.
  void attempt(Slot& slot, std::exception_ptr failure, const std::function<void(bool)>& work);
  /// Marks a device as lost, by a DeviceError. Called by one thread at a time.
  void lose(const Device& device, const std::exception_ptr& failure);
  bool is_lost(const Device& device) const;

  std::vector<Slot>& all() { return slots_; }
  /// The devices that failed, and how.
  const std::vector<std::string>& failures() const { return failures_; }
  /// Throws the failure of the device that was lost last.
  [[noreturn]] void rethrow() const { std::rethrow_exception(error_); }

 private:
  void move(Slot& slot, const std::exception_ptr& failure);

  std::vector<std::shared_ptr<Device>> devices_;
  Make make_;
  std::vector<Slot> slots_;
  std::vector<const Device*> lost_;
  std::vector<std::string> failures_;
  std::exception_ptr error_;
};

/// Pieces that wait for a slot. Two slots of a device are double buffering: while one reads its results and takes the
/// next piece, the other one computes. The piece of a device that fails is done by the others.
class PieceAssignment {
 public:
  using Work = std::function<void(Slot&, const Piece&)>;

  /// \param work brings a piece to its end; each of several slots calls it in a thread of its own.
  PieceAssignment(std::vector<Piece> pieces, Slots& slots, Work work);
  /// For pieces that come while others are at work.
  PieceAssignment(Slots& slots, Work work);

  /// Does them all; with one slot, in the caller's thread. \param report is called from time to time, by the caller's
  /// thread. \throws what \p work throws, but a DeviceError only if no device is left.
  void run(const std::function<void()>& report);
  /// Does the pieces that come, each slot in a thread of its own, until close() was called and all are done. \param
  /// feed is called again and again by the caller's thread, and adds pieces, closes, and waits a little. \throws as
  /// run().
  void run_fed(const std::function<void()>& feed);
  // Any thread may call these.
  void add(const Piece& piece);
  /// No more pieces come; with \p discards those that wait are not done.
  void close(bool discards);
  /// Pieces that it has use for now: one for each slot that works, and one ahead.
  std::size_t wanted() const;
  /// Seconds in which some slot was at work.
  double busy_seconds() const;
  /// The devices that have failed so far, and how.
  std::vector<std::string> failures() const;

 private:
  using Clock = std::chrono::steady_clock;

  void serve(Slot& slot);
  void take_pieces(Slot& slot);
  std::exception_ptr try_piece(Slot& slot, const Piece& piece);
  bool take(const Device& device, Piece& piece);
  void begin_threads(std::vector<std::thread>& threads);
  void end_threads(std::vector<std::thread>& threads);

  Slots& slots_;
  Work work_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> waiting_;
  std::size_t at_work_ = 0;
  std::size_t serving_ = 0;
  bool is_closed_ = true;
  Clock::time_point busy_since_{};
  double busy_seconds_ = 0;
  double build_seconds_ = 0;  // for which all threads waited for programs and drivers
  std::exception_ptr error_;  // that ends the run
};

}  // namespace clopt::differential_evolution
