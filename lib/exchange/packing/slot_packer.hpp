/// \file
/// Fills one slot with as many transfers as fit.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <vector>

#include "link_prices.hpp"

namespace clopt::exchange {

/// The transfers that are still to be placed, shared out among slots that are filled at the same time.
class TransferPool {
 public:
  TransferPool(const Problem& problem, const Network& network);
  /// Gives each transfer that is left to one of \p parts slots, at most most_parts. \param round another one for each
  /// sharing.
  void share_out(std::uint32_t parts, std::uint64_t seed, std::uint32_t round);
  /// Leaves out a transfer that a slot has taken, where it was the last one of its demand.
  void remove(const Transfer& transfer);
  /// Whether a transfer is there for a slot to take. Only the slot that it was given to may change that.
  bool is_free(std::uint32_t from, std::uint32_t to, std::uint32_t part) const {
    return parts_from(from)[to] == part && free_from(from)[to] != 0;
  }
  /// The slots that the transfers from a node were given to, by the nodes that they go to.
  const std::uint8_t* parts_from(std::uint32_t from) const { return parts_.data() + std::size_t{from} * nodes_; }
  /// How many of each their slots have not taken: to be read by these alone, since others may be filled meanwhile.
  const std::uint16_t* free_from(std::uint32_t from) const { return free_.data() + std::size_t{from} * nodes_; }
  void take(const Transfer& transfer) { --free_[place_of(transfer)]; }
  void give_back(const Transfer& transfer) { ++free_[place_of(transfer)]; }
  static constexpr std::uint32_t most_parts = 16;

 private:
  static constexpr std::uint8_t no_part = 255;
  std::size_t place_of(const Transfer& transfer) const { return std::size_t{transfer.from} * nodes_ + transfer.to; }

  std::uint32_t nodes_;
  std::vector<std::uint8_t> parts_;
  std::vector<std::uint16_t> free_;
};

/// Fills a slot by annealing: a move brings a transfer through a link that is free, over free links or in the place of
/// one path that comes to the link's beginning and one that leaves its end, which it takes out.
class SlotPacker {
 public:
  explicit SlotPacker(const Network& network);

  struct Path {
    Transfer transfer;
    std::vector<std::uint32_t> links;
  };
  /// Which random numbers the moves draw.
  struct Address {
    std::uint64_t seed;
    std::uint32_t attempt;
    std::uint32_t slot;
  };
  /// Paths without a link in common, of transfers of the pool's part, which are taken. O(moves).
  std::vector<Path> fill(const LinkPrices& prices, TransferPool& pool, std::uint32_t part, const Address& address,
                         std::uint32_t moves);

 private:
  static constexpr std::uint32_t none = ~0U;
  /// A node that a path through the link may begin or end at, one link further out than the one it was reached from.
  struct End {
    std::uint32_t node;
    std::uint32_t inner;    ///< its place among the ends; none: the link's own node
    std::uint32_t link;     ///< to or from there
    std::uint32_t length;   ///< links to the link's own node
    std::uint32_t ejected;  ///< the path that has to leave, or none
  };
  struct Candidate {
    std::int32_t gain;
    std::uint32_t begin, end;  ///< places among the ends
  };

  bool is_taken_of_parallel(std::uint32_t link) const;
  void find_begins(std::uint32_t link);
  void find_ends(std::uint32_t link);
  void add_end(std::vector<End>& ends, std::uint32_t inner, std::uint32_t node, std::uint32_t link);
  bool find_best(std::uint32_t part, std::uint32_t random, Candidate& best);
  void put(std::uint32_t link, const Candidate& candidate);
  void eject(std::uint32_t path);
  std::int32_t price_of(std::uint32_t path) const;
  std::uint32_t draw_link(std::uint32_t a, std::uint32_t b) const;
  void move(const Address& address, std::uint32_t part, std::uint32_t number, std::uint32_t moves);

  const Network& network_;
  const LinkPrices* prices_ = nullptr;
  TransferPool* pool_ = nullptr;
  std::vector<Path> paths_;            ///< those without links are unused
  std::vector<std::uint32_t> spare_;   ///< their places
  std::vector<std::uint32_t> holder_;  ///< of each link, its path or none
  std::vector<std::uint32_t> free_;    ///< links
  std::vector<std::uint32_t> place_;   ///< of each free link in free_
  std::vector<End> begins_, ends_;
  std::vector<std::int32_t> losses_;  ///< prices of what the ends eject
};

}  // namespace clopt::exchange
