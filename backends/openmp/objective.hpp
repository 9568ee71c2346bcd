/// \file
/// A program's objective as code of the host's: compiled into this backend, compiled at run time, or the caller's own.
#pragma once

#include <clopt/program.hpp>
#include <objective/batch.hpp>

#include <functional>
#include <memory>

namespace clopt::openmp {

/// Twins whose function takes one as its first parameter get that of the program that they were built with.
class ObjectiveCode {
 public:
  explicit ObjectiveCode(std::function<void(const ObjectiveBatch&)> function) : function_(std::move(function)) {}
  /// Sets the batch's values, in the calling thread; threads may call at once. Individuals side by side
  /// (individual_step 1) are computed many at a time, the more the better.
  void evaluate(const ObjectiveBatch& batch) const { function_(batch); }

 private:
  std::function<void(const ObjectiveBatch&)> function_;
};

/// The objective of a program that objective::prepare() made ready; found once for each program.
/// \throws BuildError where the text does not compile; InvalidInput where there is no compiler.
std::shared_ptr<const ObjectiveCode> objective_code(const Program& program);

}  // namespace clopt::openmp
