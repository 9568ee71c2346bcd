/// \file
/// Whether an objective needs doubles.
#pragma once

#include <clopt/device.hpp>
#include <clopt/objective.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::objective {

/// Every whole number up to here is a float.
inline constexpr double largest_exact_float = 0x1p24;
/// The same of doubles.
inline constexpr double largest_exact_double = 0x1p53;

/// The number that a token is, without its suffix; none of a mask in hexadecimal, where a text may have such.
std::optional<double> literal_of(std::string_view word, bool has_masks);

/// Why the values of an objective are not those of floats, as the end of a sentence: its violation has to be resolved,
/// a function's values are doubles, or whole numbers may pass largest_exact_float; empty where floats do.
///
/// What a built-in objective comes to at most is known. The values of a text with whole numbers (int objective_count,
/// int objective_word) are bounded by its numbers, constants and tables, by how often it multiplies, and by its loops.
/// Those of another text of bits, integers or permutations are what largest_value() finds. Where that finds none, a
/// text that multiplies anything but an index passes; another one is bounded as a text of whole numbers is. One of
/// reals must have no whole number that is not a float. \param genes of an individual. \param largest_gene the
/// magnitude of integers. O(length of the text and tables).
std::string why_doubles(const Objective& objective, std::uint64_t genes, double largest_gene = 1);

/// Those of some devices that have doubles, where a run needs them and there are such; else all. \param failures gets
/// those that were left out, and why.
std::vector<std::shared_ptr<Device>> with_doubles(std::span<const std::shared_ptr<Device>> devices,
                                                  bool double_precision, std::vector<std::string>& failures);

}  // namespace clopt::objective
