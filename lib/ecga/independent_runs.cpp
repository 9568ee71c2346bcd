#include <clopt/cluster.hpp>
#include <clopt/devices.hpp>
#include <clopt/ecga_runs.hpp>
#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/workers.hpp>
#include <run/record_fields.hpp>
#include <run/timed_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <ecga/run/evolution.hpp>
#include <ecga/run/messages.hpp>
#include <ecga/run/ranks.hpp>
#include <run/nested_run.hpp>
#include "model_fields.hpp"
#include "plan.hpp"

namespace clopt::ecga {
template <class Archive>
void fields(Archive& archive, Trial& trial) {
  auto& result = trial.result;
  archive("population", trial.population)("seed", trial.seed)("success", trial.success);
  archive("run", static_cast<RunResult&>(result))("best_fitness", result.best_fitness)("best_genes", result.best_genes);
  model_fields(archive, "model_sizes", "model_loci", result.model);
  if (has_member(archive, "model_generation")) archive("model_generation", result.model_generation);
  archive("result_population", result.population)("generations", result.generations);
  archive("evaluations", result.evaluations)("converged", result.converged)("search", result.search);
  archive("counting", result.counting)("passes", result.passes)("merges", result.merges);
  archive("device_bytes", result.device_bytes)("model_seconds", result.model_seconds);
  archive("first_pass_seconds", result.first_pass_seconds);
}

template <class Archive>
void fields(Archive& archive, Runs& runs) {
  archive("trials", runs.trials)("best", runs.best)("ending", runs.ending)("maximised", runs.maximised);
}

namespace {

bool is_as_good(bool maximised, double value, double other) { return maximised ? value >= other : value <= other; }

// Adds a run, which becomes the best one where it is better than those before.
void add_trial(Runs& runs, Trial trial) {
  const auto* const best = runs.trials.empty() ? nullptr : &runs.trials[runs.best];
  if (best == nullptr || !is_as_good(runs.maximised, best->result.best_fitness, trial.result.best_fitness) ||
      (trial.success && !best->success))
    runs.best = runs.trials.size();
  runs.trials.push_back(std::move(trial));
}

void take_best(Runs& runs) {
  const auto ending = runs.ending;
  const auto seconds = runs.seconds;
  static_cast<RunResult&>(runs) = runs.trials[runs.best].result;
  runs.ending = ending;
  runs.seconds = seconds;
}

WorkRange range_of_runs(const RunsOptions& runs) {
  if (runs.runs == 0) throw InvalidInput("`runs` is 0; give 1 or more");
  const auto range = runs.range.value_or(WorkRange{0, runs.runs});
  check_range(range, runs.runs, "runs");
  return range;
}

void require_sound(const Trial& trial, std::uint32_t length) {
  std::vector<std::uint32_t> loci;
  for (const auto& group : trial.result.model) loci.insert(loci.end(), group.begin(), group.end());
  std::sort(loci.begin(), loci.end());
  bool holds = trial.result.best_genes.size() == length && trial.result.ending <= Ending::interrupted &&
               (loci.empty() || loci.size() == length);
  for (std::size_t i = 0; i < loci.size(); ++i) holds = holds && loci[i] == i;
  if (!holds) throw InvalidInput("its result is not of that number of loci; it was not written by clopt");
}

std::string prefix_of(std::size_t number) { return fmt::format("{}/", number); }

// The runs of a range, one after the other. \param solve_one makes one of them, as solve() or by this process alone.
template <class Solve, class DevicesOfRun>
Runs make_runs(const Solve& solve_one, const Problem& problem, const Options& options, const WorkRange& range,
               const std::function<void(const Trial&)>& report, const DevicesOfRun& devices, const RunControl& control,
               const Watch& watch) {
  Runs all;
  all.maximised = maximises(problem);
  auto own = options;
  for (std::uint64_t i = range.first; i < range.first + range.count && (i == range.first || !watch.expired()); ++i) {
    own.seed = options.seed + i;
    Trial trial{own.population, own.seed, false, {}};
    try {
      trial.result = solve_one(problem, own, devices, nested_control(control, watch));
    } catch (const Cancelled&) {
      if (all.trials.empty()) throw;
      break;
    }
    if (trial.population == 0) trial.population = trial.result.population;
    trial.success = succeeded(problem, options, trial.result);
    if (report) report(trial);
    add_trial(all, std::move(trial));
  }
  const bool was_cut = all.trials.size() < range.count || all.trials.back().result.ending == Ending::time;
  all.ending = watch.interrupted() ? Ending::interrupted : was_cut ? Ending::time : Ending::complete;
  take_best(all);
  return all;
}

// Why the ranks of a job do not share runs; empty where they do.
std::string why_alone(const Problem& problem, const Options& options, const RunsOptions& runs) {
  if (problem.objective.is_function()) return "the objective is a function of one process";
  if (options.statistics || runs.trial) return "runs are reported one after the other";
  return {};
}

void serve_runs(const Problem& problem, const Options& options, std::optional<double> seconds,
                std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
  group::serve_ranges(devices, seconds, mailbox, {}, [&](const group::Order& order, const RunControl& control) {
    const Watch watch(control);
    const WorkRange range{order.range.first, order.range.count};
    const auto runs = make_runs(solve_by_process, problem, options, range, {}, devices, control, watch);
    std::uint64_t launches = 0;
    for (const auto& trial : runs.trials) launches += trial.result.launches;
    return std::pair(encode(runs), launches);
  });
}

const group::WorkerEntry runs_worker("ecga",
                                     [](ByteReader message, std::optional<double> seconds,
                                        std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
                                       const auto sent = decode_run(message);
                                       serve_runs(sent.problem, sent.options, seconds, devices, mailbox);
                                     });

// Has the ranks of a job make the runs of a range.
Runs distribute_runs(group::Group& group, const Problem& problem, const Options& options, const WorkRange& range,
                     std::span<const std::shared_ptr<Device>> devices, const RunControl& control, const Watch& watch) {
  std::map<std::uint64_t, Runs> parts;
  std::uint64_t done = 0;
  std::optional<double> best;
  group::Work work{.solver = "ecga", .message = encode_run({problem, options, {}, {}})};
  if (control.time_limit) work.seconds = std::max(0.0, *control.time_limit - watch.seconds());
  work.ranges = {{0, range.first, range.count}};
  work.accept = [&](const group::Range& part, ByteReader message) {
    auto runs = message.take<Runs>();
    done += runs.trials.size();
    const double value = runs.trials[runs.best].result.best_fitness;
    if (!best || !is_as_good(runs.maximised, *best, value)) best = value;
    parts.emplace(part.first, std::move(runs));
  };
  work.attend = [&] { watch.report("runs", static_cast<double>(done) / static_cast<double>(range.count), best); };
  work.expired = [&] { return watch.expired(); };
  work.interrupted = [&] { return watch.interrupted(); };
  work.local = [&](group::Mailbox& mailbox) { serve_runs(problem, options, work.seconds, devices, mailbox); };
  auto distributed = group::distribute(group, work);
  if (parts.empty()) throw Cancelled("the run was ended before any of its runs");
  std::vector<Runs> ordered;
  ordered.reserve(parts.size());
  for (auto& [first, runs] : parts) ordered.push_back(std::move(runs));
  auto all = merge(std::move(ordered));
  if (done < range.count) all.ending = watch.interrupted() ? Ending::interrupted : Ending::time;
  all.cluster = std::make_shared<const cluster::Report>(std::move(distributed.report));
  return all;
}

// By devices that are given.
Runs solve_on(const Problem& problem, const Options& options, const RunsOptions& runs,
              std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  const auto range = range_of_runs(runs);
  if (options.checkpoint || options.resume)
    throw InvalidInput("a `checkpoint` belongs to one run, and these are several; leave it out");
  make_plan(problem, options);
  const Watch watch(control);
  auto* group = group::Group::of_run();
  // The ranks of a job share a single run another way.
  if (!group || range.count == 1)
    return make_runs(solve_by_job, problem, options, range, runs.trial, devices, control, watch);
  auto reason = group->ranks() == 1 ? std::string("there is one rank") : why_alone(problem, options, runs);
  if (reason.empty()) return distribute_runs(*group, problem, options, range, devices, control, watch);
  auto all = make_runs(solve_by_process, problem, options, range, runs.trial, devices, control, watch);
  all.cluster = std::make_shared<const cluster::Report>(group::report_of_one(*group, std::move(reason)));
  return all;
}

}  // namespace

bool succeeded(const Problem& problem, const Options& options, const Result& result) {
  const auto wanted = options.target ? options.target : problem.objective.optimum();
  return wanted && is_as_good(maximises(problem), result.best_fitness, *wanted);
}

Runs solve_runs(const Problem& problem, const Options& options, const RunsOptions& runs,
                std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  return timed([&] { return solve_on(problem, options, runs, devices, control); });
}

Runs solve_runs(const Problem& problem, const Options& options, const RunsOptions& runs, const Devices& devices,
                const RunControl& control) {
  if (!devices.is_automatic()) return solve_runs(problem, options, runs, devices.given(), control);
  if (group::Group::job()) return solve_runs(problem, options, runs, open_devices({}), control);
  const auto range = range_of_runs(runs);
  if (options.checkpoint || options.resume)
    throw InvalidInput("a `checkpoint` belongs to one run, and these are several; leave it out");
  make_plan(problem, options);
  const auto solve_one = [](const auto&... arguments) { return solve(arguments...); };
  return timed(
      [&] { return make_runs(solve_one, problem, options, range, runs.trial, devices, control, Watch(control)); });
}

RunIdentity identity(const Problem& problem, const Options& options, const RunsOptions& runs) {
  range_of_runs(runs);
  if (runs.runs == 1) throw InvalidInput("a single run cannot be divided; give several `runs`");
  const auto plan = make_plan(problem, options);
  const auto text = [](const auto& limit) { return limit ? fmt::format("{}", *limit) : std::string("none"); };
  auto identity = plan.identity();
  identity.add("runs", runs.runs)
      .add("limit of generations", std::string_view(text(options.generations)))
      .add("limit of evaluations", std::string_view(text(options.evaluations)))
      .add("stagnation", std::string_view(text(options.stagnation)))
      .add("target", std::string_view(text(options.target)));
  return identity;
}

Record pack(const Runs& runs) {
  Record record;
  record.add("maximised", runs.maximised).add("seconds", runs.seconds.total);
  for (std::size_t i = 0; i < runs.trials.size(); ++i) record.add_part(prefix_of(i), record_of(runs.trials[i]));
  return record;
}

Runs unpack(const Record& record, std::size_t runs, std::uint32_t length) {
  Runs all;
  all.maximised = record.get<bool>("maximised");
  std::size_t arrays = 2;
  for (std::size_t i = 0; i < runs; ++i) {
    const auto own = record.part(prefix_of(i));
    arrays += own.fields().size();
    Trial trial;
    read_record(own, trial);
    require_sound(trial, length);
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

Runs merge(std::vector<Runs> parts) {
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

}  // namespace clopt::ecga
