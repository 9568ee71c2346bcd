#include <clopt/detail/tuning.hpp>
#include <clopt/error.hpp>
#include <run/tuning.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "tuning.hpp"

namespace clopt::genetic {

/// Seconds that a generation of one shape takes in each granularity.
struct MeasuredShape {
  std::string kind;  ///< of genes
  double population = 0;
  double genes = 0;
  std::map<std::string, double> seconds;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MeasuredShape, kind, population, genes, seconds)

namespace {

/// Seconds of a measurement that is accurate enough.
constexpr double least_measured_seconds = 0.02;
constexpr std::uint64_t first_timed_generations = 16;
constexpr std::uint64_t most_timed_generations = 4096;

std::string kind_name(const Settings& settings) {
  return settings.kind == GENETIC_BITS ? "bits" : settings.kind == GENETIC_PERMUTATION ? "permutation" : "numbers";
}

/// How far a shape is from a run, in factors of two of population and genes.
double distance(const MeasuredShape& shape, const Settings& settings) {
  return std::fabs(std::log2(shape.population / (static_cast<double>(settings.population) * settings.islands))) +
         std::fabs(std::log2(shape.genes / settings.genes));
}

std::optional<GranularityChoice> remembered_choice(const Device& device, const Settings& settings) {
  auto shapes = tuned<std::vector<MeasuredShape>>(device, "genetic").value_or(std::vector<MeasuredShape>{});
  std::erase_if(shapes,
                [&](const MeasuredShape& shape) { return shape.kind != kind_name(settings) || shape.seconds.empty(); });
  if (shapes.empty()) return std::nullopt;
  const auto& nearest = *std::min_element(shapes.begin(), shapes.end(), [&](const auto& a, const auto& b) {
    return distance(a, settings) < distance(b, settings);
  });
  const auto best = std::min_element(nearest.seconds.begin(), nearest.seconds.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto known = std::find_if(granularity_names.entries.begin() + 1, granularity_names.entries.end(),
                                  [&](const auto& entry) { return entry.second == best->first; });
  if (known == granularity_names.entries.end()) return std::nullopt;
  return GranularityChoice{known->first, fmt::format("the fastest measured for {} individuals of {} genes",
                                                     nearest.population, nearest.genes)};
}

/// Runs generations of one shape in one granularity; throws TuningStopped where the run must end.
class Tuner {
 public:
  Tuner(Device& device, const Watch& watch) : device_(device), watch_(watch) {}

  std::vector<MeasuredShape> measure() {
    std::vector<MeasuredShape> shapes;
    for (const double population : {128.0, 1024.0, 32768.0})
      for (const double genes : {64.0, 1024.0}) shapes.push_back({"bits", population, genes, {}});
    for (const double population : {128.0, 8192.0}) shapes.push_back({"numbers", population, 32, {}});
    double done = 0;
    for (auto& shape : shapes) {
      watch_.report("shapes", done++ / static_cast<double>(shapes.size()));
      for (const auto granularity :
           {Granularity::thread, Granularity::group, Granularity::subgroup, Granularity::hybrid, Granularity::fused}) {
        const std::string name(granularity_names.of(granularity));
        shape.seconds[name] = seconds_of(shape, name);
      }
    }
    return shapes;
  }

 private:
  double seconds_of(const MeasuredShape& shape, const std::string& granularity) {
    const Problem problem{Objective::named(shape.kind == "bits" ? "onemax" : "rastrigin"),
                          static_cast<std::uint32_t>(shape.genes),
                          {},
                          {}};
    Options options;
    options.population = static_cast<std::uint64_t>(shape.population);
    options.granularity = granularity;
    // The first run builds kernels.
    run(problem, options, 1);
    for (auto generations = first_timed_generations;; generations *= 4) {
      const double seconds = std::min(run(problem, options, generations), run(problem, options, generations));
      if (seconds > least_measured_seconds || generations >= most_timed_generations)
        return seconds / static_cast<double>(generations);
    }
  }

  double run(const Problem& problem, Options& options, std::uint64_t generations) {
    if (watch_.expired()) throw TuningStopped{};
    options.generations = generations;
    return solve(problem, options, device_).seconds.compute;
  }

  Device& device_;
  const Watch& watch_;
};

}  // namespace

GranularityChoice choose_granularity(Device& device, const Plan& plan, bool is_batch_function) {
  if (plan.granularity != Granularity::automatic) return {plan.granularity, "asked for"};
  if (is_batch_function) return {Granularity::group, "a batch function is evaluated in a launch of its own"};
  if (const auto choice = remembered_choice(device, plan.settings)) return *choice;
  return {Granularity::fused, "usually the fastest; `clopt tune` measures it"};
}

std::optional<std::string> tune(Device& device, const RunControl& control) {
  return tune_by(control, [&](const Watch& watch) { return Tuner(device, watch).measure(); });
}

}  // namespace clopt::genetic
