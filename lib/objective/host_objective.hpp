/// \file
/// An objective that is a C++ function, as a device in host memory calls it.
#pragma once

#include <clopt/objective.hpp>
#include "batch.hpp"

#include <memory>
#include <span>
#include <string>

namespace clopt::objective {

/// Turns batches into calls of a C++ function.
class HostObjective : public HostFunction {
 public:
  using HostFunction::HostFunction;
  ~HostObjective() override = default;
  /// Evaluates the individuals of all batches. What the function throws is passed on.
  /// \param double_precision whether the batches' reals are doubles.
  virtual void evaluate(std::span<const ObjectiveBatch> batches, bool double_precision) const = 0;
  /// Sets the residuals of a fit's individuals, one row behind the other, in place of values; does nothing but in a
  /// fit.
  virtual void residuals(const ObjectiveBatch& /*batch*/, bool /*double_precision*/) const {}
  /// Whether a whole generation is evaluated by one call of evaluate(), on the thread that called the solver. Otherwise
  /// threads may call evaluate() at the same time, each with a part of the generation.
  virtual bool takes_whole_generations() const { return false; }
};

/// A function with a violation, by which individuals are compared first.
std::shared_ptr<const HostFunction> constrained(const std::shared_ptr<const HostFunction>& value,
                                                const std::shared_ptr<const HostFunction>& violation, bool maximise);

/// \throws InvalidInput for an empty function.
std::shared_ptr<const HostFunction> host_objective(Objective::ResidualFunction function, const std::string& name);
std::shared_ptr<const HostFunction> host_objective(Objective::RealFunction function, const std::string& name);
std::shared_ptr<const HostFunction> host_objective(Objective::BitFunction function, const std::string& name);
std::shared_ptr<const HostFunction> host_objective(Objective::IntegerFunction function, const std::string& name);
std::shared_ptr<const HostFunction> host_objective(Objective::PermutationFunction function, const std::string& name);
std::shared_ptr<const HostFunction> host_objective(Objective::BatchFunction function, GeneKind kind,
                                                   const std::string& name, Objective::BatchLayout layout);

}  // namespace clopt::objective
