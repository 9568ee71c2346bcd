#include "improvement.hpp"

#include <shared/genetic/two_opt.h>
#include <genetic/problems/permutation_objectives.hpp>
#include <genetic/problems/start_tour.hpp>
#include <support/stopwatch.hpp>

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace clopt::genetic {
namespace {

// Of loops that a device without long loops leaves a kernel, less than the probe of it finds.
constexpr std::uint32_t safe_rounds = 45000;
// Of the first launch: some 20 ms by one work-item of a GPU, and by a processor that has 32 tours a core.
constexpr double first_rounds = 20000;
constexpr std::uint64_t first_tours_of_unit = 32;
constexpr double seconds_of_launch = 0.05;

std::uint32_t most_rounds(const Device& device, std::uint32_t cities) {
  if (device.has_long_loops()) return std::uint32_t{1} << 30;
  // The launch's other loops go over the cities.
  const auto others = 2 * cities + cities / 32 + shared::genetic_most_visit_rounds(cities);
  return safe_rounds > others ? safe_rounds - others : 1;
}

std::optional<std::uint32_t> anchor_in(const Builder& builder, std::uint32_t cities, bool improves) {
  if (!improves || !is_directed_tour(builder.objective, cities)) return std::nullopt;
  // The moves are loops within loops, of which such a device counts more than there are.
  if (!builder.device.has_long_loops())
    throw InvalidInput(
        fmt::format("{} ends long loops early, which the local search of open and asymmetric tours has; take another "
                    "device, or give `improve` none",
                    builder.device.info().id));
  return anchor_of(builder.objective, cities).value_or(cities);
}

Pacing first_pace(const Device& device, std::uint64_t tours, std::uint32_t cities) {
  const auto units = std::max<std::uint64_t>(1, device.info().compute_units);
  const auto tours_of_unit = std::max(first_tours_of_unit, (tours + units - 1) / units);
  return Pacing(first_rounds * static_cast<double>(first_tours_of_unit) / static_cast<double>(tours_of_unit), 1,
                most_rounds(device, cities));
}

}  // namespace

template <class Element, class Real>
Improvement<Element, Real>::Improvement(const Builder& builder, Work<Element, Real>& work)
    : work_(work),
      anchor_(anchor_in(builder, work.settings.genes, work.improves)),
      pacing_(first_pace(builder.device, work.individuals, work.settings.genes)) {
  if (!work.improves) return;
  if (anchor_)
    directed_kernel_ = builder.device.kernel<operations::ImproveDirected<Real>>(builder.without_objective());
  else
    kernel_ = builder.device.kernel<operations::Improve<Real>>(builder.without_objective());
  const auto words = std::uint64_t{shared::genetic_tour_words(work.settings.genes, anchor_ ? 1 : 0)};
  scratch_ = builder.device.buffer<std::uint32_t>("places of cities", work.individuals * words);
  unfinished_ = zeroed_buffer<std::uint32_t>(builder.device, *work.queue, "tours with moves left", 1);
}

template <class Element, class Real>
void Improvement<Element, Real>::launch(std::uint64_t generation, bool all) {
  if constexpr (std::is_same_v<Element, std::uint32_t>) {
    if (!work_.improves) return;
    // Before a generation is improved not much of it is lost.
    if (!all) work_.between_launches();
    work_.queue->finish();
    auto unfinished = launch_piece(generation, all, work_.individuals, true);
    while (unfinished != 0) {
      work_.between_launches();
      unfinished = launch_piece(generation, all, unfinished, false);
    }
  }
}

template <class Element, class Real>
std::uint64_t Improvement<Element, Real>::launch_piece(std::uint64_t generation, bool all, std::uint64_t unfinished,
                                                       bool begins) {
  if constexpr (std::is_same_v<Element, std::uint32_t>) {
    const auto& b = work_.buffers;
    auto& queue = *work_.queue;
    const Stopwatch stopwatch;
    const auto rounds = pacing_.steps();
    const auto bred = std::uint64_t{shared::genetic_bred(work_.settings)} * work_.settings.islands;
    const auto range = Range::of_items(all ? work_.individuals : bred);
    const operations::Improve<Real> arguments{.population = b.populations[generation % 2],
                                              .costs = b.costs[generation % 2],
                                              .tables = b.tables,
                                              .scratch = scratch_,
                                              .unfinished = unfinished_,
                                              .marks = b.marks,
                                              .settings = b.settings,
                                              .generation = static_cast<std::uint32_t>(generation),
                                              .all = std::uint32_t{all},
                                              .begins = std::uint32_t{begins},
                                              .most = static_cast<std::uint32_t>(rounds)};
    if (anchor_)
      queue.launch(directed_kernel_, range,
                   {.population = arguments.population,
                    .costs = arguments.costs,
                    .tables = arguments.tables,
                    .scratch = arguments.scratch,
                    .unfinished = arguments.unfinished,
                    .marks = arguments.marks,
                    .settings = arguments.settings,
                    .generation = arguments.generation,
                    .all = arguments.all,
                    .begins = arguments.begins,
                    .most = arguments.most,
                    .anchor = *anchor_});
    else
      queue.launch(kernel_, range, arguments);
    std::uint32_t left = 0;
    queue.read(unfinished_, std::span(&left, 1));
    // Where most tours were done before their rounds were, the time says little.
    if (std::uint64_t{2} * left >= unfinished) pacing_.aim_at(seconds_of_launch, rounds, stopwatch.seconds());
    constexpr std::uint32_t none = 0;
    if (left != 0) queue.write(unfinished_, std::span(&none, 1));
    return left;
  } else {
    return 0;
  }
}

#define CLOPT_IMPROVEMENT(Element, Real) template class Improvement<Element, Real>
CLOPT_GENETIC_TYPES(CLOPT_IMPROVEMENT);
#undef CLOPT_IMPROVEMENT

}  // namespace clopt::genetic
