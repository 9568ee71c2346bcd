#include "engine.hpp"

#include "local_groups.hpp"

#include <clopt/error.hpp>

#include <limits>
#include <utility>

namespace clopt::genetic {
namespace {

// A generation in the local memory of one work-group must need nothing from other work-groups, and no wheel with
// sections.
bool fits_local_memory(const Device& device, const Plan& plan, const Options& options) {
  const auto& settings = plan.settings;
  if (settings.elites != 0 || options.migrate_every != 0 || options.measure_stages || plan.improves) return false;
  if (settings.selection == GENETIC_ROULETTE_WALK) return false;
  if (settings.islands > 1 && (settings.has_target != 0 || plan.host_watches_stagnation)) return false;
  if (device.info().launches_are_calls) return true;
  const auto permutations =
      settings.kind == GENETIC_PERMUTATION ? std::uint64_t{settings.population} * ((settings.genes + 31) / 32) : 0;
  const auto element = settings.kind == GENETIC_REALS && plan.double_precision ? sizeof(double) : sizeof(float);
  const auto real = plan.double_precision ? sizeof(double) : sizeof(float);
  const auto bytes =
      std::uint64_t{2} * settings.population * (settings.row * element + real) + permutations * sizeof(std::uint32_t);
  return !has_sections(settings) && bytes + reserved_local_memory <= device.info().local_memory_bytes;
}

template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> make_launcher(Strategy strategy, const Builder& builder,
                                                       Work<Element, Real>& work, Stages<Element, Real>& stages) {
  switch (strategy) {
    case Strategy::stages: return launch_stages(builder, work, stages);
    case Strategy::teams: return launch_teams(builder, work, stages);
    case Strategy::local_island: return launch_local_island(builder, work, stages);
    case Strategy::segments: return launch_segments(builder, work, stages);
    case Strategy::local_pairs: break;
  }
  return launch_local_pairs(builder, work, stages);
}

}  // namespace

Strategy choose_strategy(const Device& device, const Plan& plan, const Options& options, Granularity granularity,
                         bool is_batch_function) {
  if (plan.iterates) return Strategy::segments;
  // One call evaluates a whole generation.
  if (is_batch_function) return Strategy::stages;
  const auto& info = device.info();
  if (granularity == Granularity::fused) {
    if (fits_local_memory(device, plan, options)) return Strategy::local_island;
    // llvmpipe, which also leaves long loops, makes wrong costs in the kernel of a whole generation; stages serve
    // there.
    if (device.has_long_loops() && !info.launches_are_calls && pairs_in_local_memory(device, plan.settings) != 0)
      return Strategy::local_pairs;
  }
  const bool is_staged = options.measure_stages || granularity == Granularity::gene || !device.has_long_loops();
  return is_staged ? Strategy::stages : Strategy::teams;
}

template <class Element, class Real>
Engine<Element, Real>::Engine(Device& device, const Problem& problem, const Options& options, const Plan& plan,
                              Granularity granularity)
    : Engine(Builder{device, problem.objective, options, plan, granularity},
             choose_strategy(device, plan, options, granularity, problem.objective.is_batch_function())) {}

template <class Element, class Real>
Engine<Element, Real>::Engine(const Builder& builder, Strategy strategy)
    : builder_(builder),
      divides_generations_(strategy == Strategy::stages || strategy == Strategy::segments),
      work_(builder.device, builder.objective, builder.options, builder.plan),
      start_(builder.build<operations::Start<Element, Real>>(builder.of_any_run())),
      stages_{{builder, work_},
              {builder, work_,
               strategy == Strategy::stages ? std::optional(team_of(builder.granularity, Stage::evaluation))
                                            : std::nullopt},
              {builder, work_},
              {builder, work_},
              {builder, work_},
              {builder, work_},
              StageClock(builder.options.measure_stages)},
      launcher_(make_launcher(strategy, builder, work_, stages_)) {}

template <class Element, class Real>
void Engine<Element, Real>::start(std::uint32_t given) {
  generation_ = 0;
  try {
    draw(given);
  } catch (const Cancelled&) {
    // A batch function has evaluated nothing.
    const auto evaluated = stages_.evaluation.evaluated();
    if (evaluated == 0) throw;
    const auto rest = work_.individuals - evaluated;
    if (rest != 0) work_.queue->fill(work_.buffers.costs[0], std::numeric_limits<Real>::infinity(), evaluated, rest);
    stages_.summary.launch(generation_);
    throw;
  }
}

template <class Element, class Real>
void Engine<Element, Real>::restart() {
  // What the summary compares with: any finite cost is the best since the restart.
  auto& queue = *work_.queue;
  const auto& settings = work_.settings;
  auto limits = queue.read_all(work_.buffers.limits);
  auto marks = queue.read_all(work_.buffers.marks);
  const auto limits_before = limits;
  const auto marks_before = marks;
  ++generation_;
  for (std::size_t island = 0; island < settings.islands; ++island) {
    limits[island * GENETIC_LIMITS + GENETIC_BEST] = std::numeric_limits<Real>::infinity();
    marks[GENETIC_MARKS + island * GENETIC_MARKS_EACH] = static_cast<std::uint32_t>(generation_);
  }
  queue.write(work_.buffers.limits, std::span<const Real>(limits));
  queue.write(work_.buffers.marks, std::span<const std::uint32_t>(marks));
  try {
    draw(0);
  } catch (const Cancelled&) {
    // The new population was left: the one before is still there.
    --generation_;
    queue.write(work_.buffers.limits, std::span<const Real>(limits_before));
    queue.write(work_.buffers.marks, std::span<const std::uint32_t>(marks_before));
    throw;
  }
  if (work_.keeps_costs) work_.keep_costs(generation_, 0);
}

template <class Element, class Real>
void Engine<Element, Real>::draw(std::uint32_t given) {
  const auto& settings = work_.settings;
  const auto& b = work_.buffers;
  const auto rest = work_.individuals - given;
  if (rest != 0)
    work_.queue->launch(start_, Range::of_items(settings.kind == GENETIC_PERMUTATION ? rest : rest * settings.units),
                        {.population = b.populations[generation_ % 2],
                         .numbers = b.numbers,
                         .settings = b.settings,
                         .generation = static_cast<std::uint32_t>(generation_),
                         .first = given});
  stages_.unpacking.unpack(generation_);
  stages_.evaluation.launch_all(generation_);
  stages_.improvement.launch_all(generation_);
  stages_.summary.launch(generation_);
}

template <class Element, class Real>
void Engine<Element, Real>::advance(std::uint64_t generation) {
  work_.complete = generation_;
  try {
    launcher_->advance(generation_, generation);
    generation_ = std::max(generation_, generation);
  } catch (const Cancelled&) {
    // A generation was left: those before it are whole.
    if (work_.complete == generation_) throw;
    generation_ = work_.complete;
  }
  work_.queue->flush();
}

template <class Element, class Real>
void Engine<Element, Real>::divide_generations() {
  if (std::exchange(divides_generations_, true)) return;
  launcher_ = launch_stages(builder_, work_, stages_);
}

template <class Element, class Real>
void Engine<Element, Real>::offload_to(std::span<const std::shared_ptr<Device>> others) {
  divide_generations();
  offload_ = std::make_unique<Offload<Element, Real>>(builder_, work_, stages_.evaluation, others);
  stages_.evaluation.offload_to(*offload_);
}

#define CLOPT_ENGINE(Element, Real) template class Engine<Element, Real>
CLOPT_GENETIC_TYPES(CLOPT_ENGINE);
#undef CLOPT_ENGINE

}  // namespace clopt::genetic
