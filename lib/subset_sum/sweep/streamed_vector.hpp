/// \file
/// A bit vector of reached capacities in the host's memory, of which pieces visit a device to be given items.
#pragma once

#include "bit_vector.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace clopt::subset_sum {

/// Stands in for a BitVector where the device has not the memory. Items are taken by groups, and for each group pieces
/// visit the device from the highest down, so that the vector is swept in place: what a piece needs lies in it and
/// beneath it, by the weights of the group. While one piece is swept, the next one is on its way. An item that is
/// heavier than a piece reads another piece of the same size.
template <class WordType>
class StreamedVector {
 public:
  using Word = WordType;
  using Pool = HostArray<Word>;
  static constexpr std::uint64_t bits = 8 * sizeof(Word);
  static constexpr std::uint64_t capacities_a_subset = std::uint64_t{1} << 16;
  static constexpr std::string_view name = "host";

  StreamedVector(Device& device, const Watch& watch);
  /// \param on_device words of each vector there; none: what its memory has.
  void allocate(std::uint64_t words, std::size_t most_items, std::optional<std::uint64_t> on_device);
  Pool pool(std::uint64_t words);
  void begin_search(std::span<const std::uint64_t> weights) { weights_ = weights; }
  static std::uint64_t words_for(const Stretch& stretch) { return BitVector<Word>::words_for(stretch); }

  // As those of BitVector.
  void load(const Stretch& stretch, const Checkpoint& from, const Pool& pool);
  bool take(const Stretch& stretch, std::size_t first, std::size_t last, const Phase& phase);
  void keep(const Range& capacities, const Pool& pool, std::uint64_t offset);
  bool holds(std::uint64_t capacity) const { return is_set(vectors_[0], capacity - base_); }
  std::optional<std::uint64_t> best_sum(const Range& sums, bool smallest) const;
  void write(const Pool& pool, std::span<const Word> words, std::uint64_t first) {
    std::copy(words.begin(), words.end(), pool.begin() + first);
  }
  void read(const Pool& pool, std::span<Word> words, std::uint64_t first) const;
  std::uint32_t first_item(const Checkpoint& from, const Pool& pool, std::uint64_t sum, std::uint32_t count) const;
  std::uint32_t first_subset(const Checkpoint& from, const Pool& pool, std::uint64_t sum, std::uint32_t begin,
                             std::uint32_t count) const;
  const std::array<Pool, 1>& vectors() const { return vectors_; }
  static std::size_t count() { return 1; }
  void require_all_launches() const;
  std::uint64_t launches() const;

 private:
  /// Items that visit pieces together, up to `last`. \param apart whether it is one whose sources lie apart.
  struct Group {
    std::size_t last;
    std::uint64_t weight;
    bool apart;
  };

  static bool is_set(const Pool& words, std::uint64_t bit) { return (words[bit / bits] >> (bit % bits) & 1) != 0; }
  Group group(const Stretch& stretch, std::size_t first, std::size_t last) const;
  std::uint64_t begin_of_piece(const Range& left, const Group& group) const;
  bool take_group(const Stretch& stretch, std::size_t first, const Group& group, const Phase& phase);

  Device& device_;
  std::array<std::unique_ptr<BitVector<Word>>, 2> on_device_;  // take turns
  std::uint64_t piece_words_ = 0;                              // of each of their vectors
  std::size_t turn_ = 0;
  std::array<Pool, 1> vectors_;
  bool fresh_ = true;  // nothing was loaded yet: all words are 0
  std::span<const std::uint64_t> weights_;
  std::uint64_t base_ = 0;  // the first bit's capacity
};

extern template class StreamedVector<std::uint16_t>;
extern template class StreamedVector<std::uint32_t>;
extern template class StreamedVector<std::uint64_t>;

}  // namespace clopt::subset_sum
