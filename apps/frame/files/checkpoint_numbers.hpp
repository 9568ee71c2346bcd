/// \file
/// Many numbers that a program's run needs to resume: tables and data. They lie in a checkpoint as arrays, beside the
/// solver's state, and not in its text, which would hold them several times as large.
#pragma once

#include <clopt/checkpoint.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clopt::apps {

/// Rows of numbers of one length; a number may be NaN.
struct KeptRows {
  std::size_t columns = 0;
  std::vector<double> numbers;
};

/// Adds rows to a checkpoint; none where there are no numbers. \param numbers which the caller keeps until the state is
/// written.
inline void keep_rows(Record& state, const std::string& name, std::span<const double> numbers, std::size_t columns) {
  if (numbers.empty()) return;
  state.add_reference("program." + name, numbers).add("program." + name + ".columns", std::uint64_t{columns});
}

/// The rows that a checkpoint has by a name; none where it has none. \throws InvalidInput where they are not whole
/// rows.
inline std::optional<KeptRows> kept_rows(const Checkpoint& checkpoint, const std::string& name) {
  if (!checkpoint.has("program." + name)) return std::nullopt;
  KeptRows rows{checkpoint.number<std::uint64_t>("program." + name + ".columns"),
                checkpoint.array<double>("program." + name)};
  if (rows.columns == 0 || rows.numbers.empty() || rows.numbers.size() % rows.columns != 0)
    checkpoint.refuse("its " + name + " are not rows of numbers");
  return rows;
}

}  // namespace clopt::apps
