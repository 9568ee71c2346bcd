/// \file
/// Counts pairs of groups on a device.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "helpers.hpp"
#include "logarithms.hpp"
#include "search.hpp"
#include "shape.hpp"

namespace clopt::ecga {

/// Pairs of groups of the selected population on one device.
///
/// Every group of at most Shape::most_row_loci loci has a row, of a bit for each individual, for each subset of its
/// loci. Rows of a union that were rows of its parts stay; the others are new. The ones of the ands of all pairs of
/// rows are kept in a triangle of counts, so that each product is counted once in a generation; a pair's pattern counts
/// follow from these by a Moebius transform.
class DeviceCounter : public PairCounter {
 public:
  /// \param queue that all work goes through, also that of others on the same buffers.
  DeviceCounter(Device& device, Queue& queue, const Shape& shape, Counting counting, const Logarithms& logarithms);

  /// Has further devices count, each its part of the population. To be called before begin().
  void share_with(std::span<const std::shared_ptr<Device>> devices);
  /// Goes on without one of them, which failed: from the selection on, all is to be done again.
  void drop_helper(std::size_t helper);

  /// The selected population's rows, one for each locus: to be written before begin().
  const Buffer<std::uint32_t>& rows() const { return rows_; }
  /// How often each individual was selected; all 0 at first, and again after select().
  const Buffer<std::uint32_t>& copies() const { return copies_; }
  /// Individuals of each layer: to be set to 0 before select().
  const Buffer<std::uint32_t>& totals() const { return totals_; }
  /// Makes the loci's counted rows of the selected individuals, and gives other devices theirs of rows(): to be called
  /// before begin() or count_blocks().
  void select(const Buffer<std::uint32_t>& population, const Buffer<std::uint32_t>& parents);
  /// Counts the ones of each locus; \returns them. What was counted before is forgotten.
  const std::vector<std::uint32_t>& begin();
  /// What begin() returned.
  const std::vector<std::uint32_t>& last_ones() const { return host_ones_; }
  /// N times the entropy of each locus, in units.
  std::vector<std::int64_t> entropies() const;
  /// The loci that may merge: neither constant nor so nearly so that no merge can gain; ascending.
  std::vector<std::uint32_t> active_loci() const;

  void count_loci(std::span<const std::uint32_t> loci, std::vector<Edge>& edges) override;
  void count_unions(std::span<const Union> unions, std::span<const std::uint32_t> others,
                    std::vector<Edge>& edges) override;
  std::size_t affordable(std::span<const Union> unions) const override;
  void take(std::uint32_t group) override;

  /// Lists of rows, on the device and here, and what new rows are made of.
  struct RowLists {
    const Buffer<std::uint32_t>& lists;
    std::span<const std::uint32_t> host_lists;
    std::span<const Product> host_products;
  };
  /// Makes the rows of blocks, which follow each other from \p first_row on, and counts them all against each other;
  /// all that was counted before is lost.
  /// \param rows the lists end with the new rows.
  void count_blocks(const Buffer<Block>& blocks, std::uint32_t block_count, const RowLists& rows,
                    std::uint32_t first_row);
  const Buffer<std::uint32_t>& counts() const { return counts_; }
  const Buffer<std::uint32_t>& ones() const { return ones_; }
  const Buffer<std::int64_t>& logarithms() const { return table_; }

  double build_seconds() const { return build_seconds_; }

 private:
  bool has_rows() const { return shape_.most_row_loci > 0; }
  std::uint32_t new_rows(std::uint32_t one, std::uint32_t other) const;
  void add_group(const Union& parts);
  void place_groups(std::span<const std::uint32_t> groups);
  Tiles rows_to_count(std::uint32_t first_new, std::span<const std::uint32_t> groups);
  Pairs pairs(std::uint32_t fresh, std::uint32_t fresh_count, std::size_t others, std::size_t others_count) const;
  void upload(std::size_t first_group);
  /// A part of the lists.
  struct ListPart {
    std::uint32_t begin;
    std::uint32_t count;
  };
  Tiles tiles_of(const ListPart& first, const ListPart& second) const;
  void launch_products(const RowLists& rows, std::uint32_t first_row);
  void count_rows(const RowLists& rows, const Tiles& tiles, std::uint32_t first_row, std::uint32_t end_row);
  void launch_gains(const Pairs& which);
  template <class Launch>
  void collect(std::vector<Edge>& edges, const Launch& launch);

  Device& device_;
  Queue& queue_;
  Shape shape_;
  const Logarithms& logarithms_;
  double build_seconds_ = 0;

  Buffer<std::uint32_t> rows_;
  Buffer<std::uint32_t> counted_;
  Buffer<std::uint32_t> copies_;
  Buffer<std::uint32_t> totals_;
  Buffer<std::uint32_t> chosen_;
  Buffer<std::uint32_t> ones_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint32_t> lists_;
  Buffer<Group> groups_;
  Buffer<Product> products_;
  Buffer<std::int64_t> sums_;
  Buffer<std::int64_t> table_;
  Buffer<Edge> edges_;
  Buffer<std::uint8_t> look_up_;

  Kernel<In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t> count_ones_;
  Kernel<InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t>
      list_layers_;
  Kernel<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t,
         std::uint32_t, std::uint32_t, std::uint32_t>
      select_layers_;
  Kernel<InOut<std::uint32_t>, In<std::uint32_t>, In<Product>, In<std::uint32_t>, std::uint32_t, std::uint32_t,
         std::uint32_t>
      make_rows_;
  Kernel<InOut<std::uint32_t>, In<std::uint32_t>, In<Block>, In<std::uint32_t>, std::uint32_t, std::uint32_t>
      make_block_rows_;
  PairKernels count_pairs_;
  Kernel<InOut<Edge>> clear_edges_;
  Kernel<In<std::uint32_t>, In<std::int64_t>, InOut<std::int64_t>, std::uint32_t, std::uint32_t> locus_sums_;
  Kernel<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, In<std::int64_t>, In<std::int64_t>, InOut<Edge>,
         Pairs>
      locus_gains_;
  Kernel<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, InOut<std::int64_t>, Pairs> group_sums_;
  Kernel<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, InOut<std::int64_t>, Pairs> histogram_sums_;
  Kernel<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, In<std::int64_t>, InOut<Edge>, Pairs>
      small_pair_gains_, pair_gains_;
  Kernel<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, In<std::int64_t>, InOut<Edge>, Pairs>
      histogram_gains_;
  Kernel<In<std::uint32_t>, In<std::uint8_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, In<std::int64_t>,
         InOut<Edge>, Pairs>
      table_gains_;

  Helpers helpers_;
  std::uint32_t layers_;

  std::vector<std::uint32_t> host_ones_;
  std::vector<std::uint32_t> host_lists_;  // what stays for a generation, then what a pass needs
  std::size_t kept_lists_ = 0;
  std::size_t uploaded_lists_ = 0;  // of what stays
  std::vector<Group> host_groups_;
  std::vector<std::uint32_t> own_rows_;  // of each group: how many rows it brought
  std::vector<Product> host_products_;
  std::vector<char> is_used_;            // rows of a pass
  std::vector<std::uint32_t> position_;  // of loci, so that groups are intervals
  std::vector<Edge> found_;
  std::size_t expected_edges_ = 256;
  std::uint32_t rows_used_ = 0;
  std::uint32_t rows_taken_ = 0;  // by unions that are no guesses
  std::uint32_t merges_ = 0;
  bool has_large_ = false;
};

}  // namespace clopt::ecga
