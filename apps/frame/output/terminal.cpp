#include "terminal.hpp"

#include <clopt/detail/numbers.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace clopt::apps {
namespace {

constexpr std::size_t least_width = 40;
constexpr std::size_t most_width = 1000;
constexpr std::size_t name_width = 10;  ///< of the names in front of a result's lines
constexpr std::string_view bold_begin = "\033[1m";
constexpr std::string_view bold_end = "\033[0m";

std::string_view variable(const char* name) {
  const char* value = ::secure_getenv(name);
  return value ? value : "";
}

// The next line of a text, which it is taken from.
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

std::size_t line_width(int descriptor, std::size_t usual) {
  auto width = number_in<std::size_t>(variable("COLUMNS")).value_or(0);
  winsize size{};
  if (width == 0 && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return std::clamp(width == 0 ? usual : width, least_width, most_width);
}

bool is_styled() { return isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb"; }

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string wrapped(std::string_view line, std::size_t width, std::size_t indent) {
  std::string text;
  std::size_t used = 0;
  while (!line.empty()) {
    // The spaces in front belong to the word, unless it begins a line.
    const auto begin = std::min(line.find_first_not_of(' '), line.size());
    const auto end = std::min(line.find(' ', begin), line.size());
    const auto word = line.substr(0, end);
    const bool is_first = text.empty() || used == indent;
    if (!is_first && used + character_count(word) > width) {
      text += '\n' + std::string(indent, ' ');
      used = indent;
      line.remove_prefix(begin);
      continue;
    }
    text += word;
    used += character_count(word);
    line.remove_prefix(end);
  }
  return text;
}

std::string wrapped_paragraphs(std::string_view text, std::size_t width) {
  std::string result;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) result += wrapped(paragraph, width) + '\n';
    paragraph.clear();
  };
  while (!text.empty()) {
    const auto line = take_line(text);
    if (line.empty() || line.front() == ' ') {
      end_paragraph();
      const auto gap = line.rfind("  ");
      const auto cell = line.find_first_not_of(' ', gap == line.npos ? 0 : gap);
      result.append(wrapped(line, width, cell == line.npos || cell + 20 > width ? 6 : cell)).append("\n");
    } else {
      paragraph.append(paragraph.empty() ? "" : " ").append(line);
    }
  }
  end_paragraph();
  return result;
}

std::string laid_out(std::string_view result, std::size_t width, bool bold) {
  std::string text;
  while (!result.empty()) {
    const auto line = wrapped(take_line(result), width, name_width);
    if (bold && text.empty() && line.size() > name_width)
      text.append(line.substr(0, name_width)).append(bold_begin).append(line.substr(name_width)).append(bold_end);
    else
      text += line;
    text += '\n';
  }
  return text;
}

}  // namespace clopt::apps
