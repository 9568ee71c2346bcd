// What a text may be read as, where all of its words are known. Any other word leaves it to the plain reading, one
// individual at a time.
#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text.hpp"
#include "tokens.hpp"

namespace clopt::objective {
namespace {

using namespace std::string_view_literals;

// Functions whose result is NaN where an argument is.
constexpr std::array handing_on{"exp"sv,   "log"sv,  "sin"sv,   "cos"sv,   "sinpi"sv, "cospi"sv, "tan"sv,  "sinh"sv,
                                "cosh"sv,  "tanh"sv, "exp2"sv,  "log2"sv,  "log10"sv, "hypot"sv, "sqrt"sv, "fabs"sv,
                                "floor"sv, "ceil"sv, "trunc"sv, "round"sv, "rint"sv,  "mad"sv};
// Functions that do for a vector of individuals what they do for each.
constexpr std::array of_vectors{"pow"sv,  "min"sv,      "max"sv,   "fmin"sv,  "fmax"sv,     "clamp"sv,
                                "fmod"sv, "copysign"sv, "isnan"sv, "isinf"sv, "isfinite"sv, "abs"sv};
constexpr std::array readers{"genes"sv, "gene"sv, "columns"sv, "row"sv, "abscissa"sv, "sigma"sv};
constexpr std::array plain_keywords{"real"sv,   "float"sv, "double"sv,   "bool"sv,     "void"sv,      "individual"sv,
                                    "const"sv,  "if"sv,    "else"sv,     "for"sv,      "while"sv,     "do"sv,
                                    "return"sv, "break"sv, "continue"sv, "switch"sv,   "case"sv,      "default"sv,
                                    "struct"sv, "true"sv,  "false"sv,    "constant"sv, "__constant"sv};
// Words of C++ or C that are no names, beside those.
constexpr std::array other_keywords{
    "alignas"sv, "alignof"sv, "and"sv, "and_eq"sv, "bitand"sv, "bitor"sv, "catch"sv, "class"sv, "compl"sv, "delete"sv,
    "enum"sv, "explicit"sv, "export"sv, "friend"sv, "goto"sv, "inline"sv, "mutable"sv, "new"sv, "noexcept"sv, "not"sv,
    "not_eq"sv, "nullptr"sv, "or"sv, "or_eq"sv, "private"sv, "protected"sv, "public"sv, "register"sv, "signed"sv,
    "sizeof"sv, "static"sv, "throw"sv, "this"sv, "try"sv, "typedef"sv, "typeid"sv, "union"sv, "unsigned"sv, "virtual"sv,
    "volatile"sv, "wchar_t"sv, "xor"sv, "xor_eq"sv, "size_t"sv, "ptrdiff_t"sv, "intptr_t"sv, "uintptr_t"sv, "event_t"sv,
    // Names of vector_number.hpp.
    "number"sv, "truth"sv, "scalar"sv, "together"sv, "vector_lanes"sv, "vector_of_reals"sv, "vector_of_truths"sv,
    "truth_value"sv};

class KnownWords {
 public:
  KnownWords(std::string_view text, const std::set<std::string>& own) : tokens_(tokens_of(text)), own_(own) {
    for (const auto& macro : macros_of(tokens_)) {
      functions_.insert(macro.name);
      ends_in_star_ = ends_in_star_ || (macro.first < macro.last && text_of(macro.last - 1) == "*");
    }
    int braces = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (text_of(i) == "{") ++braces;
      if (text_of(i) == "}") --braces;
      if (!is_identifier(i) || i == 0 || !is_identifier(i - 1)) continue;
      if (braces == 0 && text_of(i + 1) == "(") functions_.insert(text_of(i));
      const auto type = text_of(i - 1);
      (is_one_of(whole_types, type) ? wholes_ : type == "individual" ? individuals_ : reals_).insert(text_of(i));
    }
  }

  bool hands_nan_on() const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (text_of(i) == "for" && text_of(i + 1) == "(") {
        const auto end = behind_group(tokens_, i + 1) - 1;
        for (i += 2; i < end; ++i)
          if (!is_of_wholes(i)) return false;
        continue;
      }
      if (!hands_on(i)) return false;
    }
    return true;
  }

  bool take_vectors() const {
    if (ends_in_star_) return false;
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (!takes_vectors(i)) return false;
    return true;
  }

 private:
  std::string_view text_of(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view{}; }
  bool is_identifier(std::size_t i) const { return tokens_[i].kind == Token::Kind::identifier; }
  bool is_own(std::string_view word) const {
    return own_.contains(std::string(word)) ||
           (word.ends_with("_size") && own_.contains(std::string(word.substr(0, word.size() - 5))));
  }
  bool is_whole(std::string_view word) const {
    return wholes_.contains(word) && !reals_.contains(word) && !individuals_.contains(word);
  }

  // Of the head of a loop: nothing in it depends on a real.
  bool is_of_wholes(std::size_t i) const {
    const auto word = text_of(i);
    if (tokens_[i].in_directive) return false;
    if (tokens_[i].kind == Token::Kind::number)
      return word.find_first_of(".pP") == word.npos &&
             (word.starts_with("0x") || word.find_first_of("eEfF") == word.npos);
    if (tokens_[i].kind == Token::Kind::other) return ";=<>!+-*/%(),"sv.find(word) != std::string_view::npos;
    if (!is_identifier(i)) return false;
    if (word == "genes" || word == "columns") return text_of(i + 1) == "(";
    return is_one_of(whole_types, word) || word == "const" || is_whole(word) ||
           (individuals_.contains(word) && !reals_.contains(word) && !wholes_.contains(word)) ||
           (word.ends_with("_size") && is_own(word));
  }

  bool hands_on(std::size_t i) const {
    const auto word = text_of(i);
    if (tokens_[i].in_directive) return false;
    if (tokens_[i].kind == Token::Kind::number) return true;
    if (tokens_[i].kind == Token::Kind::other)
      return "(){},;+-*/%=[]"sv.find(word) != std::string_view::npos && !(word == "=" && text_of(i + 1) == "=");
    if (!is_identifier(i)) return false;
    if (text_of(i + 1) == "(") {
      if (functions_.contains(word)) return true;
      return word == "return" || word == "OBJECTIVE_REAL" || is_one_of(handing_on, word) || is_one_of(readers, word) ||
             is_own(word);
    }
    // Not a cast.
    if (is_one_of(whole_types, word)) return text_of(i + 1) != ")";
    return word == "real" || word == "const" || word == "return" || word == "individual" || wholes_.contains(word) ||
           (reals_.contains(word) && !is_one_of(other_keywords, word)) || individuals_.contains(word) || is_own(word) ||
           word == "M_PI" || word == "M_E" || functions_.contains(word);
  }

  bool takes_vectors(std::size_t i) const {
    const auto word = text_of(i);
    if (tokens_[i].kind == Token::Kind::literal) return false;
    // The cast of a pointer shows the first individual alone.
    if (word == "*") return text_of(i + 1) != ")" && text_of(i + 1) != "const" && text_of(i + 1) != "restrict";
    if (!is_identifier(i)) return true;
    if (is_one_of(plain_keywords, word) || is_one_of(whole_types, word)) return true;
    if (is_one_of(other_keywords, word) || word.starts_with("__")) return false;
    if (word.starts_with("OBJECTIVE_") || word.starts_with("CLOPT_")) return word == "OBJECTIVE_REAL";
    if (text_of(i + 1) != "(" || functions_.contains(word) || is_own(word)) return true;
    if (word.starts_with("convert_")) return is_one_of(whole_types, word.substr(8));
    const bool is_directive = tokens_[i].in_directive && i > 0 && (text_of(i - 1) == "#" || word == "defined");
    return is_one_of(handing_on, word) || is_one_of(of_vectors, word) || is_one_of(readers, word) || is_directive;
  }

  std::vector<Token> tokens_;
  const std::set<std::string>& own_;
  std::set<std::string_view> functions_;  // and macros
  std::set<std::string_view> wholes_;
  std::set<std::string_view> individuals_;
  std::set<std::string_view> reals_;  // and names of unknown types
  bool ends_in_star_ = false;
};

}  // namespace

bool lets_nan_through(std::string_view text, const std::set<std::string>& own) {
  return KnownWords(text, own).hands_nan_on();
}

bool takes_vectors(std::string_view text, const std::set<std::string>& own) {
  return KnownWords(text, own).take_vectors();
}

}  // namespace clopt::objective
