/// \file
/// The names of an enumeration's values: a solver turns the names in its options into enumerations once, on entry.
#pragma once

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clopt {

/// Value and name of each value of an enumeration, in the order in which messages list them.
template <class Enumeration, std::size_t count>
struct Names {
  std::array<std::pair<Enumeration, std::string_view>, count> entries;

  constexpr std::string_view of(Enumeration value) const {
    for (const auto& [each, name] : entries)
      if (each == value) return name;
    return {};
  }
  /// The value of a name. \param field the member of the options that holds the name, as messages give it: within
  /// backquotes, so that the program can replace it by its option.
  /// \throws InvalidInput with the field and all names.
  Enumeration value(std::string_view name, std::string_view field) const {
    std::string known;
    for (const auto& [value, each] : entries) {
      if (each == name) return value;
      known += (known.empty() ? "" : ", ") + std::string(each);
    }
    throw InvalidInput(fmt::format("there is no `{}` '{}'; choose one of {}", field, printable(name), known));
  }
  std::vector<std::string> all() const {
    std::vector<std::string> names;
    for (const auto& entry : entries) names.emplace_back(entry.second);
    return names;
  }
};

}  // namespace clopt
