/// \file
/// What a run's progress shows: the best so far, with its genes.
#pragma once

#include <clopt/run.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace clopt::genetic {

/// The best individual that the host knows.
template <class Real>
class BestSoFar {
 public:
  bool is_beaten_by(Real cost) const { return !cost_ || cost < *cost_; }
  void set(Real cost, double value, std::vector<double> genes) {
    cost_ = cost;
    value_ = value;
    genes_ = std::move(genes);
  }
  /// \param done the part of the run that is.
  void report(const Watch& watch, double done, std::uint64_t evaluations) const {
    watch.report("generations", done, cost_ ? std::optional(value_) : std::nullopt, genes_, evaluations);
  }

 private:
  std::optional<Real> cost_;
  double value_ = 0;
  std::vector<double> genes_;
};

}  // namespace clopt::genetic
