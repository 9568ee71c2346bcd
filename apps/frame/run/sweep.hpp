/// \file
/// A run of a solver's subcommand for each setting of its options.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <frame/options/runs_options.hpp>
#include "solver_run.hpp"

namespace clopt::apps {

/// A run, and the setting that it is of.
struct SweptRun {
  Json values;
  std::unique_ptr<SolverRun> run;
};

/// Makes the runs of all settings one after the other, and prints the report of the best one, with the table of all.
/// \param given the options of the whole sweep. \returns the exit status.
int run_sweep(const Options& given, std::vector<SweptRun> runs, std::string_view solver);

/// Makes the run that the options ask for, or one for each setting. All are checked before the first one begins.
/// \tparam Run a SolverRun that is made of options.
template <class Run>
int run_settings(const Options& given, std::string_view solver) {
  const auto settings = settings_of(given);
  if (settings.size() == 1 && settings.front().values.empty()) return Run(given).run();
  std::vector<SweptRun> runs;
  runs.reserve(settings.size());
  for (const auto& setting : settings) runs.push_back({setting.values, std::make_unique<Run>(setting.options)});
  return run_sweep(given, std::move(runs), solver);
}

}  // namespace clopt::apps
