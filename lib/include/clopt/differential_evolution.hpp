/// \file
/// Differential evolution: thousands of minimisations over real parameters at once.
#pragma once

#include <clopt/objective.hpp>
#include <clopt/run.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clopt {
class Checkpoint;
class CheckpointWriter;
class Device;
}  // namespace clopt

namespace clopt::differential_evolution {

/// Minimisations of one objective, which differ in their random numbers and in their data.
struct Problem {
  Objective objective;         ///< of reals
  std::size_t dimensions = 1;  ///< parameters of a vector, from 1 on
  std::size_t problems = 1;    ///< how many minimisations, from 1 on
  /// The least and the greatest value of each parameter: one for all, or one for each; none: the objective's usual
  /// ones.
  std::vector<double> lower{};
  std::vector<double> upper{};
  /// What the objective reads by row(x, j): a row for each minimisation, one behind the other, `columns` long.
  std::vector<double> data{};
  std::size_t columns = 0;
};

/// The minimisations after a generation.
struct Statistics {
  std::uint64_t generation = 0;  ///< 0: the initial vectors
  std::uint64_t running = 0;     ///< minimisations that have not stopped
  double best = 0;               ///< the least of the minimisations' best values
  double mean = 0;               ///< of their best values
  double worst = 0;              ///< the greatest of their best values
};

/// How to minimise; by default by Storn and Price's rand/1/bin.
struct Options {
  std::string method = "auto";      ///< a name of methods()
  std::string precision = "float";  ///< "float" or "double"
  std::string strategy;  ///< a name of strategies(); empty: rand1bin, and currenttopbest1bin for SHADE and L-SHADE
  /// How F and CR adapt themselves: "none"; "jde" (Brest et al. 2006); "shade" (Tanabe and Fukunaga 2013); "lshade"
  /// (2014), whose population shrinks linearly, over the evaluations where they are limited, else over the generations,
  /// from `population` to 4, or the least one of the strategy. current-to-pbest takes vectors of the archive of both.
  std::string adapt = "none";
  std::string bounds = "clip";  ///< what becomes of a parameter outside: "clip", "reflect", "resample" (drawn anew),
                                ///< "none"
  std::size_t population = 0;   ///< vectors of each minimisation; 0: five times the dimensions, at least 20
  double weight = 0.5;          ///< F, from 0 to 2; where F adapts itself, to begin with
  double crossover = 0.9;       ///< CR, from 0 to 1
  std::uint64_t seed = 1;
  std::uint64_t generations = 1000;          ///< at most, after the initial vectors
  std::optional<std::uint64_t> evaluations;  ///< of each minimisation, at most
  std::optional<double> target;              ///< a minimisation ends with the generation in which it reaches this value
  std::optional<double> spread;              ///< it ends with the generation in which its values differ by this at most
  /// Told after every generation, the initial vectors included; of a run that goes on, the generations after the
  /// checkpoint's. A run that is asked for this is slower.
  std::function<void(const Statistics&)> statistics;
  CheckpointWriter* checkpoint = nullptr;  ///< written when it is due, and at the end
  const Checkpoint* resume = nullptr;      ///< where to go on from; problem, seed and parameters must be the same
};

/// Why a minimisation ended.
enum class Stop : std::uint8_t {
  limit,   ///< its generations or evaluations were used up, or the time was
  target,  ///< it reached the target
  spread   ///< its values lie within the spread
};

/// What was found, in the order of the problems.
struct Result {
  std::vector<double> values;              ///< the best value of each problem; infinity where no value was a number
  std::vector<double> parameters;          ///< its vector, `dimensions` numbers each, one behind the other
  std::vector<std::uint64_t> generations;  ///< of each problem
  std::vector<Stop> stops;                 ///< of each problem
  std::vector<std::uint64_t> invalid;      ///< values of each problem that were no number, counted as the worst
  std::size_t best = 0;                    ///< the problem with the least value
  std::uint64_t solved = 0;                ///< problems that reached the target; 0 without one
  std::uint64_t total_generations = 0;     ///< of all problems
  std::uint64_t total_evaluations = 0;
  std::size_t population = 0;         ///< the one used
  std::string method;                 ///< the one used: the one asked for, or the one that `auto` chose
  std::string reason;                 ///< why this method
  bool interrupted = false;           ///< whether the stop token ended the run
  std::uint64_t checksum = 0;         ///< of all vectors and values of all problems at their end
  std::uint64_t launches = 0;         ///< kernels launched
  double total_seconds = 0;           ///< from the problem in memory to the checked result
  double compute_seconds = 0;         ///< from the first to the last work on a device, building kernels not included
  double build_seconds = 0;           ///< building kernels, in neither of the other two
  std::vector<std::string> failures;  ///< devices that failed on the way, and how; others did their work
};

/// The names that Options::method takes, `auto` first.
const std::vector<std::string>& methods();

/// The names that Options::strategy takes: rand1bin, rand1exp, best1bin, ...
const std::vector<std::string>& strategies();

/// The strategy of a run: the one asked for, or the usual one.
std::string strategy_of(const Options& options);

/// The least population that a strategy of strategies() can do with.
std::size_t least_population(const std::string& strategy);

/// The population of a run that names none.
std::size_t usual_population(std::size_t dimensions);

/// Checks a run before any work. \throws InvalidInput, as solve() does for what is out of range.
void check(const Problem& problem, const Options& options);

/// Minimises on several devices, which share the problems out; the result does not depend on them.
/// O(problems * generations * population * (dimensions + the objective's work)).
/// \throws InvalidInput for anything out of range, and for an objective that does not build; DeviceError where every
///         device fails.
Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control = {});

/// The same on one device.
Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control = {});

/// Measures how quick each method is on a device, for `auto`; some seconds. The result means something to `auto` once
/// it is remembered, see remember_tuning(). \returns a JSON object, or none where the run was ended early. \throws
/// DeviceError where the device fails.
std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device, which must prove itself before it is trusted; some tenths of a second once kernels are
/// built. \returns an empty text, or what the device did wrong.
std::string self_test(Device& device);

}  // namespace clopt::differential_evolution
