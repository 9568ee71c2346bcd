/// \file
/// Individuals whose objective is evaluated on the host. Also compiled with the texts of users, so it stands alone.
#pragma once

#include <cstdint>

namespace clopt {

/// Individuals somewhere in the host's memory and room for their values. The types are the program's: an element of the
/// genes is a real of the precision, an int, or 32 bits; rows, tables and values are reals.
struct ObjectiveBatch {
  const void* genes;   ///< element j of individual i is genes[i * individual_step + j * gene_step]
  const void* rows;    ///< the row of individual i begins at rows[i * row_step]
  const void* tables;  ///< the objective's tables
  void* values;        ///< of individual i: values[i]
  std::uint64_t count;
  std::uint64_t individual_step;  ///< 1: individuals side by side, which are computed many at a time
  std::uint64_t row_step;         ///< 0: one row for all
  std::uint32_t gene_step;
  std::uint32_t gene_count;  ///< of genes, also where an element holds 32
  std::uint32_t column_count;
};

}  // namespace clopt
