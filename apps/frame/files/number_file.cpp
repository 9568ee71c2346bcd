#include "number_file.hpp"

#include <clopt/detail/files.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include <frame/output/output.hpp>

namespace clopt::apps {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view between = " \t\r,;";
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  for (std::size_t at = line.find_first_not_of(between); at != line.npos;) {
    const auto end = std::min(line.find_first_of(between, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(between, end);
  }
  return words;
}

std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  return number_in<double>(word);
}

// Words between commas or semicolons, where there are such; an empty word is none.
std::vector<std::string_view> fields_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const auto comma = line.find_first_of(",;");
  if (comma == line.npos) return words_of(line);
  const char between = line[comma];
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at <= line.size();) {
    const auto end = std::min(line.find(between, at), line.size());
    auto field = line.substr(at, end - at);
    const auto first = std::min(field.find_first_not_of(" \t\r"), field.size());
    field.remove_prefix(first);
    fields.push_back(field.substr(0, field.find_last_not_of(" \t\r") + 1));
    at = end + 1;
  }
  return fields;
}

bool is_missing(std::string_view field) {
  return field.empty() || field == "nan" || field == "NaN" || field == "NAN" || field == "NA" || field == "na";
}

bool is_word_of_bits(const std::vector<std::string_view>& words) {
  return words.size() == 1 && words[0].size() > 1 && words[0].find_first_not_of("01") == std::string_view::npos;
}

constexpr std::optional<double> missing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::vector<double>> read(const std::string& file, bool bits, bool has_gaps) {
  std::error_code ignored;
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file, ignored))
    throw InvalidInput(
        fmt::format("'{}' cannot be read: {}", printable(file), stream ? "it is a folder" : std::strerror(errno)));
  std::vector<std::vector<double>> rows;
  std::size_t line_number = 0;
  bool is_first = true;
  for (std::string line; std::getline(stream, line);) {
    if (++line_number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    const auto words = has_gaps ? fields_of(line) : words_of(line);
    if (words.empty()) continue;
    std::vector<double> row;
    if (bits && is_word_of_bits(words)) {
      for (const char digit : words[0]) row.push_back(digit - '0');
    } else {
      std::string_view wrong;
      for (const auto word : words) {
        const auto number = has_gaps && is_missing(word) ? missing : number_of(word);
        if (number)
          row.push_back(*number);
        else if (wrong.empty())
          wrong = word;
      }
      const bool names_columns = is_first && !wrong.empty() &&
                                 std::all_of(row.begin(), row.end(), [](double number) { return std::isnan(number); });
      is_first = false;
      if (names_columns) continue;
      if (!wrong.empty())
        throw InvalidInput(
            fmt::format("'{}', line {}: '{}' is not a finite number", printable(file), line_number, printable(wrong)));
    }
    is_first = false;
    rows.push_back(std::move(row));
  }
  if (stream.bad()) throw InvalidInput(fmt::format("'{}' cannot be read to its end", printable(file)));
  if (rows.empty()) throw InvalidInput(fmt::format("'{}' has no numbers", printable(file)));
  return rows;
}

}  // namespace

std::vector<std::vector<double>> read_rows(const std::string& file, bool bits) { return read(file, bits, false); }

std::vector<std::vector<double>> read_rows_with_gaps(const std::string& file) { return read(file, false, true); }

}  // namespace clopt::apps
