/// \file
/// JSON from files that others may have written.
#pragma once

#include <string_view>

namespace clopt {

/// Whether lists and objects of a text of JSON stand deeper in each other than any that clopt writes. Such a text would
/// exhaust the stack where its value is copied or printed. O(size).
inline bool nests_deeply(std::string_view json) {
  constexpr int most = 32;
  int depth = 0;
  bool is_in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (is_in_text && c == '\\') ++i;
    if (c == '"') is_in_text = !is_in_text;
    if (is_in_text) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > most) return true;
  }
  return false;
}

}  // namespace clopt
