/// \file
/// Constructs that are refused in the text of an objective, and those that cause a warning.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace clopt::objective {

/// \throws InvalidInput naming the text and the line of what reaches beyond it or the compiler's usual work: #include,
/// #pragma and other directives but macros and conditions, attributes, inline assembler, tokens that are pasted
/// together, and what hides these: other spellings of '#' and '[', raw strings, digit separators.
void refuse_foreign_parts(std::string_view text, std::string_view name);

/// A sentence about the functions that the text calls and whose results differ from device to device, with what to
/// take instead; empty without such. \param own names that mean something else: constants and tables.
std::string warn_of_functions(std::string_view text, std::string_view name, const std::set<std::string>& own);

}  // namespace clopt::objective
