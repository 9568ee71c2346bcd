/// \file
/// Several runs of one problem that differ in their seeds, for every solver. What is the solver's own stands in a
/// struct with these static members:
///   Problem, Options, Result, Trial, Runs
///   bool maximises(const Problem&)
///   double value(const Result&)                        NaN where nothing feasible was found
///   bool is_success(const Problem&, const Options&, const Result&)
///   bool is_better(bool maximised, const Result&, const Result&)
///   Trial trial(const Options&, Result)                without `success`
///   bool is_sound(const Result&, std::size_t size)     of a file; `size`: genes, loci or parameters
#pragma once

#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/runs.hpp>
#include <run/nested_run.hpp>
#include <run/record_fields.hpp>
#include <run/timed_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clopt {

template <class Archive, class Result>
void fields(Archive& archive, SeedRun<Result>& run) {
  archive("seed", run.seed)("success", run.success)("result", run.result);
}

template <class Archive, class Trial>
void fields(Archive& archive, SeveralRuns<Trial>& runs) {
  archive("trials", runs.trials)("best", runs.best)("ending", runs.ending)("maximised", runs.maximised);
}

template <class Solver>
struct IndependentRuns {
  using Problem = typename Solver::Problem;
  using Options = typename Solver::Options;
  using Trial = typename Solver::Trial;
  using Runs = SeveralRuns<Trial>;
  using RunsOptions = SeveralRunsOptions<Trial>;

  /// Adds a run, which becomes the best one where it is better than those before.
  static void add_trial(Runs& runs, Trial trial) {
    const auto* const best = runs.trials.empty() ? nullptr : &runs.trials[runs.best];
    if (best == nullptr || (trial.success && !best->success) ||
        (trial.success == best->success && Solver::is_better(runs.maximised, trial.result, best->result)))
      runs.best = runs.trials.size();
    runs.trials.push_back(std::move(trial));
  }

  /// Completes what runs have in common.
  static void take_best(Runs& runs) {
    const auto ending = runs.ending;
    const auto seconds = runs.seconds;
    static_cast<RunResult&>(runs) = runs.trials[runs.best].result;
    runs.ending = ending;
    runs.seconds = seconds;
  }

  /// The range that is asked for. \throws InvalidInput for none, and with a checkpoint.
  static WorkRange range_of_runs(const Options& options, const RunsOptions& runs) {
    if (runs.runs == 0) throw InvalidInput("`runs` is 0; give 1 or more");
    const auto range = runs.range.value_or(WorkRange{0, runs.runs});
    check_range(range, runs.runs, "runs");
    if (options.checkpoint || options.resume)
      throw InvalidInput("a `checkpoint` belongs to one run, and these are several; leave it out");
    return range;
  }

  /// The runs of a range, one after the other. \param solve_one makes one of them.
  template <class Solve, class DevicesOfRun>
  static Runs make(const Solve& solve_one, const Problem& problem, const Options& options, const WorkRange& range,
                   const std::function<void(const Trial&)>& report, const DevicesOfRun& devices,
                   const RunControl& control, const Watch& watch) {
    Runs all;
    all.maximised = Solver::maximises(problem);
    auto own = options;
    for (std::uint64_t i = range.first; i < range.first + range.count && (i == range.first || !watch.expired()); ++i) {
      own.seed = options.seed + i;
      Trial trial;
      try {
        trial = Solver::trial(own, solve_one(problem, own, devices, nested_control(control, watch)));
      } catch (const Cancelled&) {
        if (all.trials.empty()) throw;
        break;
      }
      trial.success = Solver::is_success(problem, options, trial.result);
      if (report) report(trial);
      add_trial(all, std::move(trial));
    }
    const bool was_cut = all.trials.size() < range.count || all.trials.back().result.ending == Ending::time;
    all.ending = watch.interrupted() ? Ending::interrupted : was_cut ? Ending::time : Ending::complete;
    take_best(all);
    return all;
  }

  /// The runs by devices that are given, or each by the one that its work chooses; the ranks of a job share each run as
  /// they share a single one.
  template <class DevicesOfRun>
  static Runs solve_each(const Problem& problem, const Options& options, const RunsOptions& runs,
                         const DevicesOfRun& devices, const RunControl& control) {
    const auto range = range_of_runs(options, runs);
    check(problem, options);
    const auto solve_one = [](const auto&... arguments) { return solve(arguments...); };
    return timed(
        [&] { return make(solve_one, problem, options, range, runs.trial, devices, control, Watch(control)); });
  }

  static Record pack(const Runs& runs) {
    Record record;
    record.add("maximised", runs.maximised).add("seconds", runs.seconds.total);
    for (std::size_t i = 0; i < runs.trials.size(); ++i) record.add_part(prefix_of(i), record_of(runs.trials[i]));
    return record;
  }

  static Runs unpack(const Record& record, std::size_t runs, std::size_t size) {
    Runs all;
    all.maximised = record.get<bool>("maximised");
    std::size_t arrays = 2;
    for (std::size_t i = 0; i < runs; ++i) {
      const auto own = record.part(prefix_of(i));
      arrays += own.fields().size();
      Trial trial;
      read_record(own, trial);
      if (trial.result.ending > Ending::interrupted || !Solver::is_sound(trial.result, size))
        throw InvalidInput("its result is not of such a problem; it was not written by clopt");
      add_trial(all, std::move(trial));
    }
    if (runs == 0 || arrays != record.fields().size())
      throw InvalidInput("it has other runs than it says; it was not written by clopt");
    for (const auto& trial : all.trials) all.seconds += trial.result.seconds;
    all.seconds.other += std::max(0.0, record.get<double>("seconds") - all.seconds.total);
    all.seconds.add_up();
    take_best(all);
    return all;
  }

  static Runs merge(std::vector<Runs> parts) {
    if (parts.empty()) throw InvalidInput("there are no `parts` of the results; give one at least");
    Runs whole;
    whole.maximised = parts.front().maximised;
    for (auto& part : parts) {
      if (whole.ending == Ending::complete) whole.ending = part.ending;
      whole.seconds += part.seconds;
      for (auto& trial : part.trials) add_trial(whole, std::move(trial));
    }
    take_best(whole);
    return whole;
  }

  /// \param one everything that the result of one run depends on, its limits left out.
  static RunIdentity identity(RunIdentity one, const Options& options, const RunsOptions& runs) {
    range_of_runs(options, runs);
    if (runs.runs == 1) throw InvalidInput("a single run cannot be divided; give several `runs`");
    const auto text = [](const auto& limit) { return limit ? fmt::format("{}", *limit) : std::string("none"); };
    one.add("runs", runs.runs)
        .add("limit of generations", std::string_view(text(options.generations)))
        .add("limit of evaluations", std::string_view(text(options.evaluations)))
        .add("stagnation", std::string_view(text(options.stagnation)))
        .add("target", std::string_view(text(options.target)));
    return one;
  }

  static std::vector<RunOutcome> outcomes(const Runs& runs) {
    std::vector<RunOutcome> outcomes;
    for (const auto& trial : runs.trials) {
      const auto& result = trial.result;
      outcomes.push_back({trial.seed, trial.success, Solver::value(result), Solver::generations(result),
                          Solver::evaluations(result), result.seconds.total, result.checksum});
    }
    return outcomes;
  }

 private:
  static std::string prefix_of(std::size_t number) { return fmt::format("{}/", number); }
};

}  // namespace clopt
