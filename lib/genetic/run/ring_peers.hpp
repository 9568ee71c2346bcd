/// \file
/// The runs of other ranks, which a rank's islands meet in a ring.
#pragma once

#include <group/mailbox.hpp>
#include <group/ring.hpp>
#include <support/stopwatch.hpp>

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <genetic/peers.hpp>
#include "request.hpp"

namespace clopt::genetic {

/// What the first rank's two threads exchange: one takes part in the run, one waits for its end.
struct FirstRank {
  const Watch& watch;
  std::atomic<bool> wants_state{false};
  std::atomic<std::uint64_t> generation{0};  ///< that the run is at

  std::uint32_t flags() {
    return (wants_state.exchange(false) ? RingStatus::wants_state : 0) | (watch.expired() ? RingStatus::is_late : 0);
  }
};

/// The first byte of messages about the progress of a part.
enum class ProgressKind : std::uint8_t { best, state };

/// The runs of the other ranks' islands.
class RingPeers : public Peers {
 public:
  /// \param first of the first rank; null at others.
  RingPeers(group::Mailbox& mailbox, const group::Range& range, group::Ring ring, FirstRank* first)
      : mailbox_(mailbox), range_(range), ring_(std::move(ring)), first_(first) {}

  void await_all() override {
    ring_.all_reduce(char{}, [](char own, char) { return own; });
  }
  Bytes pass_on(const Bytes& migrants) override { return ring_.pass_on(migrants); }
  RingStatus combine(RingStatus own, std::uint64_t generation) override {
    own.orders = first_ != nullptr ? own.orders | first_->flags() : 0;
    if (first_ != nullptr) first_->generation = generation;
    return ring_.all_reduce(own, join);
  }
  void send_state(const Bytes& state) override {
    auto message = encode(ProgressKind::state);
    message.insert(message.end(), state.begin(), state.end());
    mailbox_.send_progress(range_, message);
  }
  bool best_is_due() const override { return last_best_.seconds() >= best_interval; }
  void send_best(double value, std::span<const double> genes) override {
    last_best_ = Stopwatch();
    mailbox_.send_progress(range_, encode(ProgressKind::best, value, genes));
  }

 private:
  // How often a rank sends its best, for the progress of the run.
  static constexpr double best_interval = 0.5;

  group::Mailbox& mailbox_;
  const group::Range range_;
  group::Ring ring_;
  FirstRank* first_;
  Stopwatch last_best_;  // since the best was sent
};

}  // namespace clopt::genetic
