/// \file
/// The table of several runs: in text, JSON and CSV.
#pragma once

#include <clopt/runs.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output.hpp"

namespace clopt::apps {

/// Several runs of one setting of the options.
struct RunsTable {
  std::vector<RunOutcome> runs;
  bool maximised = false;
  bool has_target = false;                    ///< so that every run has to reach it
  bool has_goal = false;                      ///< a target, or a best value that is known or proven
  std::string_view value_name;                ///< of a run's value in JSON: "fitness"
  Json (*number)(double) = nullptr;           ///< a value in JSON
  std::optional<std::uint64_t> population{};  ///< of a run, where its rows have it
  Json setting = Json::object();              ///< of a sweep: the options that differ, by their names

  /// Whether a run missed the target.
  bool has_missed() const;
  /// Whether its best value is better than the other one's.
  bool is_better_than(const RunsTable& other) const;
  Json runs_json() const;
  /// `best`, `median`, `quartiles`, `success` (the part of the runs), `evaluations` (that a success is expected to
  /// take).
  Json summary_json() const;
  /// The line `runs`, and that of their values.
  std::string text() const;
  /// "best 0, median 1, quartiles 0.5 to 2, worst 9; 3 of 7 succeeded".
  std::string summary_text() const;
};

/// The best run's result, which has ended as all of them where these were ended early.
template <class Runs>
auto best_of(const Runs& runs) {
  auto result = runs.trials.at(runs.best).result;
  if (runs.ending != Ending::complete) result.ending = runs.ending;
  result.cluster = runs.cluster;
  result.seconds = runs.seconds;
  return result;
}

/// A row a run, or a row a setting with its summary: a file's text. \param tables of one sweep, or a single one.
std::string runs_csv(const std::vector<const RunsTable*>& tables);
std::string summary_csv(const std::vector<const RunsTable*>& tables);

}  // namespace clopt::apps
