/// \file
/// Twins of kernels_cl/genetic/selection.cl and replacement.cl.
#include <openmp/twin.hpp>
#include "island.hpp"

#include <genetic/operations.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace clopt::openmp::genetic {
namespace {

namespace op = clopt::genetic;

template <class Real>
Implementation select_implementation() {
  return {op::select_parents<Real>,
          [](const Range&, std::span<const Real> costs, std::span<const Real> limits,
             std::span<const uint64_t> sections, std::span<uint32_t> parents, std::span<const uint32_t> marks,
             std::span<const Settings> settings, uint32_t generation, uint32_t has_sections) {
            const Settings& run = settings[0];
            if (is_stopped(marks, generation)) return;
            for_each_batch(run, [&](Batch batch, uint32_t island) {
              select_batch(wheel_of(costs, limits, sections, run, island, has_sections), run, generation, batch,
                           parents.data());
            });
          }};
}

template <class Real>
Implementation weigh_implementation() {
  return {op::weigh<Real>,
          [](const Range&, std::span<const Real> costs, std::span<const Real> limits, std::span<uint64_t> sections,
             std::span<const uint32_t>, std::span<const Settings> settings, uint32_t) {
            const Settings& run = settings[0];
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

template <class Real>
Implementation survey_implementation() {
  return {
      op::survey<Real>, [](const Range&, std::span<const Real> costs, std::span<Real> surveyed,
                           std::span<uint32_t> places, std::span<const Settings> settings, uint32_t sections) {
        const Settings& run = settings[0];
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

template <class Element, class Real>
Implementation summarise_implementation() {
  return {op::summarise<Element, Real>,
          [](const Range&, std::span<const Element> population, std::span<const Real> costs, std::span<Real> limits,
             std::span<Element> best, std::span<uint32_t> marks, std::span<const Real> numbers,
             std::span<const Real> surveyed, std::span<const uint32_t>, std::span<const Settings> settings,
             uint32_t generation, uint32_t sections) {
            const Settings& run = settings[0];
            if (!is_stopped(marks, generation))
              summarise_all<Element, Real>(population, costs, limits, best, marks, numbers, run, generation, surveyed,
                                           sections);
          }};
}

template <class Real>
Implementation extremes_implementation() {
  return {op::extremes<Real>, [](const Range&, std::span<const Real> costs, std::span<uint32_t> found,
                                 std::span<const Settings> settings, uint32_t count, uint32_t reverse, uint32_t shift) {
            const Settings& run = settings[0];
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
             std::span<const uint32_t> to, std::span<const Settings> settings, std::span<const uint32_t> marks,
             uint32_t generation, uint32_t count) {
            const Settings& run = settings[0];
            if (is_stopped(marks, generation)) return;
            for (uint32_t i = 0; i < count; ++i) {
              std::copy_n(&from_population[uint64_t{from[i]} * run.row], run.row,
                          &to_population[uint64_t{to[i]} * run.row]);
              to_costs[to[i]] = from_costs[from[i]];
            }
          }};
}

}  // namespace

#define ALL_KINDS(make)                                                                                           \
  {                                                                                                               \
    make<uint32_t, float>(), make<uint32_t, double>(), make<std::int32_t, float>(), make<std::int32_t, double>(), \
        make<float, float>(), make<double, double>()                                                              \
  }

const Twin select_parents{select_implementation<float>(), select_implementation<double>()};
const Twin weigh{weigh_implementation<float>(), weigh_implementation<double>()};
const Twin summarise ALL_KINDS(summarise_implementation);
const Twin survey{survey_implementation<float>(), survey_implementation<double>()};
const Twin extremes{extremes_implementation<float>(), extremes_implementation<double>()};
const Twin copy_individuals ALL_KINDS(copy_implementation);

#undef ALL_KINDS

}  // namespace clopt::openmp::genetic
