/// \file
/// Which sums the first items reach, for each number of items: tables that the subsets with a sum are walked back by.
#pragma once

#include <clopt/run.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "subset_list.hpp"

namespace clopt::subset_sum {

/// A weight from 0 on, and by how much taking it changes the count of numbers: 1, or -1.
struct TableItem {
  std::uint64_t weight;
  std::int32_t cost;
};

/// What the sums of the first items are known by.
enum class TableKind : std::uint8_t {
  reached,      ///< a bit a sum: whether any items reach it
  least_count,  ///< a number a sum: the least count that reaches it
  each_count    ///< a bit for each sum and count
};

/// The dynamic program over sums up to a limit, item by item from the lightest on. Subsets are walked back from the
/// last item to the first: of some items' tables all are kept, those before are computed again from the start (as by
/// Hirschberg's halving), so that some tables more than log2 n are in memory.
class SumTable {
 public:
  /// \param limit the largest sum that matters. \param count of each_count, whose costs are all 1: the largest one.
  SumTable(TableKind kind, std::vector<TableItem> items, std::uint64_t limit, std::size_t count, const Watch& watch)
      : kind_(kind), items_(std::move(items)), limit_(limit), count_(count), watch_(watch) {}

  /// Predicted seconds and bytes, at least.
  static double seconds(TableKind kind, std::size_t items, double limit, std::size_t count);
  static double bytes(TableKind kind, std::size_t items, double limit, std::size_t count);

  /// Of each_count: the largest sum of `count` items; none where there is none. \returns false where the run must end,
  /// as the others do.
  bool best(std::optional<std::uint64_t>& sum);
  /// Of least_count: the least count that reaches the limit; none where nothing does.
  bool least_count(std::optional<std::int32_t>& count);
  /// Adds the subsets with the limit as their sum and, where the table knows counts, a count, until the list is full.
  /// \param count of least_count: the least one. Positions are those of the items.
  bool list(std::int32_t count, SubsetList& subsets);

 private:
  TableKind kind_;
  std::vector<TableItem> items_;
  std::uint64_t limit_;
  std::size_t count_;
  const Watch& watch_;
};

}  // namespace clopt::subset_sum
