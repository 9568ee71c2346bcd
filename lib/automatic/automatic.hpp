/// \file
/// A solver's run whose device the work chooses, for every solver.
#pragma once

#include <run/timed_run.hpp>

#include <new>
#include <optional>
#include <span>
#include <utility>

#include "device_choice.hpp"

namespace clopt {

/// More bytes of state than these take longer to move than the work that the processor has done until then takes the
/// accelerator.
inline constexpr double most_bytes_to_move = 32 << 20;

/// Whether a run got further than another one of the same seed, which takes the same way.
template <class Result>
bool is_further(const Result& one, const Result& other) {
  if constexpr (requires { one.generations; })
    return one.generations > other.generations;
  else if constexpr (requires { one.value; })
    return one.value > other.value;
  else if constexpr (requires { one.converged; })
    return one.converged > other.converged;
  else
    return false;
}

/// Runs a solver's solve() in parts, on one device after the other.
/// \tparam Solver has `name`, `measure`; may_move(problem, options), whether an accelerator can take part;
///         state_bytes(problem, options); add_likeness(identity, problem, options), what the time of a run depends on.
///         It may have prepare_trial(options), kept(problem), a problem that depends on nothing of the caller's, and
///         take_earlier(result, earlier): counts that a part does not take over
///         from the state.
/// The solver's solve() is that of the problem's namespace.
template <class Solver, class Problem, class Options>
auto solve_where_work_chooses(const Problem& problem, const Options& options, const Devices& devices,
                              const RunControl& control) {
  using Result = decltype(solve(problem, options, devices.given(), control));
  if (const auto named = DeviceChoice::named(devices); !devices.is_automatic() || !named.empty())
    return solve(problem, options, named, control);

  constexpr bool has_checkpoints = requires { options.checkpoint; };
  WorkToChooseFor work{
      .solver = Solver::name, .may_move = Solver::may_move(problem, options), .measure = Solver::measure};
  if (work.may_move) {
    work.has_state = has_checkpoints && Solver::state_bytes(problem, options) <= most_bytes_to_move;
    RunIdentity like{std::string(Solver::name)};
    Solver::add_likeness(like, problem, options);
    for (const auto& entry : like.entries())
      if (entry.name != "seed") work.likeness += entry.name + '=' + entry.text + '\n';
    work.copy = [&problem, &options] {
      auto own = options;  // NOLINT(performance-unnecessary-copy-initialization): solvers with checkpoints change it
      if constexpr (has_checkpoints) own.checkpoint = nullptr;
      if constexpr (requires { own.found; }) own.found = nullptr;
      if constexpr (requires { own.statistics; })
        if (own.statistics) own.statistics = [](const auto&) {};
      if constexpr (requires { Solver::prepare_trial(own); }) Solver::prepare_trial(own);
      // A trial may end after the run.
      const auto kept = [&]() -> Problem {
        if constexpr (requires { Solver::kept(problem); })
          return Solver::kept(problem);
        else
          return problem;
      };
      return [problem = kept(), own](const std::shared_ptr<Device>& device, const RunControl& trial) -> RunResult {
        auto result = solve(problem, own, std::span(&device, 1), trial);
        return std::move(run_of(result));
      };
    };
  }
  std::shared_ptr<CheckpointWriter> checkpoint;
  if constexpr (has_checkpoints) checkpoint = options.checkpoint;
  DeviceChoice choice(devices, control, std::move(work), std::move(checkpoint));
  std::optional<Result> earlier;
  for (;;) {
    auto own = options;  // NOLINT(performance-unnecessary-copy-initialization): some solvers have none of these members
    const auto device = choice.begin_part();
    if constexpr (has_checkpoints) {
      own.checkpoint = choice.checkpoint();
      if (choice.state()) own.resume = choice.state();
    }
    if constexpr (requires { own.statistics; })
      if (options.statistics)
        own.statistics = [&](const auto& row) {
          if (choice.is_new(row.generation)) choice.call([&] { options.statistics(row); });
        };
    const auto part = choice.control();
    try {
      const auto drop = choice.drop_launches();
      auto result = solve(problem, own, std::span(&device, 1), part);
      if constexpr (requires { Solver::take_earlier(result, result); })
        if (earlier && choice.state()) Solver::take_earlier(result, *earlier);
      if (!choice.continues_after(run_of(result))) {
        std::optional<std::uint64_t> evaluations;
        if constexpr (requires { evaluations = result.evaluations; }) evaluations = result.evaluations;
        choice.finish(run_of(result), evaluations);
        // A part that began again may have ended before it came as far as the one before it.
        if (earlier && !choice.state() && is_further(*earlier, result)) {
          run_of(result).checksum = run_of(*earlier).checksum;
          run_of(result).unchecked = run_of(*earlier).unchecked;
          run_of(*earlier) = std::move(run_of(result));
          return std::move(*earlier);
        }
        return result;
      }
      earlier = std::move(result);
    } catch (const Error& error) {
      choice.continue_after(error);
    } catch (const std::bad_alloc&) {
      choice.continue_after(DeviceError("memory ran out"));
    }
  }
}

/// The same, and the result states what the caller has waited for in all.
template <class Solver, class Problem, class Options>
auto solve_automatically(const Problem& problem, const Options& options, const Devices& devices,
                         const RunControl& control) {
  return timed([&] { return solve_where_work_chooses<Solver>(problem, options, devices, control); });
}

}  // namespace clopt
