/// \file
/// What compilers, or clopt and a compiler, might read in different ways in the text of an objective.
#pragma once

#include <string_view>

namespace clopt::objective {

/// \throws InvalidInput naming the text and the line of what one reader might take otherwise than another: bytes that
/// end a line or a text for some of them, words that are joined, brackets that macros or conditions leave open or make,
/// definitions that clopt would not see, variables that outlive a call.
void refuse_ambiguities(std::string_view text, std::string_view name);

}  // namespace clopt::objective
