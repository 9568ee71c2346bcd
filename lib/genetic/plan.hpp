/// \file
/// Problem and options, checked, in the form that the kernels take.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/genetic.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "operations.hpp"
#include "options.hpp"

namespace clopt::genetic {

/// A run, apart from how it is carried out.
struct Plan {
  Settings settings;                                 ///< of the islands that there are here
  std::uint32_t whole_islands = 1;                   ///< of the run
  Granularity granularity = Granularity::automatic;  ///< the one asked for
  bool double_precision = false;
  /// As GENETIC_EXTENSION and the like place them: the reals that kernels use.
  std::vector<double> numbers;
  std::uint64_t last_generation = 0;         ///< by the limit of generations; largest_generation if there is none
  std::optional<std::uint64_t> evaluations;  ///< the limit of evaluations
  bool host_watches_stagnation = false;  ///< the best of all islands or before restarts counts, which no device knows
  std::uint64_t restart = 0;             ///< generations without an improvement before a restart; 0: never
  bool improves = false;                 ///< whether individuals are made local optima
  bool iterates = false;                 ///< whether each individual is a tour that is searched by its segments
  bool constrained = false;              ///< costs may stand for violations
  bool unpacks = false;                  ///< whether bits have an element each while they are bred
};

/// \param options complete ones. \throws InvalidInput for whatever is out of range or contradicts the rest. Uses no
/// device.
Plan make_plan(const Problem& problem, const Options& options, const RunControl& control);

/// The plan of some islands, of a plan of all of them.
Plan part_of(Plan whole, const WorkRange& range);

/// Of the individuals that the whole run begins with, those of the islands of a plan.
std::vector<double> initial_of(const Plan& plan, const Options& options);

/// Which run it is: everything that its result depends on, but for the start population, which a resumed run has.
RunIdentity identity_of(const Problem& problem, const Options& options, const Plan& plan);

/// Evaluations up to the end of a generation. \param restarts up to there.
std::uint64_t evaluations_at(const Settings& settings, std::uint64_t generation, std::uint64_t restarts = 0);
/// The same of all islands of the run, which a limit is of.
std::uint64_t evaluations_of_all(const Plan& plan, std::uint64_t generation, std::uint64_t restarts);

/// The last generation by the limits of generations and evaluations. \param restarts so far.
std::uint64_t last_generation(const Plan& plan, std::uint64_t restarts);

/// Bytes of a population's genes.
std::uint64_t population_bytes(const Plan& plan);

}  // namespace clopt::genetic
