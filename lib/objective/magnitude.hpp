/// \file
/// How large a text's values may be.
#pragma once

#include <clopt/objective.hpp>

#include <cstdint>
#include <optional>

namespace clopt::objective {

/// The largest magnitude that a partial result of a text may have, a term's sum among them: from bounds of genes,
/// tables, constants and loops, by what its sums, products and functions make of these. Only an index is in no value.
/// Infinite where a loop multiplies what it had. None where the text has anything else: macros, arrays, pointers, bits,
/// other functions than those that give no more than they get, `while`, quotients by an expression. Whole numbers
/// must not wrap. \param genes of an individual. \param largest_gene the magnitude of integers.
/// O(length of the text and tables).
std::optional<double> largest_value(const Objective& objective, std::uint64_t genes, double largest_gene);

}  // namespace clopt::objective
