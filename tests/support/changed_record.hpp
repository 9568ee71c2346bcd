/// \file
/// Records that differ in one array.
#pragma once

#include <clopt/record.hpp>

#include <string>
#include <utility>

namespace clopt::test {

/// A record without an array.
inline Record without(const Record& record, const std::string& name) {
  Record changed;
  for (const auto& [own, values] : record.fields())
    if (own != name) changed.add(own, values);
  return changed;
}

/// A record with another array in place of one.
inline Record with(const Record& record, const std::string& name, Record::Value values) {
  auto changed = without(record, name);
  changed.add(name, std::move(values));
  return changed;
}

}  // namespace clopt::test
