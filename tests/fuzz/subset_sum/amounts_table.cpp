/// \file
/// Tables of amounts. The first line of an input says how they are written, a word each, `-` for nothing: column,
/// label, decimal, thousands, separator.
#include <clopt/subset_sum.hpp>

#include <algorithm>
#include <sstream>
#include <string>

#include "line_ends.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

subset_sum::AmountsFormat format_of(std::string_view line) {
  subset_sum::AmountsFormat format;
  std::istringstream words{std::string(line)};
  for (auto* const each : {&format.column, &format.label, &format.decimal, &format.thousands, &format.separator}) {
    words >> *each;
    if (*each == "-") each->clear();
    if (*each == "tab") *each = "\t";
  }
  return format;
}

subset_sum::AmountsText read(const std::string& text, const subset_sum::AmountsFormat& format) {
  std::istringstream stream(text);
  return subset_sum::read_amounts(stream, "input", {}, format);
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

void read_amounts_table(std::string_view input) {
  const auto first = input.substr(0, input.find('\n'));
  input.remove_prefix(std::min(input.size(), first.size() + 1));
  const auto format = format_of(first);
  const auto numbers_of = [&](std::string_view text) { return read(std::string(text), format).amounts.numbers; };
  fuzz::read_with_any_ends(input, numbers_of);
  const auto table = read(std::string(input), format);
  const auto& numbers = table.amounts.numbers;
  fuzz::require(!numbers.empty(), "there is an amount");
  fuzz::require(table.labels.empty() || table.labels.size() == numbers.size(), "each amount has a label, or none has");
  std::string written = "amount,label\n";
  for (std::size_t i = 0; i < numbers.size(); ++i)
    written += subset_sum::text_of({numbers[i], table.amounts.decimals}) + "," +
               quoted(table.labels.empty() ? "" : table.labels[i]) + "\n";
  const auto same = read(written, {.column = "amount", .label = "label"});
  fuzz::require(same.amounts.numbers == numbers, "amounts that are written are read the same");
  fuzz::require(table.labels.empty() || same.labels == table.labels, "labels that are written are read the same");
}

const fuzz::Target amounts_table_target{"amounts_table", read_amounts_table};

}  // namespace
