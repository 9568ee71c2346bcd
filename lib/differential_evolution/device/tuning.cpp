#include "tuning.hpp"

#include <clopt/detail/tuning.hpp>
#include <clopt/differential_evolution.hpp>
#include <run/tuning.hpp>

namespace clopt::differential_evolution {
namespace {

constexpr const char* key = "most_for_a_group";
// A work-group takes 1024 vectors at once, and a launch over the whole device costs about as much as four rounds.
constexpr std::uint32_t guess = 4096;

// Seconds of a short run, the second of two: kernels are built then.
double seconds_of(const char* method, std::size_t population, Device& device, const RunControl& control) {
  Problem problem{Objective::named("rastrigin")};
  problem.dimensions = 10;
  Options options;
  options.method = method;
  options.adapt = "none";
  options.population = population;
  options.generations = 50;
  solve(problem, options, device, control);
  return solve(problem, options, device, control).seconds.compute;
}

}  // namespace

std::optional<std::string> tune(Device& device, const RunControl& control) {
  const PrivateRun run;
  const Watch watch(control);
  std::uint32_t most = 0;
  auto rates = nlohmann::json::array();
  for (std::size_t population = 256; population <= std::size_t{1} << 16; population *= 4) {
    watch.report("methods", static_cast<double>(rates.size()) / 5);
    const double fused = seconds_of("fused", population, device, control);
    const double merged = seconds_of("merged", population, device, control);
    if (watch.expired()) return std::nullopt;
    rates.push_back({{"population", population}, {"fused", fused}, {"merged", merged}});
    if (fused <= merged) most = static_cast<std::uint32_t>(population);
  }
  return nlohmann::json{{key, most}, {"seconds", rates}}.dump();
}

std::uint32_t most_for_a_group(const Device& device) {
  return tuned<std::uint32_t>(device, "differential-evolution", key).value_or(guess);
}

}  // namespace clopt::differential_evolution
