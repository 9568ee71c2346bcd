// Each generation has the tours of the one before, made shorter: their segments on the device, and what segments do not
// see, moves between them, on the host.
#include <shared/genetic/tour_segment.h>
#include <clopt/error.hpp>
#include <run/pacing.hpp>
#include <support/stopwatch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <genetic/problems/places.hpp>
#include <genetic/problems/start_tour.hpp>
#include "launcher.hpp"

namespace clopt::genetic {
namespace {

// A launch reads its segments first, which takes as long as some steps.
constexpr double first_steps = 64;
constexpr double least_steps = 16;
constexpr double seconds_of_steps = 0.05;
// Work-items that read a segment together.
constexpr std::uint32_t group_size = 32;

template <class Real>
class SegmentsLauncher : public Launcher<std::uint32_t, Real> {
 public:
  SegmentsLauncher(const Builder& builder, Work<std::uint32_t, Real>& work, Stages<std::uint32_t, Real>& stages)
      : work_(work),
        stages_(stages),
        objective_(builder.objective),
        segments_(work.individuals * shared::genetic_segments(work.settings.genes)),
        is_local_(fits_local_memory(builder.device)),
        place_(builder.device.kernel<operations::PlaceCities>(builder.without_objective())),
        iterate_(builder.device.kernel<operations::Iterate<Real>>(program(builder, is_local_))),
        places_(builder.device.buffer<std::uint32_t>("places of cities", work.individuals * work.settings.genes)),
        coordinates_(
            builder.device.buffer<Real>("coordinates of segments", is_local_ ? 1 : segments_ * 2 * GENETIC_SEGMENT)),
        words_(builder.device.buffer<std::uint16_t>("segments of tours",
                                                    is_local_ ? 1 : segments_ * GENETIC_SEGMENT_WORDS)),
        whole_(objective_.table_values(), work.settings.genes) {}

  void advance(std::uint64_t from, std::uint64_t to) override {
    for (std::uint64_t n = 0; from < to; ++n) {
      improve(++from);
      if (work_.keeps_costs) work_.keep_costs(from, n);
      work_.complete = from;
    }
  }
  std::uint32_t individuals_per_group() const override { return 1; }
  std::optional<StartTour> left() override { return std::exchange(left_, std::nullopt); }

 private:
  static bool fits_local_memory(const Device& device) {
    if (!device.has_long_loops())
      throw InvalidInput(fmt::format("{} ends long loops early, which the search of segments has; take another device",
                                     device.info().id));
    return device.info().local_memory_bytes >=
           2 * GENETIC_SEGMENT * sizeof(Real) + GENETIC_SEGMENT_WORDS * sizeof(std::uint16_t);
  }
  static Program program(const Builder& builder, bool is_local) {
    auto program = builder.without_objective();
    if (is_local) program.defines.set("GENETIC_SEGMENTS_LOCAL", 1U);
    return program;
  }

  void improve(std::uint64_t generation) {
    try {
      improve_all(generation);
    } catch (const Cancelled&) {
      keep_shortest(generation);
      throw;
    }
  }

  void improve_all(std::uint64_t generation) {
    auto& queue = *work_.queue;
    const auto& b = work_.buffers;
    queue.copy(b.populations[(generation + 1) % 2], b.populations[generation % 2], b.populations[0].size());
    for (std::uint64_t first = 0; first < GENETIC_SEGMENT_STEPS;) {
      work_.between_launches();
      const auto end = std::min<std::uint64_t>(first + pacing_.steps(), GENETIC_SEGMENT_STEPS);
      const Stopwatch stopwatch;
      launch(generation, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end));
      queue.finish();
      pacing_.aim_at(seconds_of_steps, end - first, stopwatch.seconds());
      first = end;
    }
    for (std::uint64_t tour = 0; tour < work_.individuals; ++tour) search_whole(generation, tour);
    stages_.summary.launch(generation);
  }

  void launch(std::uint64_t generation, std::uint32_t first, std::uint32_t end) {
    const auto& b = work_.buffers;
    const auto& population = b.populations[generation % 2];
    work_.queue->launch(place_, Range::of_items(places_.size()),
                        {.population = population,
                         .places = places_,
                         .count = static_cast<std::uint32_t>(places_.size()),
                         .genes = work_.settings.genes});
    // In global memory, work-items of one group would wait for each other.
    work_.queue->launch(iterate_, Range::of_groups(segments_, is_local_ ? group_size : 1),
                        {.population = population,
                         .places = places_,
                         .tables = b.tables,
                         .coordinates = coordinates_,
                         .words = words_,
                         .marks = b.marks,
                         .settings = b.settings,
                         .generation = static_cast<std::uint32_t>(generation),
                         .first = first,
                         .end = end});
  }

  // Between launches each tour is whole, and no longer than that of the generation before.
  void keep_shortest(std::uint64_t generation) {
    for (std::uint64_t tour = 0; tour < work_.individuals; ++tour) {
      cities_.resize(work_.settings.genes);
      work_.queue->read(work_.buffers.populations[generation % 2], std::span(cities_), tour * work_.settings.row);
      const auto length = tour_length(objective_, cities_);
      if (!left_ || length < left_->length) left_ = StartTour{cities_, length};
    }
  }

  void search_whole(std::uint64_t generation, std::uint64_t tour) {
    auto& queue = *work_.queue;
    const auto& b = work_.buffers;
    cities_.resize(work_.settings.genes);
    const auto at = tour * work_.settings.row;
    queue.read(b.populations[generation % 2], std::span(cities_), at);
    whole_.shorten(cities_, [&] { work_.between_launches(); });
    queue.write(b.populations[generation % 2], std::span<const std::uint32_t>(cities_), at);
    const auto cost = static_cast<Real>(tour_length(objective_, cities_));
    queue.write(b.costs[generation % 2], std::span<const Real>(&cost, 1), tour);
    queue.finish();
  }

  Work<std::uint32_t, Real>& work_;
  Stages<std::uint32_t, Real>& stages_;
  const Objective& objective_;
  std::uint64_t segments_;  ///< of all tours
  bool is_local_;           ///< whether a work-group has its segment in local memory
  Kernel<operations::PlaceCities> place_;
  Kernel<operations::Iterate<Real>> iterate_;
  Buffer<std::uint32_t> places_;
  Buffer<Real> coordinates_;
  Buffer<std::uint16_t> words_;
  WholeTourSearch whole_;
  std::vector<std::uint32_t> cities_;
  std::optional<StartTour> left_;
  Pacing pacing_{first_steps, least_steps, GENETIC_SEGMENT_STEPS};
};

}  // namespace

template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_segments(const Builder& builder, Work<Element, Real>& work,
                                                         Stages<Element, Real>& stages) {
  if constexpr (std::is_same_v<Element, std::uint32_t>)
    return std::make_unique<SegmentsLauncher<Real>>(builder, work, stages);
  else
    throw InternalError("only tours have segments");
}

#define CLOPT_SEGMENTS(Element, Real)                                                                     \
  template std::unique_ptr<Launcher<Element, Real>> launch_segments(const Builder&, Work<Element, Real>&, \
                                                                    Stages<Element, Real>&)
CLOPT_GENETIC_TYPES(CLOPT_SEGMENTS);
#undef CLOPT_SEGMENTS

}  // namespace clopt::genetic
