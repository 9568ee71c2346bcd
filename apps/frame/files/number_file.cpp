#include "number_file.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <future>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace clopt::apps {
namespace {

// Lines are taken together, so that threads find their numbers; in few bytes one does.
constexpr std::size_t bytes_at_once = std::size_t{1} << 24;
constexpr std::size_t lines_at_once = std::size_t{1} << 18;
constexpr std::size_t lines_of_thread = 1024;
constexpr std::size_t bytes_worth_threads = std::size_t{1} << 20;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view white = " \t\v\f";

std::string_view trimmed(std::string_view text) {
  const auto first = std::min(text.find_first_not_of(white), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(white) + 1);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(white); at != text.npos;) {
    const auto end = std::min(text.find_first_of(white, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(white, end);
  }
  return words;
}

bool is_in(std::string_view word, std::string_view all) {
  const auto text = lower(word);
  for (std::string_view rest = all; !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == text) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool is_missing(std::string_view field) {
  return field.empty() || is_in(field, "nan") || field == "NA" || field == "na";
}

/// Whether a field that is not a number cannot be the name of a column either: it has a number's characters, as 1,5 and
/// 0x10, or is an infinity.
bool resembles_number(std::string_view field) {
  const auto begin = std::min(field.find_first_not_of("+-."), field.size());
  const bool has_digit = begin < field.size() && field[begin] >= '0' && field[begin] <= '9';
  return (has_digit && field.find_first_not_of("0123456789abcdefABCDEFxX.,'_+- ") == field.npos) ||
         is_in(field.substr(begin), "inf infinity nan");
}

class RowReader {
 public:
  RowReader(const std::string& file, bool bits, bool has_gaps, bool is_even = false, std::string gene = {})
      : text_(file), gene_(std::move(gene)), bits_(bits), has_gaps_(has_gaps), is_even_(is_even) {}

  std::vector<std::vector<double>> read() {
    std::vector<std::vector<double>> rows;
    for (bool is_first = true; take_lines();) {
      if (!bits_ && chosen_.empty()) read_plain_rows();
      for (auto& [begin, size, number, plain] : lines_) {
        line_ = number;
        if (!plain.empty() && chosen_.empty()) {
          rows.push_back(std::move(plain));
        } else {
          const auto fields = fields_of(std::string_view(taken_).substr(begin, size));
          if (is_first && are_names(fields))
            choose_columns(fields);
          else
            rows.push_back(row_of(fields));
        }
        if (!rows.empty() && is_even_ && rows.back().size() != rows.front().size())
          refuse(fmt::format("the row has {} numbers, and the first one {}; give each as many, or all numbers in one",
                             rows.back().size(), rows.front().size()));
        is_first = false;
      }
    }
    if (rows.empty()) throw InvalidInput(fmt::format("{} has no numbers", text_.name()));
    return rows;
  }

 private:
  /// A line without its comment and the white space around it.
  struct Line {
    std::size_t begin;  // among those taken
    std::size_t size;
    std::size_t number;  // in the file
    std::vector<double> plain;
  };

  // Takes the next lines that have something. \returns whether there are any.
  bool take_lines() {
    taken_.clear();
    lines_.clear();
    while (taken_.size() < bytes_at_once && lines_.size() < lines_at_once && text_.next_line()) {
      const auto whole = text_.rest_of_line();
      const auto line = trimmed(whole.substr(0, whole.find('#')));
      if (line.empty()) continue;
      lines_.push_back({taken_.size(), line.size(), text_.line(), {}});
      taken_ += line;
    }
    return !lines_.empty();
  }

  // Reads those of nothing but numbers with commas between, as nearly all are: reading numbers takes most of the time.
  void read_plain_rows() {
    std::atomic<std::size_t> next = 0;
    const auto read = [&] {
      std::vector<double> room;
      while (true) {
        const auto begin = next.fetch_add(lines_of_thread);
        if (begin >= lines_.size()) return;
        for (auto i = begin; i < std::min(begin + lines_of_thread, lines_.size()); ++i)
          lines_[i].plain = plain_row_of(std::string_view(taken_).substr(lines_[i].begin, lines_[i].size), room);
      }
    };
    std::vector<std::future<void>> others;
    try {
      for (auto more = std::thread::hardware_concurrency(); more > 1 && taken_.size() >= bytes_worth_threads; --more)
        others.push_back(std::async(std::launch::async, read));
    } catch (const std::system_error&) {
      // There is room for no more threads.
    }
    read();
    for (auto& other : others) other.get();
  }

  // The numbers of a plain line; none of another one.
  static std::vector<double> plain_row_of(std::string_view line, std::vector<double>& room) {
    room.clear();
    const char* const end = line.data() + line.size();
    for (const char* at = line.data();; ++at) {
      double number = 0;
      const auto [behind, error] = std::from_chars(at, end, number);
      if (error != std::errc() || !std::isfinite(number)) return {};
      room.push_back(number);
      if (behind == end) return room;
      if (*behind != ',') return {};
      at = behind;
    }
  }

  // What stands between the commas or semicolons of a line or, where there are none, its words.
  std::vector<std::string_view> fields_of(std::string_view line) const {
    const bool has_semicolon = line.find(';') != line.npos;
    const bool has_comma = line.find(',') != line.npos;
    if (!has_semicolon && !has_comma) return words_of(line);
    const char separator = has_semicolon ? ';' : ',';
    std::vector<std::string_view> fields;
    for (std::size_t at = 0; at <= line.size();) {
      std::size_t end = std::min(line.find(separator, at), line.size());
      // RFC 4180: a separator between quotation marks belongs to the field.
      if (const auto quote = line.find_first_not_of(white, at); quote < end && line[quote] == '"')
        end = std::min(line.find(separator, std::min(line.find('"', quote + 1), line.size())), line.size());
      const auto field = unquoted(trimmed(line.substr(at, end - at)));
      at = end + 1;
      const auto words = words_of(field);
      const bool are_numbers =
          words.size() > 1 && std::all_of(words.begin(), words.end(), [](auto word) { return resembles_number(word); });
      // White space beside commas: these may be decimal ones.
      if (are_numbers && has_semicolon && !has_comma)
        fields.insert(fields.end(), words.begin(), words.end());
      else
        fields.push_back(field);
    }
    return fields;
  }

  static std::string_view unquoted(std::string_view field) {
    const bool is_quoted = field.size() > 1 && field.front() == '"' && field.back() == '"';
    return is_quoted ? trimmed(field.substr(1, field.size() - 2)) : field;
  }

  // A first row without a number names columns.
  bool are_names(const std::vector<std::string_view>& fields) const {
    const auto is_other = [](auto field) { return is_missing(field) || is_name(field); };
    return std::all_of(fields.begin(), fields.end(), is_other) && std::any_of(fields.begin(), fields.end(), is_name);
  }
  static bool is_name(std::string_view field) {
    return !is_missing(field) && !resembles_number(field) && !TextReader::number_of<double>(field);
  }

  // Of a heading as --output writes it, the columns of genes.
  void choose_columns(const std::vector<std::string_view>& names) {
    if (gene_.empty() || (names.front() != "value" && names.front() != "problem")) return;
    std::size_t genes = 0;
    for (const auto name : names) {
      chosen_.push_back(name == fmt::format("{}{}", gene_, genes));
      if (chosen_.back()) ++genes;
    }
    if (genes == 0) chosen_.clear();
  }

  std::vector<double> row_of(const std::vector<std::string_view>& fields) const {
    std::vector<double> row;
    if (bits_ && fields.size() == 1 && fields[0].size() > 1 && fields[0].find_first_not_of("01") == fields[0].npos) {
      for (const char digit : fields[0]) row.push_back(digit - '0');
      return row;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!chosen_.empty() && (i >= chosen_.size() || !chosen_[i])) continue;
      const auto field = fields[i];
      const auto number =
          has_gaps_ && is_missing(field) ? std::optional(missing) : TextReader::number_of<double>(field);
      if (!number) refuse(field, i + 1);
      row.push_back(*number);
    }
    return row;
  }

  [[noreturn]] void refuse(std::string_view field, std::size_t column) const {
    if (field.empty())
      refuse(
          fmt::format("column {} is empty; a table needs a number in each, with commas, semicolons or white "
                      "space between them",
                      column));
    // Also of `1,5 2,5`, whose commas divide it as `1`, `5 2` and `5`.
    const bool has_decimal_comma = field.find(',') != field.npos || words_of(field).size() > 1;
    refuse(fmt::format("'{}' is not a finite number{}", TextReader::shown(field),
                       has_decimal_comma ? "; write decimals with a point" : ""));
  }

  [[noreturn]] void refuse(std::string_view what) const { text_.refuse(line_, what); }

  TextReader text_;
  std::string gene_;          // what columns of genes are named before their number; empty: all columns are taken
  std::vector<bool> chosen_;  // columns; empty: all
  std::string taken_;
  std::vector<Line> lines_;
  std::size_t line_ = 0;  // of the file, that is looked at
  bool bits_;
  bool has_gaps_;
  bool is_even_;  // whether all rows have as many numbers
};

}  // namespace

std::vector<std::vector<double>> read_rows(const std::string& file, bool bits) {
  return RowReader(file, bits, false).read();
}

std::vector<std::vector<double>> read_individuals(const std::string& file, const std::string& gene, bool bits) {
  return RowReader(file, bits, false, false, gene).read();
}

std::vector<double> read_table(const std::string& file) {
  std::vector<double> numbers;
  for (const auto& row : RowReader(file, false, false, true).read())
    numbers.insert(numbers.end(), row.begin(), row.end());
  return numbers;
}

std::vector<std::vector<double>> read_rows_with_gaps(const std::string& file) {
  return RowReader(file, false, true).read();
}

}  // namespace clopt::apps
