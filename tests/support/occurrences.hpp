/// \file
/// How often a text is in another one.
#pragma once

#include <cstddef>
#include <string>

namespace clopt::test {

/// Places, which may overlap, at which \p text has \p part; that is not empty.
inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace clopt::test
