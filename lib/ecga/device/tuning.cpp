#include "tuning.hpp"

#include <clopt/detail/tuning.hpp>
#include <clopt/device.hpp>
#include <clopt/ecga.hpp>
#include <run/tuning.hpp>

#include <limits>

#include <run/nested_run.hpp>

namespace clopt::ecga {
namespace {

// Measured on two cores of an EPYC with AVX-512: 8 to 16 are quickest.
constexpr std::uint32_t guesses_on_a_processor = 16;
constexpr std::uint32_t guesses_elsewhere = 1U << 20;

}  // namespace

std::uint32_t usual_guesses(const Device& device) {
  const auto usual = device.info().kind == DeviceKind::cpu ? guesses_on_a_processor : guesses_elsewhere;
  return tuned<std::uint32_t>(device, "ecga", "guesses").value_or(usual);
}

std::optional<std::string> tune(Device& device, const RunControl& control) {
  const PrivateRun run;
  const Watch watch(control);
  const Problem problem{find_objective("trap5"), 100};
  Options options;
  options.population = 6670;
  options.generations = 6;
  constexpr std::uint32_t choices[] = {4, 16, 64, guesses_elsewhere};
  std::uint32_t best = choices[0];
  double least = std::numeric_limits<double>::infinity();
  double done = 0;
  for (const auto guesses : choices) {
    options.guesses = guesses;
    // The first run of all builds kernels and warms up.
    for (int round = 0; round < 3; ++round) {
      const auto result = solve(problem, options, device, nested_control(control, watch));
      if (watch.expired()) return std::nullopt;
      if (round > 0 && result.model_seconds < least) {
        least = result.model_seconds;
        best = guesses;
      }
    }
    watch.report("guesses", ++done / static_cast<double>(std::size(choices)));
  }
  return nlohmann::json{{"guesses", best}}.dump();
}

}  // namespace clopt::ecga
