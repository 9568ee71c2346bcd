/// \file
/// Twins of kernels_cl/genetic.
#include <openmp/objective/objective.hpp>
#include <openmp/twin.hpp>
#include "island.hpp"

#include <genetic/operations.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <tuple>
#include <vector>

namespace clopt::openmp::genetic {
namespace {

namespace op = clopt::genetic;
using std::uint32_t;
using std::uint64_t;

template <class Element, class Real>
Implementation start_implementation() {
  return {op::start<Element, Real>, [](const Range&, std::span<Element> population, std::span<const Real> numbers,
                                       std::span<const Settings> settings, uint32_t first) {
            const Settings& run = settings[0];
            const auto individuals = static_cast<std::int64_t>(uint64_t{run.population} * run.islands);
#pragma omp parallel for schedule(static)
            for (std::int64_t index = first; index < individuals; ++index) {
              const auto i = static_cast<uint32_t>(index);
              auto* genes = &population[uint64_t{i} * run.row];
              if (run.kind == GENETIC_BITS) {
                for (uint32_t unit = 0; unit < run.units; ++unit) {
                  const auto block = shared::random_at(run.seed, GENETIC_START, 0, i, unit);
                  const auto bits =
                      shared::random_word_64(block.a, block.b) & shared::genetic_existing(run.genes, unit);
                  genes[2 * unit] = static_cast<Element>(static_cast<uint32_t>(bits));
                  genes[2 * unit + 1] = static_cast<Element>(static_cast<uint32_t>(bits >> 32));
                }
                continue;
              }
              for (uint32_t gene = 0; gene < run.genes; ++gene) {
                if (run.kind == GENETIC_PERMUTATION) {
                  const auto place = shared::genetic_below(run.seed, GENETIC_START, 0, i, gene, gene + 1);
                  genes[gene] = genes[place];
                  genes[place] = static_cast<Element>(gene);
                  continue;
                }
                const auto block = shared::random_at(run.seed, GENETIC_START, 0, i, gene);
                const auto bounds = GENETIC_BOUNDS + (run.bounds_each != 0 ? 2 * std::size_t{gene} : 0);
                if constexpr (std::is_floating_point_v<Element>)
                  genes[gene] = shared::genetic_start<Real>(block.a, block.b, numbers[bounds], numbers[bounds + 1]);
                else
                  genes[gene] = static_cast<Element>(shared::genetic_start_integer(
                      block.a, block.b, static_cast<int>(numbers[bounds]), static_cast<int>(numbers[bounds + 1])));
              }
            }
          }};
}

template <class Element, class Real>
Implementation crossover_implementation() {
  return {op::crossover<Element, Real>,
          [](const Range&, std::span<const Element> population, std::span<Element> children,
             std::span<const uint32_t> parents, std::span<const Real> numbers, std::span<uint32_t> scratch,
             std::span<const uint32_t> marks, std::span<const Settings> settings, uint32_t generation, uint32_t) {
            const Settings& run = settings[0];
            if (is_stopped(marks, generation)) return;
            for_each_batch(run, [&](Batch batch, uint32_t) {
              cross_batch(population.data(), children.data(), parents.data(), numbers.data(), scratch.data(), run,
                          generation, batch);
            });
          }};
}

template <class Element, class Real>
Implementation mutate_implementation() {
  return {op::mutate<Element, Real>,
          [](const Range&, std::span<Element> children, std::span<const Real> numbers, std::span<const uint32_t> marks,
             std::span<const Settings> settings, uint32_t generation, uint32_t) {
            const Settings& run = settings[0];
            if (is_stopped(marks, generation)) return;
            for_each_batch(run, [&](Batch batch, uint32_t) {
              mutate_batch(children.data(), numbers.data(), run, generation, batch);
            });
          }};
}

// Individuals whose objective a thread asks for at once.
constexpr uint32_t evaluated_together = 256;

template <class Element, class Real>
ObjectiveBatch batch_of(const Element* population, Real* costs, const Real* tables, const Settings& run, uint64_t first,
                        uint64_t count) {
  return {population + first * run.row, tables, tables, costs + first, count, run.row, 0, 1, run.genes, 0};
}

// Makes values costs.
template <class Real>
void turn_into_costs(Real* costs, const Settings& run, uint64_t first, uint64_t count) {
  for (auto i = first; i < first + count; ++i) costs[i] = shared::genetic_cost<Real>(costs[i], run.maximise);
}

// The costs of consecutive individuals.
template <class Element, class Real>
void evaluate_some(const ObjectiveCode& code, const Element* population, Real* costs, const Real* tables,
                   const Settings& run, uint64_t first, uint64_t count) {
  code.evaluate(batch_of(population, costs, tables, run, first, count));
  turn_into_costs(costs, run, first, count);
}

// The costs of the first individuals of all islands, by one call of the objective.
template <class Element, class Real>
void evaluate_generation(const ObjectiveCode& code, const Element* population, Real* costs, const Real* tables,
                         const Settings& run, uint32_t count) {
  std::vector<ObjectiveBatch> islands;
  for (uint32_t island = 0; island < run.islands; ++island)
    islands.push_back(batch_of(population, costs, tables, run, uint64_t{island} * run.population, count));
  code.evaluate_generation(islands);
  for (uint32_t island = 0; island < run.islands; ++island)
    turn_into_costs(costs, run, uint64_t{island} * run.population, count);
}

template <class Element, class Real>
Implementation evaluate_implementation() {
  return {op::evaluate<Element, Real>,
          [](const ObjectiveCode& code, const Range&, std::span<const Element> population, std::span<Real> costs,
             std::span<const Real> tables, std::span<const uint32_t> marks, std::span<const Settings> settings,
             uint32_t generation, uint32_t) {
            const Settings& run = settings[0];
            if (is_stopped(marks, generation)) return;
            const auto count = generation == 0 ? run.population : shared::genetic_bred(run);
            if (code.whole_generations())
              return evaluate_generation(code, population.data(), costs.data(), tables.data(), run, count);
            const auto each = (count + evaluated_together - 1) / evaluated_together;
            const auto parts = static_cast<std::int64_t>(uint64_t{each} * run.islands);
            std::exception_ptr thrown;
#pragma omp parallel for schedule(dynamic) if (parts > 1)
            for (std::int64_t part = 0; part < parts; ++part) {
              const auto first = static_cast<uint32_t>(part % each) * evaluated_together;
              try {
                evaluate_some(code, population.data(), costs.data(), tables.data(), run,
                              static_cast<uint64_t>(part / each) * run.population + first,
                              std::min(evaluated_together, count - first));
              } catch (...) {
#pragma omp critical(clopt_genetic_thrown)
                if (!thrown) thrown = std::current_exception();
              }
            }
            if (thrown) std::rethrow_exception(thrown);
          }};
}

// A generation's children: selection, crossover, mutation and evaluation of a batch while it is in the caches.
template <class Element, class Real>
struct Breeding {
  const ObjectiveCode& code;
  std::span<const Real> numbers;
  std::span<const Real> tables;
  std::span<uint32_t> scratch;
  const Settings& run;

  void operator()(const Element* population, Element* children, std::span<const Real> costs,
                  std::span<Real> child_costs, std::span<const Real> limits, std::span<const uint64_t> sections,
                  uint32_t generation, uint32_t has_sections) const {
    breed(population, children, child_costs, generation, [&](Batch batch, uint32_t island, uint32_t* parents) {
      select_batch(wheel_of(costs, limits, sections, run, island, has_sections), run, generation, batch, parents);
    });
  }

  // select(batch, island, parents): the parents of a batch, at their pairs' numbers.
  template <class Select>
  void breed(const Element* population, Element* children, std::span<Real> child_costs, uint32_t generation,
             Select select) const {
    std::exception_ptr thrown;
    for_each_batch(run, [&](Batch batch, uint32_t island) {
      uint32_t parents[2 * batch_pairs];
      uint32_t* const from_zero = parents - 2 * std::size_t{batch.begin};
      select(batch, island, from_zero);
      cross_batch(population, children, from_zero, numbers.data(), scratch.data(), run, generation, batch);
      mutate_batch(children, numbers.data(), run, generation, batch);
      const auto first = 2 * (batch.begin - island * run.pairs);
      const auto count = std::min(2 * batch.size(), shared::genetic_bred(run) - first);
      try {
        evaluate_some(code, children, child_costs.data(), tables.data(), run, uint64_t{island} * run.population + first,
                      count);
      } catch (...) {
#pragma omp critical(clopt_genetic_thrown)
        if (!thrown) thrown = std::current_exception();
      }
    });
    if (thrown) std::rethrow_exception(thrown);
  }
};

template <class Element, class Real>
Implementation offspring_implementation() {
  return {op::offspring<Element, Real>,
          [](const ObjectiveCode& code, const Range&, std::span<const Element> population, std::span<Element> children,
             std::span<const Real> costs, std::span<Real> child_costs, std::span<Real> limits,
             std::span<const uint64_t> sections, std::span<Element> best, std::span<uint32_t> marks,
             std::span<const Real> numbers, std::span<const Real> tables, std::span<uint32_t> scratch,
             std::span<const Settings> settings, uint32_t generation, uint32_t has_sections, uint32_t summarises,
             uint32_t) {
            const Settings& run = settings[0];
            if (is_stopped(marks, generation)) return;
            const Breeding<Element, Real> breeding{code, numbers, tables, scratch, run};
            breeding(population.data(), children.data(), costs, child_costs, limits, sections, generation,
                     has_sections);
            if (summarises != 0)
              summarise_all<Element, Real>(children, child_costs, limits, best, marks, numbers, run, generation);
          }};
}

template <class Element, class Real>
Implementation breed_implementation() {
  return {op::breed<Element, Real>,
          [](const ObjectiveCode& code, const Range&, std::span<const Element> population, std::span<Element> children,
             std::span<const Real>, std::span<Real> child_costs, std::span<Real> limits,
             std::span<const uint32_t> parents, std::span<Element> best, std::span<uint32_t> marks,
             std::span<const Real> numbers, std::span<const Real> tables, std::span<Real>, std::span<uint32_t>,
             std::span<uint32_t> scratch, std::span<const Settings> settings, uint32_t generation, uint32_t summarises,
             uint32_t, uint32_t, LocalMemory<uint64_t>, LocalMemory<uint32_t>, LocalMemory<uint32_t>) {
            const Settings& run = settings[0];
            if (is_stopped(marks, generation)) return;
            const Breeding<Element, Real> breeding{code, numbers, tables, scratch, run};
            breeding.breed(population.data(), children.data(), child_costs, generation,
                           [&](Batch batch, uint32_t, uint32_t* chosen) {
                             std::copy(parents.begin() + 2 * std::size_t{batch.begin},
                                       parents.begin() + 2 * std::size_t{batch.end},
                                       chosen + 2 * std::size_t{batch.begin});
                           });
            if (summarises != 0)
              summarise_all<Element, Real>(children, child_costs, limits, best, marks, numbers, run, generation);
          }};
}

template <class Element, class Real>
Implementation generations_implementation() {
  return {
      op::generations<Element, Real>,
      [](const ObjectiveCode& code, const Range&, std::span<Element> even, std::span<Element> odd,
         std::span<Real> even_costs, std::span<Real> odd_costs, std::span<Real> limits, std::span<Element> best,
         std::span<uint32_t> marks, std::span<const Real> numbers, std::span<const Real> tables,
         std::span<const uint32_t>, std::span<const uint64_t>, std::span<const Settings> settings, uint32_t generation,
         uint32_t count, uint32_t, LocalMemory<std::uint64_t>, LocalMemory<Real>, LocalMemory<uint32_t>) {
        const Settings& run = settings[0];
        const auto words = run.kind == GENETIC_PERMUTATION ? even_costs.size() * ((run.genes + 31) / 32) : 0;
        std::vector<uint32_t> scratch(words);
        const Breeding<Element, Real> breeding{code, numbers, tables, scratch, run};
        for (const auto last = generation + count; generation < last && !is_stopped(marks, generation + 1);) {
          const bool from_even = generation % 2 == 0;
          ++generation;
          breeding(from_even ? even.data() : odd.data(), from_even ? odd.data() : even.data(),
                   from_even ? even_costs : odd_costs, from_even ? odd_costs : even_costs, limits, {}, generation, 0);
          summarise_all<Element, Real>(from_even ? odd : even, from_even ? odd_costs : even_costs, limits, best, marks,
                                       numbers, run, generation);
        }
      }};
}

Implementation draw_ahead_implementation() {
  return {op::draw_ahead, [](const Range&, std::span<uint32_t> tries, std::span<uint64_t> masks,
                             std::span<const Settings> settings, uint32_t generation, uint32_t count) {
            const Settings& run = settings[0];
            const auto pairs = uint64_t{run.pairs} * run.islands;
            for (uint64_t place = 0; place < pairs * count; ++place) {
              const auto pair = static_cast<uint32_t>(place % pairs);
              const auto bred = generation + 1 + static_cast<uint32_t>(place / pairs);
              for (uint32_t z = 0; z < GENETIC_AHEAD_TRIES; ++z) {
                const auto block = shared::genetic_ahead_try(run, bred, pair, z);
                const uint32_t words[] = {block.a, block.b, block.c, block.d};
                std::copy_n(words, 4, &tries[4 * (place * GENETIC_AHEAD_TRIES + z)]);
              }
              auto* own = &masks[place * shared::genetic_ahead_row(run.units)];
              for (uint32_t unit = 0; unit < run.units; ++unit) {
                const auto flips = shared::genetic_mutated(run, bred, pair, unit);
                own[2 * unit] = flips.first;
                own[2 * unit + 1] = flips.second;
                own[2 * run.units + unit] = shared::genetic_ahead_swaps(run, bred, pair, unit);
              }
            }
          }};
}

}  // namespace

#define ALL_KINDS(make)                                                                                           \
  {                                                                                                               \
    make<uint32_t, float>(), make<uint32_t, double>(), make<std::int32_t, float>(), make<std::int32_t, double>(), \
        make<float, float>(), make<double, double>()                                                              \
  }

const Twin draw_ahead{draw_ahead_implementation()};
const Twin start ALL_KINDS(start_implementation);
const Twin crossover ALL_KINDS(crossover_implementation);
const Twin mutate ALL_KINDS(mutate_implementation);
const Twin evaluate ALL_KINDS(evaluate_implementation);
const Twin breed ALL_KINDS(breed_implementation);
const Twin offspring ALL_KINDS(offspring_implementation);
const Twin generations ALL_KINDS(generations_implementation);

#undef ALL_KINDS

}  // namespace clopt::openmp::genetic
