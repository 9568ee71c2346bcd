/// \file
/// A program's objective as code of the host's: compiled into this backend, compiled at run time, or the caller's own.
#pragma once

#include <clopt/crash.hpp>
#include <clopt/program.hpp>
#include <objective/batch.hpp>
#include "compiler.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace clopt::openmp {

/// Twins whose function takes one as its first parameter get that of the program that they were built with.
class ObjectiveCode {
 public:
  using Function = std::function<void(const ObjectiveBatch&)>;

  /// \param residuals of a fit.
  ObjectiveCode(Function function, bool is_text, Function residuals = {})
      : function_(std::move(function)), residuals_(std::move(residuals)), is_text_(is_text) {}
  /// A text of the user's, compiled at run time. \param name what messages call it.
  /// \param is_exact whether each individual is taken by the plain reading.
  ObjectiveCode(const CompiledObjective& compiled, const std::string& name, bool is_exact)
      : function_(guarded(is_exact ? compiled.exact : compiled.evaluate, name)),
        residuals_(guarded(compiled.residuals, name)),
        fits_(guarded(compiled.fits, name)),
        long_rows_(guarded(compiled.long_rows, name)),
        is_text_(true) {}
  /// A C++ function that takes whole generations.
  explicit ObjectiveCode(std::function<void(std::span<const ObjectiveBatch>)> whole_function)
      : whole_function_(std::move(whole_function)) {}
  /// Sets the batch's values, in the calling thread. Threads may call at once, unless whole_generations(). Individuals
  /// side by side (individual_step 1) are computed many at a time, the more the better.
  void evaluate(const ObjectiveBatch& batch) const {
    if (whole_function_) return whole_function_({&batch, 1});
    function_(batch);
  }
  /// Sets the residuals of a fit's individuals in place of values, in the calling thread: those of individual i for all
  /// data from values[i * number of data] on.
  void residuals(const ObjectiveBatch& batch) const { residuals_(batch); }
  /// Does a batch of fits in the calling thread: of programs of kernels_cl/fit.
  void fit(const FitBatch& batch) const { fits_(batch); }
  /// An operation of long rows, likewise.
  void fit(const LongRowsBatch& batch) const { long_rows_(batch); }
  /// Whether a twin must evaluate all individuals of a launch by one call of evaluate_generation(), outside parallel
  /// regions.
  bool whole_generations() const { return whole_function_ != nullptr; }
  /// Sets the values of all batches, which have the same numbers of genes and columns, by one call of the function. For
  /// whole_generations() only.
  void evaluate_generation(std::span<const ObjectiveBatch> batches) const { whole_function_(batches); }
  /// Whether it may also evaluate individuals whose values are not needed, to fill vectors: it does nothing but
  /// compute.
  bool is_text() const { return is_text_; }

 private:
  template <class Batch>
  static std::function<void(const Batch&)> guarded(void (*function)(const Batch&), std::string name) {
    if (!function) return {};
    return [function, name = std::move(name)](const Batch& batch) {
      const RunningObjective running(name.c_str());
      function(batch);
    };
  }

  Function function_;
  Function residuals_;
  std::function<void(const FitBatch&)> fits_;
  std::function<void(const LongRowsBatch&)> long_rows_;
  std::function<void(std::span<const ObjectiveBatch>)> whole_function_;
  bool is_text_ = false;
};

/// The objective of a program that objective::prepare() made ready; found once for each program.
/// \throws BuildError where the text does not compile; InvalidInput where there is no compiler.
std::shared_ptr<const ObjectiveCode> objective_code(const Program& program);

}  // namespace clopt::openmp
