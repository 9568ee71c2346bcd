/// \file
/// How many generations go into a launch.
#pragma once

#include <clopt/device.hpp>
#include <run/pacing.hpp>

#include <algorithm>

#include <differential_evolution/plan.hpp>

namespace clopt::differential_evolution {

/// What a launch should take.
inline constexpr double wanted_seconds = 0.05;

/// The same where a generation is a call of the caller's own function: long enough for the start of a launch not to
/// matter, and short enough for callbacks that read each few generations.
inline constexpr double wanted_seconds_of_calls = 0.002;
/// A launch whose calls have become slow ends after this time, so that callbacks and checkpoints do not wait for it.
inline constexpr double most_seconds_of_calls = 10 * wanted_seconds_of_calls;

inline constexpr double most_problems = 1e9;

/// Steps of loops that a launch may take on a device without long loops (DeviceInfo::has_long_loops).
inline constexpr double safe_steps = 1 << 14;

/// The most steps that a work-item of the fused method takes in a generation: one for each number of the population.
inline double fused_steps(const Plan& plan) {
  return static_cast<double>(plan.settings.population) * (plan.settings.dimensions + 1.0);
}

/// An estimate of the seconds of a problem's generation, among many problems.
inline double guessed_seconds(const Device& device, const Plan& plan) {
  const auto& settings = plan.settings;
  constexpr double fixed_work = 20;
  const double work = static_cast<double>(settings.population) * (settings.dimensions + fixed_work);
  const bool quick = device.info().kind == DeviceKind::gpu;
  return work / (quick ? 1e12 : 1e8 * device.info().compute_units);
}

/// How many problems are made ready in a launch. Nothing is known of the work of a C++ function: it begins with a
/// problem for each thread. The start population of a batch function is one call.
inline Pacing pacing_of_problems(const Device& device, const Plan& plan) {
  if (needs_whole_generations(plan.objective)) return Pacing(most_problems, most_problems);
  if (!plan.objective.is_function()) return Pacing(wanted_seconds / guessed_seconds(device, plan));
  const double threads = std::max(1U, device.info().compute_units);
  return Pacing(threads, threads);
}

/// What a launch of generations should take.
inline double wanted_seconds_of(const Plan& plan) {
  return needs_whole_generations(plan.objective) ? wanted_seconds_of_calls : wanted_seconds;
}

/// How many generations a launch has. Of a C++ function the first launch is one generation, so that a run of a slow one
/// ends soon after it is asked to. \param can_end_early whether a launch can end between two calls of a function that
/// takes whole generations (Batch::can_end_early()); otherwise it has one call.
inline Pacing pacing_of_generations(const Device& device, const Plan& plan, std::size_t problems, bool can_end_early) {
  double most = 1 << 20;
  if (needs_whole_generations(plan.objective) && !can_end_early)
    most = 1;
  else if (!device.has_long_loops())
    most = std::clamp(safe_steps / fused_steps(plan), 1.0, 1024.0);
  if (plan.objective.is_function()) return Pacing(1, 1, most);
  const double least_seconds = device.info().kind == DeviceKind::gpu ? 2e-6 : 1e-7;
  const double seconds = std::max(least_seconds, static_cast<double>(problems) * guessed_seconds(device, plan));
  return Pacing(wanted_seconds_of(plan) / seconds, 1, most);
}

}  // namespace clopt::differential_evolution
