#include <clopt/detail/activity.hpp>
#include <clopt/detail/csv.hpp>
#include <clopt/detail/files.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

namespace clopt {
namespace {

constexpr std::chrono::milliseconds longest_delay(10);

void append_field(std::string& text, const CsvWriter::Field& field) {
  if (const auto* words = std::get_if<std::string>(&field))
    text += csv_field(*words);
  else if (const auto* number = std::get_if<double>(&field))
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), *number);
  else if (const auto* whole = std::get_if<std::int64_t>(&field))
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), *whole);
  else
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), std::get<std::uint64_t>(field));
}

std::string header_of(const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& column : columns) names.push_back(csv_field(column));
  return fmt::format("{}\n", fmt::join(names, ","));
}

// How many bytes of the table stay: its header and the whole rows that come first, up to a number of their first
// column.
std::uint64_t bytes_to_keep(std::istream& table, const std::string& header, std::uint64_t through) {
  std::uint64_t bytes = header.size();
  for (std::string line; std::getline(table, line) && !table.eof();) {
    std::uint64_t first = 0;
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), first);
    if (error != std::errc{} || first > through) break;
    bytes += line.size() + 1;
  }
  return bytes;
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

CsvWriter::CsvWriter(std::filesystem::path file, std::vector<std::string> columns,
                     std::optional<std::uint64_t> keep_through)
    : file_(std::move(file)), columns_(std::move(columns)) {
  check_writable(file_);
  const auto place = place_of(file_);
  stream_ = place.stream;
  is_pipe_ = place.is_pipe;
  if (!keep_through || !place.is_there || !place.is_replaced) return;
  std::ifstream table(file_, std::ios::binary);
  std::string first;
  std::getline(table, first);
  const auto header = header_of(columns_);
  if (first.empty() || (table.eof() && header.starts_with(first))) return;  // nothing, or what a killed run began
  if (first + "\n" != header)
    throw InvalidInput(
        fmt::format("'{}' is there already and has other columns than {}; remove it, or name another file",
                    file_.string(), header.substr(0, header.size() - 1)));
  kept_bytes_ = bytes_to_keep(table, header, *keep_through);
}

CsvWriter::~CsvWriter() {
  flush();
  if (descriptor_ >= 0) ::close(descriptor_);
}

void CsvWriter::write(const std::string& text) {
  const auto why = stream_ >= 0 ? write_to_stream(stream_, text) : write_all(descriptor_, text);
  if (!why.empty()) failure_ = fmt::format("'{}' could not be written to the end: {}", file_.string(), why);
}

// \param waits whether for the reader of a pipe, without whom it is not opened.
void CsvWriter::open(bool waits) {
  if (is_open_ || !failure_.empty()) return;
  if (stream_ < 0) {
    const auto name = file_.string();
    const Activity activity(is_pipe_ ? "waiting for a reader of" : "opening", name);
    const int begins_anew = kept_bytes_ == 0 ? O_TRUNC : 0;
    const int tries = is_pipe_ && !waits ? O_NONBLOCK : 0;
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | begins_anew | tries, 0666);
    if (descriptor_ < 0 && tries != 0 && errno == ENXIO) return;
    if (descriptor_ >= 0 && tries != 0) ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
  }
  const auto kept = static_cast<off_t>(kept_bytes_);
  is_open_ = stream_ >= 0 ||
             (descriptor_ >= 0 &&
              (kept == 0 || (::ftruncate(descriptor_, kept) == 0 && ::lseek(descriptor_, kept, SEEK_SET) >= 0)));
  if (!is_open_)
    failure_ = fmt::format("'{}' could not be written: {}", file_.string(), system_message(errno));
  else if (kept == 0)
    write(header_of(columns_));
}

void CsvWriter::append(const std::vector<Field>& row) {
  char separator = '\0';
  for (const auto& field : row) {
    if (separator != '\0') pending_ += separator;
    append_field(pending_, field);
    separator = ',';
  }
  pending_ += '\n';
}

void CsvWriter::add(const std::vector<Field>& row) {
  append(row);
  flush();
}

void CsvWriter::add_later(const std::vector<Field>& row) {
  if (!failure_.empty()) return;
  append(row);
  if (std::chrono::steady_clock::now() - written_ >= longest_delay) flush();
}

void CsvWriter::flush() {
  if (pending_.empty()) return;
  open(false);
  write_pending();
}

void CsvWriter::write_pending() {
  written_ = std::chrono::steady_clock::now();
  if (!is_open_ && failure_.empty()) return;
  if (failure_.empty()) write(pending_);
  pending_.clear();
}

void CsvWriter::finish() {
  open(true);
  write_pending();
}

}  // namespace clopt
