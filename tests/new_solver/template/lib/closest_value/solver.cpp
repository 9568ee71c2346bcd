#include <clopt/closest_value.hpp>
#include <clopt/error.hpp>

#include <device/non_owning.hpp>
#include <device/require_devices.hpp>
#include <generated/operations/closest_value.hpp>

#include <algorithm>

#include "result.hpp"

namespace clopt::closest_value {

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  fields_of(options).check();
  if (problem.values.empty()) throw InvalidInput("`values` is empty; give at least one");
  require_devices(devices);
  const Watch watch(control);
  auto& device = *devices.front();
  const auto range = options.range.value_or(WorkRange{0, problem.values.size()});
  check_range(range, problem.values.size(), "values");
  const auto count = range.count;
  const auto queue = device.queue();
  const auto values = device.buffer<std::uint64_t>("values", count);
  const auto results = device.buffer<std::uint64_t>("distances", count);
  queue->write(values, std::span(problem.values).subspan(range.first, count));
  queue->launch(device.kernel<operations::Distances>(), Range::of_items(count),
                {.values = values, .results = results, .wanted = options.wanted, .count = count});
  std::vector<std::uint64_t> distances(count);
  queue->read(results, std::span(distances));
  queue->finish();

  const auto least = std::min_element(distances.begin(), distances.end());
  Result result;
  result.method = "scan";
  result.reason = "the only one";
  result.index = range.first + static_cast<std::uint64_t>(least - distances.begin());
  result.distance = *least;
  if (watch.interrupted()) result.ending = Ending::interrupted;
  result.launches = queue->counts().launches;
  set_checksum(result);
  result.seconds.total = watch.seconds();
  return result;
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {non_owning(device)};
  return solve(problem, options, devices, control);
}

}  // namespace clopt::closest_value
