/// \file
/// Prices of links while a schedule is filled slot by slot.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include <exchange/network/routing.hpp>

namespace clopt::exchange {

/// Prices of links by the transfers that are still to be placed. Links that even the best fractional routing of these
/// loads most cost most, as in the dual ascent that proves bounds; the price of a transfer is that of its cheapest
/// shortest path. A slot is well filled where its transfers' prices add up to nearly the prices of all links: whatever
/// is lost cannot be made up for in later slots. A copy has 12 bytes of its own for each pair of nodes.
class LinkPrices {
 public:
  LinkPrices(const Problem& problem, const Network& network);

  /// A transfer was placed.
  void leave_out(const Transfer& transfer) { router_.leave_out(transfer); }
  /// Recomputes the prices for the transfers that are left. \param hops of them, at least 1. O(senders * links) for
  /// each round of the ascent: 1,000 rounds at first and 16 later, or 200 and 4 for more than 100,000 senders times
  /// links.
  void update(std::uint64_t hops);
  /// The loads of links by which the prices were made, and how often they were; and back to these.
  const std::vector<double>& loads() const { return loads_; }
  std::uint32_t updates() const { return updates_; }
  void set_loads(std::vector<double> loads, std::uint32_t updates);
  /// Whether update() uses several threads.
  bool are_made_by_threads() const { return router_.is_worth_threads(); }
  /// The largest load of a link when the transfers that are left go by the best routing known.
  double largest_load() const { return largest_load_; }
  std::int32_t of_link(std::uint32_t link) const { return links_[link]; }
  /// Of a wanted transfer, whether it was placed or not.
  std::int32_t of_transfer(std::uint32_t from, std::uint32_t to) const { return of_transfers(from)[to]; }
  /// Those from a node, by the nodes that they go to.
  const std::int32_t* of_transfers(std::uint32_t from) const {
    return transfers_.data() + std::size_t{from} * network_->nodes();
  }
  /// The largest price of a link.
  static constexpr std::int32_t most = 100;

 private:
  void price_all();
  void price_links();
  void price_transfers();

  const Network* network_;
  Router router_;
  std::vector<double> loads_;  ///< of a routing that follows the ascent
  double largest_load_ = 0;
  std::uint32_t updates_ = 0;
  std::vector<std::int32_t> links_;
  std::vector<std::int32_t> transfers_;
  /// The nodes that each sender reaches.
  std::shared_ptr<const std::vector<std::vector<std::uint32_t>>> nearest_first_;
};

}  // namespace clopt::exchange
