/// \file
/// A property of all readers of text: the byte order mark and the ends of lines change nothing.
#pragma once

#include <clopt/error.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "target.hpp"

namespace clopt::fuzz {

/// Requires that a text with a mark, and with CR alone at the ends of lines, is read as the text is, or refused as that
/// is. \param read returns what is compared. \throws what it throws for the text.
template <class Read>
auto read_with_any_ends(std::string_view text, const Read& read) -> decltype(read(text)) {
  if (text.find('\r') != text.npos || text.starts_with("\xef") || text.starts_with("\xff") || text.starts_with("\xfe"))
    return read(text);
  std::string changed = "\xef\xbb\xbf";
  for (const char c : text) changed += c == '\n' ? '\r' : c;
  std::optional<decltype(read(text))> other;
  try {
    other = read(std::string_view(changed));
  } catch (const InvalidInput&) {
  }
  try {
    auto result = read(text);
    require(other && *other == result, "the mark and the ends of lines change nothing");
    return result;
  } catch (const InvalidInput&) {
    require(!other, "the mark and the ends of lines change no refusal");
    throw;
  }
}

}  // namespace clopt::fuzz
