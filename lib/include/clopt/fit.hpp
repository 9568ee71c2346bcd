/// \file
/// Fits of one model to many rows of data, each from a guess, by Levenberg and Marquardt's method.
#pragma once

#include <clopt/export.hpp>

#include <clopt/arrays.hpp>
#include <clopt/fields.hpp>
#include <clopt/objective.hpp>
#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
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
namespace differential_evolution {
struct FitCurve;
}
}  // namespace clopt

namespace clopt::fit {

/// A curve with parameters.
struct Model {
  Objective residuals;             ///< the model less the data
  std::vector<std::string> names;  ///< of the parameters; empty: as many as the guess has, called x0, x1, ...
  bool has_derivative = false;     ///< whether the text has one; else differences are taken
  bool has_two_places = false;     ///< whether a datum has two places, as a picture's
  bool has_curve = false;          ///< whether the text is of a curve, not of residuals

  /// One of models(). \param width of the rows of a picture, for models of two places. \throws InvalidInput for another
  /// name, with the nearest one.
  CLOPT_API static Model named(const std::string& name, std::size_t width = 0);
  /// A text in OpenCL C that defines `real model(individual x, real t)`, or, of two places, `real model(individual x,
  /// real t, real u)`, or `real residual(individual x, uint j)`; and, if it likes, `real derivative(individual x, uint
  /// j, uint k)`, of that by parameter k at datum j. gene(x, k) is parameter k. A comment `// clopt: parameters a, b`
  /// names them. \throws InvalidInput as Objective::from_text().
  CLOPT_API static Model from_text(std::string text, const std::string& name = "model", std::size_t width = 0);
  /// A name or a file: what ends in ".cl" or holds a '/' is a file.
  CLOPT_API static Model find(const std::string& name_or_file, std::size_t width = 0);
};
/// A model of the library.
struct ModelSummary {
  std::string name;
  std::string formula;                  ///< "a exp(-b t) + c"
  std::vector<std::string> parameters;  ///< empty: any number
};
/// All of them, sorted by name.
CLOPT_API std::vector<ModelSummary> models();

/// Rows of data, a fit each.
struct Problem {
  Model model;
  /// Rows one behind the other, `columns` numbers each. NaN is a datum that is missing; a row with an infinite number
  /// ends with Status::not_finite.
  SharedNumbers data;
  std::size_t columns = 1;
  /// The place of each datum, a row for each row of data or one for all; empty: 0, 1, 2, ...
  SharedNumbers abscissa{};
  /// The standard deviation of each datum, above 0, likewise; empty: 1.
  SharedNumbers sigma{};
  std::size_t parameters = 1;  ///< of the model, from 1 to 32
  /// `parameters` numbers for all rows, or for each; what lies beyond the bounds begins at them. Empty: each row is
  /// searched for one within the bounds, by differential evolution; these are finite then, and the same for all rows.
  SharedNumbers guess{};
  /// The least and the greatest value of each parameter, for all rows or for each; empty: no bound, and so are infinite
  /// ones. A parameter whose bounds are equal is fixed.
  SharedNumbers lower{};
  SharedNumbers upper{};
  std::vector<std::size_t> fixed{};  ///< parameters that stay at their guess, by their places; without a guess none

  std::size_t rows() const { return columns == 0 ? 0 : data.size() / columns; }
};

/// The names of the parameters: the model's, or x0, x1, ...
CLOPT_API std::vector<std::string> names_of_parameters(const Problem& problem);

/// How to fit.
struct Options {
  /// A choice of the field; auto: float, and double where floats would lose digits of data or places that matter.
  std::string precision = "auto";
  std::uint64_t iterations = 1000;  ///< evaluations of model and derivative of a row, at most
  /// A choice of the field: "linear" sums squares; "soft-l1", "huber" and "cauchy" are those of scipy's least_squares;
  /// "poisson" is twice the logarithm of the likelihood of counts below its greatest, of models and without sigma.
  std::string loss = "linear";
  double loss_scale = 1;             ///< residuals above it count as large, in units of sigma
  bool errors = true;                ///< whether the result has standard errors
  bool covariance = false;           ///< whether the result has covariances, beside the errors
  std::uint64_t seed = 1;            ///< of the search for guesses where there are none
  std::optional<WorkRange> range{};  ///< the rows that this run does; none: all
  /// Gets the rows that are done, whose run another one resumes; none: nothing is written. A row that is long counts
  /// when it is done.
  std::shared_ptr<CheckpointWriter> checkpoint{};
  /// Where to continue, of the same problem and options; none: at the first row.
  std::shared_ptr<const Checkpoint> resume{};
};

/// The fields of options; these must outlive the table.
CLOPT_API FieldTable fields(Options& options);

/// How a row ended. The first three have converged.
enum class Status : std::uint8_t {
  by_value = 1,  ///< neither the last step nor the next one lowers the sum of squares
  by_step,       ///< the last step changed no parameter that counts
  by_slope,      ///< the residuals are orthogonal to all slopes
  at_bound,      ///< converged; a bound keeps the sum from falling
  singular,      ///< converged; the data do not determine all parameters
  no_data,       ///< all data are missing
  not_finite,    ///< a datum or the model at the guess is no finite number
  limit          ///< of iterations, or of the run
};
/// "value", "step", "slope", "bound", "singular", "no data", "not finite" or "limit".
CLOPT_API std::string_view name_of(Status status);
inline bool is_converged(Status status) { return status <= Status::singular; }

/// What was found, in the order of the rows.
struct Result : RunResult {
  Column<double> parameters;  ///< of each row; NaN where it has no data or no finite number
  /// Standard errors, 0 of fixed parameters: the roots of the diagonal of (J^T J)^-1, J being the derivatives of the
  /// residuals. Without `sigma` scaled by chi squared over the degrees of freedom, as scipy's curve_fit does. Infinite
  /// where the data do not determine them. Empty where not asked for.
  Column<double> errors;
  /// The covariance of the parameters of each row, `parameters` times `parameters`, whose diagonal are the squares of
  /// the errors; empty where not asked for.
  Column<double> covariance;
  Column<double> chi_squared;                ///< the sum of the squared residuals, in units of sigma, or of the loss
  Column<std::uint64_t> degrees_of_freedom;  ///< data less free parameters, at least 0
  Column<Status> statuses;
  Column<std::uint64_t> iterations;  ///< of each row
  std::uint64_t converged = 0;       ///< rows
  std::string precision;             ///< the one used
};

/// How far a confidence interval reaches on each side of a parameter, in standard errors: the two-sided quantile of
/// Student's t distribution. Infinite where there are no degrees of freedom. O(degrees of freedom), at most 10^4.
/// \param confidence the probability that the interval has the true parameter, between 0 and 1. \throws InvalidInput.
CLOPT_API double confidence_reach(double confidence, std::uint64_t degrees_of_freedom);
/// The ends of the intervals of all parameters, in the order of Result::parameters. Those of a fixed parameter are its
/// value, and those of a row without an answer NaN.
struct ConfidenceIntervals {
  std::vector<double> lower;
  std::vector<double> upper;
};
/// By the errors and degrees of freedom of each row. O(parameters of all rows). \throws InvalidInput as
/// confidence_reach(), and for a result without errors.
CLOPT_API ConfidenceIntervals confidence_intervals(const Result& result, double confidence);

/// The values of the model at the place of each datum, in the order of the data, whose numbers are not used. NaN where
/// a place is no finite number, or a parameter NaN. \param parameters of each row, as Result::parameters has them.
/// \param precision "float" or "double". O(data * the model's work). \throws InvalidInput for a model of residuals
/// alone, and as solve(); DeviceError.
CLOPT_API std::vector<double> model_values(const Problem& problem, std::span<const double> parameters,
                                           const std::string& precision, Device& device);
/// A row with its curve, as pictures show it; also of a model of residuals alone. \param parameters of the row. \throws
/// as model_values().
CLOPT_API differential_evolution::FitCurve fit_curve(const Problem& problem, std::size_t row,
                                                     std::span<const double> parameters, const std::string& precision,
                                                     Device& device);

/// Fits all rows; the result does not depend on the device. A row that is bad spoils no other.
/// O(rows * iterations * columns * parameters * (parameters + the model's work)).
/// \throws InvalidInput for what does not fit together, a checkpoint of another run, and a text that does not build;
/// DeviceError.
CLOPT_API Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                       const RunControl& control = {});
CLOPT_API Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control = {});
/// The same on devices that are given, or on the one that the work chooses.
CLOPT_API Result solve(const Problem& problem, const Options& options, const Devices& devices,
                       const RunControl& control = {});

/// Checks a run before a device is opened. \throws InvalidInput as solve().
CLOPT_API void check(const Problem& problem, const Options& options);

/// Everything that the result of all rows depends on. O(size of the data).
CLOPT_API RunIdentity identity(const Problem& problem, const Options& options);
/// A result as numbers, to be sent or written, and such a result again. \throws InvalidInput where it is not of that
/// many rows.
CLOPT_API Record pack(const Result& result);
CLOPT_API Result unpack(const Record& record, std::size_t rows, std::size_t parameters);
/// The result of all rows, of the results of ranges in their order. \param parts at least one.
CLOPT_API Result merge(std::vector<Result> parts);

/// Measures fits a second. \returns a JSON object, or none where the run was ended early.
CLOPT_API std::optional<std::string> tune(Device& device, const RunControl& control = {});

/// Known answers on a device. \returns an empty text, or what the device did wrong.
CLOPT_API std::string self_test(Device& device);

}  // namespace clopt::fit
