/// \file
/// The fitness of one population, by several devices: it is bred on one of them.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>
#include <group/batch_team.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "generation_stages.hpp"

namespace clopt::genetic {

/// Has the individuals that were bred evaluated in batches, on the device that breeds and on others. Costs do not
/// depend on who computes them.
template <class Element, class Real>
class Offload {
 public:
  /// \param evaluation of the device that breeds. \param builder of that device; what it refers to must outlive this.
  Offload(const Builder& builder, Work<Element, Real>& work, Evaluation<Element, Real>& evaluation,
          std::span<const std::shared_ptr<Device>> others);

  /// Evaluates the first \p individuals of a generation, of one island. \throws DeviceError where the device that
  /// breeds has failed, and what between_launches() throws.
  void evaluate(std::uint64_t generation, std::uint64_t individuals);

  /// Kernels launched on the others.
  std::uint64_t launches() const;
  std::vector<std::string> failures() const { return team_->failures(); }
  std::vector<DevicePart> parts() const { return team_->parts(); }

 private:
  class Own;
  class Other;
  std::uint64_t most_within(double seconds) const;
  group::BatchTeam::Places places_of(const Builder& builder, const std::shared_ptr<Device>& device);

  Work<Element, Real>& work_;
  Evaluation<Element, Real>& evaluation_;
  double seconds_each_;          ///< of an individual, on one device
  std::uint64_t most_;           ///< individuals of a batch
  HostArray<Element> children_;  ///< on the host
  HostArray<Real> costs_;
  std::uint64_t generation_ = 0;
  std::mutex mutex_;
  std::vector<group::Batch> come_;  ///< batches whose costs are on the host
  std::vector<Other*> others_;
  std::unique_ptr<group::BatchTeam> team_;
};

}  // namespace clopt::genetic
