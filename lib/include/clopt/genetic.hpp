/// \file
/// A genetic algorithm whose every stage runs on a device, at several granularities.
#pragma once

#include <clopt/export.hpp>

#include <clopt/fields.hpp>
#include <clopt/objective.hpp>
#include <clopt/record.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

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
class Devices;
}  // namespace clopt

namespace clopt::genetic {

/// What is optimised. The objective says what genes are: bits, reals, integers, or a permutation of 0 to genes - 1; and
/// whether its value is to be small or large.
struct Problem {
  Objective objective;
  std::uint32_t genes = 0;  ///< of an individual, 1 to 2^26
  /// Bounds of reals and integers: none (the objective's usual ones), one for all genes, or one a gene. Integers lie
  /// within +-2^30.
  std::vector<double> lower;
  std::vector<double> upper;
};

/// One generation of one island, as the statistics callback gets it: the mean is of the finite values, added in the
/// order of the individuals, the worst is the worst finite value, the evaluations are those of all islands.
struct Statistics : GenerationStatistics {
  std::uint32_t island = 0;
  double best_so_far = 0;
  std::uint64_t distinct = 0;  ///< how many different values there are
  std::uint64_t feasible = 0;  ///< individuals that keep all constraints; the mean and the worst are of these
};

/// How to search. The preset chooses what is left out; complete() returns its choices. No choice under "execution"
/// changes a result.
struct Options {
  /// A choice of the field `preset`. paper: roulette, 128 individuals, a crossover of 0.8, a mutation of 0.0001 for
  /// bits and else 1 / genes, no elites; line recombination and a step of 1 % for reals. auto: the paper's for the
  /// built-in objective onemax, else what does well on test problems (docs/designs/genetic.md), by the kind of genes.
  std::string preset = "auto";

  // The algorithm.
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> population;  ///< individuals of an island, 2 to 2^26; may be odd
  std::string selection = "auto";           ///< a choice of the field
  std::optional<std::uint32_t> tournament;  ///< individuals of a tournament, 1 to 2^16
  double rank_pressure = 2;                 ///< of linear ranking: how often the best is expected, 1 to 2
  std::string crossover_kind = "auto";      ///< a choice of the field
  std::optional<double> crossover;          ///< probability for each gene between the points; for order, of a pair
  double line_extension = 0.25;             ///< of line recombination, beyond both parents, in their distance; 0 to 1e3
  std::optional<double> distribution_index;  ///< of simulated binary crossover, 0 to 1e3
  std::string mutation_kind = "auto";        ///< a choice of the field
  std::optional<double> mutation;            ///< probability for each gene
  std::optional<double> step;  ///< of step, and standard deviation of gaussian; none: 1 % of the range, 1 for integers
  std::optional<double> mutation_index;  ///< distribution index of polynomial mutation, 0 to 1e3
  /// Individuals that survive unchanged, fewer than the population, at most 4096.
  std::optional<std::uint64_t> elites;
  std::uint32_t islands = 1;        ///< populations that evolve side by side, 1 to 2^16
  std::uint64_t migrate_every = 0;  ///< generations between migrations along the ring; 0: no migration
  std::uint32_t migrants = 1;       ///< best individuals that replace the worst ones of the next island; up to half
  /// The islands that are to be evolved, of all; none: all. The result is of these alone, each as in a run of all of
  /// them. Only of islands that never meet: without migration, target, stagnation and restarts.
  std::optional<WorkRange> range;
  /// Generations without an improvement since the last restart, on any island, after which the next generation is drawn
  /// anew; the best so far is kept for the result. 0: never.
  std::optional<std::uint64_t> restart;
  /// A choice of the field. two-opt: every individual is made a local optimum of 2-opt and Or-opt moves, for tours
  /// (see clopt/genetic_problems.hpp). auto: that for tours, unless the preset is the paper's; else none.
  std::string improve = "auto";
  /// Of values, and of real genes: float or double; auto: double for functions, for an objective with a violation,
  /// which floats compare to 18 bits only (see clopt/objective.hpp), and where whole numbers may pass 2^24, which
  /// floats round (docs/objectives.md says how that is known); else float.
  std::string precision = "auto";
  /// Start population: values of genes, individual after individual, island after island; what is missing is drawn.
  std::vector<double> initial;

  // Limits; each is optional. A run without any of generations, evaluations, stagnation and a time limit ends after
  // default_generations.
  std::optional<std::uint64_t> generations;  ///< counted from the very start
  std::optional<std::uint64_t> evaluations;  ///< no generation begins that would pass it
  std::optional<std::uint64_t> stagnation;   ///< generations without an improvement of the best value; 0: never
  std::optional<double> target;              ///< ends at the end of the generation in which a value is as good

  // Execution.
  std::string granularity = "auto";  ///< a choice of the field
  /// A choice of the field: whether several devices evaluate one population, which is bred on the first one. auto:
  /// where the objective is the caller's own and takes longer than individuals need to come to the others.
  std::string offload = "auto";
  std::uint32_t individuals_per_group = 8;  ///< that share a work-group: 1 to 32; clamped where the device asks for it
  std::uint32_t group_size = 0;             ///< work-items of a work-group; 0: chosen

  // Output.
  /// Called once for each generation and island, on the thread that called solve(), for the generations of a launch one
  /// after the other once it has ended.
  std::function<void(const Statistics&)> statistics;
  bool keep_population = false;                  ///< whether the result has the last population
  bool measure_stages = false;                   ///< whether the result has the stages' times
  std::shared_ptr<CheckpointWriter> checkpoint;  ///< asked between launches whether it is due; written at the end too
  /// What to resume from: a checkpoint of the same run; only limits and execution may be others, and initial may be
  /// left out.
  std::shared_ptr<const Checkpoint> resume;
};

/// The generations of a run without a limit.
inline constexpr std::uint64_t default_generations = 2000;
/// The same where `improve` is iterated, whose generations take longer.
inline constexpr std::uint64_t default_iterations = 50;

/// The time that a stage took on the device, in seconds, over all generations.
struct StageTime {
  /// "selection", "crossover", "mutation", "evaluation" or "replacement". Where one launch has several of them, its
  /// time is that of "crossover".
  std::string stage;
  double seconds = 0;
};

/// The result of a run. method is the granularity used; the checksum is of the last population, its values and the best
/// individual; seconds.compute is from the start population to the last generation.
struct Result : RunResult {
  double fitness = 0;  ///< the best value ever seen
  /// Whether it keeps all constraints; if not, its violation is the least ever seen, and the value, where the host
  /// cannot evaluate it, no number. Values of others that keep not all are the worst infinity.
  bool feasible = true;
  double violation = 0;                     ///< 0 where it does, and where the objective has none
  std::vector<double> genes;                ///< of the first individual with this value
  std::uint64_t generations = 0;            ///< bred or drawn, from the very start
  std::uint64_t restarts = 0;               ///< of them, drawn again where there was no improvement any more
  std::uint64_t evaluations = 0;            ///< individuals evaluated, the start population included; elites once only
  std::uint32_t individuals_per_group = 0;  ///< after clamping
  std::vector<double> island_fitness;       ///< the best value of each island
  std::vector<double> population;           ///< genes, individual after individual, if they were to be kept
  std::vector<double> values;               ///< theirs, if they were to be kept; of infeasible ones infinity
  /// Their violations, if they were to be kept and the objective has one, as the search compares them: to 18 bits of a
  /// float, 44 of a double; 0 where all constraints are kept, infinity where a value is NaN.
  std::vector<double> violations;
  std::vector<StageTime> stages;  ///< if they were to be measured
  /// Of a range of islands: what merge() makes the whole result of; else empty.
  Record part;
};

/// The options with everything that is left out filled in as a run of the problem has it: the preset in force, and the
/// names and numbers that it chooses. What stays empty has no use in that run. \throws InvalidInput for a preset or an
/// improvement that there is not, and for genes out of range.
CLOPT_API Options complete(const Problem& problem, const Options& options);

/// The fields of problem and options with their ranges, choices and meanings. Both must outlive the table.
CLOPT_API FieldTable fields(Problem& problem);
CLOPT_API FieldTable fields(Options& options);

/// Checks a run before a device is opened. \throws InvalidInput, as solve() does for what no device is needed for.
CLOPT_API void check(const Problem& problem, const Options& options);

/// Searches for a good individual, on the first of the devices. Where a device fails, the next one restarts, with
/// the same result; Result::failures lists it. Statistics are not reported twice. The objective's direction is
/// honoured; without one it is minimised. In a job of MPI several islands are distributed (clopt/cluster.hpp). Time:
/// O(generations * islands * population * genes) at worst; memory: twice the populations. \throws InvalidInput for
/// options out of range or that contradict each other or the kind of genes, for populations
///         that the device cannot hold, and for an objective that does not compile, before anything is computed;
///         DeviceError where the last device fails.
CLOPT_API Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                       const RunControl& control = {});
/// The same on one device, which must outlive the call.
CLOPT_API Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control = {});
/// The same on the devices that are given, or on the one that the work chooses (clopt/devices.hpp).
CLOPT_API Result solve(const Problem& problem, const Options& options, const Devices& devices,
                       const RunControl& control = {});

/// Everything that the result of all islands depends on, limits included: results of ranges belong together where it is
/// the same. Options::range does not count. \throws InvalidInput as solve(), and for islands that meet: with migration,
/// a target, stagnation or restarts, and for a single one.
CLOPT_API RunIdentity identity(const Problem& problem, const Options& options);

/// The result of a range of islands as named arrays, but for the population and its values, which merge() recomputes.
/// O(size).
CLOPT_API Record pack(const Result& result);
/// The reverse. \param islands of the range. \param genes of an individual. \throws InvalidInput where the record is
/// not of such a result.
CLOPT_API Result unpack(const Record& record, std::uint64_t islands, std::uint32_t genes);
/// The result of all islands, of the results of ranges in their order. Its checksum and all that does not depend on the
/// division are those of one run of all islands; times and launches are added up. \param keep_population whether it has
/// the last population, as Options::keep_population has it. \throws InvalidInput where there are none, or they are not
/// of one run.
CLOPT_API Result merge(std::vector<Result> parts, bool keep_population = false);

/// Measures which granularity is the quickest for shapes of several sizes, for `auto`; some seconds. \returns a JSON
/// object, or none where the run was ended early.
CLOPT_API std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device, which must prove itself before it is trusted; some tenths of a second once kernels are
/// built. \returns an empty text, or what the device did wrong.
CLOPT_API std::string self_test(Device& device);

}  // namespace clopt::genetic
