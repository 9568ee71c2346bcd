/// \file
/// A schedule of which some slots are filled.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include "link_prices.hpp"
#include "slot_packer.hpp"

namespace clopt::exchange {

/// Slots that are filled, and what the rest costs. Copies share the slots that they have in common, and take 15 bytes
/// for each pair of nodes.
class PartialSchedule {
 public:
  PartialSchedule(const Problem& problem, const Network& network);

  const LinkPrices& prices() const { return prices_; }
  TransferPool& pool() { return pool_; }
  /// Recomputes the prices for what is left, which must not be empty.
  void update_prices();
  /// Those of a packing that stood here before. \param priced_hops links that were left when they were made.
  void set_prices(std::vector<double> loads, std::uint32_t updates, std::uint64_t priced_hops);
  /// The slots that are filled, which copies share.
  const std::vector<std::shared_ptr<const std::vector<SlotPacker::Path>>>& slots() const { return slots_; }
  /// How many slots are filled.
  std::uint32_t steps() const { return static_cast<std::uint32_t>(slots_.size()); }
  /// Links that the transfers take that are still to be placed.
  std::uint64_t hops_left() const { return hops_left_; }
  /// The same when the prices were made.
  std::uint64_t priced_hops() const { return priced_hops_; }
  /// Steps of the whole schedule, if what is left went by the best routing that the prices know. Prices must have been
  /// made where any transfer is left.
  double expected_steps() const;
  /// Fills another slot with paths whose transfers were taken from the pool, unless there are none.
  void add_slot(std::vector<SlotPacker::Path> paths);
  /// The same, and the transfers that are left, by first fit, the longest paths first.
  Schedule completed() const;

 private:
  const Problem* problem_;
  const Network* network_;
  LinkPrices prices_;
  TransferPool pool_;
  std::vector<std::shared_ptr<const std::vector<SlotPacker::Path>>> slots_;
  std::uint64_t hops_left_ = 0;
  std::uint64_t priced_hops_ = 0;
};

}  // namespace clopt::exchange
