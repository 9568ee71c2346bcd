#include <clopt/detail/characters.hpp>
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <support/files/table.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "amount_reader.hpp"
#include "amounts_list.hpp"
#include "decimal.hpp"

namespace clopt::subset_sum {
namespace {

constexpr std::string_view wanted_amounts =
    "numbers are integers up to 2^63-1 in magnitude, or decimals, such as -12.50, of at most 18 digits, with white "
    "space, "
    "commas or semicolons between them";

bool is_usual(const AmountsFormat& format) {
  return format.decimal.empty() && format.thousands.empty() && format.separator.empty();
}

std::optional<std::int64_t> integer_in(std::string_view word) {
  std::int64_t integer = 0;
  const auto* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, integer);
  if (error != std::errc{} || stop != end || integer == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  return integer;
}

[[noreturn]] void refuse_empty(std::string_view name, std::string_view wanted) {
  throw InvalidInput(fmt::format("{}: no number found; give at least one {}", name, wanted));
}

void take_weight(TextReader& text, std::string_view word, AmountsList& list) {
  // Most are integers of few digits.
  if (const auto integer = integer_in(word); integer && *integer > 0) return list.add({*integer, 0});
  DecimalReader reader;
  for (const char c : word) reader.take(c);
  const auto number = reader.value();
  if (number && number->digits > 0 && !reader.has_point()) return list.add(*number);
  const auto fault = [&]() -> std::string_view {
    if (!number) return reader.fault();
    if (number->digits < 0) return "negative";
    return number->digits == 0 ? "zero" : "not an integer";
  };
  text.refuse(fmt::format(
      "'{}' is {}; weights are integers from 1 to 2^63-1, with white space, commas or semicolons between them",
      TextReader::shown(word), fault()));
}

/// Takes the amounts of a text without a heading.
class AmountWords {
 public:
  AmountWords(TextReader& text, const AmountsFormat& format) : text_(text), format_(format), reader_(format) {}

  /// All, where the usual characters separate them: word by word.
  void take_all() {
    for (auto word = text_.word(); !word.empty(); word = text_.word()) {
      if (const auto integer = integer_in(word))
        list_.add({*integer, 0});
      else
        take(word);
      if (text_.follows_spaces() && !group_.empty()) refuse_space_within_number(word);
      group_ = may_begin_groups(word) ? word : std::string_view();
    }
  }

  /// All, where numbers have characters of their own: line by line.
  void take_lines() {
    do {
      const auto line = text_.rest_of_line();
      take_line(line.substr(0, line.find('#')));
    } while (text_.next_line());
  }

  AmountsList& list() { return list_; }

 private:
  void take(std::string_view word) {
    if (reader_.take_currency(word)) {
      if (!reader_.fault().empty()) refuse(word);
      return;
    }
    const auto amount = reader_.read(word);
    if (!amount) refuse(word);
    list_.add(*amount);
  }

  [[noreturn]] void refuse(std::string_view word) const {
    const bool is_plain = reader_.fault().find("give") == std::string::npos;
    text_.refuse(fmt::format("'{}' {}{}{}", TextReader::shown(word), reader_.fault(), is_plain ? "; " : "",
                             is_plain ? wanted_amounts : ""));
  }

  // Whether a word ends in one to three digits, and has no others.
  static bool may_begin_groups(std::string_view word) {
    const auto first = word.find_first_of("123456789");
    return first != word.npos && word.size() - first <= 3 && std::all_of(word.begin() + first, word.end(), is_digit) &&
           word.substr(0, first).find_first_of("0.,") == word.npos;
  }

  // `1 350.00` may be one number. The word before is kept as a text, since the reader has moved on.
  void refuse_space_within_number(std::string_view word) const {
    constexpr std::size_t size = 6;
    if (word.size() < size || word[3] != '.') return;
    for (std::size_t i = 0; i < word.size(); ++i)
      if (i != 3 && is_digit(word[i]) != (i < size)) return;
    text_.refuse(
        fmt::format("'{} {}' may be one number or two: give `thousands` ' ' or `separator` ' ' to say what the "
                    "space is",
                    group_, TextReader::shown(word)));
  }

  bool is_between_digits(std::string_view line, std::size_t at, std::size_t length) const {
    return at > 0 && is_digit(line[at - 1]) && at + length < line.size() && is_digit(line[at + length]);
  }

  // The bytes at which a number ends; 0: none.
  std::size_t length_of_separator(std::string_view line, std::size_t at) const {
    if (const auto thousands = AmountReader::length_of_thousands(line.substr(at), format_.thousands);
        thousands != 0 && is_between_digits(line, at, thousands))
      return 0;
    const char c = line[at];
    if (!format_.separator.empty() && c == format_.separator.front()) return 1;
    if (c == ',') return is_between_digits(line, at, 1) ? 0 : 1;
    return c == ';' || is_space(c) ? 1 : 0;
  }

  void take_line(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
      if (const auto length = length_of_separator(line, at)) {
        const bool is_white = is_space(line[at]);
        if (!is_white && !has_word_) text_.refuse(fmt::format("no number stands before '{}'", line[at]));
        has_word_ = has_word_ && is_white;
        at += length;
        continue;
      }
      const auto begin = at;
      while (at < line.size() && length_of_separator(line, at) == 0) ++at;
      take(line.substr(begin, at - begin));
      has_word_ = true;
    }
  }

  TextReader& text_;
  const AmountsFormat& format_;
  AmountReader reader_;
  AmountsList list_;
  std::string group_;      ///< the word before, where it may be the first digits of a number; else empty
  bool has_word_ = false;  ///< a number stands before, and no comma or semicolon behind it
};

// Whether a text's first word is a name: the text is a table then.
bool is_name(std::string_view word) {
  if (word.starts_with('"')) word.remove_prefix(1);
  if (word.empty() || AmountReader::is_currency(word)) return false;
  const auto small = lower(word);
  const bool begins =
      is_letter(word.front()) || word.front() == '_' || static_cast<unsigned char>(word.front()) >= 0xC3;
  // A currency sign before digits.
  const bool has_digits_behind = !is_letter(word.front()) && std::any_of(word.begin(), word.end(), is_digit);
  return begins && !has_digits_behind && small != "nan" && small != "inf" && small != "infinity";
}

bool is_total(std::string_view field) {
  const auto small = lower(field);
  for (const std::string_view total : {"total", "sum", "subtotal", "grand total", "summe", "gesamt"})
    if (small == total || small == std::string(total) + ":") return true;
  return false;
}

// Whether a heading has amounts, as the first line of a table without one.
bool has_amounts(const std::vector<std::string>& names) {
  const AmountsFormat usual;
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return AmountReader(usual).read(names.size() == 1 ? name.substr(name.rfind(' ') + 1) : name).has_value();
  });
}

AmountsText amounts_of(const Table& table, std::string_view name, const AmountsFormat& format, const Decimal& capacity,
                       const Decimal& tolerance) {
  const auto& names = table.heading.fields;
  if (format.column.empty() && has_amounts(names))
    throw InvalidInput(
        fmt::format("{}:{}: names of columns should stand here, above the amounts, but '{}' does; add a "
                    "line such as `invoice,amount`, and give the `column` of the amounts",
                    name, table.heading.line, printable(fmt::format("{}", fmt::join(names, ", ")), 60)));
  if (format.column.empty() && names.size() > 1)
    throw InvalidInput(fmt::format("{}:{}: the table has {} columns; give `column`, which has the amounts: one of {}",
                                   name, table.heading.line, names.size(), table.names()));
  const auto column = format.column.empty() ? 0 : table.column(format.column, "column", name);
  const auto label = format.label.empty() ? 0 : table.column(format.label, "label", name);
  AmountReader reader(format);
  AmountsList list;
  AmountsText text;
  if (!format.label.empty()) text.label = names[label];
  for (const auto& row : table.rows) {
    const auto& field = row.fields[column];
    const auto refuse = [&](const std::string& what) {
      throw InvalidInput(fmt::format("{}:{}: {}", name, row.line, what));
    };
    if (std::any_of(row.fields.begin(), row.fields.end(), is_total))
      refuse("this row is named a total, which is not an amount by itself; take it out");
    if (field.empty()) refuse(fmt::format("the column '{}' is empty here; give an amount", printable(names[column])));
    const auto amount = reader.read(field);
    if (!amount)
      refuse(fmt::format("'{}' in the column '{}' {}", TextReader::shown(field), printable(names[column]),
                         reader.fault()));
    list.add(*amount);
    if (!text.label.empty()) text.labels.push_back(row.fields[label]);
  }
  if (list.is_empty()) refuse_empty(name, fmt::format("row below the heading '{}'", printable(names[column])));
  text.amounts = list.finish(name, capacity, tolerance);
  return text;
}

}  // namespace

std::vector<std::uint64_t> read_weights(std::istream& text, std::string_view name) {
  TextReader reader(text, name, {.comment = '#', .has_commas = true});
  AmountsList list;
  for (auto word = reader.word(); !word.empty(); word = reader.word()) take_weight(reader, word, list);
  if (list.is_empty()) refuse_empty(reader.name(), "positive integer, with white space between them");
  const auto amounts = list.finish(reader.name(), {}, {});
  return {amounts.numbers.begin(), amounts.numbers.end()};
}

AmountsText read_amounts(std::istream& text, std::string_view name, const Decimal& capacity,
                         const AmountsFormat& format, const Decimal& tolerance) {
  check_format(format);
  TextReader reader(text, name, {.comment = '#', .has_commas = is_usual(format)});
  const bool names_columns = !format.column.empty() || !format.label.empty();
  if (names_columns || is_name(reader.peek())) {
    const auto line = reader.line();
    const auto content = reader.rest();
    return amounts_of(read_table(content, reader.name(), line, format.separator), reader.name(), format, capacity,
                      tolerance);
  }
  AmountWords words(reader, format);
  is_usual(format) ? words.take_all() : words.take_lines();
  if (words.list().is_empty()) refuse_empty(reader.name(), "weight, with white space between them");
  return {words.list().finish(reader.name(), capacity, tolerance), {}, {}};
}

Amounts read_amounts(std::istream& text, std::string_view name, const Decimal& capacity) {
  return read_amounts(text, name, capacity, {}).amounts;
}

Decimal decimal_of(std::string_view text, const AmountsFormat& format) {
  check_format(format);
  if (is_usual(format)) return decimal_of(text);
  const auto amount = AmountReader(format).read(text);
  return amount ? *amount : decimal_of(text);
}

}  // namespace clopt::subset_sum
