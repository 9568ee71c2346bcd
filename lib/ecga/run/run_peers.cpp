// A run among those of other ranks.
#include <clopt/run.hpp>

#include <cstdint>
#include <span>

#include <ecga/model/peers.hpp>
#include <support/numbers/checksum.hpp>
#include "run.hpp"

namespace clopt::ecga {

void Run::work_with(Others& others) {
  others_ = &others;
  guesses_ = static_cast<std::uint32_t>(others.least(guesses_));
  forecast_->work_with(others);
  counter_->workers().share_with(others);
}

// The best of each section of the population says enough of it.
void Run::require_alike() const {
  if (!others_) return;
  Checksum checksum;
  checksum.add(std::span<const std::uint64_t>(&host_sections_[0], host_sections_.size()));
  const std::uint64_t own[] = {statistics_.generation, converged_ ? 1U : 0U, improved_at_};
  checksum.add(std::span<const std::uint64_t>(own));
  others_->require_alike(checksum.value());
}

bool Run::is_expired() const {
  if (!watch_.expired()) report();
  return others_ ? others_->are_to_end() : watch_.expired();
}

}  // namespace clopt::ecga
