/// \file
/// Searches of schedules that resume from hostile checkpoints.
#include <clopt/exchange.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "resume.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

fuzz::ResumeCase exchange_case(const std::string& topology, const std::string& pattern,
                               const exchange::Options& options) {
  const auto problem = exchange::make_problem(exchange::make_topology(topology), pattern);
  const auto limit = options.generations.value_or(4);
  return {[=](std::shared_ptr<CheckpointWriter> checkpoint) {
            auto begun = options;
            begun.generations = limit / 2;
            begun.checkpoint = std::move(checkpoint);
            exchange::solve(problem, begun, fuzz::one_thread());
          },
          [=](std::shared_ptr<const Checkpoint> checkpoint) {
            auto resumed = options;
            resumed.generations = limit;
            resumed.resume = std::move(checkpoint);
            resumed.statistics = [](const exchange::Statistics&) {};
            RunControl control;
            control.progress = [](const Progress&) { return true; };
            const auto result = exchange::solve(problem, resumed, fuzz::one_thread(), control);
            const auto fault = exchange::check(problem, exchange::claim(problem, result.schedule));
            fuzz::require(fault.empty() == (result.conflicts == 0), "a schedule has no conflicts, or they are told");
            fuzz::require(result.conflicts > 0 || result.schedule.steps >= result.bound.steps,
                          "no schedule is below the bound");
          }};
}

std::vector<fuzz::ResumeCase> exchange_cases() {
  exchange::Options annealed;
  annealed.optimizer = "anneal";
  annealed.replicas = 2;
  annealed.threads = 1;
  auto several = annealed;
  several.searches = 2;
  several.steps = 4;
  auto tabu = annealed;
  tabu.optimizer = "tabu";
  auto evolved = annealed;
  evolved.optimizer = "umda";
  evolved.population = 6;
  auto offloaded = evolved;
  offloaded.offload = "device";
  auto islands = evolved;
  islands.islands = 3;
  islands.migrate_every = 2;
  auto islands_on_device = islands;
  islands_on_device.offload = "device";
  auto pairs = evolved;
  pairs.method = "pairs";
  auto packed = annealed;
  packed.optimizer = "pack";
  packed.generations = 64;
  auto with_steps = annealed;
  with_steps.steps = 6;
  auto as_the_bound = tabu;
  as_the_bound.steps_are_bound = true;
  // Networks without a construction, whose greedy schedule is above the bound.
  const std::string ring = "circulant:7:1,3";
  const std::string some = "many-to-many:0-5:1-6";
  return {exchange_case("mesh:2x3", "all-to-all", annealed),
          exchange_case(ring, some, annealed),
          exchange_case(ring, "all-to-all", tabu),
          exchange_case("mesh:2x3", "all-to-all", evolved),
          exchange_case("mesh:2x3", "all-to-all", offloaded),
          exchange_case("mesh:2x3", "all-to-all", islands),
          exchange_case("mesh:2x3", "all-to-all", islands_on_device),
          exchange_case(ring, some, pairs),
          exchange_case("mesh:3x3", "all-to-all", packed),
          exchange_case("mesh:2x2", "all-to-all", with_steps),
          exchange_case("mesh:2x3", "all-to-all", as_the_bound),
          exchange_case("mesh:2x3", "all-to-all", several)};
}

// A search for other steps finds the groups of symmetries anew: 30 ms, and 1 s with the sanitizers.
const fuzz::Target resume_exchange_target{"resume_exchange", fuzz::resume<exchange_cases>, nullptr, 5};

}  // namespace
