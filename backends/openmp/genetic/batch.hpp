/// \file
/// Selection, crossover and mutation of a batch of pairs, by one thread.
#pragma once

#include <shared/genetic/genes.h>
#include <shared/genetic/parents.h>

#include <cstdint>
#include <span>

namespace clopt::openmp::genetic {

using Settings = shared::genetic_settings;

/// Pairs that are bred together: random numbers are drawn for all of them at once.
inline constexpr std::uint32_t batch_pairs = 64;

/// Pairs `begin` to `end` - 1, counted through all islands; at most batch_pairs, all of one island.
struct Batch {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t size() const { return end - begin; }
};

/// Where a pair's individuals are among all.
struct Family {
  std::uint64_t first_parent;
  std::uint64_t second_parent;
  std::uint64_t first_child;
  std::uint64_t second_child;
  bool has_second;
};
inline Family family_of(const Settings& run, std::uint32_t pair, const std::uint32_t* parents) {
  const auto island = run.islands == 1 ? 0 : pair / run.pairs;
  const auto place = 2 * (pair - island * run.pairs);
  const auto begin = std::uint64_t{island} * run.population;
  return {begin + parents[0], begin + parents[1], begin + place, begin + place + 1,
          place + 1 < shared::genetic_bred(run)};
}

/// The parents of a batch's pairs, two numbers each, its first pair's first. The wheel is their island's.
template <class Real>
void select_batch(const shared::genetic_wheel<Real>& wheel, const Settings& run, std::uint32_t generation, Batch batch,
                  std::uint32_t* parents);

/// Crossover: the children of such parents before mutation, for every strategy and every kind of genes. scratch: a bit
/// a gene for every child of permutations.
template <class Element, class Real>
void cross_batch(const Element* population, Element* children, const std::uint32_t* parents, const Real* numbers,
                 std::uint32_t* scratch, const Settings& run, std::uint32_t generation, Batch batch);

/// Mutates their children.
template <class Element, class Real>
void mutate_batch(Element* children, const Real* numbers, const Settings& run, std::uint32_t generation, Batch batch);

}  // namespace clopt::openmp::genetic
