// A run among those of other ranks.
#include <clopt/run.hpp>

#include <cstdint>
#include <span>

#include <ecga/model/peers.hpp>
#include <support/numbers/checksum.hpp>
#include "run.hpp"

namespace clopt::ecga {

void Run::work_with(Peers& peers) {
  peers_ = &peers;
  guesses_ = static_cast<std::uint32_t>(peers.least(guesses_));
  predicted_model_->work_with(peers);
  counter_->devices().share_with(peers);
}

// The best of each section of the population says enough of it.
void Run::require_equal() const {
  if (!peers_) return;
  Checksum checksum;
  checksum.add(fitness_->sections());
  const std::uint64_t own[] = {statistics_.generation, converged_ ? 1U : 0U, improved_at_};
  checksum.add(std::span<const std::uint64_t>(own));
  peers_->require_equal(checksum.value());
}

bool Run::is_expired() const {
  if (!watch_.expired()) report();
  return peers_ ? peers_->must_stop() : watch_.expired();
}

}  // namespace clopt::ecga
