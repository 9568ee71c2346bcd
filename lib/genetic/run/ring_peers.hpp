/// \file
/// The runs of other ranks, which a rank's islands meet in a ring.
#pragma once

#include <cluster/mailbox.hpp>
#include <cluster/ring.hpp>
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
struct Orders {
  const Watch& watch;
  std::atomic<bool> wants_image{false};
  std::atomic<std::uint64_t> generation{0};  ///< that the run is at

  std::uint32_t flags() {
    return (wants_image.exchange(false) ? Stand::wants_image : 0) | (watch.expired() ? Stand::is_late : 0);
  }
};

/// The first byte of messages about the progress of a part.
enum class Told : std::uint8_t { best, image };

/// The runs of the other ranks' islands.
class RingPeers : public Peers {
 public:
  /// \param orders of the first rank; none at others.
  RingPeers(cluster::Mailbox& mailbox, const cluster::Range& range, cluster::Ring ring, Orders* orders)
      : mailbox_(mailbox), range_(range), ring_(std::move(ring)), orders_(orders) {}

  Bytes pass_on(const Bytes& migrants) override { return ring_.pass_on(migrants); }
  Stand meet(Stand own, std::uint64_t generation) override {
    own.orders = orders_ != nullptr ? own.orders | orders_->flags() : 0;
    if (orders_ != nullptr) orders_->generation = generation;
    return ring_.all_reduce(own, join);
  }
  void tell_image(const Bytes& image) override {
    auto message = encode(Told::image);
    message.insert(message.end(), image.begin(), image.end());
    mailbox_.send_progress(range_, message);
  }
  bool best_is_due() const override { return told_.seconds() >= told_interval; }
  void tell_best(double value, std::span<const double> genes) override {
    told_ = Stopwatch();
    mailbox_.send_progress(range_, encode(Told::best, value, genes));
  }

 private:
  // How often a rank sends its best, for the progress of the run.
  static constexpr double told_interval = 0.5;

  cluster::Mailbox& mailbox_;
  const cluster::Range range_;
  cluster::Ring ring_;
  Orders* orders_;
  Stopwatch told_;  // since the best was sent
};

}  // namespace clopt::genetic
