/// \file
/// Tables as programs write them: CSV with a heading.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {

/// A row of fields, and the line of the text where it begins.
struct TableRow {
  std::vector<std::string> fields;
  std::size_t line = 0;
};

/// A table whose first row has names.
struct Table {
  TableRow heading;
  std::vector<TableRow> rows;

  /// The column of a name: the only one with just it, else the only one whose letters are these, small or capital; none
  /// where there is none. \throws InvalidInput where there are several.
  std::optional<std::size_t> find(std::string_view name, std::string_view text_name) const;
  /// The same of a name that someone gives. \param option what messages call it, "column". \throws InvalidInput also
  /// where there is none.
  std::size_t column(std::string_view name, std::string_view option, std::string_view text_name) const;
  /// The names, for messages.
  std::string names() const;
};

/// Reads a table, as RFC 4180 describes it: fields with a separator between them; one in quotation marks may have it,
/// ends of lines, and quotation marks twice. Lines that begin with `#`, and rows without any text, are left out.
/// \param line of the text where it begins, from 1. \param separator empty: the one of a tab, a semicolon and a comma
/// that the heading has; " ": any white space. \throws InvalidInput for a row with other fields than the heading, for
/// quotation marks that do not end, and for a heading with two such separators. O(size).
Table read_table(std::string_view text, std::string_view name, std::size_t line, std::string_view separator);

}  // namespace clopt
