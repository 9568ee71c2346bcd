/// \file
/// The sizes of a run and the memory that they take.
#pragma once

#include <clopt/ecga.hpp>
#include "operations.hpp"
#include "plan.hpp"

#include <cstdint>

namespace clopt {
class Device;
}

namespace clopt::ecga {

/// The sizes of a run.
struct Dimensions {
  std::uint32_t individuals = 0;
  std::uint32_t length = 0;
  std::uint32_t row_words = 0;      ///< a multiple of 16
  std::uint32_t layers = 1;         ///< of the rows that are counted
  std::uint32_t counted_words = 0;  ///< room for all layers, a multiple of 16; in practice half of it is used
  std::uint32_t words = 0;          ///< of an individual
  std::uint32_t most_loci = 0;      ///< of a group
  std::uint32_t most_row_loci = 0;  ///< of a group that has rows for its subsets; 0 where none has
  std::uint32_t most_rows = 0;
  std::uint32_t value_bytes = 4;  ///< of a fitness
  bool is_improved = false;
  bool keeps_before = false;  ///< whether the last generation is put back where the next one's evaluation is ended
  bool tries_whole = false;   ///< whether moves of an improvement are evaluated as whole individuals

  /// \param most_row_loci as above; the fewer, the less memory. \param spare how often
  ///        the rows that merges may need are halved for the part that guesses may take besides.
  Dimensions(std::uint64_t individuals, std::uint32_t length, std::uint32_t largest_group,
             std::uint32_t tournament_size, std::uint32_t most_row_loci, int spare = 0);

  /// Individuals and what fills up the last words of a row.
  std::uint32_t stride() const { return 32 * row_words; }
  std::uint64_t population_bytes() const { return std::uint64_t{4} * words * stride(); }
  std::uint64_t rows_bytes() const { return std::uint64_t{4} * length * row_words; }
  std::uint64_t counted_bytes() const { return most_row_loci == 0 ? 4 : std::uint64_t{4} * most_rows * counted_words; }
  std::uint64_t sampled_bytes() const { return std::uint64_t{4} * length * row_words; }
  std::uint64_t counts_bytes() const { return most_row_loci == 0 ? 4 : std::uint64_t{4} * most_rows * most_rows; }
  std::uint64_t logarithms_bytes() const { return std::uint64_t{8} * (std::uint64_t{individuals} + 1); }
  std::uint64_t searches_bytes() const { return is_improved ? std::uint64_t{4} * ECGA_SEARCH_WORDS * stride() : 0; }
  std::uint64_t improvement_bytes() const {
    const auto trials = tries_whole ? population_bytes() + std::uint64_t{4 + value_bytes} * stride() : 0;
    return searches_bytes() + trials;
  }
  std::uint64_t before_bytes() const {
    return keeps_before ? population_bytes() + std::uint64_t{value_bytes} * stride() : 0;
  }
  std::uint64_t edges_bytes() const { return sizeof(Edge) * (most_edges() + 1); }
  /// Fitness, parents, lists and all of the above.
  std::uint64_t bytes() const;
  std::uint64_t largest_buffer() const;
  /// Pairs with a gain that lists hold at first: a tenth of the pairs of loci.
  std::uint64_t most_edges() const;
  /// Groups that a search may make: every merge, and wrong predictions.
  std::size_t most_groups() const { return std::size_t{6} * length + 1024; }
  /// Rows that merges may need beyond those of the loci; the others are for predicted unions.
  std::uint32_t needed_rows() const;
};

/// Whether groups have rows, where there is room.
bool counts_rows(Counting counting);

/// Whether a run of these dimensions fits a device. \param sharers processes of its machine that have as much each.
bool has_room(const Dimensions& dimensions, const Device& device, std::uint64_t sharers = 1);

/// The largest dimensions that fit a device: groups have rows as far as there is room.
/// \param counting the one that is used. \throws InvalidInput with the sizes where even the smallest does not fit.
Dimensions fitting_dimensions(const Plan& plan, Counting counting, const Device& device, std::uint64_t sharers = 1);

}  // namespace clopt::ecga
