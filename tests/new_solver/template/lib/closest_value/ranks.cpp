/// \file
/// The ranks of a job, which share the values.
#include <clopt/closest_value.hpp>
#include <group/distribution.hpp>
#include <group/message_fields.hpp>
#include <group/workers.hpp>

#include <map>

#include "result.hpp"

namespace clopt::closest_value {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  archive("values", problem.values);
}
template <class Archive>
void fields(Archive& archive, Options& options) {
  group::option_fields(archive, fields(options));
}

namespace {

constexpr const char* name = "closest-value";
using GivenDevices = std::span<const std::shared_ptr<Device>>;

void serve(const Problem& problem, const Options& options, std::optional<double> seconds, GivenDevices devices,
           group::Mailbox& mailbox) {
  group::serve_ranges(devices, seconds, mailbox, {}, [&](const group::Order& order, const RunControl& control) {
    const auto& [ticket, first, count] = order.range;
    const auto result = solve_range(problem, options, {first, count}, *devices.front(), control);
    return std::pair(encode(result), result.launches);
  });
}

const group::WorkerEntry entry(name, [](ByteReader message, std::optional<double> seconds, GivenDevices devices,
                                        group::Mailbox& mailbox) {
  const auto problem = message.take<Problem>();
  serve(problem, message.take<Options>(), seconds, devices, mailbox);
});

}  // namespace

std::optional<Result> solve_by_ranks(const Problem& problem, const Options& options, const WorkRange& range,
                                     GivenDevices devices, const RunControl& control) {
  auto* const group = group::Group::of_run();
  // A state is that of one process.
  if (!group || options.generations || options.checkpoint || options.resume) return std::nullopt;
  const Watch watch(control);
  std::map<std::uint64_t, Result> parts;
  group::Work work{.solver = name, .message = encode(problem, options), .seconds = control.time_limit};
  work.ranges = {{0, range.first, range.count}};
  work.accept = [&](const group::Range& each, ByteReader result) { parts[each.first] = result.take<Result>(); };
  work.attend = [] {};
  work.expired = [&] { return watch.expired(); };
  work.interrupted = [&] { return watch.interrupted(); };
  work.local = [&](group::Mailbox& mailbox) { serve(problem, options, control.time_limit, devices, mailbox); };
  auto distributed = group::distribute(*group, work);
  std::vector<Result> results;
  for (auto& [first, part] : parts) results.push_back(std::move(part));
  auto whole = merge(results);
  whole.cluster = std::make_shared<const cluster::Report>(std::move(distributed.report));
  return whole;
}

}  // namespace clopt::closest_value
