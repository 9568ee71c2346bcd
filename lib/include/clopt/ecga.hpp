/// \file
/// The extended compact genetic algorithm: learns which loci depend on each other and recombines them as blocks.
#pragma once

#include <clopt/export.hpp>

#include <clopt/fields.hpp>
#include <clopt/objective.hpp>
#include <clopt/run.hpp>
#include <clopt/runs.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {
class Checkpoint;
class CheckpointWriter;
class Device;
class Devices;
}  // namespace clopt

namespace clopt::ecga {

/// A function of bit strings of one length, to be maximised unless its direction says otherwise.
struct Problem {
  Objective objective;       ///< of bits; see maximises()
  std::uint32_t length = 0;  ///< loci, from 1 to 2^20
};

/// Whether larger values of a problem's objective are better: of all built-in ones, `onemax` included; of a text or a
/// function unless its direction() is to minimise. Results have the objective's own values either way.
CLOPT_API bool maximises(const Problem& problem);

/// The objective that a name says: "trapK" with K from 2 to 32 (concatenated deceptive traps of order K; their length
/// is a multiple of K), else Objective::find(). \throws InvalidInput as that.
CLOPT_API Objective find_objective(const std::string& name);

/// A marginal product model: the loci of each group in ascending order, groups in the order of their first loci.
using Model = std::vector<std::vector<std::uint32_t>>;

/// One generation; the start population has no model.
struct Statistics : GenerationStatistics {
  double best_so_far = 0;
  /// Which the population was sampled from: the groups of a Model. Valid during the call.
  std::span<const std::vector<std::uint32_t>> model{};
  std::uint32_t merges = 0;          ///< of the model's groups
  std::uint32_t passes = 0;          ///< over the population's counts that the search took
  double combined_complexity = 0;    ///< of the model, in bits
  std::uint32_t converged_loci = 0;  ///< that all selected individuals have in common
  double ones = 0;                   ///< the part of ones among the selected individuals' values
  double model_seconds = 0;          ///< in which the run waited for the model alone
};

/// The largest population.
inline constexpr std::uint64_t most_individuals = (std::uint64_t{1} << 31) - 512;

/// How to solve; the defaults are the paper's. All are owned; callbacks are called on the thread that called solve().
struct Options {
  /// Individuals, up to most_individuals and at least `tournament`. 0: usual_population() of the length (see
  /// clopt/ecga_sizing.hpp), but at least `tournament`; where the run ends without the target, the objective's known
  /// optimum and a best that is proven (Result::optimal), others follow, of twice the population each, until two of
  /// them bring nothing better; the first one has an eighth of the usual one where individuals are improved. Limits are
  /// of all of them together, statistics count generations on. With a checkpoint, and of several runs, a run is one run
  /// of the usual population.
  std::uint64_t population = 0;
  /// Of values: float, double, or auto, which takes doubles for functions and where whole numbers may pass 2^24.
  std::string precision = "auto";
  /// greedy (Harik's search: the best pair at a time) or mating (the paper's GM search: all pairs of best companions).
  std::string search = "greedy";
  /// auto, popcount (the instruction), table (the paper's FASTCOUNT and gECGA: look-up tables of 16 bits on a
  /// processor, of 8 bits elsewhere), table-8, table-16, matrix (1-bit matrix units; popcount where there are none) or
  /// histogram. None changes a model.
  std::string counting = "auto";
  std::uint32_t tournament = 8;      ///< individuals of a tournament, from 1 to 1024
  double crossover = 1;              ///< the part of the population that the model's samples replace, from 0 to 1
  std::uint32_t largest_group = 10;  ///< the most loci of a group, from 1 to 10; 2^S never passes the population either
  /// none; flips: each new individual is made a local optimum of single flips; blocks: and of taking the values of a
  /// selected individual at a group of the model; auto: blocks for the built-in objectives nk, ising, maxsat and
  /// weighted_maxsat, else none. A try counts as an evaluation. Where moves are evaluated as whole individuals, the
  /// target and `evaluations` end a run within a search, too; a resumed run makes the next generation.
  std::string improve = "auto";
  std::uint64_t seed = 1;

  // Limits, counted from the very start, also by a run that is resumed; none: no limit.
  std::optional<std::uint64_t> generations{};  ///< models built
  std::optional<std::uint64_t> evaluations{};  ///< individuals and moves evaluated; the run ends after the generation
  /// Generations in which neither the best so far nor the highest mean of a population got better, as where optima that
  /// are as good drift; 0 or none: never. Means count from the first generation that had this limit.
  std::optional<std::uint64_t> stagnation = 50;
  std::optional<double> target{};  ///< the objective's value, as good or better than which ends the run

  /// Merges guessed ahead of a pass of the greedy search; none: models are predicted from the last generation's groups
  /// and verified, and where that fails the device's own number of merges is guessed. Never changes a model.
  std::optional<std::uint32_t> guesses{};
  /// Pairs of individuals' bits to be counted from which several devices share a pass, from 0; none: from where that
  /// pays on such devices. Never changes a model.
  std::optional<double> least_shared{};

  bool keep_models = false;                             ///< whether the result has the model of every generation
  std::function<void(const Statistics&)> statistics{};  ///< called once a generation, the initial one included
  std::shared_ptr<CheckpointWriter> checkpoint{};       ///< written when it is due after a generation, and at the end
  std::shared_ptr<const Checkpoint> resume{};  ///< the checkpoint to continue from; of the same run, but for its limits
};

/// The fields of problem and options with their ranges, choices and meanings; both must outlive the table.
CLOPT_API FieldTable fields(Problem& problem);
CLOPT_API FieldTable fields(Options& options);

/// A model, and when it was built.
struct GenerationModel {
  std::uint64_t generation = 0;  ///< from 1 on; 0: none was built
  Model model;
};

/// One of the runs of solve() where it chooses the population.
struct SizedRun : RunOutcome {
  std::uint64_t population = 0;
};

/// The result of a run. `method` is the search, and `reason` says why this counting was used. Ending::complete: all
/// individuals are equal, or the best is `optimal`. The checksum is of population, fitness, last model and generation.
struct Result : RunResult {
  double best_fitness = 0;               ///< the objective's value
  std::vector<std::uint8_t> best_genes;  ///< the best individual of the whole run, 0 or 1 a locus
  /// The last of the models that join the most loci: as loci become fixed, later ones lose groups.
  Model model;
  std::uint64_t model_generation = 0;   ///< in which it was built, from 1 on; 0: none was
  std::vector<GenerationModel> models;  ///< of every generation, if they were to be kept
  std::uint64_t population = 0;         ///< the one used
  std::uint64_t generations = 0;
  std::uint64_t evaluations = 0;  ///< of all `runs`
  /// Those that solve() made where it chose the population, in their order; the result is that of the first of the best
  /// ones. Else empty.
  std::vector<SizedRun> runs;
  bool converged = false;  ///< whether all individuals are equal, whatever ended the run
  /// Whether best_fitness is proven to be the best value of all: `ising`, `maxsat` or `weighted_maxsat` gives all that
  /// its bonds or clauses can, or `nk` its best value by dynamic programming, with K <= 6 neighbours that follow around
  /// a ring, and length 4^K <= 2^22. Sums must not be rounded: whole numbers whose magnitudes add up to 2^24 at most,
  /// of `nk` in steps of 2^-12 the length times the largest magnitude to 4096; with doubles 2^53 and 2^41.
  bool optimal = false;
  std::string search;        ///< as `method`
  std::string counting;      ///< the one used, never "auto"
  std::uint64_t passes = 0;  ///< of the model searches in all
  std::uint64_t merges = 0;
  std::uint64_t device_bytes = 0;  ///< taken on each device
  double model_seconds = 0;        ///< in which the run waited for models, within seconds.compute
  double first_pass_seconds = 0;   ///< all pairs of loci once: counts, gains, and those above 0 on the host
};

/// The options with the population and the precision that a run chooses. \throws InvalidInput, as check().
CLOPT_API Options complete(const Problem& problem, const Options& options);

/// Checks a run before a device is opened. \throws InvalidInput, as solve() does for what no device is needed for.
CLOPT_API void check(const Problem& problem, const Options& options);

/// Solves a problem on some devices; the first one keeps the population, all of them count. One of the others that
/// fails is left out; if the first one fails, the run restarts on the next one. Result::failures lists both. \throws
/// InvalidInput for no device, options out of range or that contradict each other, a length that the trap does
///         not divide, a population that does not fit, with the sizes, a checkpoint of another run, naming the first
///         field that differs; DeviceError where all devices fail.
CLOPT_API Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                       const RunControl& control = {});
/// The same on one device.
CLOPT_API Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control = {});
/// The same on the devices that are given, or on the one that the work chooses (clopt/devices.hpp).
CLOPT_API Result solve(const Problem& problem, const Options& options, const Devices& devices,
                       const RunControl& control = {});

/// Bytes of memory that a run takes on each device (see docs/ecga.md for the formula). \throws InvalidInput as solve().
CLOPT_API std::uint64_t memory_needed(const Problem& problem, const Options& options);

/// Builds the model of a given population, without selection. Of the options, those of the model count.
/// \param population bit i % 32 of word w * individuals + i is the value of locus 32 w + i % 32 in individual i.
CLOPT_API Model build_model(std::span<const std::uint32_t> population, std::uint64_t individuals, std::uint32_t length,
                            const Options& options, Device& device);

/// The combined complexity of a model of a population, in bits (Harik 1999); computed on the host, in double precision.
CLOPT_API double combined_complexity(std::span<const std::uint32_t> population, std::uint64_t individuals,
                                     const Model& model);

/// Measures how many merges to guess ahead of a pass where models are not predicted; takes some seconds. \returns a
/// JSON object, or none where the run was ended early.
CLOPT_API std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device, which must prove itself before it is trusted; some tenths of a second once kernels are
/// built. \returns an empty text, or what the device did wrong.
CLOPT_API std::string self_test(Device& device);

}  // namespace clopt::ecga
