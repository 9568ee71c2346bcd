/// \file
/// One slice of a run that can be divided, for every solver that has such runs.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <frame/output/output.hpp>
#include "options.hpp"

namespace clopt::apps {

/// Adds --shard. \param items what the solver's runs are divided into: "problems".
void add_shard_option(OptionParser& parser, std::string_view items);

/// The slice that is to be done, and the file that it goes to.
struct SliceOrder {
  Shard shard;
  std::string file;

  /// As the option has it.
  std::string text() const;
};

/// Reads --shard and, with it, --output. \param refused options that belong to the whole run, and why: {"plot", "a
/// slice has no picture"}. \throws InvalidInput for anything but I/N with I from 1 to N, for one of \p refused, and
/// without --output.
std::optional<SliceOrder> read_slice_order(const Options& options,
                                           const std::vector<std::pair<std::string, std::string>>& refused = {});

/// What is printed of a slice, and kept for the whole run.
struct SliceReport {
  std::string_view solver{};
  std::string_view items{};           ///< "problems"
  RunIdentity identity{""};           ///< of the whole run
  std::uint64_t number_of_items = 0;  ///< of the whole run
  Json facts{};                       ///< what the whole run's report needs besides results
  std::uint64_t seed = 1;
  bool json = false;
  Json settings{};  ///< of the whole run
};

/// The result of a slice's items.
struct SliceOutcome {
  RunResult result{};
  Record record{};
  Json answer{};  ///< what a report needs to know of the best of them, besides
  std::vector<DeviceInfo> devices{};
};

/// Does a slice: calls \p work with its items, unless it has none, writes the file and prints a report.
/// A slice that was ended early is not written. \returns the exit status.
int do_slice(const SliceOrder& order, const SliceReport& report,
             const std::function<SliceOutcome(const WorkRange& range)>& work);

/// The results of the slices that have items. \param unpack makes one of a record and its number of items.
template <class Unpack>
auto results_of(const std::vector<Slice>& slices, const Unpack& unpack) {
  std::vector<decltype(unpack(slices.front().result, std::uint64_t{}))> results;
  for (const auto& slice : slices)
    if (const auto count = slice.range().count; count != 0) results.push_back(unpack(slice.result, count));
  return results;
}

/// Whether the slices are of several runs, and not of what a single one is divided into.
bool are_runs(const std::vector<Slice>& slices);

/// SliceOutcome::answer of a slice; null where it has none. \throws what Json throws.
Json answer_of(const Slice& slice);

/// What the slices of a run have in common.
struct MergedReport {
  Json facts;
  Json settings;                    ///< null: slices of version 0.1 of most solvers have none
  std::vector<DeviceInfo> devices;  ///< of all slices, each once
  double open_seconds = 0;          ///< of all slices
};
/// \throws InvalidInput, or what Json throws, where the slices are none that this program wrote.
MergedReport merged_report(const std::vector<Slice>& slices);

}  // namespace clopt::apps
