/// \file
/// Runs whose parts do not depend on each other, divided into slices: each slice is done anywhere, at any time, and all
/// of them together are the whole run, to the last bit.
///
/// A solver that can be divided has an option of type WorkRange, functions `identity()`, `pack()`, `unpack()` and
/// `merge()`, and random numbers whose addresses do not depend on the range.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/export.hpp>
#include <clopt/record.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {

/// Consecutive items of a run's independent work: problems, runs, searches or islands, counted from 0.
struct WorkRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// One of the slices of a run.
struct Shard {
  std::uint64_t number = 1;  ///< from 1 to `count`
  std::uint64_t count = 1;
};

/// The largest number of slices.
inline constexpr std::uint64_t most_shards = 1'000'000;

/// The items of a slice: all slices have as many, but that the first ones may have one more; none, where there are more
/// slices than items.
CLOPT_API WorkRange range_of(const Shard& shard, std::uint64_t items);

/// Refuses a range that has no item, or that reaches beyond the items that there are.
/// \param what they are, for the message: "problems". \throws InvalidInput where the range is such a one.
CLOPT_API void check_range(const WorkRange& range, std::uint64_t items, std::string_view what);

/// A slice that was done.
struct Slice {
  RunIdentity identity{""};  ///< of the whole run, its limits included
  Shard shard;
  std::uint64_t items = 0;  ///< of the whole run
  std::string report;       ///< JSON: what the writer's report of the run needs
  Record result;            ///< of the slice's items; empty where it has none

  WorkRange range() const { return range_of(shard, items); }
};

/// Writes a slice to a file, which is there as a whole or not at all: one line of JSON, which ends with a hash of all
/// before it. O(size). \returns an empty text, or a sentence that says why it could not be written.
CLOPT_API std::string write_slice(const std::filesystem::path& file, const Slice& slice);

/// Reads what write_slice() wrote. O(size). The numbers of the result are not checked.
/// \throws InvalidInput with the file's name for a file that cannot be read, that is not a slice, that is cut or
/// damaged,
///         and for a slice of another format or version of clopt.
CLOPT_API Slice read_slice(const std::filesystem::path& file);

/// The slices of one run.
class CLOPT_API SliceSet {
 public:
  /// Adds a slice. \param name what messages call it, usually its file.
  /// \throws InvalidInput where it is of another run or another number of slices than the first, naming the entry that
  ///         differs and both its values, or where its slice is there already, naming both.
  void add(Slice slice, const std::string& name);

  /// The numbers of the slices that are missing, ascending. O(slices).
  std::vector<std::uint64_t> missing() const;
  /// Those that are there, by their numbers.
  const std::vector<Slice>& slices() const { return slices_; }

 private:
  std::vector<Slice> slices_;
  std::vector<std::string> names_;
};

/// Numbers for people, ascending ones: "1, 4 to 6, 9". Of very many parts the first few.
CLOPT_API std::string list_of_numbers(const std::vector<std::uint64_t>& numbers);

}  // namespace clopt
