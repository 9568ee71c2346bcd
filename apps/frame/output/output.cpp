#include "output.hpp"

#include <clopt/detail/streams.hpp>
#include <clopt/detail/system_message.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <frame/status.hpp>
#include "terminal.hpp"

namespace clopt::apps {

namespace {

bool is_silent = false;

void write_output(std::string_view text) {
  if (is_silent) return;
  if (const int number = write_stream(STDOUT_FILENO, text); number != 0)
    throw OutputClosed(number,
                       fmt::format("the result cannot be written to standard output: {}", system_message(number)));
}

// The number of bytes of the control character that a text begins with; 0: it begins with another one.
std::size_t control_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < ' ' || byte(0) == 0x7f) return 1;
  // U+0080 to U+009F, of which U+009B begins what terminals act upon.
  return byte(0) == 0xc2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
}

std::string_view cut_line(std::string_view line) {
  constexpr std::size_t longest = 400;
  if (line.size() <= longest) return line;
  // Not within a character.
  auto end = longest;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80U) --end;
  return line.substr(0, end);
}

}  // namespace

std::string without_controls(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto count = text[i] == '\n' || text[i] == '\t' ? 0 : control_at(text.substr(i));
    for (std::size_t k = 0; k < count; ++k) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + k]));
    if (count == 0) shown += text[i];
    i += std::max<std::size_t>(count, 1);
  }
  return shown;
}

std::string shortened(std::string_view message) {
  constexpr std::size_t most_lines = 3;
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < message.size();) {
    const auto end = std::min(message.find('\n', begin), message.size());
    if (end > begin) lines.push_back(cut_line(message.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (lines.size() <= most_lines) return fmt::format("{}", fmt::join(lines, "\n"));
  auto complaint = std::find_if(lines.begin() + 1, lines.end(),
                                [](std::string_view line) { return line.find("error") != line.npos; });
  if (complaint == lines.end()) complaint = lines.begin() + 1;
  return fmt::format("{}\n{}\n({} more lines; CLOPT_LOG=build shows them)", lines.front(), *complaint,
                     lines.size() - 2);
}

void print(std::string_view text) { write_output(without_controls(text)); }

void print_result(std::string_view text, bool answers) {
  if (isatty(STDOUT_FILENO) != 1) return print(text);
  write_output(laid_out(without_controls(text), line_width(STDOUT_FILENO), answers && is_styled()));
}

void silence_output() { is_silent = true; }

void print_cursor(std::string_view text) {
  if (is_silent) return;
  // Standard error may be closed: there is no other place to report that.
  static_cast<void>(write_stream(STDERR_FILENO, text));
}

void print_error(std::string_view text) { print_cursor(without_controls(text)); }

void print_json(const Json& object) {
  // Other controls are written so already.
  std::string text;
  const auto dumped = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t i = 0; i < dumped.size();) {
    const auto count = control_at(std::string_view(dumped).substr(i));
    if (count != 0)
      text += fmt::format("\\u{:04x}", static_cast<unsigned char>(dumped[i + count - 1]));
    else
      text += dumped[i];
    i += std::max<std::size_t>(count, 1);
  }
  write_output(text + '\n');
}

std::string hexadecimal(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

Json device_json(const DeviceInfo& info) { return {{"id", info.id}, {"name", info.name}}; }

std::string readable_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string rate_text(std::uint64_t count, double seconds) {
  if (count == 0 || seconds < 1e-6) return {};
  return fmt::format(", {:.3g} a second", static_cast<double>(count) / seconds);
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

int status_with_files(int status, const std::vector<std::string>& failures, std::string_view subcommand) {
  for (const auto& failure : failures) {
    if (failure.empty()) continue;
    print_error(fmt::format("clopt {}: {}\n", subcommand, shortened(failure)));
    status = Status::wrong_use;
  }
  return status;
}

}  // namespace clopt::apps
