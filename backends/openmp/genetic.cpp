/// \file
/// Twins of kernels_cl/genetic.
#include "genetic_breeding.hpp"
#include "objective.hpp"
#include "twin.hpp"

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

// Elements from which on work is shared out among threads: a team takes microseconds to meet.
constexpr uint64_t least_shared = uint64_t{1} << 15;

bool is_stopped(std::span<const uint32_t> marks, uint32_t generation) { return marks[GENETIC_STOP] < generation; }

// Calls visit(batch, island) for all pairs, by all threads where there is enough work.
template <class Visit>
void for_each_batch(const Settings& run, Visit visit) {
  const auto each = (run.pairs + batch_pairs - 1) / batch_pairs;
  const auto batches = static_cast<std::int64_t>(uint64_t{each} * run.islands);
  const bool shared_out = batches > 1 && uint64_t{run.pairs} * run.islands * run.row >= least_shared;
#pragma omp parallel for schedule(static) if (shared_out)
  for (std::int64_t index = 0; index < batches; ++index) {
    const auto island = static_cast<uint32_t>(index / each);
    const auto first = static_cast<uint32_t>(index % each) * batch_pairs;
    const auto begin = island * run.pairs + first;
    visit(Batch{begin, begin + std::min(batch_pairs, run.pairs - first)}, island);
  }
}

template <class Real>
shared::genetic_wheel<Real> wheel_of(std::span<const Real> costs, std::span<const Real> limits,
                                     std::span<const uint64_t> sections, const Settings& run, uint32_t island,
                                     uint32_t has_sections) {
  const auto each = (run.population + GENETIC_SECTION - 1) / GENETIC_SECTION;
  const auto* own = &limits[island * std::size_t{GENETIC_LIMITS}];
  return {&costs[uint64_t{island} * run.population],
          has_sections != 0 ? &sections[std::size_t{island} * each] : nullptr,
          has_sections,
          own[GENETIC_LEAST],
          own[GENETIC_GREATEST],
          island};
}

template <class Real>
Implementation select_implementation() {
  return {op::select_parents<Real>,
          [](const Range&, std::span<const Real> costs, std::span<const Real> limits,
             std::span<const uint64_t> sections, std::span<uint32_t> parents, std::span<const uint32_t> marks,
             const Settings& run, uint32_t generation, uint32_t has_sections) {
            if (is_stopped(marks, generation)) return;
            for_each_batch(run, [&](Batch batch, uint32_t island) {
              select_batch(wheel_of(costs, limits, sections, run, island, has_sections), run, generation, batch,
                           parents.data());
            });
          }};
}

template <class Real>
Implementation weigh_implementation() {
  return {op::weigh<Real>, [](const Range&, std::span<const Real> costs, std::span<const Real> limits,
                              std::span<uint64_t> sections, std::span<const uint32_t>, const Settings& run, uint32_t) {
            const auto each = (run.population + GENETIC_SECTION - 1) / GENETIC_SECTION;
            const auto all = static_cast<std::int64_t>(uint64_t{each} * run.islands);
#pragma omp parallel for schedule(static) if (all > 32)
            for (std::int64_t index = 0; index < all; ++index) {
              const auto island = static_cast<uint32_t>(index / each);
              const auto wheel = wheel_of<Real>(costs, limits, {}, run, island, 0);
              const auto begin = static_cast<uint32_t>(index % each) * GENETIC_SECTION;
              uint64_t sum = 0;
              for (auto i = begin; i < std::min(begin + GENETIC_SECTION, run.population); ++i)
                sum += shared::genetic_weight<Real>(wheel.costs[i], wheel.least, wheel.greatest, run.whole);
              sections[static_cast<std::size_t>(index)] = sum;
            }
          }};
}

template <class Element, class Real>
Implementation start_implementation() {
  return {op::start<Element, Real>, [](const Range&, std::span<Element> population, std::span<const Real> numbers,
                                       const Settings& run, uint32_t first) {
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
             std::span<const uint32_t> marks, const Settings& run, uint32_t generation, uint32_t) {
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
             const Settings& run, uint32_t generation, uint32_t) {
            if (is_stopped(marks, generation)) return;
            for_each_batch(run, [&](Batch batch, uint32_t) {
              mutate_batch(children.data(), numbers.data(), run, generation, batch);
            });
          }};
}

// Individuals whose objective a thread asks for at once.
constexpr uint32_t evaluated_together = 256;

// The costs of consecutive individuals.
template <class Element, class Real>
void evaluate_some(const ObjectiveCode& code, const Element* population, Real* costs, const Real* tables,
                   const Settings& run, uint64_t first, uint64_t count) {
  code.evaluate({population + first * run.row, tables, tables, costs + first, count, run.row, 0, 1, run.genes, 0});
  for (auto i = first; i < first + count; ++i) costs[i] = shared::genetic_cost<Real>(costs[i], run.maximise);
}

template <class Element, class Real>
Implementation evaluate_implementation() {
  return {op::evaluate<Element, Real>,
          [](const ObjectiveCode& code, const Range&, std::span<const Element> population, std::span<Real> costs,
             std::span<const Real> tables, std::span<const uint32_t> marks, const Settings& run, uint32_t generation,
             uint32_t) {
            if (is_stopped(marks, generation)) return;
            const auto count = generation == 0 ? run.population : shared::genetic_bred(run);
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

template <class Real>
Implementation survey_implementation() {
  return {
      op::survey<Real>, [](const Range&, std::span<const Real> costs, std::span<Real> surveyed,
                           std::span<uint32_t> places, const Settings& run, uint32_t sections) {
        const auto all = static_cast<std::int64_t>(uint64_t{sections} * run.islands);
        const auto size = (run.population + sections - 1) / sections;
#pragma omp parallel for schedule(static)
        for (std::int64_t index = 0; index < all; ++index) {
          const auto at = static_cast<std::size_t>(index);
          const auto island = at / sections;
          const auto begin = std::min<std::size_t>(at % sections * size, run.population);
          const auto count = std::min<std::size_t>(size, run.population - begin);
          const auto own = costs.subspan(island * run.population + begin, count);
          const auto limits = limits_of(own);
          surveyed[2 * at] = limits.least;
          surveyed[2 * at + 1] = limits.greatest;
          places[at] =
              static_cast<uint32_t>(begin) +
              (count == 0 ? 0 : static_cast<uint32_t>(std::find(own.begin(), own.end(), limits.least) - own.begin()));
        }
      }};
}

// What is kept of an island whose limits are known.
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
                   const Settings& run, uint32_t generation, std::span<const Real> surveyed = {},
                   uint32_t sections = 0) {
  for (uint32_t island = 0; island < run.islands; ++island) {
    const auto own = costs.subspan(uint64_t{island} * run.population, run.population);
    Limits<Real> found;
    for (uint32_t section = 0; section < sections; ++section) {
      const auto at = 2 * (std::size_t{island} * sections + section);
      found.least = std::min(found.least, surveyed[at]);
      found.greatest = std::max(found.greatest, surveyed[at + 1]);
    }
    summarise_island<Element, Real>(
        sections != 0 ? found : limits_of(own), population.subspan(uint64_t{island} * run.population * run.row), own,
        &limits[island * std::size_t{GENETIC_LIMITS}], &best[uint64_t{island} * run.row],
        &marks[GENETIC_MARKS + island * std::size_t{GENETIC_MARKS_EACH}], marks.data(), numbers, run, generation);
  }
}

template <class Element, class Real>
Implementation summarise_implementation() {
  return {op::summarise<Element, Real>,
          [](const Range&, std::span<const Element> population, std::span<const Real> costs, std::span<Real> limits,
             std::span<Element> best, std::span<uint32_t> marks, std::span<const Real> numbers,
             std::span<const Real> surveyed, std::span<const uint32_t>, const Settings& run, uint32_t generation,
             uint32_t sections) {
            if (!is_stopped(marks, generation))
              summarise_all<Element, Real>(population, costs, limits, best, marks, numbers, run, generation, surveyed,
                                           sections);
          }};
}

template <class Real>
Implementation extremes_implementation() {
  return {op::extremes<Real>, [](const Range&, std::span<const Real> costs, std::span<uint32_t> found,
                                 const Settings& run, uint32_t count, uint32_t reverse, uint32_t shift) {
            std::vector<uint32_t> order(run.population);
            for (uint32_t island = 0; island < run.islands; ++island) {
              const auto begin = island * run.population;
              for (uint32_t i = 0; i < run.population; ++i) order[i] = begin + i;
              std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](uint32_t a, uint32_t b) {
                const auto before = std::tuple(costs[a], a) < std::tuple(costs[b], b);
                return reverse != 0 ? std::tuple(costs[b], b) < std::tuple(costs[a], a) : before;
              });
              std::copy_n(order.begin(), count, &found[std::size_t{(island + shift) % run.islands} * count]);
            }
          }};
}

template <class Element, class Real>
Implementation copy_implementation() {
  return {op::copy_individuals<Element, Real>,
          [](const Range&, std::span<const Element> from_population, std::span<const Real> from_costs,
             std::span<const uint32_t> from, std::span<Element> to_population, std::span<Real> to_costs,
             std::span<const uint32_t> to, const Settings& run, std::span<const uint32_t> marks, uint32_t generation,
             uint32_t count) {
            if (is_stopped(marks, generation)) return;
            for (uint32_t i = 0; i < count; ++i) {
              std::copy_n(&from_population[uint64_t{from[i]} * run.row], run.row,
                          &to_population[uint64_t{to[i]} * run.row]);
              to_costs[to[i]] = from_costs[from[i]];
            }
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
    std::exception_ptr thrown;
    for_each_batch(run, [&](Batch batch, uint32_t island) {
      uint32_t parents[2 * batch_pairs];
      // Parents are found at their pair's number.
      uint32_t* const from_zero = parents - 2 * std::size_t{batch.begin};
      select_batch(wheel_of(costs, limits, sections, run, island, has_sections), run, generation, batch, from_zero);
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
Implementation breed_implementation() {
  return {op::breed<Element, Real>,
          [](const ObjectiveCode& code, const Range&, std::span<const Element> population, std::span<Element> children,
             std::span<const Real> costs, std::span<Real> child_costs, std::span<const Real> limits,
             std::span<const uint64_t> sections, std::span<const uint32_t> marks, std::span<const Real> numbers,
             std::span<const Real> tables, std::span<uint32_t> scratch, const Settings& run, uint32_t generation,
             uint32_t has_sections, uint32_t) {
            if (is_stopped(marks, generation)) return;
            const Breeding<Element, Real> breeding{code, numbers, tables, scratch, run};
            breeding(population.data(), children.data(), costs, child_costs, limits, sections, generation,
                     has_sections);
          }};
}

template <class Element, class Real>
Implementation generations_implementation() {
  return {op::generations<Element, Real>,
          [](const ObjectiveCode& code, const Range&, std::span<Element> even, std::span<Element> odd,
             std::span<Real> even_costs, std::span<Real> odd_costs, std::span<Real> limits, std::span<Element> best,
             std::span<uint32_t> marks, std::span<const Real> numbers, std::span<const Real> tables,
             const Settings& run, uint32_t generation, uint32_t count, uint32_t, LocalMemory<Element>,
             LocalMemory<Real>, LocalMemory<uint32_t>) {
            const auto words = run.kind == GENETIC_PERMUTATION ? even_costs.size() * ((run.genes + 31) / 32) : 0;
            std::vector<uint32_t> scratch(words);
            const Breeding<Element, Real> breeding{code, numbers, tables, scratch, run};
            for (const auto last = generation + count; generation < last && !is_stopped(marks, generation + 1);) {
              const bool from_even = generation % 2 == 0;
              ++generation;
              breeding(from_even ? even.data() : odd.data(), from_even ? odd.data() : even.data(),
                       from_even ? even_costs : odd_costs, from_even ? odd_costs : even_costs, limits, {}, generation,
                       0);
              summarise_all<Element, Real>(from_even ? odd : even, from_even ? odd_costs : even_costs, limits, best,
                                           marks, numbers, run, generation);
            }
          }};
}

}  // namespace

#define ALL_KINDS(make)                                                                                           \
  {                                                                                                               \
    make<uint32_t, float>(), make<uint32_t, double>(), make<std::int32_t, float>(), make<std::int32_t, double>(), \
        make<float, float>(), make<double, double>()                                                              \
  }

const Twin start ALL_KINDS(start_implementation);
const Twin select_parents{select_implementation<float>(), select_implementation<double>()};
const Twin weigh{weigh_implementation<float>(), weigh_implementation<double>()};
const Twin crossover ALL_KINDS(crossover_implementation);
const Twin mutate ALL_KINDS(mutate_implementation);
const Twin evaluate ALL_KINDS(evaluate_implementation);
const Twin summarise ALL_KINDS(summarise_implementation);
const Twin survey{survey_implementation<float>(), survey_implementation<double>()};
const Twin extremes{extremes_implementation<float>(), extremes_implementation<double>()};
const Twin copy_individuals ALL_KINDS(copy_implementation);
const Twin breed ALL_KINDS(breed_implementation);
const Twin generations ALL_KINDS(generations_implementation);

#undef ALL_KINDS

}  // namespace clopt::openmp::genetic
