/// \file
/// Several runs of a solver, and sweeps: a run, or several, for each setting of some options.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <frame/output/output.hpp>
#include "options.hpp"

namespace clopt::apps {

/// Adds --runs and the files of their table.
void add_runs_options(OptionParser& parser);

/// The number of runs; none: a single one, in the way of a single run. \throws InvalidInput for options that belong to
/// a single run.
std::optional<std::uint64_t> read_runs(const Options& options);

/// \param why there are several: "--runs". \throws InvalidInput where one of these files was asked for.
void refuse_files_of_one_run(const Options& options, const std::vector<std::string>& files, std::string_view why);

/// One setting of a sweep.
struct Setting {
  Json values = Json::object();  ///< of the options that are swept, by their names; empty where there is no sweep
  Options options;               ///< as if the one setting had been typed
};

/// The settings that lists with commas ask for, the last option the quickest. Those of a sweep have --runs, and no
/// files. \throws InvalidInput for options that a sweep cannot have.
std::vector<Setting> settings_of(const Options& given);

}  // namespace clopt::apps
