/// \file
/// Twins of the kernels in kernels_cl/genetic that breed and evaluate.
#include <openmp/objective/objective.hpp>
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "island.hpp"

#include <genetic/operations.hpp>

#include <algorithm>
#include <vector>

namespace clopt::openmp::genetic {
namespace {

namespace operations = clopt::genetic::operations;
using std::uint32_t;
using std::uint64_t;

// One individual of a population that is drawn.
template <class Element, class Real>
void start_individual(const Settings& run, const Real* numbers, uint32_t generation, uint32_t i, Element* genes) {
  if (run.kind == GENETIC_BITS) {
    for (uint32_t unit = 0; unit < run.units; ++unit) {
      const auto block = shared::genetic_of_individual(run, GENETIC_START, generation, i, unit);
      const auto bits = shared::random_word_64(block.a, block.b) & shared::genetic_existing(run.genes, unit);
      genes[2 * unit] = static_cast<Element>(static_cast<uint32_t>(bits));
      genes[2 * unit + 1] = static_cast<Element>(static_cast<uint32_t>(bits >> 32));
    }
    return;
  }
  for (uint32_t gene = 0; gene < run.genes; ++gene) {
    if (run.kind == GENETIC_PERMUTATION) {
      const auto place = shared::genetic_below(run.seed, GENETIC_START, generation,
                                               shared::genetic_individual_address(run, i), gene, gene + 1);
      genes[gene] = genes[place];
      genes[place] = static_cast<Element>(gene);
      continue;
    }
    const auto block = shared::genetic_of_individual(run, GENETIC_START, generation, i, gene);
    const auto bounds = GENETIC_BOUNDS + (run.bounds_each != 0 ? 2 * std::size_t{gene} : 0);
    if constexpr (std::is_floating_point_v<Element>)
      genes[gene] = shared::genetic_start<Real>(block.a, block.b, numbers[bounds], numbers[bounds + 1]);
    else
      genes[gene] = static_cast<Element>(shared::genetic_start_integer(
          block.a, block.b, static_cast<int>(numbers[bounds]), static_cast<int>(numbers[bounds + 1])));
  }
}

template <class Element, class Real>
void run_start(const Range&, const operations::Start<Element, Real>& arguments) {
  const Settings& run = arguments.settings[0];
  const auto individuals = uint64_t{run.population} * run.islands;
  auto* const population = arguments.population.data();
  const auto* const numbers = arguments.numbers.data();
  const uint64_t first = *arguments.first;
  // Genes that are worth a thread, a few microseconds.
  constexpr uint64_t genes_to_share = 512;
  for_each_index(individuals - std::min(first, individuals), genes_to_share / (run.row + 1) + 1, [&](uint64_t index) {
    const auto i = first + index;
    start_individual(run, numbers, *arguments.generation, static_cast<uint32_t>(i), population + i * run.row);
  });
}

// The 32 genes of a word.
uint32_t packed_word(const uint32_t* genes) {
  uint32_t word = 0;
  for (uint32_t k = 0; k < 32; ++k) word |= genes[k] << k;
  return word;
}

// Calls a function for each individual, by several threads where that pays.
template <class Work>
void for_each_row(const Settings& run, const Work& work) {
  constexpr uint32_t genes_to_share = 16384;
  for_each_index(uint64_t{run.population} * run.islands, genes_to_share / run.genes + 1, work);
}

void run_unpack(const Range&, const operations::Unpack& arguments) {
  const Settings& run = arguments.settings[0];
  const auto row = shared::genetic_unpacked_row(run);
  for_each_row(run, [&](uint64_t i) {
    for (uint32_t gene = 0; gene < row; ++gene)
      arguments.genes[i * row + gene] = arguments.population[i * run.row + gene / 32] >> (gene % 32) & 1;
  });
}

void run_pack(const Range&, const operations::Pack& arguments) {
  const Settings& run = arguments.settings[0];
  if (is_stopped(arguments.marks, arguments.generation)) return;
  for_each_row(run, [&](uint64_t i) {
    for (uint64_t word = i * run.row; word < (i + 1) * run.row; ++word)
      arguments.population[word] = packed_word(&arguments.genes[32 * word]);
  });
}

template <class Element, class Real>
void run_crossover(const Range&, const operations::Crossover<Element, Real>& arguments) {
  const Settings& run = arguments.settings[0];
  if (is_stopped(arguments.marks, arguments.generation)) return;
  for_each_batch(run, [&](Batch batch, uint32_t) {
    cross_batch(arguments.population.data(), arguments.children.data(),
                arguments.parents.data() + 2 * std::size_t{batch.begin}, arguments.numbers.data(),
                arguments.scratch.data(), run, *arguments.generation, batch);
  });
}

template <class Element, class Real>
void run_mutate(const Range&, const operations::Mutate<Element, Real>& arguments) {
  const Settings& run = arguments.settings[0];
  if (is_stopped(arguments.marks, arguments.generation)) return;
  for_each_batch(run, [&](Batch batch, uint32_t) {
    mutate_batch(arguments.children.data(), arguments.numbers.data(), run, *arguments.generation, batch);
  });
}

// Individuals whose objective a thread asks for at once, at most; and how many such parts a launch has where it can.
constexpr uint32_t evaluated_together = 256;
constexpr uint32_t evaluated_parts = 16;

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
  if constexpr (std::is_same_v<Element, uint32_t>)
    if (shared::genetic_is_unpacked(run) != 0) {
      // The code of an objective reads bits.
      auto packed = run;
      packed.row = 2 * run.units;
      std::vector<uint32_t> words(count * packed.row);
      for (uint64_t i = 0; i < words.size(); ++i) words[i] = packed_word(population + first * run.row + 32 * i);
      evaluate_some(code, words.data(), costs + first, tables, packed, 0, count);
      return;
    }
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
void run_evaluate(const ObjectiveCode& code, const Range&, const operations::Evaluate<Element, Real>& arguments) {
  const Settings& run = arguments.settings[0];
  if (is_stopped(arguments.marks, arguments.generation)) return;
  const auto count = *arguments.generation == 0 ? run.population : shared::genetic_bred(run);
  if (code.whole_generations())
    return evaluate_generation(code, arguments.population.data(), arguments.costs.data(), arguments.tables.data(), run,
                               count);
  const uint32_t first = arguments.first;
  const uint32_t end = arguments.end;
  const auto size = std::clamp((end - first + evaluated_parts - 1) / evaluated_parts, 1U, evaluated_together);
  // A part may begin on one island and end on another.
  for_each_part((end - first + size - 1) / size, [&](std::size_t part) {
    const auto part_end = std::min(end, first + static_cast<uint32_t>(part + 1) * size);
    for (auto at = first + static_cast<uint32_t>(part) * size; at < part_end;) {
      const auto here = std::min(part_end - at, count - at % count);
      evaluate_some(code, arguments.population.data(), arguments.costs.data(), arguments.tables.data(), run,
                    uint64_t{at / count} * run.population + at % count, here);
      at += here;
    }
  });
}

// A generation's children: selection, crossover, mutation and evaluation of a batch while it is in the caches.
// select(batch, island, parents): the parents of a batch, its first pair's first.
template <class Element, class Real, class Select>
void breed_all(const ObjectiveCode& code, const Settings& run, const Real* numbers, const Real* tables,
               uint32_t* scratch, const Element* population, Element* children, Real* child_costs, uint32_t generation,
               Select select) {
  for_each_batch(run, [&](Batch batch, uint32_t island) {
    uint32_t parents[2 * batch_pairs];
    select(batch, island, parents);
    cross_batch(population, children, parents, numbers, scratch, run, generation, batch);
    mutate_batch(children, numbers, run, generation, batch);
    const auto first = 2 * (batch.begin - island * run.pairs);
    const auto count = std::min(2 * batch.size(), shared::genetic_bred(run) - first);
    evaluate_some(code, children, child_costs, tables, run, uint64_t{island} * run.population + first, count);
  });
}

template <class Element, class Real>
void run_offspring(const ObjectiveCode& code, const Range&, const operations::Offspring<Element, Real>& arguments) {
  const Settings& run = arguments.settings[0];
  const uint32_t generation = arguments.generation;
  if (is_stopped(arguments.marks, generation)) return;
  breed_all(code, run, arguments.numbers.data(), arguments.tables.data(), arguments.scratch.data(),
            arguments.population.data(), arguments.children.data(), arguments.child_costs.data(), generation,
            [&](Batch batch, uint32_t island, uint32_t* parents) {
              select_batch(wheel_of<Real>(arguments.costs, arguments.limits, arguments.sections, run, island,
                                          arguments.has_sections),
                           run, generation, batch, parents);
            });
  if (*arguments.summarises != 0)
    summarise_all<Element, Real>(arguments.children, arguments.child_costs, arguments.limits, arguments.best,
                                 arguments.marks, arguments.numbers, run, generation);
}

template <class Element, class Real>
void run_breed(const ObjectiveCode& code, const Range&, const operations::Breed<Element, Real>& arguments) {
  const Settings& run = arguments.settings[0];
  const uint32_t generation = arguments.generation;
  if (is_stopped(arguments.marks, generation)) return;
  breed_all(code, run, arguments.numbers.data(), arguments.tables.data(), arguments.scratch.data(),
            arguments.population.data(), arguments.children.data(), arguments.child_costs.data(), generation,
            [&](Batch batch, uint32_t, uint32_t* chosen) {
              std::copy(arguments.parents.begin() + 2 * std::ptrdiff_t{batch.begin},
                        arguments.parents.begin() + 2 * std::ptrdiff_t{batch.end}, chosen);
            });
  if (*arguments.summarises != 0)
    summarise_all<Element, Real>(arguments.children, arguments.child_costs, arguments.limits, arguments.best,
                                 arguments.marks, arguments.numbers, run, generation);
}

template <class Element, class Real>
void run_generations(const ObjectiveCode& code, const Range&, const operations::Generations<Element, Real>& arguments) {
  const Settings& run = arguments.settings[0];
  const auto words = run.kind == GENETIC_PERMUTATION ? arguments.even_costs.size() * ((run.genes + 31) / 32) : 0;
  std::vector<uint32_t> scratch(words);
  const std::span<Element> populations[] = {arguments.even, arguments.odd};
  const std::span<Real> costs[] = {arguments.even_costs, arguments.odd_costs};
  const auto last = *arguments.generation + *arguments.count;
  const std::size_t individuals = std::size_t{run.population} * run.islands;
  // Where costs are not kept, the buffer is a single number.
  const bool keeps_costs = arguments.history.size() >= (std::size_t{*arguments.kept} + *arguments.count) * individuals;
  for (auto generation = *arguments.generation; generation < last && !is_stopped(arguments.marks, generation + 1);) {
    const auto from = generation % 2;
    const auto to = 1 - from;
    ++generation;
    breed_all(code, run, arguments.numbers.data(), arguments.tables.data(), scratch.data(), populations[from].data(),
              populations[to].data(), costs[to].data(), generation,
              [&](Batch batch, uint32_t island, uint32_t* parents) {
                select_batch(wheel_of<Real>(costs[from], arguments.limits, {}, run, island, 0), run, generation, batch,
                             parents);
              });
    summarise_all<Element, Real>(populations[to], costs[to], arguments.limits, arguments.best, arguments.marks,
                                 arguments.numbers, run, generation);
    if (keeps_costs)
      std::copy_n(
          costs[to].begin(), individuals,
          arguments.history.begin() +
              static_cast<std::ptrdiff_t>((*arguments.kept + generation - *arguments.generation - 1) * individuals));
  }
}

void run_draw_ahead(const Range&, const operations::DrawAhead& arguments) {
  const Settings& run = arguments.settings[0];
  const auto pairs = uint64_t{run.pairs} * run.islands;
  for (uint64_t place = 0; place < pairs * *arguments.count; ++place) {
    const auto pair = static_cast<uint32_t>(place % pairs);
    const auto bred = *arguments.generation + 1 + static_cast<uint32_t>(place / pairs);
    auto* const tries = &arguments.tries[4 * place * GENETIC_AHEAD_TRIES];
    for (uint32_t n = 0; n < shared::genetic_ahead_parents(run) * shared::genetic_contestants(run); ++n)
      tries[n] = shared::genetic_ahead_contestant(run, bred, pair, n);
    for (uint32_t z = 0; z < GENETIC_AHEAD_TRIES && run.selection == GENETIC_ROULETTE; ++z) {
      const auto block = shared::genetic_ahead_try(run, bred, pair, z);
      const uint32_t words[] = {block.a, block.b, block.c, block.d};
      std::copy_n(words, 4, tries + 4 * z);
    }
    auto* own = &arguments.masks[place * shared::genetic_ahead_row(run.units)];
    for (uint32_t unit = 0; unit < run.units; ++unit) {
      const auto flips = shared::genetic_mutated(run, bred, pair, unit);
      own[2 * unit] = flips.first;
      own[2 * unit + 1] = flips.second;
      own[2 * run.units + unit] = shared::genetic_ahead_swaps(run, bred, pair, unit);
    }
  }
}

}  // namespace

#define ALL_KINDS(function)                                                               \
  {                                                                                       \
    function<uint32_t, float>, function<uint32_t, double>, function<std::int32_t, float>, \
        function<std::int32_t, double>, function<float, float>, function<double, double>  \
  }

const Twin draw_ahead{Implementation(run_draw_ahead)};
const Twin unpack{Implementation(run_unpack)};
const Twin pack{Implementation(run_pack)};
const Twin start ALL_KINDS(run_start);
const Twin crossover ALL_KINDS(run_crossover);
const Twin mutate ALL_KINDS(run_mutate);
const Twin evaluate ALL_KINDS(run_evaluate);
const Twin breed ALL_KINDS(run_breed);
const Twin offspring ALL_KINDS(run_offspring);
const Twin generations ALL_KINDS(run_generations);

#undef ALL_KINDS

}  // namespace clopt::openmp::genetic
