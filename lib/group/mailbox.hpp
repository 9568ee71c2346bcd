/// \file
/// Between the thread that works at a run and the one that speaks to rank 0.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <run/bytes.hpp>
#include "ranges.hpp"
#include "transport.hpp"

namespace clopt::group {

/// What messages are about: their first byte. The number of the run follows; 0: of no run.
enum class Kind : std::uint8_t {
  // From rank 0.
  run,    ///< solver, seconds left or none, and what the solver wants to know
  go,     ///< devices of all ranks
  range,  ///< ticket, first, count, what goes with it
  news,   ///< what ranges under way gain by
  stop,   ///< ranges under way are to end where they are
  end,    ///< the run is over
  leave,  ///< status; of no run
  // To rank 0.
  prepared,  ///< shape of the rank, names of its devices
  ask,       ///< for a range
  result,    ///< ticket, seconds at work so far and for this one, launches so far, and the result
  progress,  ///< ticket, and how far it is
  failure,   ///< of a device, the others continue: a text
  back,      ///< no device is left: a text
  error,     ///< that ends the run: kind and text
  bye,       ///< the answer to leave; of no run
  alive,     ///< nothing else to say
  // From any rank to any other.
  note  ///< the rank that it is from, and what one worker says to another
};

/// The beginning of a message.
ByteWriter begin_message(Kind kind, std::uint32_t run_number);

/// A range to work at.
struct Order {
  Range range;
  Bytes details;
};
template <class Archive>
void fields(Archive& archive, Order& order) {
  archive("range", order.range)("details", order.details);
}

/// What a range has led to.
struct RangeResult {
  std::uint64_t ticket = 0;
  double seconds = 0;        ///< for this range
  double all_seconds = 0;    ///< at work so far
  double build_seconds = 0;  ///< of these, and before, in which the rank has waited for programs and drivers
  std::uint64_t launches = 0;
  Bytes result;
};
template <class Archive>
void fields(Archive& archive, RangeResult& result) {
  archive("ticket", result.ticket)("seconds", result.seconds)("all_seconds", result.all_seconds);
  archive("build_seconds", result.build_seconds)("launches", result.launches)("result", result.result);
}

/// What a rank works at: its worker takes orders and sends results, on threads of its own; the owner of the mailbox
/// delivers the one and collects the others.
class Mailbox {
 public:
  /// \param direct by what messages go at once; null: collect() and collect_note() have them.
  explicit Mailbox(std::uint32_t run_number, std::uint32_t rank = 0, Transport* direct = nullptr);
  Mailbox(std::uint32_t run_number, Transport& transport)
      : Mailbox(run_number, static_cast<std::uint32_t>(transport.rank()),
                transport.sends_from_all_threads() ? &transport : nullptr) {}
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // For the worker.
  /// Says what this rank is.
  void prepared(const RankShape& shape, const std::vector<std::string>& devices);
  /// Waits until all ranks are prepared. \returns devices of all ranks; none: the run has ended.
  std::optional<std::uint64_t> await_go();
  /// Waits for an order. \param is_over whether this thread takes no more; notify() has it asked again. \returns none
  /// then, and where the run has ended.
  std::optional<Order> await_order(const std::function<bool()>& is_over = [] { return false; });
  /// Has another thread take an order.
  void put_back(Order order);
  void notify();
  void ask() { send(begin_message(Kind::ask, run_number_).take()); }
  void send_result(const RangeResult& result) { send(begin_message(Kind::result, run_number_).add(result).take()); }
  void send_progress(const Range& range, const Bytes& progress);
  void send_failure(const std::string& text) { send(begin_message(Kind::failure, run_number_).add(text).take()); }
  void send_back(const std::string& text) { send(begin_message(Kind::back, run_number_).add(text).take()); }
  /// The exception that is being handled.
  void send_error();
  /// The latest news from rank 0 that speeds up ranges under way; none: no news yet. Any thread may ask.
  std::optional<Bytes> news() const;
  /// Says something to the worker of a rank, which may be this one. All ranks must be prepared.
  void send_note(std::uint32_t rank, const Bytes& text);
  /// Waits for the next thing that the worker of a rank says, in its order. \returns none where work is to stop.
  std::optional<Bytes> await_note(std::uint32_t rank);
  /// Whether no order comes any more.
  bool has_ended() const;
  /// Asks work under way to end where it is.
  std::stop_token stop() const { return stop_.get_token(); }

  // For its owner.
  std::uint32_t run_number() const { return run_number_; }
  /// \param message without kind and number.
  void deliver(Kind kind, ByteReader message);
  /// \returns none where nothing waits.
  std::optional<Bytes> collect();
  struct Note {
    std::uint32_t rank;  ///< that it goes to
    Bytes message;
  };
  std::optional<Note> collect_note();
  /// Whether the worker waits for a note.
  bool awaits_note() const { return awaits_note_; }
  /// Waits until a note is to be collected, at most so long.
  void wait_for_note(std::chrono::microseconds time);

 private:
  void send(Bytes message);
  bool take_note(std::span<const std::byte> message);

  const std::uint32_t run_number_;
  const std::uint32_t rank_;  // this one
  Transport* const direct_;
  std::stop_source stop_;
  mutable std::mutex mutex_;
  std::condition_variable delivered_;
  std::optional<std::uint64_t> devices_;
  std::deque<Order> orders_;
  std::optional<Bytes> news_;
  bool has_ended_ = false;
  std::deque<Bytes> sent_;
  std::deque<Note> notes_;                           // to other ranks
  std::map<std::uint32_t, std::deque<Bytes>> come_;  // from other ranks, by their numbers
  std::condition_variable noted_;
  std::atomic<bool> awaits_note_{false};
};

/// A short sleep between looks for messages, longer where there have been none for a while: looking costs little of a
/// core that others compute on.
class Backoff {
 public:
  void reset() { pause_ = shortest; }
  void wait(Transport& transport) {
    transport.wait(transport.sends_from_all_threads() ? longest : pause_);
    pause_ = std::min(2 * pause_, longest);
  }
  /// The same, but that a worker's note to another rank ends it, and that it stays short while the worker waits for
  /// one: nothing else is computed then, and there are many notes one after the other.
  void wait(Transport& transport, Mailbox& mailbox) {
    if (transport.sends_from_all_threads()) return transport.wait(longest);
    if (mailbox.awaits_note()) pause_ = std::min(pause_, longest_in_step);
    mailbox.wait_for_note(pause_);
    pause_ = std::min(2 * pause_, longest);
  }

 private:
  static constexpr std::chrono::microseconds shortest{20};
  static constexpr std::chrono::microseconds longest{1000};
  static constexpr std::chrono::microseconds longest_in_step{100};
  std::chrono::microseconds pause_ = shortest;
};

/// Throws the exception that a message of Kind::error holds. \param where names the rank; empty: leaves it out.
[[noreturn]] void rethrow(ByteReader message, const std::string& where);

}  // namespace clopt::group
