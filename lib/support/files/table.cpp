#include "table.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace clopt {
namespace {

[[noreturn]] void refuse(std::string_view name, std::size_t line, const std::string& what) {
  throw InvalidInput(fmt::format("{}:{}: {}", name, line, what));
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\v\f";
  const auto first = text.find_first_not_of(white);
  return first == text.npos ? std::string() : std::string(text.substr(first, text.find_last_not_of(white) + 1 - first));
}

/// Takes rows from a text.
class Rows {
 public:
  Rows(std::string_view text, std::string_view name, std::size_t line, std::string_view separator)
      : text_(text), name_(name), line_(line), separator_(separator) {
    take_separator_line();
    if (separator_.empty()) separator_ = separator_of_heading();
  }

  /// \returns false at the end.
  bool next(TableRow& row) {
    while (at_ < text_.size()) {
      row = {{}, line_};
      const auto begin = text_.find_first_not_of(" \t\v\f", at_);
      if (begin != text_.npos && text_[begin] == '#') {
        skip_line();
        continue;
      }
      take_row(row.fields);
      if (std::any_of(row.fields.begin(), row.fields.end(), [](const auto& field) { return !field.empty(); }))
        return true;
    }
    return false;
  }

  std::string_view separator() const { return separator_; }

 private:
  bool at_line_end() const { return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r'; }

  void take_line_end() {
    if (at_ < text_.size() && text_[at_++] == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
    ++line_;
  }

  void skip_line() {
    at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
    take_line_end();
  }

  // A spreadsheet's own first line: `sep=;`.
  void take_separator_line() {
    const auto first = lower(text_.substr(0, std::min(text_.find_first_of("\r\n"), text_.size())));
    if (first.size() != 5 || !first.starts_with("sep=")) return;
    if (separator_.empty()) separator_ = text_.substr(4, 1);
    skip_line();
  }

  std::string_view separator_of_heading() const {
    std::string_view found;
    bool is_quoted = false;
    for (std::size_t i = at_; i < text_.size() && (is_quoted || (text_[i] != '\n' && text_[i] != '\r')); ++i) {
      is_quoted = is_quoted != (text_[i] == '"');
      if (is_quoted || std::string_view("\t;,|").find(text_[i]) == std::string_view::npos) continue;
      if (!found.empty() && found.front() != text_[i])
        refuse(name_, line_,
               "the heading has several of tab, ; , and |: give `separator`, which stands between its names");
      found = text_.substr(i, 1);
    }
    return found;
  }

  bool at_separator() const {
    if (at_line_end() || separator_.empty()) return false;
    return text_[at_] == separator_.front() || (separator_ == " " && text_[at_] == '\t');
  }

  void take_row(std::vector<std::string>& fields) {
    const bool is_white = separator_ == " ";
    while (true) {
      fields.push_back(take_field());
      const bool has_more = at_separator();
      while (at_separator()) {
        ++at_;
        if (!is_white) break;
      }
      if (!has_more || (is_white && at_line_end())) break;
    }
    if (is_white && fields.size() > 1 && fields.front().empty()) fields.erase(fields.begin());
    take_line_end();
  }

  std::string take_field() {
    while (!at_separator() && !at_line_end() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (!at_line_end() && text_[at_] == '"') return take_quoted();
    const auto begin = at_;
    while (!at_line_end() && !at_separator() && !(separator_.empty() && text_[at_] == '#')) ++at_;
    auto field = trimmed(text_.substr(begin, at_ - begin));
    // Of the only column: a comment.
    while (separator_.empty() && !at_line_end()) ++at_;
    return field;
  }

  std::string take_quoted() {
    const auto line = line_;
    std::string field;
    for (++at_;;) {
      if (at_ == text_.size()) refuse(name_, line, "a quotation mark begins here, and none ends it");
      if (text_[at_] == '"') {
        if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      } else if (text_[at_] == '\n' || (text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] != '\n'))) {
        ++line_;
      }
      field += text_[at_++];
    }
    ++at_;
    const auto begin = at_;
    while (!at_line_end() && !at_separator()) ++at_;
    const auto behind = trimmed(text_.substr(begin, at_ - begin));
    if (!behind.empty() && !(separator_.empty() && behind.front() == '#'))
      refuse(name_, line, fmt::format("'{}' stands behind a quotation mark that ends a field", printable(behind, 40)));
    return trimmed(field);
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t line_;
  std::string_view separator_;
  std::size_t at_ = 0;
};

std::string_view shown(std::string_view separator) { return separator == "\t" ? "a tab" : separator; }

}  // namespace

std::string Table::names() const { return printable(fmt::format("{}", fmt::join(heading.fields, ", ")), 200); }

std::optional<std::size_t> Table::find(std::string_view name, std::string_view text_name) const {
  const auto& all = heading.fields;
  const auto find = [&](auto is_it) {
    const auto first = std::find_if(all.begin(), all.end(), is_it);
    return std::pair(static_cast<std::size_t>(first - all.begin()), std::count_if(first, all.end(), is_it));
  };
  auto [number, count] = find([&](const auto& each) { return each == name; });
  if (count == 0) std::tie(number, count) = find([&](const auto& each) { return lower(each) == lower(name); });
  if (count > 1)
    refuse(text_name, heading.line,
           fmt::format("there are several columns of the name '{}'; give each a name of its own; the names are {}",
                       printable(name), names()));
  return count == 1 ? std::optional(number) : std::nullopt;
}

std::size_t Table::column(std::string_view name, std::string_view option, std::string_view text_name) const {
  if (const auto found = find(name, text_name)) return *found;
  refuse(text_name, heading.line,
         fmt::format("`{}` is '{}', and there is no column of that name; the names are {}", option, printable(name),
                     names()));
}

Table read_table(std::string_view text, std::string_view name, std::size_t line, std::string_view separator) {
  Rows rows(text, name, line, separator);
  Table table;
  rows.next(table.heading);
  for (TableRow row; rows.next(row);) {
    if (row.fields.size() != table.heading.fields.size())
      refuse(name, row.line,
             fmt::format("{} fields stand here, and {} names in the heading, with {} between them; put a field with "
                         "that in quotation marks, or give another `separator`",
                         row.fields.size(), table.heading.fields.size(), shown(rows.separator())));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace clopt
