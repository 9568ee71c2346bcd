/// \file
/// What the twins of the genetic algorithm do with islands.
#pragma once

#include <openmp/team.hpp>
#include "batch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

namespace clopt::openmp::genetic {

using std::uint32_t;
using std::uint64_t;

/// Elements from which on work is shared out among threads: a team takes a microsecond or two to synchronise.
inline constexpr uint64_t least_shared = uint64_t{1} << 15;

inline bool is_stopped(std::span<const uint32_t> marks, uint32_t generation) {
  return marks[GENETIC_STOP] < generation;
}

/// Calls visit(batch, island) for all pairs, by all threads where there is enough work.
template <class Visit>
void for_each_batch(const Settings& run, Visit visit) {
  const auto each = (run.pairs + batch_pairs - 1) / batch_pairs;
  const auto batches = uint64_t{each} * run.islands;
  const bool shared_out = uint64_t{run.pairs} * run.islands * run.row >= least_shared;
  for_each_index(batches, shared_out ? 1 : batches, [&](uint64_t index) {
    const auto island = static_cast<uint32_t>(index / each);
    const auto first = static_cast<uint32_t>(index % each) * batch_pairs;
    const auto begin = island * run.pairs + first;
    visit(Batch{begin, begin + std::min(batch_pairs, run.pairs - first)}, island);
  });
}

template <class Real>
shared::genetic_wheel<Real> wheel_of(std::span<const Real> costs, std::span<const Real> limits,
                                     std::span<const uint64_t> sections, const Settings& run, uint32_t island,
                                     uint32_t has_sections) {
  const auto* own = &limits[island * std::size_t{GENETIC_LIMITS}];
  return {&costs[uint64_t{island} * run.population],
          has_sections != 0 ? &sections[std::size_t{island} * GENETIC_SECTIONS(run)] : nullptr,
          has_sections,
          own[GENETIC_LEAST],
          own[GENETIC_GREATEST],
          island};
}

template <class Real>
struct Limits {
  Real least = std::numeric_limits<Real>::infinity();
  Real greatest = -std::numeric_limits<Real>::infinity();
};

template <class Real>
Limits<Real> limits_of(std::span<const Real> costs) {
  Limits<Real> limits;
  for (const Real cost : costs) {
    limits.least = std::min(limits.least, cost);
    limits.greatest = std::max(limits.greatest, cost < std::numeric_limits<Real>::infinity() ? cost : limits.greatest);
  }
  return limits;
}

/// What is kept of an island whose limits are known.
template <class Element, class Real>
void summarise_island(const Limits<Real>& found, std::span<const Element> population, std::span<const Real> costs,
                      Real* limits, Element* best, uint32_t* own_marks, uint32_t* marks, std::span<const Real> numbers,
                      const Settings& run, uint32_t generation) {
  limits[GENETIC_LEAST] = found.least;
  limits[GENETIC_GREATEST] = found.greatest;
  if (generation == 0 || found.least < limits[GENETIC_BEST]) {
    const auto place = static_cast<uint64_t>(std::find(costs.begin(), costs.end(), found.least) - costs.begin());
    std::copy_n(&population[place * run.row], run.row, best);
    limits[GENETIC_BEST] = found.least;
    own_marks[0] = generation;
    own_marks[1] = static_cast<uint32_t>(place);
  }
  if ((run.has_target != 0 && found.least <= numbers[GENETIC_TARGET]) ||
      (run.stagnation != 0 && generation - own_marks[0] >= run.stagnation))
    marks[GENETIC_STOP] = generation;
}

template <class Element, class Real>
void summarise_all(std::span<const Element> population, std::span<const Real> costs, std::span<Real> limits,
                   std::span<Element> best, std::span<uint32_t> marks, std::span<const Real> numbers,
                   const Settings& run, uint32_t generation, std::span<const Real> section_limits = {},
                   uint32_t sections = 0) {
  for (uint32_t island = 0; island < run.islands; ++island) {
    const auto own = costs.subspan(uint64_t{island} * run.population, run.population);
    Limits<Real> found;
    for (uint32_t section = 0; section < sections; ++section) {
      const auto at = 2 * (std::size_t{island} * sections + section);
      found.least = std::min(found.least, section_limits[at]);
      found.greatest = std::max(found.greatest, section_limits[at + 1]);
    }
    summarise_island<Element, Real>(
        sections != 0 ? found : limits_of(own), population.subspan(uint64_t{island} * run.population * run.row), own,
        &limits[island * std::size_t{GENETIC_LIMITS}], &best[uint64_t{island} * run.row],
        &marks[GENETIC_MARKS + island * std::size_t{GENETIC_MARKS_EACH}], marks.data(), numbers, run, generation);
  }
}

}  // namespace clopt::openmp::genetic
