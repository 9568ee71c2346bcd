/// \file
/// How large a text's values may be.
#pragma once

#include <clopt/objective.hpp>

#include <cstdint>
#include <optional>

namespace clopt::objective {

/// The largest magnitude that the value of a text of whole numbers may have, as real objective(individual x) or a sum
/// of terms has it: from bounds of genes, tables, constants and loops, by what its sums, products and functions make of
/// these. What is only a condition, an index or the end of a loop is in no value. None where the text has anything
/// else: functions and macros of its own, arrays, quotients, numbers that are not whole. Whole numbers must not wrap.
/// \param genes of an individual. \param largest_gene the magnitude of integers. O(length of the text and tables).
std::optional<double> largest_value(const Objective& objective, std::uint64_t genes, double largest_gene);

}  // namespace clopt::objective
