/// \file
/// What a text makes of numbers that no type holds, that are NaN, or that are divided by 0: the same on every device.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace clopt::objective {

/// What is said of a real that becomes a whole number where no conversion stands.
inline constexpr std::string_view hidden_conversion = "a real becomes a whole number; write the conversion, as (int)x";

/// \throws InvalidInput naming the text and the line of a conversion to whole numbers, or of a
/// division, whose operands clopt cannot see.
void refuse_doubtful_casts(std::string_view text, std::string_view name);

/// The text with functions of kernels_cl/shared/objective/whole.h in place of conversions to whole numbers, of
/// divisions, and of functions whose result for a NaN the language leaves open. Lines stay where they are.
/// \param own names that mean something else: constants and tables.
std::string with_defined_conversions(std::string_view text, const std::set<std::string>& own);

}  // namespace clopt::objective
