/// \file
/// The statistics of generations.
#pragma once

#include <shared/objective/constraint.h>
#include <clopt/genetic.hpp>
#include <support/threads/kept_team.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <genetic/plan.hpp>

namespace clopt::genetic {

/// Turns costs into the objective's values.
template <class Real>
struct Values {
  bool maximise;
  Real bound;  ///< costs from here on are those of individuals that break constraints, or have no value

  double operator()(Real cost) const {
    if (!(cost < bound)) cost = std::numeric_limits<Real>::infinity();
    return maximise ? -static_cast<double>(cost) : static_cast<double>(cost);
  }
};

/// Those of infeasible individuals are infinite.
template <class Real>
Values<Real> values_of(const Plan& plan) {
  constexpr Real bound = sizeof(Real) == 8 ? static_cast<Real>(CONSTRAINT_BOUND_DOUBLE) : CONSTRAINT_BOUND_FLOAT;
  return {plan.settings.maximise != 0, plan.constrained ? bound : std::numeric_limits<Real>::infinity()};
}

/// Counts different numbers by a table of hashed ones, since to sort a population takes longer than to breed it.
template <class Real>
class DistinctCosts {
 public:
  /// \param costs none of them NaN. Expected O(their number).
  std::uint64_t count(std::span<const Real> costs) {
    // At most half full, and twice as large at most.
    const auto size = std::bit_ceil(2 * costs.size());
    if (table_.size() != size) table_.assign(size, empty);
    const int shift = 64 - std::countr_zero(size);
    std::size_t found = 0;
    used_.resize(costs.size());
    for (const Real cost : costs) {
      // Zeros of both signs are equal.
      const Bits bits = std::bit_cast<Bits>(cost + Real{0});
      auto place = static_cast<std::size_t>((std::uint64_t{bits} * 0x9E37'79B9'7F4A'7C15U) >> shift);
      while (table_[place] != bits && table_[place] != empty) place = (place + 1) % size;
      if (table_[place] == bits) continue;
      table_[place] = bits;
      used_[found++] = place;
    }
    for (std::size_t i = 0; i < found; ++i) table_[used_[i]] = empty;
    return found;
  }

 private:
  using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  static constexpr Bits empty = ~Bits{0};  // the bits of a NaN

  std::vector<Bits> table_;
  std::vector<std::size_t> used_;
};

/// Fills in the statistics of the costs of a generation. \returns the least cost.
template <class Real>
Real describe(std::span<const Real> costs, Values<Real> value_of, DistinctCosts<Real>& distinct,
              Statistics& statistics) {
  constexpr auto infinity = std::numeric_limits<Real>::infinity();
  double sum = 0;
  std::uint64_t finite = 0;
  Real worst = -infinity;
  Real least = costs.front();
  Real greatest = least;
  for (const Real cost : costs) {
    least = cost < least ? cost : least;
    greatest = cost > greatest ? cost : greatest;
    const bool is_finite = cost < value_of.bound && cost > -infinity;
    sum += is_finite ? static_cast<double>(cost) : 0.0;
    worst = is_finite && cost > worst ? cost : worst;
    finite += is_finite ? 1 : 0;
  }
  statistics.best = value_of(least);
  statistics.worst = value_of(finite != 0 ? worst : greatest);
  const double mean = sum / static_cast<double>(finite);
  statistics.mean = finite == 0 ? statistics.best : value_of.maximise ? -mean : mean;
  statistics.feasible = finite;
  statistics.distinct = distinct.count(costs);
  return least;
}

/// The statistics of one population.
template <class Real>
struct PopulationSummary {
  Statistics statistics;
  Real least{};
};

/// Describes the populations of many generations at once: on several threads where the host waits for a device that
/// computes by itself, which breeds a generation about as quickly as one thread describes it.
template <class Real>
class PopulationSummaries {
 public:
  explicit PopulationSummaries(bool has_idle_host) {
    if (has_idle_host) team_ = kept_team(most_threads);
    distinct_.resize(team_ ? team_->size() : 1);
  }

  /// \param costs of populations of a size, one after the other.
  const std::vector<PopulationSummary<Real>>& of(std::span<const Real> costs, std::size_t population,
                                                 Values<Real> value_of) {
    described_.assign(costs.size() / population, {});
    const auto describe_from = [&](std::size_t first, std::size_t end, DistinctCosts<Real>& distinct) {
      for (std::size_t i = first; i < end; ++i)
        described_[i].least =
            describe(costs.subspan(i * population, population), value_of, distinct, described_[i].statistics);
    };
    if (!team_ || costs.size() < least_for_threads) {
      describe_from(0, described_.size(), distinct_[0]);
    } else {
      const std::size_t parts = team_->size();
      team_->run(parts, [&](std::size_t part, unsigned thread) {
        describe_from(described_.size() * part / parts, described_.size() * (part + 1) / parts, distinct_[thread]);
      });
    }
    return described_;
  }

 private:
  static constexpr unsigned most_threads = 4;
  static constexpr std::size_t least_for_threads = 16384;  ///< costs

  KeptTeam team_;
  std::vector<DistinctCosts<Real>> distinct_;  ///< of each thread
  std::vector<PopulationSummary<Real>> described_;
};

}  // namespace clopt::genetic
