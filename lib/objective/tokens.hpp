/// \file
/// The tokens of an objective's text.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::objective {

/// Types of whole numbers, as functions that convert name them.
inline constexpr std::array<std::string_view, 8> whole_types{"char", "uchar", "short", "ushort",
                                                             "int",  "uint",  "long",  "ulong"};
/// What clopt calls, and must therefore find.
struct CalledFunction {
  std::string_view type;
  std::string_view name;
  std::string_view parameters;
  std::string_view arguments;  ///< the names of the parameters
};
inline constexpr std::array<CalledFunction, 7> called_functions{
    {{"real", "objective_finish", "individual x, real sum", "x, sum"},
     {"real", "objective_term", "individual x, uint i", "x, i"},
     {"int", "objective_count", "individual x, uint i", "x, i"},
     {"int", "objective_word", "individual x, uint w", "x, w"},
     {"real", "residual", "individual x, uint j", "x, j"},
     {"real", "violation", "individual x", "x"},
     {"real", "objective", "individual x", "x"}}};
/// Words that are no type, although a name may follow them.
inline constexpr std::array<std::string_view, 4> before_a_value{"return", "case", "else", "do"};

inline bool is_called_by_clopt(std::string_view name) {
  return std::any_of(called_functions.begin(), called_functions.end(),
                     [&](const CalledFunction& called) { return called.name == name; });
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

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

/// A change of a text: `length` bytes at `place` give way to `with`.
struct Change {
  std::size_t place = 0;
  std::size_t length = 0;
  std::string with{};
};

/// The text with changes, in the order of their places; none reaches into the next.
std::string with_changes(std::string_view text, std::span<const Change> changes);

/// \returns whether it is (, [ or {; likewise ), ] or }.
bool opens(const Token& token);
bool closes(const Token& token);

}  // namespace clopt::objective
