/// \file
/// `clopt ecga`.
#include <clopt/devices.hpp>
#include <clopt/ecga.hpp>

#include <fmt/format.h>

#include "common_options.hpp"
#include "subcommand.hpp"

namespace clopt::apps::ecga {

std::string_view summary() { return "extended compact genetic algorithm: learns which bits belong together"; }

int run(const Arguments& arguments) {
  clopt::ecga::Options options;
  const clopt::ecga::Problem problem{clopt::ecga::find_objective(arguments.at(0)),
                                     static_cast<std::uint32_t>(std::stoul(arguments.at(1)))};
  options.population = std::stoull(arguments.at(2));
  if (arguments.size() > 3) options.counting = arguments[3];
  if (arguments.size() > 4) options.search = arguments[4];
  if (arguments.size() > 5) options.guesses = static_cast<std::uint32_t>(std::stoul(arguments[5]));
  DeviceOptions device_options;
  device_options.threads = arguments.size() > 6 ? static_cast<unsigned>(std::stoul(arguments[6])) : 0;
  device_options.self_test = false;
  const auto device = open_device({}, device_options);
  clopt::ecga::Observer observer;
  observer.generation = [](const clopt::ecga::Generation& g) {
    print(fmt::format("{} best {} mean {:.2f} merges {} passes {} ccc {:.1f} fixed {} {:.4f}s\n", g.number, g.best,
                      g.mean, g.merges, g.passes, g.combined_complexity, g.converged_loci, g.model_seconds));
  };
  const auto result = clopt::ecga::solve(problem, options, *device, {}, observer);
  print(fmt::format("{:016x} best {} generations {} passes {} merges {} compute {:.3f} s model {:.3f} s {}\n",
                    result.checksum, result.best_fitness, result.generations, result.passes, result.merges,
                    result.compute_seconds, result.model_seconds, result.counting));
  return Status::done;
}

std::vector<ValidationCase> validation_cases(bool) { return {}; }
std::vector<BenchmarkTable> benchmark_tables() { return {}; }

}  // namespace clopt::apps::ecga
