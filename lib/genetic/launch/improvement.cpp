#include "improvement.hpp"

#include <shared/genetic/two_opt.h>

#include <limits>
#include <type_traits>

namespace clopt::genetic {
namespace {

// Rounds of loops that a device without long loops leaves a kernel, less than the probe of it finds; and those for a
// city: two lists of near ones for 2-opt, two for each length of Or-opt.
constexpr std::uint32_t safe_rounds = 30000;
constexpr std::uint32_t rounds_of_city = 2 * GENETIC_NEAR * (1 + GENETIC_LONGEST_MOVED);

}  // namespace

template <class Element, class Real>
Improvement<Element, Real>::Improvement(const Builder& builder, Work<Element, Real>& work) : work_(work) {
  if (!work.improves) return;
  kernel_ = builder.device.kernel<operations::Improve<Real>>(builder.without_objective());
  const auto words = std::uint64_t{shared::genetic_tour_words(work.settings.genes)};
  scratch_ = builder.device.buffer<std::uint32_t>("places of cities", work.individuals * words);
  unfinished_ = zeroed_buffer<std::uint32_t>(builder.device, *work.queue, "tours with moves left", 1);
  in_one_launch_ = builder.device.has_long_loops();
  // A move turns around half of the tour at most, three times.
  most_ = in_one_launch_ ? std::numeric_limits<std::uint32_t>::max()
                         : std::max(1U, safe_rounds / (rounds_of_city + 3 * work.settings.genes / 2));
}

template <class Element, class Real>
void Improvement<Element, Real>::launch(std::uint64_t generation, bool all) const {
  if constexpr (std::is_same_v<Element, std::uint32_t>) {
    if (!work_.improves) return;
    const auto& settings = work_.settings;
    const auto& b = work_.buffers;
    auto& queue = *work_.queue;
    const auto tours = all ? work_.individuals : std::uint64_t{shared::genetic_bred(settings)} * settings.islands;
    for (std::uint32_t begins = 1;; begins = 0) {
      queue.launch(kernel_, Range::of_items(tours),
                   {.population = b.populations[generation % 2],
                    .costs = b.costs[generation % 2],
                    .tables = b.tables,
                    .scratch = scratch_,
                    .unfinished = unfinished_,
                    .marks = b.marks,
                    .settings = b.settings,
                    .generation = static_cast<std::uint32_t>(generation),
                    .all = std::uint32_t{all},
                    .begins = begins,
                    .most = most_});
      if (in_one_launch_) return;
      std::uint32_t unfinished = 0;
      queue.read(unfinished_, std::span(&unfinished, 1));
      if (unfinished == 0) return;
      unfinished = 0;
      queue.write(unfinished_, std::span<const std::uint32_t>(&unfinished, 1));
    }
  }
}

#define CLOPT_IMPROVEMENT(Element, Real) template class Improvement<Element, Real>
CLOPT_GENETIC_TYPES(CLOPT_IMPROVEMENT);
#undef CLOPT_IMPROVEMENT

}  // namespace clopt::genetic
