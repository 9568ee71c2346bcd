/// \file
/// `clopt closest-value`.
#include <clopt/closest_value.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <limits>

#include <frame/options/common_options.hpp>
#include <frame/run/interruption.hpp>
#include <frame/status.hpp>
#include "solver.hpp"

namespace clopt::apps::closest_value {

int run(const Arguments& arguments) {
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  OptionParser parser("closest-value", "[OPTION...]", "Finds the square below 1000 that is closest to a number.");
  parser.value("wanted", "N", "the number (default 0)");
  add_common_options(parser);
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const auto common = read_common_options(*options);
  clopt::closest_value::Problem problem;
  problem.wanted = options->integer("wanted", 0, largest).value_or(0);
  for (std::uint64_t root = 0; root * root < 1000; ++root) problem.values.push_back(root * root);

  RunControl control;
  control.stop = Interruption::instance().begin_work();
  const auto device = open_listed_device(find_one_device(common, "closest-value"), common.device);
  const auto result = clopt::closest_value::solve(problem, {}, *device, control);
  auto object = result_head("squares", {device->info()}, result.method, common.seed);
  object["value"] = problem.values[result.index];
  object["seconds"] = {{"total", result.seconds.total}};
  object["checksum"] = hexadecimal(result.checksum);
  object["version"] = version();
  if (common.json)
    print_json(object);
  else
    print(fmt::format("value     {}\n", problem.values[result.index]));
  return result.interrupted() ? Status::interrupted : Status::done;
}

}  // namespace clopt::apps::closest_value
