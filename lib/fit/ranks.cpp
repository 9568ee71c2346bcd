#include "ranks.hpp"

#include <clopt/cluster.hpp>
#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/lost_devices.hpp>
#include <group/message_fields.hpp>
#include <group/workers.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "result.hpp"

namespace clopt::fit {
namespace {

constexpr std::string_view solver = "fit";

/// What all rows share, or what goes with a range: what its rows have for themselves.
struct RowNumbers {
  std::vector<double> data, abscissa, sigma, guess, lower, upper;
};

template <class Archive>
void fields(Archive& archive, RowNumbers& numbers) {
  archive("data", numbers.data)("abscissa", numbers.abscissa)("sigma", numbers.sigma);
  archive("guess", numbers.guess)("lower", numbers.lower)("upper", numbers.upper);
}

/// What ranks get of a run: all but what each row has for itself.
struct RunMessage {
  Problem problem;
  RowNumbers shared;
  Options options;
  Objective residuals;
  bool is_double;
  bool few_rows;
};

template <class Archive>
void fields(Archive& archive, RunMessage& message) {
  auto& problem = message.problem;
  archive("residuals", message.residuals)("is_double", message.is_double)("few_rows", message.few_rows);
  archive("has_derivative", problem.model.has_derivative)("has_curve", problem.model.has_curve);
  archive("columns", problem.columns)("parameters", problem.parameters)("fixed", problem.fixed);
  archive("shared", message.shared);
  group::option_fields(archive, fit::fields(message.options));
}

/// Numbers of a range's rows; none where all rows share them.
std::vector<double> own_of(const SharedNumbers& numbers, std::size_t width, const group::Range& range) {
  if (numbers.size() <= width) return {};
  return numbers.doubles(range.first * width, range.count * width);
}

RowNumbers own_numbers(const Plan& plan, const group::Range& range) {
  const auto& problem = plan.problem;
  const auto n = problem.parameters;
  return {problem.data.doubles(range.first * problem.columns, range.count * problem.columns),
          own_of(problem.abscissa, problem.columns, range),
          own_of(problem.sigma, problem.columns, range),
          own_of(plan.guess, n, range),
          own_of(problem.lower, n, range),
          own_of(problem.upper, n, range)};
}

RowNumbers shared_numbers(const Plan& plan) {
  const auto& problem = plan.problem;
  const auto shared = [](const SharedNumbers& numbers, std::size_t width) {
    return numbers.size() <= width ? numbers.doubles() : std::vector<double>{};
  };
  const auto n = problem.parameters;
  return {{},
          shared(problem.abscissa, problem.columns),
          shared(problem.sigma, problem.columns),
          shared(plan.guess, n),
          shared(problem.lower, n),
          shared(problem.upper, n)};
}

/// A problem without its numbers.
Problem without_numbers(const Problem& problem) {
  Problem rest{problem.model, {}, problem.columns};
  rest.parameters = problem.parameters;
  rest.fixed = problem.fixed;
  return rest;
}

/// Gives a problem the numbers that there are.
void take(Problem& problem, RowNumbers& numbers) {
  const auto give = [](SharedNumbers& to, std::vector<double>& from) {
    if (!from.empty()) to = std::move(from);
  };
  give(problem.data, numbers.data);
  give(problem.abscissa, numbers.abscissa);
  give(problem.sigma, numbers.sigma);
  give(problem.guess, numbers.guess);
  give(problem.lower, numbers.lower);
  give(problem.upper, numbers.upper);
}

void serve_rows(RunMessage& run, std::optional<double> seconds, std::span<const std::shared_ptr<Device>> devices,
                group::Mailbox& mailbox) {
  auto& problem = run.problem;
  const auto n = problem.parameters;
  const auto bytes_of_row = 8 * (3 * problem.columns + 4 * n + n * n + 4);
  const group::RankShape shape{.devices = devices.size(),
                               .most = std::max<std::uint64_t>(1, group::Transport::most_bytes / 2 / bytes_of_row)};
  std::set<std::string> sent_failures;
  const auto fit_range = [&](const group::Order& order, const RunControl& control) {
    // Alone it would be refused; here the others have its rows.
    group::require_doubles(devices, run.is_double);
    auto own = decode<RowNumbers>(order.details);
    take(problem, own);
    const Watch watch(control);
    ThreadTeam threads;
    const Plan plan{problem, run.options, run.residuals, problem.guess, run.is_double, run.few_rows, threads};
    const auto found = fit_here(plan, {0, order.range.count}, devices, watch);
    for (const auto& failure : found.failures)
      if (sent_failures.insert(failure).second) mailbox.send_failure(failure);
    return std::pair(encode(found), found.launches);
  };
  group::serve_ranges(devices, seconds, mailbox, shape, fit_range);
}

RunMessage decode_run(ByteReader message) {
  RunMessage run{{Model::named("line"), {}}, {}, {}, Objective::named("sphere"), false, false};
  message("run", run);
  run.problem.model.residuals = run.residuals;
  take(run.problem, run.shared);
  return run;
}

const group::WorkerEntry entry(solver, [](ByteReader message, std::optional<double> seconds,
                                          std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
  auto run = decode_run(message);
  serve_rows(run, seconds, devices, mailbox);
});

/// The run of all ranks, at the first one.
class SharedRows {
 public:
  SharedRows(const Plan& plan, const WorkRange& range, const Watch& watch, Result& result)
      : plan_(plan), range_(range), watch_(watch), result_(result) {}

  group::Distributed distribute(group::Group& group, const RunMessage& run, std::optional<double> seconds,
                                std::span<const std::shared_ptr<Device>> devices) {
    group::Work work{.solver = std::string(solver), .message = encode(run), .seconds = seconds};
    if (work.message.size() > group::Transport::most_bytes / 2)
      throw InvalidInput("what all rows share is more than 512 MiB, which ranks cannot share yet; give slices of it");
    work.ranges = {{0, range_.first, range_.count}};
    work.details = [this](const group::Range& range) { return encode(own_numbers(plan_, range)); };
    work.accept = [this](const group::Range& range, ByteReader outcome) { accept(range, outcome); };
    work.attend = [this] { watch_.report("fits", static_cast<double>(done_) / static_cast<double>(range_.count)); };
    work.expired = [this] { return watch_.expired(); };
    work.interrupted = [this] { return watch_.interrupted(); };
    work.local = [&](group::Mailbox& mailbox) {
      auto own = decode_run(ByteReader(work.message));
      serve_rows(own, seconds, devices, mailbox);
    };
    return group::distribute(group, work);
  }

  bool is_complete() const { return done_ == range_.count; }

 private:
  void accept(const group::Range& range, ByteReader& message) {
    const auto part = message.take<Result>();
    put_rows(part, range.first - range_.first, result_);
    if (part.ending == Ending::complete) done_ += range.count;
  }

  const Plan& plan_;
  const WorkRange range_;
  const Watch& watch_;
  Result& result_;
  std::uint64_t done_ = 0;  // rows
};

}  // namespace

std::optional<Result> fit_by_ranks(const Plan& plan, const WorkRange& range,
                                   std::span<const std::shared_ptr<Device>> devices, const Watch& watch,
                                   const RunControl& control) {
  auto* const job = group::Group::of_run();
  if (!job) return std::nullopt;
  if (job->ranks() == 1 || range.count == 1) {
    auto alone = fit_here(plan, range, devices, watch);
    alone.cluster = std::make_shared<const cluster::Report>(
        group::report_of_one(*job, job->ranks() == 1 ? "there is one rank" : "there is one row"));
    return alone;
  }
  std::optional<double> seconds;
  if (control.time_limit) seconds = std::max(0.0, *control.time_limit - watch.seconds());
  auto result = begun_result(plan, range);
  SharedRows shared(plan, range, watch, result);
  const RunMessage message{
      without_numbers(plan.problem), shared_numbers(plan), plan.options, plan.residuals, plan.is_double, plan.few_rows};
  auto distributed = shared.distribute(*job, message, seconds, devices);
  result.ending = shared.is_complete() ? Ending::complete : watch.interrupted() ? Ending::interrupted : Ending::time;
  result.launches = distributed.launches;
  result.cluster = std::make_shared<const cluster::Report>(std::move(distributed.report));
  return result;
}

}  // namespace clopt::fit
