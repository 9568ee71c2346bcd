/// \file
/// Which links are free in which slots, and the first slot that has room for a transfer.
#pragma once

#include <clopt/exchange.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include <exchange/network/network.hpp>

namespace clopt::exchange {

/// The free slots of each link, in blocks; slots beyond the last block are free everywhere.
class FreeSlots {
 public:
  explicit FreeSlots(const Network& network);

  /// Puts a transfer into the first slot in which one of its shortest paths is free. O(slots * links on its paths).
  Placement place(const Transfer& transfer);
  /// Takes a path, given by its nodes, if all of it is free in a slot. \returns whether it was.
  bool take(std::uint32_t slot, const std::vector<std::uint32_t>& path);

 private:
  // Words of 64 slots that are looked at together: as many as the widest vectors hold.
  static constexpr std::size_t block_words = 8;
  static constexpr std::size_t block_slots = 64 * block_words;
  using Block = std::array<std::uint64_t, block_words>;
  /// A link on a shortest path of the transfer.
  struct Hop {
    std::uint32_t link, from, to;
  };

  void grow();
  void find_hops(const Transfer& transfer);
  void find_slots(const Transfer& transfer, std::size_t block);
  std::vector<std::uint32_t> take_path(const Transfer& transfer, std::size_t block, std::size_t word,
                                       std::uint64_t bit);

  const Network& network_;
  std::size_t length_ = 0;
  std::vector<std::vector<Block>> free_;
  std::vector<Block> reach_;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> order_;
  std::vector<Hop> hops_;
};

}  // namespace clopt::exchange
