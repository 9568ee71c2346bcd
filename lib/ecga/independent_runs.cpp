#include <clopt/cluster.hpp>
#include <clopt/devices.hpp>
#include <clopt/ecga_runs.hpp>
#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/lost_devices.hpp>
#include <group/workers.hpp>
#include <run/independent_runs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include <ecga/run/evolution.hpp>
#include <ecga/run/messages.hpp>
#include <ecga/run/ranks.hpp>
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
  if (has_member(archive, "optimal")) archive("optimal", result.optimal);
}

namespace {

bool is_as_good(bool maximised, double value, double other) { return maximised ? value >= other : value <= other; }

/// What IndependentRuns asks for.
struct OfRuns {
  using Problem = ecga::Problem;
  using Options = ecga::Options;
  using Trial = ecga::Trial;

  static bool maximises(const Problem& problem) { return ecga::maximises(problem); }
  static double value(const Result& result) { return result.best_fitness; }
  static std::uint64_t generations(const Result& result) { return result.generations; }
  static std::uint64_t evaluations(const Result& result) { return result.evaluations; }
  static bool is_success(const Problem& problem, const Options& options, const Result& result) {
    return succeeded(problem, options, result);
  }
  static bool is_better(bool maximised, const Result& one, const Result& other) {
    return !is_as_good(maximised, other.best_fitness, one.best_fitness);
  }
  static Trial trial(const Options& options, Result result) {
    const auto population = options.population == 0 ? result.population : options.population;
    return {population, options.seed, false, std::move(result)};
  }
  static bool is_sound(const Result& result, std::size_t length) {
    std::vector<std::uint32_t> loci;
    for (const auto& group : result.model) loci.insert(loci.end(), group.begin(), group.end());
    std::sort(loci.begin(), loci.end());
    bool holds = result.best_genes.size() == length && (loci.empty() || loci.size() == length);
    for (std::size_t i = 0; i < loci.size(); ++i) holds = holds && loci[i] == i;
    return holds;
  }
};

using Several = IndependentRuns<OfRuns>;

// Why the ranks of a job do not share runs; empty where they do.
std::string why_alone(const Problem& problem, const Options& options, const RunsOptions& runs) {
  if (problem.objective.is_function()) return "the objective is a function of one process";
  if (options.statistics || runs.trial) return "runs are reported one after the other";
  return {};
}

void serve_runs(const Problem& problem, const Options& options, std::optional<double> seconds,
                std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
  const bool is_double = make_plan(problem, options).is_double;
  group::serve_ranges(devices, seconds, mailbox, {}, [&](const group::Order& order, const RunControl& control) {
    group::require_doubles(devices, is_double);
    const Watch watch(control);
    const WorkRange range{order.range.first, order.range.count};
    const auto runs = Several::make(solve_by_process, problem, options, range, {}, devices, control, watch);
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
  const auto range = Several::range_of_runs(options, runs);
  make_plan(problem, options);
  const Watch watch(control);
  auto* group = group::Group::of_run();
  // The ranks of a job share a single run another way.
  if (!group || range.count == 1)
    return Several::make(solve_by_job, problem, options, range, runs.trial, devices, control, watch);
  auto reason = group->ranks() == 1 ? std::string("there is one rank") : why_alone(problem, options, runs);
  if (reason.empty()) return distribute_runs(*group, problem, options, range, devices, control, watch);
  auto all = Several::make(solve_by_process, problem, options, range, runs.trial, devices, control, watch);
  all.cluster = std::make_shared<const cluster::Report>(group::report_of_one(*group, std::move(reason)));
  return all;
}

}  // namespace

bool succeeded(const Problem& problem, const Options& options, const Result& result) {
  if (!options.target && result.optimal) return true;
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
  // Each is one run, as on devices that are given.
  auto own = options;
  own.population = complete(problem, options).population;
  return Several::solve_each(problem, own, runs, devices, control);
}

std::vector<RunOutcome> outcomes_of(const Runs& runs) { return Several::outcomes(runs); }

RunIdentity identity(const Problem& problem, const Options& options, const RunsOptions& runs) {
  return Several::identity(make_plan(problem, options).identity(), options, runs);
}

Record pack(const Runs& runs) { return Several::pack(runs); }

Runs unpack_runs(const Record& record, std::size_t runs, std::uint32_t length) {
  return Several::unpack(record, runs, length);
}

Runs merge(std::vector<Runs> parts) { return Several::merge(std::move(parts)); }

}  // namespace clopt::ecga
