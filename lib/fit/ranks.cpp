#include "ranks.hpp"

#include <clopt/cluster.hpp>
#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/lost_devices.hpp>
#include <group/message_fields.hpp>
#include <group/workers.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "blocks/quick_build.hpp"
#include "result.hpp"

namespace clopt::fit {
namespace {

constexpr std::string_view solver = "fit";

/// In the order of for_numbers(): what all rows share, or what goes with a range, which its rows have for themselves.
using Arrays = std::vector<std::vector<double>>;

/// What ranks get of a run: all but what each row has for itself.
struct RunMessage {
  Problem problem;
  Arrays shared;
  Options options;
  Objective residuals;
  bool is_double;
  bool quick_build;
};

template <class Archive>
void fields(Archive& archive, RunMessage& message) {
  auto& problem = message.problem;
  archive("residuals", message.residuals)("is_double", message.is_double)("quick_build", message.quick_build);
  archive("has_derivative", problem.model.has_derivative)("has_curve", problem.model.has_curve);
  archive("columns", problem.columns)("parameters", problem.parameters)("fixed", problem.fixed);
  archive("shared", message.shared);
  group::option_fields(archive, fit::fields(message.options));
}

/// The arrays of a plan of which each row has its own numbers, those of a range; or the others.
Arrays arrays_of(const Plan& plan, const std::optional<group::Range>& range) {
  Arrays arrays;
  for_numbers(plan.problem, [&](const char*, auto member, std::size_t width) {
    const auto& numbers = member == &Problem::guess ? plan.guess : plan.problem.*member;
    const bool is_own = numbers.size() > width;
    arrays.push_back(is_own != range.has_value() ? std::vector<double>()
                     : is_own                    ? numbers.doubles(range->first * width, range->count * width)
                                                 : numbers.doubles());
  });
  return arrays;
}

/// A problem without its numbers.
Problem without_numbers(const Problem& problem) {
  Problem rest{problem.model, {}, problem.columns};
  rest.parameters = problem.parameters;
  rest.fixed = problem.fixed;
  return rest;
}

/// Gives a problem the numbers that there are.
void take(Problem& problem, Arrays arrays) {
  auto next = arrays.begin();
  for_numbers(problem, [&](const char*, auto member, std::size_t) {
    if (!next->empty()) problem.*member = std::move(*next);
    ++next;
  });
}

void serve_rows(RunMessage& run, std::optional<double> seconds, std::span<const std::shared_ptr<Device>> devices,
                group::Mailbox& mailbox) {
  auto& problem = run.problem;
  const auto n = problem.parameters;
  const auto bytes_of_row = 8 * (3 * problem.columns + 4 * n + n * n + 4);
  const group::RankShape shape{.devices = devices.size(),
                               .most = std::max<std::uint64_t>(1, group::Transport::most_bytes / 2 / bytes_of_row)};
  const auto residuals = std::make_shared<const Objective>(run.residuals);
  std::set<std::string> sent_failures;
  const auto fit_range = [&](const group::Order& order, const RunControl& control) {
    // Alone it would be refused; here the others have its rows.
    group::require_doubles(devices, run.is_double);
    take(problem, decode<Arrays>(order.details));
    const Watch watch(control);
    auto threads = team_for(problem, devices);
    Plan plan{problem, run.options, residuals, problem.guess, run.is_double, false, *threads};
    if (run.quick_build) choose_build(plan, order.range.count, devices);
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
  take(run.problem, std::move(run.shared));
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
    work.details = [this](const group::Range& range) { return encode(arrays_of(plan_, range)); };
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
  const RunMessage message{without_numbers(plan.problem),
                           arrays_of(plan, {}),
                           plan.options,
                           *plan.residuals,
                           plan.is_double,
                           plan.quick_build};
  auto distributed = shared.distribute(*job, message, seconds, devices);
  result.ending = shared.is_complete() ? Ending::complete : watch.interrupted() ? Ending::interrupted : Ending::time;
  result.launches = distributed.launches;
  result.cluster = std::make_shared<const cluster::Report>(std::move(distributed.report));
  return result;
}

}  // namespace clopt::fit
