/// \file
/// The texts of the library's models.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace clopt::fit {

struct LibraryModel {
  std::string_view name;
  std::string_view formula;
  std::string_view parameters;  ///< "a, b"; empty: any number
  std::string text;
};

/// Sorted by name.
std::span<const LibraryModel> library();

}  // namespace clopt::fit
