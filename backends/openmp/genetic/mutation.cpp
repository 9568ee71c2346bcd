/// \file
/// Mutation of a batch of pairs, for every kind of genes and all kernels that breed.
#include "batch.hpp"

#include "mutated_genes.hpp"

#include <bit>
#include <optional>
#include <type_traits>

namespace clopt::openmp::genetic {
namespace {

using std::uint32_t;
using std::uint64_t;

/// A row of bits as words of 64 bits.
uint64_t* units_of(uint32_t* elements, const Settings& run, uint64_t individual) {
  return reinterpret_cast<uint64_t*>(elements + individual * run.row);
}

/// A child among all individuals; none for the second one of the last pair of an odd number.
std::optional<uint64_t> child_of(const Settings& run, uint32_t pair, uint32_t child) {
  const uint32_t no_parents[2] = {};
  const auto family = family_of(run, pair, no_parents);
  if (child == 0) return family.first_child;
  return family.has_second ? std::optional(family.second_child) : std::nullopt;
}

void mutate_bits(uint32_t* children, const Settings& run, uint32_t generation, Batch batch) {
  for_each_mutated(run, generation, batch, [&](uint32_t pair, uint32_t child, uint32_t unit, uint64_t mask) {
    const auto individual = child_of(run, pair, child);
    if (!individual) return;
    if (shared::genetic_is_unpacked(run) == 0) {
      units_of(children, run, *individual)[unit] ^= mask;
      return;
    }
    for (; mask != 0; mask &= mask - 1)
      children[*individual * run.row + unit * GENETIC_UNIT + static_cast<uint32_t>(std::countr_zero(mask))] ^= 1;
  });
}

template <class Element, class Real>
void mutate_numbers(Element* children, const Real* numbers, const Settings& run, uint32_t generation, Batch batch) {
  for_each_mutated(run, generation, batch, [&](uint32_t pair, uint32_t child, uint32_t unit, uint64_t mask) {
    const auto individual = child_of(run, pair, child);
    for (; individual && mask != 0; mask &= mask - 1) {
      const auto gene = unit * GENETIC_UNIT + static_cast<uint32_t>(std::countr_zero(mask));
      const auto bounds = GENETIC_BOUNDS + (run.bounds_each != 0 ? 2 * std::size_t{gene} : 0);
      auto& element = children[*individual * run.row + gene];
      element = shared::genetic_changed<Element, Real>(
          run, element,
          shared::genetic_of_individual(run, GENETIC_CHANGE, generation, static_cast<uint32_t>(*individual), gene),
          numbers[GENETIC_STEP_SIZE], numbers[GENETIC_MUTATION_POWER], numbers[bounds], numbers[bounds + 1]);
    }
  });
}

void mutate_permutations(uint32_t* children, const Settings& run, uint32_t generation, Batch batch) {
  for_each_mutated(run, generation, batch, [&](uint32_t pair, uint32_t child, uint32_t unit, uint64_t mask) {
    if (const auto individual = child_of(run, pair, child))
      shared::genetic_rearrange(children + *individual * run.row, run, generation, static_cast<uint32_t>(*individual),
                                unit, mask);
  });
}

}  // namespace

template <class Element, class Real>
void mutate_batch(Element* children, const Real* numbers, const Settings& run, uint32_t generation, Batch batch) {
  if constexpr (std::is_same_v<Element, uint32_t>) {
    if (run.kind == GENETIC_BITS)
      mutate_bits(children, run, generation, batch);
    else
      mutate_permutations(children, run, generation, batch);
  } else {
    mutate_numbers(children, numbers, run, generation, batch);
  }
}

#define INSTANTIATE(Element, Real) template void mutate_batch(Element*, const Real*, const Settings&, uint32_t, Batch);
INSTANTIATE(uint32_t, float)
INSTANTIATE(uint32_t, double)
INSTANTIATE(std::int32_t, float)
INSTANTIATE(std::int32_t, double)
INSTANTIATE(float, float)
INSTANTIATE(double, double)
#undef INSTANTIATE
}  // namespace clopt::openmp::genetic
