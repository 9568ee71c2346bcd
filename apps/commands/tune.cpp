/// \file
/// `clopt tune`: measures what the solvers' own choices rest on, and remembers it.
#include <clopt/cache.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/tuning.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <frame/common_options.hpp>
#include <frame/interruption.hpp>
#include <frame/progress_bar.hpp>
#include "subcommand.hpp"

namespace clopt::apps::tune {

int run(const Arguments& arguments) {
  OptionParser parser("tune", "[--solver NAME] [OPTION...]",
                      "Measures how quick each method is on a device and remembers it, so that `auto` chooses better\n"
                      "there. It takes some seconds for each solver. `clopt cache clear` forgets it.");
  parser.value("solver", "NAME", "only this solver");
  add_device_options(parser);
  add_output_options(parser);
  const auto options = parser.parse(arguments);
  if (!options) return Status::done;
  const auto common = read_common_options(*options);
  const auto wanted = options->text("solver");
  std::vector<std::string> names;
  for (const auto& each : solvers()) names.emplace_back(each.name);
  if (wanted && std::find(names.begin(), names.end(), *wanted) == names.end())
    throw InvalidInput(
        fmt::format("there is no solver '{}'; the nearest is {}", printable(*wanted), nearest(*wanted, names)));
  const auto found = find_devices(common.devices);

  RunControl control;
  control.stop = Interruption::instance().begin_work();
  const bool remembers = Cache::instance().folder().has_value();
  Json object{{"remembered", remembers}, {"devices", Json::array()}};
  for (const auto& info : found) {
    const auto device = open_listed_device(info, common.device);
    Json entry = device_json(device->info());
    for (const auto& solver : solvers()) {
      if (wanted && *wanted != solver.name) continue;
      ProgressBar bar(common.shows_progress());
      control.progress = [&bar](const Progress& progress) { return bar.show(progress); };
      const auto choices = solver.tune(*device, control);
      bar.wipe();
      if (!choices) return Status::interrupted;
      remember_tuning(*device, solver.name, *choices);
      entry[std::string(solver.name)] = Json::parse(*choices);
      if (!common.json) print(fmt::format("{}  {}  {}\n", info.id, solver.name, *choices));
    }
    object["devices"].push_back(std::move(entry));
  }
  object["version"] = version();
  if (common.json)
    print_json(object);
  else if (!remembers)
    print("Nothing was remembered: the cache is off or has no folder.\n");
  return Status::done;
}

}  // namespace clopt::apps::tune
