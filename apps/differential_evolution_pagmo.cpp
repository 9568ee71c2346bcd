#include "differential_evolution_pagmo.hpp"

#ifdef CLOPT_HAS_PAGMO
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/problems/rastrigin.hpp>
#endif

namespace clopt::apps::differential_evolution {

#ifdef CLOPT_HAS_PAGMO

bool has_pagmo() { return true; }

std::optional<double> pagmo_seconds(std::size_t problems, std::size_t dimensions, std::size_t population,
                                    std::uint64_t generations, std::uint64_t seed, const RunControl& control) {
  constexpr unsigned rand_1_bin = 7;
  const Watch watch(control);
  const pagmo::problem problem{pagmo::rastrigin(static_cast<unsigned>(dimensions))};
  for (std::size_t k = 0; k < problems; ++k) {
    if (watch.expired()) return std::nullopt;
    const auto own_seed = static_cast<unsigned>(seed + k);
    const pagmo::algorithm algorithm{
        pagmo::de(static_cast<unsigned>(generations), 0.5, 0.9, rand_1_bin, 0.0, 0.0, own_seed)};
    algorithm.evolve(pagmo::population(problem, population, own_seed));
  }
  return watch.seconds();
}

#else

bool has_pagmo() { return false; }

std::optional<double> pagmo_seconds(std::size_t, std::size_t, std::size_t, std::uint64_t, std::uint64_t,
                                    const RunControl&) {
  return std::nullopt;
}

#endif

}  // namespace clopt::apps::differential_evolution
