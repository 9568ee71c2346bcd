/// \file
/// The tokens of an objective's text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace clopt::objective {

struct Token {
  enum class Kind { identifier, number, other } kind;
  std::size_t begin;  ///< where it begins in the text
  std::string_view text;

  std::size_t end() const { return begin + text.size(); }
};

/// Identifiers, numbers and single characters, without comments, strings and white space.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace clopt::objective
