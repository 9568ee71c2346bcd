/// \file
/// An objective that is a C++ function, as a device in the host's own memory calls it.
#pragma once

#include <clopt/objective.hpp>
#include "batch.hpp"

#include <memory>
#include <string>

namespace clopt::objective {

/// Turns batches into calls.
class HostObjective : public HostFunction {
 public:
  using HostFunction::HostFunction;
  ~HostObjective() override;
  /// \param double_precision whether the batch's reals are doubles. Several threads may call at once.
  virtual void evaluate(const ObjectiveBatch& batch, bool double_precision) const = 0;
};

/// \throws InvalidInput for an empty function.
std::shared_ptr<const HostFunction> host_objective(Objective::RealFunction function, const std::string& name);
std::shared_ptr<const HostFunction> host_objective(Objective::BitFunction function, const std::string& name);
std::shared_ptr<const HostFunction> host_objective(Objective::IntegerFunction function, const std::string& name);
std::shared_ptr<const HostFunction> host_objective(Objective::PermutationFunction function, const std::string& name);

}  // namespace clopt::objective
