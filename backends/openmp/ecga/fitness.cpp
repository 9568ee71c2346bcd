/// \file
/// Twins of kernels_cl/ecga/fitness.cl.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "patterns.hpp"

#include <ecga/operations.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

namespace clopt::openmp::ecga {
namespace {

namespace operations = clopt::ecga::operations;

// Individuals from which rounds are shared out.
constexpr std::uint32_t chunk = 4096;

template <class Real>
void run_tournament(const Range&, const operations::Tournament<Real>& arguments) {
  const std::uint32_t individuals = arguments.individuals;
  const std::uint32_t size = arguments.tournament_size;
  const auto* fitness = arguments.fitness.data();
  auto* parents = arguments.parents.data();
  auto* copies = arguments.copies.data();
  std::fill(arguments.totals.begin(), arguments.totals.end(), 0U);
  const auto blocks = individuals / size;
  const std::uint64_t rounds = (individuals + blocks - 1) / blocks;
  for_each_index(rounds, individuals > chunk ? 1 : rounds, [&](std::uint64_t each) {
    const auto round = static_cast<std::uint32_t>(each);
    std::vector<std::uint32_t> order(individuals);
    make_images(
        shared::ecga_make_bijection(arguments.seed, ECGA_PURPOSE_TOURNAMENT, arguments.generation, round, individuals),
        order.data());
    const auto first = round * blocks;
    for (std::uint32_t block = 0; block < std::min(blocks, individuals - first); ++block) {
      const auto* candidates = &order[std::uint64_t{block} * size];
      auto winner = candidates[0];
      for (std::uint32_t j = 1; j < size; ++j)
        if (fitness[candidates[j]] > fitness[winner]) winner = candidates[j];
      parents[first + block] = winner;
      std::atomic_ref(copies[winner]).fetch_add(1, std::memory_order_relaxed);
    }
  });
}

template <class Real>
void run_turn_fitness(const Range&, const operations::TurnFitness<Real>& arguments) {
  const bool minimise = arguments.minimise != 0;
  for (auto& value : arguments.fitness.first(arguments.individuals))
    value = value == value ? (minimise ? -value : value) : -std::numeric_limits<Real>::infinity();
}

template <class Real>
void run_find_best(const Range& range, const operations::FindBest<Real>& arguments) {
  const auto* fitness = arguments.fitness.data();
  for (std::uint32_t group = 0; group < range.groups(); ++group) {
    const auto begin = group * arguments.section_size;
    const auto end = std::min<std::uint32_t>(begin + arguments.section_size, arguments.individuals);
    const auto* const best = std::max_element(fitness + begin, fitness + end);
    arguments.best[2 * group] = shared::ecga_order(*best);
    arguments.best[2 * group + 1] = static_cast<std::uint64_t>(best - fitness);
  }
}

}  // namespace

const Twin tournament{run_tournament<float>, run_tournament<double>};
const Twin turn_fitness{run_turn_fitness<float>, run_turn_fitness<double>};
const Twin find_best{run_find_best<float>, run_find_best<double>};

}  // namespace clopt::openmp::ecga
