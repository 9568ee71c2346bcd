/// \file
/// Differential evolution: thousands of minimisations over real parameters at once.
#pragma once

#include <clopt/export.hpp>

#include <clopt/fields.hpp>
#include <clopt/objective.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <cstddef>
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

namespace clopt::differential_evolution {

/// Minimisations of one objective, which differ in their random numbers and in their data.
struct Problem {
  Objective objective;         ///< of reals; one that says `maximise` is maximised
  std::size_t dimensions = 1;  ///< parameters of a vector, from 1 on
  std::size_t problems = 1;    ///< how many minimisations, from 1 on
  /// The least and the greatest value of each parameter: one for all, or one for each; none: the objective's usual
  /// ones.
  std::vector<double> lower{};
  std::vector<double> upper{};
  /// What the objective reads by row(x, j): a row for each minimisation, one behind the other, `columns` long.
  /// In a fit (an objective of residuals) a datum may be NaN: it is absent, and has no residual.
  std::vector<double> data{};
  std::size_t columns = 0;
  /// Of a fit: the place of each datum, which residuals read by abscissa(x, j): a row for each minimisation, as the
  /// data, or one row of `columns` numbers for all; empty: 0, 1, 2, ...
  std::vector<double> abscissa{};
  /// Of a fit: the standard deviation of each datum, above 0, in the data's unit: rows as those of `abscissa`;
  /// empty: 1. A residual is in units of it: a text that reads sigma(x, j) sees to that itself, and any other text's
  /// residual is divided by it.
  std::vector<double> sigma{};
  /// Parameters that are whole numbers, by their places from 0 on, in any order: mutants are rounded, to one or the
  /// other side as likely as they are near. Their bounds are narrowed to whole numbers.
  std::vector<std::size_t> integer{};
};

/// The minimisations after a generation. `best`, `mean` and `worst` are of the minimisations' best values,
/// `evaluations` are those of all of them.
struct Statistics : GenerationStatistics {
  std::uint64_t running = 0;  ///< minimisations that have not stopped
  /// With a violation: minimisations whose best vector is feasible. Best, mean and worst are of these; infinity where
  /// there is none.
  std::uint64_t feasible = 0;
};

/// Generations of a run that limits neither them nor the evaluations.
inline constexpr std::uint64_t usual_generations = 1000;

/// The same of a fit that is polished, which needs but to come near its minimum.
inline constexpr std::uint64_t usual_generations_of_fits = 30;

/// F and CR where they are not given.
inline constexpr double usual_weight = 0.5;
inline constexpr double usual_crossover = 0.9;

/// How to minimise; by default by success-history adaptation (SHADE), which needs no numbers to be chosen.
struct Options {
  std::string method = "auto";  ///< a choice of the field; results do not depend on it
  /// A choice of the field; auto: double for a C++ function, whose values are doubles, for an objective with a
  /// violation, whose best vectors lie on the bounds of what is allowed, and for a text with a whole number that is no
  /// float; else float.
  std::string precision = "auto";
  std::string strategy;  ///< a choice of the field; empty: rand1bin; with what remembers F and CR currenttopbest1bin
  /// How F and CR adapt themselves: "auto": "none", the classical algorithm, where `weight`, `crossover` or `strategy`
  /// is given, "shade" for a fit, with a violation and before a local search, else "shade6"; "none"; "jde" (Brest et
  /// al. 2006); "shade" (Tanabe and Fukunaga 2013); "lshade" (2014), whose population shrinks linearly, over the
  /// evaluations where they are limited, else over the generations, from `population` to 4, or the least one of the
  /// strategy; "shade6", SHADE that remembers 6 pairs of F and CR in place of 100, as L-SHADE does, and so adapts
  /// sooner. current-to-pbest takes vectors of the archive of all three.
  std::string adapt = "auto";
  /// What becomes of a parameter outside: "clip", "reflect", "resample" (drawn again), "none"; "auto": "clip", and
  /// "reflect" with a violation.
  std::string bounds = "auto";
  std::size_t population = 0;       ///< vectors of each minimisation; 0: chosen by complete()
  std::optional<double> weight;     ///< F, from 0 to 2; with jde, to begin with; none: usual_weight
  std::optional<double> crossover;  ///< CR, from 0 to 1; with jde, to begin with; none: usual_crossover
  /// Whether binomial crossover takes each parameter of the mutant with probability CR alone, so that a trial may be
  /// the vector itself (equation (2) of Farkov and Legalov 2014); else one parameter is taken by force (Storn and Price
  /// 1997).
  bool unforced = false;
  std::uint64_t seed = 1;
  /// At most, after the initial vectors; none: usual_generations, of a fit that is polished usual_generations_of_fits,
  /// or, where evaluations are limited, as many as these allow.
  std::optional<std::uint64_t> generations;
  std::optional<std::uint64_t> evaluations;  ///< of each minimisation, at most
  std::optional<double> target;  ///< a minimisation ends with the generation in which it reaches this value or a better
                                 ///< one
  /// Whether a local search follows from the best vector of each minimisation, within the bounds, on the device: by
  /// Levenberg and Marquardt's method for residuals, by Nelder and Mead's for any other objective, at most 4096
  /// dimensions. None: for residuals alone, and where no parameter is a whole number and there is no violation, since
  /// it knows neither. Of limited evaluations and of a time limit it has a tenth.
  std::optional<bool> polish;
  /// Whether a minimisation begins again, with new vectors, once its population has collapsed: its values lie within
  /// 1e-9 (doubles) or 1e-4 (floats) of their size, and its best one has not become better for 64 generations. Its best
  /// vector is kept. None: where `adapt` is "auto" and stands for "shade6", and there is no spread and no stagnation.
  std::optional<bool> restarts;
  std::optional<double> spread;  ///< it ends with the generation in which its values differ by this at most
  /// It ends after this many generations in which its best value has not become better; 0: never. A run that resumes
  /// from a checkpoint of one without this limit counts them from there; one with `restarts` is not resumed with it.
  std::optional<std::uint64_t> stagnation;
  /// Start vectors, `dimensions` numbers each, one behind the other, within the bounds. They are the first of the
  /// initial vectors, as many as `population` at most; the others are drawn. Every minimisation begins with all of
  /// them, or, where `initial_of_problem` is k from 1 on, minimisation p with vectors k p to k p + k - 1.
  std::vector<double> initial;
  std::size_t initial_of_problem = 0;
  /// The minimisations that this run does, of all of the problem's; none: all. The result is of these, in their order,
  /// each as in a run of all of them; a checkpoint is resumed with the same range.
  std::optional<WorkRange> range;
  /// Called for every generation, the initial vectors included, on the thread that called solve(); of a resumed run,
  /// for the generations behind the checkpoint's. Generations that a launch carries come one after the other once it
  /// has ended.
  std::function<void(const Statistics&)> statistics;
  std::shared_ptr<CheckpointWriter> checkpoint;  ///< written when it is due, and at the end
  /// Whether the host evaluates the best vectors again, against a device's faults. A search whose vectors are only
  /// where another one begins may do without; ranks of a job do not.
  bool checks_values = true;
  /// What to resume from. Only limits may differ from its run's: generations and evaluations (not with "lshade",
  /// whose population shrinks over them), target and spread. Methods, devices and numbers of launches may differ too.
  std::shared_ptr<const Checkpoint> resume;
};

/// The fields of problem and options with their ranges, choices and meanings; both must outlive the table.
CLOPT_API FieldTable fields(Problem& problem);
CLOPT_API FieldTable fields(Options& options);

/// Why a minimisation ended.
enum class Stop : std::uint8_t {
  limit,      ///< its generations or evaluations were used up, or the run ended
  target,     ///< it reached the target
  spread,     ///< its values lie within the spread
  stagnation  ///< its best value has not become better for `stagnation` generations
};
/// "limit", "target", "spread" or "stagnation".
CLOPT_API std::string_view name_of(Stop stop);

/// What was found, in the order of the problems. The run's `ending` is `target` where every minimisation reached the
/// target, `stagnation` where every one stopped by itself and some stagnated, `complete` where every one stopped by
/// itself and some by their spread; where one was left to its limits, it is the limit that ended it: `generations` or
/// `evaluations`, whichever allows fewer generations; `time` or `interrupted` where the run ended before.
struct Result : RunResult {
  /// The best value of each problem, as the objective gives it; where no value was a number, infinity, or minus
  /// infinity for an objective that is maximised.
  std::vector<double> values;
  std::vector<double> parameters;          ///< its vector, `dimensions` numbers each, one behind the other
  std::vector<std::uint64_t> generations;  ///< of each problem
  std::vector<Stop> stops;                 ///< of each problem
  std::vector<std::uint64_t> invalid;      ///< values of each problem that were NaN, counted as the worst
  /// With a violation: that of each problem's vector, 0 where it is feasible; infinity where there was no value. Empty
  /// without. The value of an infeasible vector is NaN where the host cannot evaluate it.
  std::vector<double> violations;
  std::uint64_t feasible = 0;           ///< problems whose vector is feasible; all without a violation
  std::size_t best = 0;                 ///< the problem with the best value
  std::uint64_t solved = 0;             ///< problems that reached the target; 0 without one
  std::uint64_t total_generations = 0;  ///< of all problems
  std::uint64_t total_evaluations = 0;
  std::size_t population = 0;            ///< the one used
  std::string polish;                    ///< the local search: "levenberg-marquardt", "nelder-mead" or "none"
  std::uint64_t polished = 0;            ///< problems whose value it made better
  std::uint64_t polish_evaluations = 0;  ///< of the local search, which are among total_evaluations
  /// Of each problem, 1 where the local search ended at a minimum, 0 where limits or the data's precision ended it;
  /// empty without a local search.
  std::vector<std::uint8_t> converged;
  /// Of a fit, the standard errors of the parameters, `dimensions` numbers each, one behind the other: the roots of the
  /// diagonal of (J^T J)^-1, J being the derivatives of the residuals. With `sigma` that is all; without, it is scaled
  /// by the sum of squares over the degrees of freedom, as scipy's curve_fit does. Infinite where the data do not
  /// determine them. Empty without residuals.
  std::vector<double> errors;
  std::vector<double> chi_squared;  ///< of a fit, each problem's sum of squared residuals in units of sigma
  // What merge() needs besides:
  std::vector<std::uint64_t> digests;  ///< of each problem's last vectors and values: what the checksum is made of
  double best_cost = 0;                ///< the value of the best problem, or what stands for its violation, minimised
  bool maximised = false;              ///< whether the objective is
};

/// The options with everything that is left out filled in as a run of the problem has it.
CLOPT_API Options complete(const Problem& problem, const Options& options);

/// The least population of a strategy of the field `strategy`.
CLOPT_API std::size_t least_population(const std::string& strategy);

/// The generations of a run that limits neither them nor the evaluations.
CLOPT_API std::uint64_t usual_generations_of(const Problem& problem, const Options& options);

/// Checks a run before a device is opened. \throws InvalidInput, as solve() does for what no device is needed for.
CLOPT_API void check(const Problem& problem, const Options& options);

/// Minimises on several devices, which share the problems out; the result does not depend on them. Callbacks are called
/// on the calling thread; a C++ function is called there too, by its threads with OpenMP, where there is one device.
/// Threads may solve different problems at the same time, on the same devices too: each result is that of a run alone.
/// O(problems * generations * population * (dimensions + the objective's work)).
/// \throws InvalidInput for anything out of range, for no device, for another run's checkpoint, and for an objective
/// that
///         does not build; DeviceError where every device fails.
CLOPT_API Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                       const RunControl& control = {});

/// The same on one device.
CLOPT_API Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control = {});
/// The same on the devices that are given, or on the one that the work chooses (clopt/devices.hpp).
CLOPT_API Result solve(const Problem& problem, const Options& options, const Devices& devices,
                       const RunControl& control = {});

/// Everything that the result of all minimisations depends on, limits included: results of ranges belong together where
/// it is the same. O(size of the data). \throws InvalidInput as solve().
CLOPT_API RunIdentity identity(const Problem& problem, const Options& options);

/// A result as numbers, to be sent or written. O(its size).
CLOPT_API Record pack(const Result& result);
/// The packed result of a number of minimisations. \throws InvalidInput where the record is not of such a result.
CLOPT_API Result unpack(const Record& record, std::size_t problems, std::size_t dimensions);

/// The result of all minimisations, of the results of ranges in their order, one behind the other. Its checksum and all
/// values are those of one run of all of them. Times and launches are added up; method and reason are those of the
/// first part. \param parts at least one, of the same run. O(their sizes).
CLOPT_API Result merge(std::vector<Result> parts);

/// The residuals of a fit's data at a vector of each problem, in the order of the data; 0 of those that are absent.
/// \param parameters `dimensions` numbers for each problem, one vector behind the other. \param precision a choice of
/// the field `precision`. O(problems * columns * the text's work). \throws InvalidInput where the objective has no
/// residuals, and as solve(); DeviceError.
CLOPT_API std::vector<double> residuals(const Problem& problem, std::span<const double> parameters,
                                        const std::string& precision, Device& device);

/// A row of a fit with its curve, as pictures show it.
struct FitCurve {
  std::vector<double> abscissa;  ///< the place of each datum
  /// Of each datum: datum less curve, NaN where one of them is missing. Without a curve what the objective returns.
  std::vector<double> residuals;
  std::vector<double> places;  ///< of the curve, ascending, between the data too; empty where no curve was found
  std::vector<double> curve;   ///< at these places; NaN or infinite where it has a gap
};
/// The curve of a row: the datum at each place that would make the residual 0, however this depends on it. The
/// objective is evaluated some 160 times at most, between the data too where it reads the abscissa. \param parameters
/// of the row. \throws InvalidInput for a row that is not there, and as residuals().
CLOPT_API FitCurve fit_curve(const Problem& problem, std::size_t row, std::span<const double> parameters,
                             const std::string& precision, Device& device);

/// Measures each method's speed on a device, for `auto`; some seconds. The result means something to `auto` once
/// it is remembered, see remember_tuning(). \returns a JSON object, or none where the run was ended early. \throws
/// DeviceError where the device fails.
CLOPT_API std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device, which must prove itself before it is trusted; some tenths of a second once kernels are
/// built. \returns an empty text, or what the device did wrong.
CLOPT_API std::string self_test(Device& device);

}  // namespace clopt::differential_evolution
