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
  ObjectiveCode(std::function<void(const ObjectiveBatch&)> function, bool is_text)
      : function_(std::move(function)), is_text_(is_text) {}
  /// Sets the batch's values, in the calling thread; threads may call at once. Individuals side by side
  /// (individual_step 1) are computed many at a time, the more the better.
  void evaluate(const ObjectiveBatch& batch) const { function_(batch); }
  /// Whether it may be asked about individuals that nobody wants, to make up whole vectors: it does nothing but
  /// compute.
  bool is_text() const { return is_text_; }

 private:
  std::function<void(const ObjectiveBatch&)> function_;
  bool is_text_;
};

/// The objective of a program that objective::prepare() made ready; found once for each program.
/// \throws BuildError where the text does not compile; InvalidInput where there is no compiler.
std::shared_ptr<const ObjectiveCode> objective_code(const Program& program);

}  // namespace clopt::openmp
