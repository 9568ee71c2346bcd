/// \file
/// How the members of a group speak to each other.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>

#include <run/bytes.hpp>

namespace clopt::group {

/// Messages to and from all other members, without waiting for them. Members have numbers from 0 on.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  /// What carries the messages, one line.
  virtual std::string library() const = 0;

  static constexpr std::size_t most_bytes = std::size_t{1} << 30;
  /// Begins to send a message of at most most_bytes.
  virtual void send(int rank, Bytes message) = 0;
  /// Whether any thread may call send().
  virtual bool sends_from_all_threads() const { return false; }
  /// Where this member's notes of a run go at once, on the thread that sends them; for transports whose send() any
  /// thread may call. \param take returns whether it has taken the note, which is else a message like others; none:
  /// there is no run.
  virtual void take_notes_by(const std::function<bool(std::span<const std::byte> message)>& /*take*/) {}
  /// Continues all transfers, and hands over the messages that are complete, those of one member in their order.
  /// \returns whether there was any, or has begun to come.
  virtual bool poll(const std::function<void(int rank, Bytes message)>& take) = 0;
  /// Waits for a message, at most so long; all of it where the transport cannot say that one has come.
  virtual void wait(std::chrono::microseconds longest) { std::this_thread::sleep_for(longest); }
  /// Whether no message is on its way out.
  virtual bool has_sent_all() const = 0;
  virtual std::uint64_t bytes() const = 0;  ///< of messages sent and received so far
  /// Ends it; all members call it.
  virtual void finalise() = 0;
};

}  // namespace clopt::group
