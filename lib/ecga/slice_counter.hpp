/// \file
/// Counts pairs of rows over a part of the population, on a further device.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shape.hpp"

namespace clopt::ecga {

/// Counts pairs of rows on a device: by matrix units or population counts, in as many parts as fill the device.
class PairKernels {
 public:
  PairKernels() = default;
  PairKernels(Device& device, Counting counting);

  /// \param counts a table of stride tiles.stride. \param first_row, end_row the rows of the table that are counted:
  /// set
  ///        to 0 first where parts add up. \param words that a row may have.
  void launch(Queue& queue, const Buffer<std::uint32_t>& rows, const Buffer<std::uint32_t>& lists,
              const Buffer<std::uint32_t>& totals, const Buffer<std::uint32_t>& counts, Tiles tiles,
              std::uint32_t words, std::uint32_t first_row, std::uint32_t end_row) const;

 private:
  using Count = Kernel<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, Tiles>;

  std::uint64_t wanted_groups_ = 1;
  std::uint32_t group_ = count_group;
  Count count_;
  Count wide_;  // for many rows
};

/// The tiles of the matrix of counts for some individuals: counts over parts of a population add up, so that each
/// device has its part of all rows, makes new rows by itself, and gives its counts to the one that knows the whole.
class SliceCounter {
 public:
  /// \param first_word, words the part of each row, whole multiples of 16.
  SliceCounter(Device& device, const Shape& shape, Counting counting, std::uint32_t first_word, std::uint32_t words);

  SliceCounter(const SliceCounter&) = delete;
  SliceCounter& operator=(const SliceCounter&) = delete;
  ~SliceCounter();

  /// Takes its part of the loci's rows. \param rows all of them, whole.
  void load(std::span<const std::uint32_t> rows);
  /// Makes rows first_row to end_row, if there are products, and begins to count them as \p tiles says.
  void count(std::span<const std::uint32_t> lists, std::span<const Product> products, const Tiles& tiles,
             std::uint32_t first_row, std::uint32_t end_row);
  /// What was counted: row p of the table, from first_row on, and end_row numbers of each.
  const std::vector<std::uint32_t>& counts();

 private:
  Device& device_;
  Shape shape_;
  std::uint32_t first_word_;
  std::uint32_t words_;
  std::unique_ptr<Queue> queue_;
  Buffer<std::uint32_t> rows_;
  Buffer<std::uint32_t> lists_;
  Buffer<std::uint32_t> counts_;
  Buffer<Product> products_;
  Kernel<InOut<std::uint32_t>, In<std::uint32_t>, In<Product>, In<std::uint32_t>, std::uint32_t, std::uint32_t,
         std::uint32_t>
      make_rows_;
  PairKernels count_pairs_;
  Buffer<std::uint32_t> totals_;
  std::vector<std::uint32_t> host_slice_;
  std::vector<std::uint32_t> host_counts_;
  Event counted_;
};

}  // namespace clopt::ecga
