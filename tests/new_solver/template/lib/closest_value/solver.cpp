#include <clopt/closest_value.hpp>
#include <clopt/error.hpp>

#include <device/solver_devices.hpp>
#include <generated/operations/closest_value.hpp>
#include <run/timed_run.hpp>

#include <algorithm>

#include "result.hpp"

namespace clopt::closest_value {
namespace {

constexpr std::uint64_t values_of_generation = 8;

}  // namespace

Result solve_range(const Problem& problem, const Options& options, const WorkRange& range, Device& device,
                   const RunControl& control) {
  const Watch watch(control);
  const auto queue = device.queue();
  const auto kernel = device.kernel<operations::Distances>();
  const auto values = device.buffer<std::uint64_t>("values", values_of_generation);
  const auto results = device.buffer<std::uint64_t>("distances", values_of_generation);
  Result result;
  if (options.resume) {
    options.resume->require(identity(problem, options));
    read_checkpoint(*options.resume, result);
  }
  const auto limit = options.generations.value_or(range.count) * values_of_generation;
  result.ending = Ending::complete;
  TimedPart computing(TimePart::compute);
  while (result.compared < range.count && !watch.expired()) {
    if (result.compared >= limit) {
      result.ending = Ending::generations;
      break;
    }
    const auto first = range.first + result.compared;
    const auto count = std::min(values_of_generation, range.count - result.compared);
    queue->write(values, std::span(problem.values).subspan(first, count));
    queue->launch(kernel, Range::of_items(count),
                  {.values = values, .results = results, .wanted = options.wanted, .count = count});
    std::vector<std::uint64_t> distances(count);
    queue->read(results, std::span(distances));
    queue->finish();
    const auto least = std::min_element(distances.begin(), distances.end());
    if (*least < result.distance) {
      result.index = first + static_cast<std::uint64_t>(least - distances.begin());
      result.distance = *least;
    }
    result.compared += count;
  }
  computing.end();
  result.method = "scan";
  result.reason = "the only one";
  if (watch.interrupted()) result.ending = Ending::interrupted;
  result.launches = queue->counts().launches;
  set_checksum(result);
  if (options.checkpoint) options.checkpoint->write(record_of_state(identity(problem, options), result));
  return result;
}

void check(const Problem& problem, const Options& options) {
  fields_of(options).check();
  if (problem.values.empty()) throw InvalidInput("`values` is empty; give at least one");
}

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  return timed([&] {
    check(problem, options);
    require_devices(devices);
    const auto range = options.range.value_or(WorkRange{0, problem.values.size()});
    check_range(range, problem.values.size(), "values");
    if (auto shared = solve_by_ranks(problem, options, range, devices, control)) return *std::move(shared);
    return solve_range(problem, options, range, *devices.front(), control);
  });
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {non_owning(device)};
  return solve(problem, options, devices, control);
}

}  // namespace clopt::closest_value
