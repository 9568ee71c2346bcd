// Many generations a launch: an island lives in the local memory of one work-group.
#include "launcher.hpp"
#include "local_groups.hpp"

namespace clopt::genetic {
namespace {

constexpr std::uint32_t largest_island_group = 1024;
// Bytes of random numbers drawn ahead. Each time more are drawn, breeding waits: on an H200 one launch of 2,000
// generations of 128 individuals of 1,024 bits, which take 82 MB, is quicker than four whose numbers stay in its cache.
constexpr std::uint64_t most_ahead = std::uint64_t{96} << 20;
// The part of a device's memory that they may take.
constexpr std::uint64_t least_part = 64;
// Generations of a launch, where nothing else bounds them.
constexpr std::uint32_t most_generations = 4096;
// Where loops may end early, and a watchdog ends long launches.
constexpr std::uint32_t few_generations = 16;

/// Random numbers of bits do not depend on the population: the whole device draws those of many generations for the
/// work-groups that breed.
class DrawnAhead {
 public:
  DrawnAhead(const Builder& builder, Queue& queue, const Settings& settings, std::uint64_t pairs, std::uint32_t most)
      : most_(most) {
    const bool draws = settings.kind == GENETIC_BITS && !builder.device.info().launches_are_calls;
    const auto tries = std::uint64_t{GENETIC_AHEAD_TRIES} * 4;
    const auto masks = shared::genetic_ahead_row(settings.units);
    if (draws) {
      kernel_ = builder.device.kernel<operations::DrawAhead>(builder.without_objective());
      const auto bytes = pairs * (tries * sizeof(std::uint32_t) + masks * sizeof(std::uint64_t));
      const auto room = std::min(most_ahead, builder.device.info().global_memory_bytes / least_part);
      most_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(room / bytes, 1, most));
    }
    const auto count = draws ? pairs * most_ : 0;
    tries_ = zeroed_buffer<std::uint32_t>(builder.device, queue, "tries drawn ahead",
                                          std::max<std::uint64_t>(count * tries, 1));
    masks_ = builder.device.buffer<std::uint64_t>("genes drawn ahead", std::max<std::uint64_t>(count * masks, 1));
  }

  /// Generations of a launch.
  std::uint32_t most() const { return most_; }
  const Buffer<std::uint32_t>& tries() const { return tries_; }
  const Buffer<std::uint64_t>& masks() const { return masks_; }

  /// Draws for \p count generations after \p generation.
  void launch(Queue& queue, const Buffer<Settings>& buffer, const Settings& settings, std::uint64_t pairs,
              std::uint64_t generation, std::uint64_t count) const {
    if (!kernel_) return;
    const auto slots = std::max(settings.units, GENETIC_AHEAD_TRIES);
    queue.launch(kernel_, Range::of_items(count * pairs * slots),
                 {.tries = tries_,
                  .masks = masks_,
                  .settings = buffer,
                  .generation = static_cast<std::uint32_t>(generation),
                  .count = static_cast<std::uint32_t>(count)});
  }

 private:
  std::uint32_t most_;
  Kernel<operations::DrawAhead> kernel_;
  Buffer<std::uint32_t> tries_;
  Buffer<std::uint64_t> masks_;
};

std::uint32_t most_at_once(const Device& device) {
  return device.has_long_loops() && !device.info().has_execution_timeout ? most_generations : few_generations;
}

template <class Element, class Real>
class LocalIslandLauncher : public Launcher<Element, Real> {
 public:
  LocalIslandLauncher(const Builder& builder, Work<Element, Real>& work, Stages<Element, Real>& stages)
      : work_(work),
        stages_(stages),
        ahead_(builder, *work.queue, work.settings, work.pairs, most_at_once(builder.device)) {
    const auto& info = builder.device.info();
    auto program = builder.of_stage(Stage::crossover);
    if (work.keeps_costs) program.defines.set("GENETIC_KEEPS_COSTS", 1U);
    const auto most_items = std::min(largest_island_group, info.max_work_group_size);
    if (is_shaped_first(builder)) {
      set_shape(builder.device.subgroup().size, most_items);
      shape_.fix(program);
    }
    kernel_ = builder.build<operations::Generations<Element, Real>>(program);
    if (!is_shaped_first(builder)) set_shape(kernel_.subgroup_size(), std::min(most_items, kernel_.max_group_size()));
  }

  void advance(std::uint64_t from, std::uint64_t to) override {
    for (std::uint64_t kept = 0; from < to;) {
      const auto count = std::min<std::uint64_t>(to - from, ahead_.most());
      ahead_.launch(*work_.queue, work_.buffers.settings, work_.settings, work_.pairs, from, count);
      breed(from, count, kept);
      from += count;
      kept += count;
      work_.complete = from;
    }
  }
  std::uint32_t individuals_per_group() const override { return stages_.evaluation.shape().teams; }

 private:
  void set_shape(std::uint32_t width, std::uint32_t most_items) {
    shape_.lanes = lanes_of_team(work_.settings, width, fewest_lanes);
    shape_.set_group(work_.settings.pairs, width, most_items);
  }

  void breed(std::uint64_t generation, std::uint64_t count, std::uint64_t kept) {
    const auto& settings = work_.settings;
    const auto& b = work_.buffers;
    const auto elements = std::size_t{2} * settings.population * settings.row;
    const auto words =
        settings.kind == GENETIC_PERMUTATION ? std::size_t{settings.population} * ((settings.genes + 31) / 32) : 1;
    work_.queue->launch(kernel_, Range::of_groups(settings.islands, shape_.group_size),
                        {.even = b.populations[0],
                         .odd = b.populations[1],
                         .even_costs = b.costs[0],
                         .odd_costs = b.costs[1],
                         .limits = b.limits,
                         .best = b.best,
                         .marks = b.marks,
                         .numbers = b.numbers,
                         .tables = b.tables,
                         .tries = ahead_.tries(),
                         .masks = ahead_.masks(),
                         .settings = b.settings,
                         .generation = static_cast<std::uint32_t>(generation),
                         .count = static_cast<std::uint32_t>(count),
                         .team_lanes = shape_.lanes,
                         .history = b.history,
                         .kept = static_cast<std::uint32_t>(kept),
                         .local_populations = Local<std::uint64_t>((elements * sizeof(Element) + 7) / 8),
                         .local_costs = Local<Real>(std::size_t{2} * settings.population),
                         .scratch = Local<std::uint32_t>(words)});
  }

  Work<Element, Real>& work_;
  Stages<Element, Real>& stages_;
  DrawnAhead ahead_;
  Kernel<operations::Generations<Element, Real>> kernel_;
  LaneShape shape_;
};

}  // namespace

template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_local_island(const Builder& builder, Work<Element, Real>& work,
                                                             Stages<Element, Real>& stages) {
  return std::make_unique<LocalIslandLauncher<Element, Real>>(builder, work, stages);
}

#define CLOPT_LOCAL_ISLAND(Element, Real)                                                                     \
  template std::unique_ptr<Launcher<Element, Real>> launch_local_island(const Builder&, Work<Element, Real>&, \
                                                                        Stages<Element, Real>&)
CLOPT_GENETIC_TYPES(CLOPT_LOCAL_ISLAND);
#undef CLOPT_LOCAL_ISLAND

}  // namespace clopt::genetic
