/// \file
/// The reader of all texts: problems, tables, topologies, schedules.
#pragma once

#include <clopt/detail/numbers.hpp>
#include <clopt/export.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace clopt {

/// What is a comment, and what separates words beside white space.
struct TextSyntax {
  char comment = '\0';  ///< hides the rest of a line: `#` anywhere, another one that begins it
  std::function<void(std::string_view)> on_comment{};  ///< gets what stands behind that
  /// Whether a comma or a semicolon separates numbers, too. None may be missing between two of them, and a comma
  /// between two digits is refused.
  bool has_commas = false;
};

/// Takes a text apart into lines, words and numbers. It skips the byte order mark of UTF-8, takes LF, CR LF and CR
/// alone as ends of lines, and does not depend on a locale. What it refuses has the text's name and the line. A text
/// that is read by words alone is never in memory as a whole.
class CLOPT_API TextReader {
 public:
  /// \param file of which messages have the name. \throws InvalidInput where it cannot be read.
  explicit TextReader(const std::filesystem::path& file, const TextSyntax& syntax = {});
  /// \param text must outlive the reader. \param name what messages call it. \throws InvalidInput for a bad one.
  TextReader(std::istream& text, std::string_view name, const TextSyntax& syntax = {});

  /// The next word, of this line or a later one; empty at the end. It is valid until the next call.
  std::string_view word();
  /// The next word of this line; empty at the line's end.
  std::string_view word_of_line();
  /// word(), which stays the next one.
  std::string_view peek();
  /// Continues at the next line, at first at the first one. \returns false at the end.
  bool next_line();
  /// What is left of this line, without the white space around it; a comment belongs to it. It is valid until the next
  /// call.
  std::string_view rest_of_line();
  /// All that is left, with its ends of lines as they are. \throws InvalidInput for a text in UTF-16.
  std::string rest();

  /// The next word as a number, before which a plus may stand. \param what it is, for messages.
  template <class Number>
  requires std::is_integral_v<Number> Number number(std::string_view what, Number least, Number most) {
    const auto text = require_word(what);
    const auto value = number_of<Number>(text);
    if (!value || *value < least || *value > most)
      refuse_number(text, what, std::to_string(least), std::to_string(most));
    return *value;
  }
  double number(std::string_view what, double least, double most);
  /// Any finite number.
  double number(std::string_view what);
  /// The finite number that a word is, before which a plus may stand.
  template <class Number>
  static std::optional<Number> number_of(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    return number_in<Number>(word);
  }

  /// Refuses a word that is left in this line, or in the text.
  void require_end_of_line();
  void require_end();

  /// Whether nothing but spaces of one line stands between the last word and the one before.
  bool follows_spaces() const { return follows_spaces_; }

  /// The line that is read, from 1 on.
  std::size_t line() const { return line_ > 1 && begins_line_ && at_ == end_ ? line_ - 1 : line_; }
  const std::string& name() const { return name_; }
  /// \throws InvalidInput with the name, the line and what is expected.
  [[noreturn]] void refuse(std::string_view what) const { refuse(line(), what); }
  /// The same of an earlier line.
  [[noreturn]] void refuse(std::size_t line, std::string_view what) const;
  /// What a message of a word that is not a number adds where it has a comma; else nothing.
  static std::string_view comma_hint(std::string_view word);
  /// A word as a message shows it.
  static std::string shown(std::string_view word);

 private:
  enum class Kind : std::uint8_t { other, separator, comma, line_end, comment };

  void begin(const TextSyntax& syntax);
  std::string_view require_word(std::string_view what);
  [[noreturn]] void refuse_number(std::string_view text, std::string_view what, const std::string& least,
                                  const std::string& most) const;
  bool refill();
  bool has_more() { return at_ != end_ || refill(); }
  Kind kind_of(char c) const { return kinds_[static_cast<unsigned char>(c)]; }
  bool skip_to_word(bool in_line);
  std::string_view take_word();
  void take_comma();
  void refuse_comma_within_number();
  void take_comment();
  std::string_view take_to_line_end();
  void take_line_end();

  std::string name_;
  std::ifstream file_;
  std::istream* stream_;
  std::array<Kind, 256> kinds_{};
  char comment_ = '\0';
  std::function<void(std::string_view)> on_comment_;
  std::string buffer_;
  std::size_t kept_ = 0;  ///< where what must stay in the buffer begins
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::size_t line_ = 1;
  bool has_begun_ = false;
  bool begins_line_ = true;      ///< no word of this line was taken
  bool follows_word_ = false;    ///< no comma or semicolon stands behind the last word
  bool follows_spaces_ = false;  ///< as follows_spaces()
  bool is_wide_ = false;         ///< begins as UTF-16 does
};

}  // namespace clopt
