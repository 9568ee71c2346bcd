#include <clopt/device.hpp>
#include <clopt/ecga.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include <device/solver_devices.hpp>
#include <run/timed_run.hpp>

#include <ecga/run/counting_choice.hpp>
#include <ecga/run/evolution.hpp>
#include <ecga/run/ranks.hpp>
#include <ecga/run/run.hpp>
#include "dimensions.hpp"
#include "growing_run.hpp"

namespace clopt::ecga {

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  return timed([&] {
    require_devices(devices);
    if (control.time_limit && !(*control.time_limit >= 0))
      throw InvalidInput(fmt::format("`time_limit` is {}; give a number of seconds from 0 on", *control.time_limit));
    if (!is_growing(options)) return solve_by_job(problem, options, devices, control);
    return solve_growing(problem, options, control, [&](const Options& own, const RunControl& part) {
      return timed([&] { return solve_by_job(problem, own, devices, part); });
    });
  });
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {non_owning(device)};
  return solve(problem, options, devices, control);
}

Model build_model(std::span<const std::uint32_t> population, std::uint64_t individuals, std::uint32_t length,
                  const Options& given, Device& device) {
  const Problem problem{Objective::named("onemax"), length};
  if (individuals == 0) throw InvalidInput("`individuals` is 0; give 1 or more");
  auto options = given;
  options.population = individuals;
  options.tournament = 1;
  const auto plan = make_plan(problem, options);
  if (population.size() != (std::uint64_t{length} + 31) / 32 * individuals)
    throw InvalidInput(fmt::format("`population` has {} words, which are not {} individuals of {} loci",
                                   population.size(), individuals, length));
  const auto choice = choose_counting(plan, device);
  const auto dimensions = fitting_dimensions(plan, choice.counting, device);
  const RunControl control;
  const Watch watch(control);
  Logarithms logarithms(dimensions.individuals);
  return Run(plan, dimensions, choice.counting, device, watch, std::move(logarithms)).model_of(population);
}

double combined_complexity(std::span<const std::uint32_t> population, std::uint64_t individuals, const Model& model) {
  const auto count = static_cast<double>(individuals);
  double sum = 0;
  for (const auto& group : model) {
    std::vector<std::uint64_t> patterns(std::size_t{1} << group.size());
    for (std::uint64_t i = 0; i < individuals; ++i) {
      std::size_t pattern = 0;
      for (std::size_t s = 0; s < group.size(); ++s)
        pattern |= std::size_t{population[group[s] / 32 * individuals + i] >> group[s] % 32 & 1} << s;
      ++patterns[pattern];
    }
    for (const auto many : patterns)
      if (many > 0) sum -= static_cast<double>(many) * std::log2(static_cast<double>(many) / count);
    sum += std::log2(count + 1) * static_cast<double>(patterns.size() - 1);
  }
  return sum;
}

}  // namespace clopt::ecga
