/// \file
/// Where the operands of a division begin and end in a text.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "tokens.hpp"

namespace clopt::objective {

/// Whether the group at a '(' is a cast.
using IsCast = std::function<bool(std::size_t open)>;

/// Whether a number is a literal that is not zero.
bool is_nonzero(std::string_view number);

/// The first token of the factors with which the tokens end, as of `a * -b[i]` before a '/'; their number where they
/// end with none.
std::size_t begin_of_factors(std::span<const Token> tokens, const IsCast& is_cast);

/// The first token of the variable with which the tokens end, as of `a[i].b` before "/="; their number where what
/// stands there may not be written twice.
std::size_t begin_of_variable(std::span<const Token> tokens, const IsCast& is_cast);

/// Behind the last token of what is assigned from the token \p begin on; at most \p end.
std::size_t behind_assigned(const std::vector<Token>& tokens, std::size_t begin, std::size_t end);

}  // namespace clopt::objective
