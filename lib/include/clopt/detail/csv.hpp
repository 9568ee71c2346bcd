/// \file
/// Tables of numbers as CSV files: the statistics of a run, a row a generation.
#pragma once

#include <clopt/export.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace clopt {

/// A text as a field of a table (RFC 4180): with a comma, a quotation mark or the end of a line it stands between
/// quotation marks.
CLOPT_API std::string csv_field(const std::string& text);

/// Writes a table row by row; a row is in the file when add() returns, so that a run can be watched, and what a killed
/// run wrote is kept. A full disk ends the table, not the run.
class CLOPT_API CsvWriter {
 public:
  /// A field; floating point numbers are written with as many digits as give the same number back.
  using Field = std::variant<std::uint64_t, std::int64_t, double, std::string>;

  /// Checks that the file can be written, without changing it; the first row makes it.
  /// \param columns their names, which become the first line.
  /// \param keep_through for a resumed run: rows of the file, if it is such a table, whose first column is at most
  ///        this stay; those after it, and a row cut short, are rewritten. None: the table starts empty.
  /// \throws InvalidInput where the file cannot be written, and where rows are to be kept in a file with other columns.
  CsvWriter(std::filesystem::path file, std::vector<std::string> columns,
            std::optional<std::uint64_t> keep_through = std::nullopt);
  ~CsvWriter();
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// Adds a row, with a field for each column. O(its length).
  void add(const std::vector<Field>& row);
  /// Adds a row that may be written later: with the next row that comes 10 ms or more after what was written last, by
  /// flush(), or at the end. For rows that come faster than a file takes them one by one.
  void add_later(const std::vector<Field>& row);
  /// Writes all rows; those of a pipe wait until it has a reader.
  void flush();
  /// Writes all rows, and makes the file although there is no row. Waits for the reader of a pipe.
  void finish();
  /// Why no more rows are written; empty where all were.
  const std::string& failure() const { return failure_; }

 private:
  void open(bool waits);
  void write_pending();
  void write(const std::string& text);
  void append(const std::vector<Field>& row);

  std::filesystem::path file_;
  std::vector<std::string> columns_;
  std::uint64_t kept_bytes_ = 0;
  int stream_ = -1;  ///< as in FilePlace
  bool is_pipe_ = false;
  int descriptor_ = -1;
  bool is_open_ = false;
  std::string pending_;  ///< rows that are not written yet
  std::chrono::steady_clock::time_point written_;
  std::string failure_;
};

}  // namespace clopt
