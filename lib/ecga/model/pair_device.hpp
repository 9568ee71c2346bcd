/// \file
/// The part of the selected population that one device holds and counts.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <ecga/dimensions.hpp>
#include <run/pacing.hpp>
#include "logarithms.hpp"
#include "pair_kernels.hpp"

namespace clopt::ecga {

/// What a search has made in a generation so far, for all devices alike.
struct GroupLists {
  std::vector<std::uint32_t> lists;  ///< of rows and loci: first what stays for the generation, then what a pass needs
  std::size_t kept = 0;              ///< of the lists
  std::vector<Group> groups;
  std::vector<Product> products;  ///< of which the rows beyond those of the loci are made
};

/// The rows of the selected population on one device, its table of counts, and the gains of pairs of groups from these.
/// A device holds only the counts that were requested from it.
class PairDevice {
 public:
  /// \param queue that all work goes through.
  PairDevice(Device& device, Queue& queue, const Dimensions& dimensions, Counting counting,
             const Logarithms& logarithms);

  /// Whether the device takes the work-groups that counting needs.
  bool is_able() const;
  Device& device() const { return device_; }
  Queue& queue() const { return queue_; }

  /// The selected population's rows, one for each locus.
  const Buffer<std::uint32_t>& rows() const { return rows_; }
  /// Rows of distinct individuals in layers, and the individuals of each layer.
  const Buffer<std::uint32_t>& counted() const { return counted_; }
  const Buffer<std::uint32_t>& totals() const { return totals_; }
  const Buffer<std::uint32_t>& ones() const { return ones_; }
  const Buffer<std::uint32_t>& counts() const { return counts_; }
  const Buffer<std::int64_t>& logarithms() const { return table_; }
  /// From one counted row to the next, in words.
  std::uint32_t counted_words() const { return counted_words_; }
  void set_counted_words(std::uint32_t words) { counted_words_ = words; }

  /// Forgets what was made of the last population. ones() is to be there.
  void begin();
  /// Takes lists and groups, and makes rows of the products that it has not yet.
  void take(const GroupLists& lists);
  /// Sums groups that it has not summed yet, from the ones of rows, which it counts where it has not yet.
  void sum_missing(const GroupLists& lists, const Pairs& which, bool has_large);
  /// Sums new groups from counts that are there.
  void sum_fresh(const Pairs& which, bool has_large);

  /// Bits of pairs of rows that any device counts in some tenths of a second at most, most of them in milliseconds.
  double bits_of_short_count() const { return short_count_; }
  /// Calls a function between the launches of a count(); what it throws leaves the count.
  void call_between_launches(std::function<void()> call) { between_launches_ = std::move(call); }

  Tiles tiles(std::uint32_t first, std::uint32_t first_count, std::uint32_t second, std::uint32_t second_count) const;
  /// More than a short count is divided into several launches. \param lists none: those of take(). \param first_row,
  /// end_row as PairKernels::launch().
  void count(const Tiles& tiles, std::uint32_t first_row, std::uint32_t end_row,
             const Buffer<std::uint32_t>* lists = nullptr);
  /// Counts each row alone.
  void count_diagonal(std::uint32_t first_row, std::uint32_t end_row);
  /// Makes all rows of blocks, which follow each other.
  void make_blocks(const Buffer<Block>& blocks, std::uint32_t count, const Buffer<std::uint32_t>& lists);
  void clear(const Buffer<Edge>& edges);
  /// Pairs of the list `partners` from `fresh` to `fresh + fresh_count` with the earlier ones of the list.
  void find_locus_gains(const Pairs& which, const Buffer<Edge>& edges);
  void find_gains(const Pairs& which, bool has_large, const Buffer<Edge>& edges);

 private:
  bool has_rows() const { return dimensions_.most_row_loci > 0; }

  double bits_of_rows(const Tiles& tiles, std::uint32_t count) const;
  void count_in_pieces(const Tiles& tiles, const Buffer<std::uint32_t>& lists);

  double short_count_;
  Pacing pacing_;  ///< of bits
  std::function<void()> between_launches_ = [] {};
  Device& device_;
  Queue& queue_;
  Dimensions dimensions_;
  std::uint32_t counted_words_;

  Buffer<std::uint32_t> rows_;
  Buffer<std::uint32_t> counted_;
  Buffer<std::uint32_t> totals_;
  Buffer<std::uint32_t> ones_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint32_t> lists_;
  Buffer<Group> groups_;
  Buffer<Product> products_;
  Buffer<std::int64_t> sums_;
  Buffer<std::int64_t> table_;
  Buffer<std::uint8_t> look_up_;

  Kernel<operations::MakeRows> make_rows_;
  Kernel<operations::MakeBlockRows> make_block_rows_;
  PairKernels count_pairs_;
  Kernel<operations::CountDiagonal> count_diagonal_;
  Kernel<operations::ClearEdges> clear_edges_;
  Kernel<operations::LocusSums> locus_sums_;
  Kernel<operations::LocusGains> locus_gains_;
  Kernel<operations::GroupSums> group_sums_;
  Kernel<operations::HistogramSums> histogram_sums_;
  Kernel<operations::SmallPairGains> small_pair_gains_;
  Kernel<operations::PairGains> pair_gains_;
  Kernel<operations::HistogramGains> histogram_gains_;
  Kernel<operations::TableGains> table_gains_;

  std::size_t uploaded_lists_ = 0;  // of what stays
  std::uint32_t summed_groups_ = 0;
  std::uint32_t made_rows_ = 0;
  std::uint32_t diagonal_rows_ = 0;
};

}  // namespace clopt::ecga
