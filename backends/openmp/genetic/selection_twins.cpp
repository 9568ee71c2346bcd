/// \file
/// Twins of the kernels in kernels_cl/genetic that select, replace and summarise.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "island.hpp"

#include <genetic/operations.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace clopt::openmp::genetic {
namespace {

namespace operations = clopt::genetic::operations;

template <class Real>
void run_select_parents(const Range&, const operations::SelectParents<Real>& arguments) {
  const Settings& run = arguments.settings[0];
  if (is_stopped(arguments.marks, arguments.generation)) return;
  for_each_batch(run, [&](Batch batch, uint32_t island) {
    select_batch(
        wheel_of<Real>(arguments.costs, arguments.limits, arguments.sections, run, island, arguments.has_sections), run,
        *arguments.generation, batch, arguments.parents.data() + 2 * std::size_t{batch.begin});
  });
}

template <class Real>
void weigh_sections(const Settings& run, std::span<const Real> costs, std::span<const Real> limits,
                    std::span<uint64_t> sections) {
  const auto each = GENETIC_SECTIONS(run);
  // Sections that are worth a thread.
  constexpr uint64_t sections_to_share = 16;
  for_each_index(uint64_t{each} * run.islands, sections_to_share, [&](uint64_t index) {
    const auto island = static_cast<uint32_t>(index / each);
    const auto wheel = wheel_of<Real>(costs, limits, {}, run, island, 0);
    const auto begin = static_cast<uint32_t>(index % each) * GENETIC_SECTION;
    uint64_t sum = 0;
    for (auto i = begin; i < std::min(begin + GENETIC_SECTION, run.population); ++i)
      sum += shared::genetic_weight<Real>(wheel.costs[i], wheel.least, wheel.greatest, run.whole);
    sections[index] = sum;
  });
}

template <class Real>
void run_sum_section_weights(const Range&, const operations::SumSectionWeights<Real>& arguments) {
  weigh_sections<Real>(arguments.settings[0], arguments.costs, arguments.limits, arguments.sections);
}

template <class Real>
void run_walk_wheel(const Range&, const operations::WalkWheel<Real>& arguments) {
  const Settings& run = arguments.settings[0];
  if (is_stopped(arguments.marks, arguments.generation)) return;
  weigh_sections<Real>(run, arguments.costs, arguments.limits, arguments.sections);
  for_each_batch(run, [&](Batch batch, uint32_t island) {
    select_batch(wheel_of<Real>(arguments.costs, arguments.limits, arguments.sections, run, island, 1), run,
                 *arguments.generation, batch, arguments.parents.data() + 2 * std::size_t{batch.begin});
  });
}

template <class Real>
void run_find_section_limits(const Range&, const operations::FindSectionLimits<Real>& arguments) {
  const Settings& run = arguments.settings[0];
  const uint32_t sections = arguments.sections;
  const auto size = (run.population + sections - 1) / sections;
  // Costs that are worth a thread, a few microseconds.
  constexpr uint64_t costs_to_share = 8192;
  for_each_index(uint64_t{sections} * run.islands, costs_to_share / (size + 1) + 1, [&](uint64_t at) {
    const auto island = at / sections;
    const auto begin = std::min<std::size_t>(at % sections * size, run.population);
    const auto count = std::min<std::size_t>(size, run.population - begin);
    const std::span<const Real> own = arguments.costs.subspan(island * run.population + begin, count);
    const auto limits = limits_of(own);
    arguments.section_limits[2 * at] = limits.least;
    arguments.section_limits[2 * at + 1] = limits.greatest;
    const auto place = count == 0 ? 0 : std::find(own.begin(), own.end(), limits.least) - own.begin();
    arguments.section_places[at] = static_cast<uint32_t>(begin) + static_cast<uint32_t>(place);
  });
}

template <class Element, class Real>
void run_summarise(const Range&, const operations::Summarise<Element, Real>& arguments) {
  if (is_stopped(arguments.marks, arguments.generation)) return;
  summarise_all<Element, Real>(arguments.population, arguments.costs, arguments.limits, arguments.best, arguments.marks,
                               arguments.numbers, arguments.settings[0], arguments.generation, arguments.section_limits,
                               arguments.sections);
}

template <class Real>
void run_extremes(const Range&, const operations::Extremes<Real>& arguments) {
  const Settings& run = arguments.settings[0];
  const auto& costs = arguments.costs;
  const uint32_t count = arguments.count;
  const bool reverse = *arguments.reverse != 0;
  std::vector<uint32_t> order(run.population);
  for (uint32_t island = 0; island < run.islands; ++island) {
    const auto begin = island * run.population;
    for (uint32_t i = 0; i < run.population; ++i) order[i] = begin + i;
    std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](uint32_t a, uint32_t b) {
      const auto before = std::tuple(costs[a], a) < std::tuple(costs[b], b);
      return reverse ? std::tuple(costs[b], b) < std::tuple(costs[a], a) : before;
    });
    std::copy_n(order.begin(), count,
                &arguments.places[std::size_t{(island + *arguments.shift) % run.islands} * count]);
  }
}

template <class Element, class Real>
void run_copy_individuals(const Range&, const operations::CopyIndividuals<Element, Real>& arguments) {
  const Settings& run = arguments.settings[0];
  if (is_stopped(arguments.marks, arguments.generation)) return;
  for (uint32_t i = 0; i < *arguments.count; ++i) {
    const auto from = arguments.from_places[i];
    const auto to = arguments.to_places[i];
    std::copy_n(&arguments.from_population[uint64_t{from} * run.row], run.row,
                &arguments.to_population[uint64_t{to} * run.row]);
    arguments.to_costs[to] = arguments.from_costs[from];
  }
}

}  // namespace

#define ALL_KINDS(function)                                                               \
  {                                                                                       \
    function<uint32_t, float>, function<uint32_t, double>, function<std::int32_t, float>, \
        function<std::int32_t, double>, function<float, float>, function<double, double>  \
  }

const Twin select_parents{run_select_parents<float>, run_select_parents<double>};
const Twin sum_section_weights{run_sum_section_weights<float>, run_sum_section_weights<double>};
const Twin walk_wheel{run_walk_wheel<float>, run_walk_wheel<double>};
const Twin find_section_limits{run_find_section_limits<float>, run_find_section_limits<double>};
const Twin extremes{run_extremes<float>, run_extremes<double>};
const Twin summarise ALL_KINDS(run_summarise);
const Twin copy_individuals ALL_KINDS(run_copy_individuals);

#undef ALL_KINDS

}  // namespace clopt::openmp::genetic
