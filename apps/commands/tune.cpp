/// \file
/// `clopt tune`: measures what the solvers' own choices rest on, and remembers it.
#include <clopt/detail/cache.hpp>
#include <clopt/detail/tuning.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include <frame/options/common_options.hpp>
#include <frame/output/progress_bar.hpp>
#include <frame/run/interruption.hpp>
#include "subcommand.hpp"

namespace clopt::apps::tune {

int run(const Arguments& arguments) {
  OptionParser parser("tune", "[--solver NAME] [OPTION...]",
                      "Measures how quick each method is on a device and remembers it, so that `auto` chooses better "
                      "there. It takes some seconds for each solver. `clopt cache clear` forgets it.");
  parser.example("--solver subset-sum")
      .example("--device openmp:0 --json")
      .value("solver", "NAME", "only this solver")
      .choices(solver_names());
  add_device_options(parser);
  add_output_options(parser);
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const auto common = read_common_options(*options);
  const auto wanted = full_name(options->text("solver"));
  std::vector<std::string> names;
  for (const auto& each : solvers()) names.emplace_back(each.name);
  if (wanted && std::find(names.begin(), names.end(), *wanted) == names.end())
    throw InvalidInput(
        fmt::format("there is no solver '{}'; the nearest is {}", printable(*wanted), nearest(*wanted, names)));
  const auto found = find_devices(common.devices);

  const bool remembers = Cache::instance().folder().has_value();
  std::mutex mutex;
  Json object{{"remembered", remembers}, {"devices", Json::array()}, {"version", version()}};  // under the mutex
  // What was measured is remembered already.
  ReportingWork work([&] {
    const std::lock_guard lock(mutex);
    if (common.json) print_json(object);
  });
  RunControl control;
  control.stop = work.stop();
  for (const auto& info : found) {
    const auto device = open_listed_device(info, common.device);
    {
      const std::lock_guard lock(mutex);
      object["devices"].push_back(device_json(device->info()));
    }
    for (const auto& solver : solvers()) {
      if (wanted && *wanted != solver.name) continue;
      ProgressBar bar(common.shows_progress());
      control.progress = [&bar](const Progress& progress) { return bar.show(progress); };
      const auto choices = solver.tune(*device, control);
      bar.wipe();
      if (!choices) {
        work.end();
        if (common.json) print_json(object);
        return Status::interrupted;
      }
      remember_tuning(*device, solver.name, *choices);
      {
        const std::lock_guard lock(mutex);
        object["devices"].back()[std::string(solver.name)] = Json::parse(*choices);
      }
      if (!common.json) print(fmt::format("{}  {}  {}\n", info.id, solver.name, *choices));
    }
  }
  work.end();
  if (common.json)
    print_json(object);
  else if (!remembers)
    print("Nothing was remembered: the cache is off or has no folder.\n");
  return Status::done;
}

}  // namespace clopt::apps::tune
