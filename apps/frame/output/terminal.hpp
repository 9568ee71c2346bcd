/// \file
/// What the terminal that reads standard output or standard error is like.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace clopt::apps {

/// The characters of a line: what COLUMNS says, else what the terminal of a descriptor says, else \p usual. At
/// least 40.
std::size_t line_width(int descriptor, std::size_t usual = 80);

/// Whether results may be set in bold: standard output is a terminal that can, and NO_COLOR is not set.
bool is_styled();

/// The characters of a text in UTF-8.
std::size_t character_count(std::string_view text);

/// A line in lines of at most \p width characters, parted at spaces; what follows the first begins with \p indent
/// spaces. A word that is longer has a line of its own.
std::string wrapped(std::string_view line, std::size_t width, std::size_t indent = 0);

/// Paragraphs, which empty lines part, each wrapped anew; a line that begins with a space is a row of a table, and
/// continues below its last cell.
std::string wrapped_paragraphs(std::string_view text, std::size_t width);

/// A result for a person: behind the names in front, lines are wrapped at \p width and continue below what they say,
/// and the first line, the answer, is bold where \p bold.
std::string laid_out(std::string_view result, std::size_t width, bool bold);

}  // namespace clopt::apps
