/// \file
/// The statistics of one generation.
#pragma once

#include <clopt/genetic.hpp>

#include <cstdint>
#include <limits>
#include <span>

#include "distinct.hpp"

namespace clopt::genetic {

/// Fills in what statistics tell of the costs of a generation. \returns the least cost.
template <class Real>
Real describe(std::span<const Real> costs, bool maximise, DistinctCosts<Real>& distinct, Statistics& statistics) {
  const auto value_of = [=](Real cost) { return maximise ? -static_cast<double>(cost) : static_cast<double>(cost); };
  constexpr auto infinity = std::numeric_limits<Real>::infinity();
  double sum = 0;
  std::uint64_t finite = 0;
  Real worst = -infinity;
  Real least = costs.front();
  Real greatest = least;
  for (const Real cost : costs) {
    least = cost < least ? cost : least;
    greatest = cost > greatest ? cost : greatest;
    const bool is_finite = cost < infinity && cost > -infinity;
    sum += is_finite ? static_cast<double>(cost) : 0.0;
    worst = is_finite && cost > worst ? cost : worst;
    finite += is_finite ? 1 : 0;
  }
  statistics.best = value_of(least);
  statistics.worst = value_of(finite != 0 ? worst : greatest);
  const double mean = finite != 0 ? sum / static_cast<double>(finite) : static_cast<double>(least);
  statistics.mean = maximise ? -mean : mean;
  statistics.distinct = distinct.count(costs);
  return least;
}

}  // namespace clopt::genetic
