/// \file
/// The tokens of an objective's text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace clopt::objective {

struct Token {
  enum class Kind { identifier, number, literal, other } kind;
  std::size_t begin;  ///< where it begins in the text
  std::string_view text;
  bool in_directive = false;  ///< on a line that begins with '#'

  std::size_t end() const { return begin + text.size(); }
};

/// Identifiers, numbers, strings and characters, and single other characters, without comments and white space. Line
/// ends are LF or CR LF; a backslash before one is white space. What a compiler might divide otherwise is refused by
/// refuse_foreign_parts().
std::vector<Token> tokens_of(std::string_view text);

/// A macro of the text's own. Its tokens are those of the text.
struct Macro {
  std::string_view name;
  bool has_parameters = false;
  std::vector<std::string_view> parameters;
  std::size_t first = 0;  ///< of its body
  std::size_t last = 0;   ///< behind its body
};

/// All that the text defines, in their order.
std::vector<Macro> macros_of(const std::vector<Token>& tokens);

/// The token behind the group that the bracket at \p open begins; the number of tokens where it is left open.
std::size_t behind_group(const std::vector<Token>& tokens, std::size_t open);

/// \returns whether it is (, [ or {; likewise ), ] or }.
bool opens(const Token& token);
bool closes(const Token& token);

}  // namespace clopt::objective
