#include "generation_stages.hpp"

#include <clopt/error.hpp>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <vector>

#include "offload.hpp"

namespace clopt::genetic {
namespace {

constexpr std::uint32_t most_sections = 512;
// Of launches that evaluate, where the objective may be costly.
constexpr double seconds_of_piece = 0.05;
constexpr double most_growth = 64;

}  // namespace

template <class Element, class Real>
Unpacking<Element, Real>::Unpacking(const Builder& builder, Work<Element, Real>& work) : work_(work) {
  if (!work.plan.unpacks) return;
  unpack_ = builder.device.kernel<operations::Unpack>(builder.without_objective());
  pack_ = builder.device.kernel<operations::Pack>(builder.without_objective());
}

template <class Element, class Real>
void Unpacking<Element, Real>::unpack(std::uint64_t generation) const {
  // Only bits, which are words, are packed.
  if constexpr (std::is_same_v<Element, std::uint32_t>) {
    if (!work_.plan.unpacks) return;
    const auto& genes = work_.gene_populations[generation % 2];
    work_.queue->launch(
        unpack_, Range::of_items(genes.size()),
        {.population = work_.buffers.populations[generation % 2], .genes = genes, .settings = work_.buffers.settings});
  }
}

template <class Element, class Real>
void Unpacking<Element, Real>::pack(std::uint64_t generation) const {
  if constexpr (std::is_same_v<Element, std::uint32_t>) {
    if (!work_.plan.unpacks) return;
    const auto& population = work_.buffers.populations[generation % 2];
    work_.queue->launch(pack_, Range::of_items(population.size()),
                        {.genes = work_.gene_populations[generation % 2],
                         .population = population,
                         .marks = work_.buffers.marks,
                         .settings = work_.buffers.settings,
                         .generation = static_cast<std::uint32_t>(generation)});
  }
}

template <class Element, class Real>
Evaluation<Element, Real>::Evaluation(const Builder& builder, Work<Element, Real>& work, std::optional<Team> team)
    : work_(work),
      may_be_costly_(!builder.objective.is_builtin() && !builder.objective.is_batch_function()),
      pacing_(std::max(1U, builder.device.info().compute_units)),
      kernel_(builder.build<operations::Evaluate<Element, Real>>(team ? builder.of_team(*team) : builder.of_any_run())),
      shape_(shape_of(team.value_or(Team::group), builder.options, kernel_, work.settings)) {}

template <class Element, class Real>
void Evaluation<Element, Real>::launch(std::uint64_t generation) {
  const auto& settings = work_.settings;
  const auto elites = generation == 0 ? 0 : std::uint64_t{settings.elites} * settings.islands;
  const auto bred = work_.individuals - elites;
  if (!offload_ || generation == 0) return launch(generation, bred, generation);
  offload_->evaluate(generation, bred);
  evaluated_ = bred;
}

template <class Element, class Real>
void Evaluation<Element, Real>::launch_all(std::uint64_t generation) {
  // To the kernel a generation that is drawn is the first one.
  launch(generation, work_.individuals, 0);
}

template <class Element, class Real>
void Evaluation<Element, Real>::launch(std::uint64_t generation, std::uint64_t individuals,
                                       std::uint64_t reported_generation) {
  evaluated_ = 0;
  if (!may_be_costly_) {
    launch_piece(generation, 0, individuals, reported_generation);
    evaluated_ = individuals;
    return;
  }
  work_.queue->finish();
  for (;;) {
    const auto count = std::min(individuals - evaluated_, pacing_.steps());
    const Stopwatch stopwatch;
    launch_piece(generation, evaluated_, evaluated_ + count, reported_generation);
    evaluated_ += count;
    work_.queue->finish();
    seconds_each_ = stopwatch.seconds() / static_cast<double>(count);
    // A few individuals take no longer than one, so that it may be many more.
    pacing_.set(std::min(seconds_of_piece / seconds_each_, most_growth * static_cast<double>(count)));
    if (evaluated_ == individuals) return;
    work_.between_launches();
  }
}

template <class Element, class Real>
Event Evaluation<Element, Real>::launch_piece(std::uint64_t generation, std::uint64_t first, std::uint64_t end,
                                              std::uint64_t reported_generation) {
  const auto& b = work_.buffers;
  return work_.queue->launch(kernel_, shape_.range(end - first),
                             {.population = work_.gene_populations[generation % 2],
                              .costs = b.costs[generation % 2],
                              .tables = b.tables,
                              .marks = b.marks,
                              .settings = work_.gene_settings,
                              .generation = static_cast<std::uint32_t>(reported_generation),
                              .teams = shape_.teams,
                              .first = static_cast<std::uint32_t>(first),
                              .end = static_cast<std::uint32_t>(end)});
}

template <class Element, class Real>
WheelSections<Element, Real>::WheelSections(const Builder& builder, Work<Element, Real>& work)
    : work_(work), exist_(has_sections(work.settings)) {
  if (exist_) kernel_ = builder.device.kernel<operations::SumSectionWeights<Real>>();
}

template <class Element, class Real>
void WheelSections<Element, Real>::launch(std::uint64_t generation) const {
  if (!exist_) return;
  const auto& b = work_.buffers;
  work_.queue->launch(
      kernel_,
      Range::of_groups(std::uint64_t{work_.settings.islands} * GENETIC_SECTIONS(work_.settings), group_of(kernel_)),
      {.costs = b.costs[(generation + 1) % 2],
       .limits = b.limits,
       .sections = b.sections,
       .marks = b.marks,
       .settings = b.settings,
       .generation = static_cast<std::uint32_t>(generation)});
}

template <class Element, class Real>
ParentSelection<Element, Real>::ParentSelection(const Builder& builder, Work<Element, Real>& work) : work_(work) {
  const auto& settings = work.settings;
  const auto program = builder.without_objective();
  if (settings.selection != GENETIC_ROULETTE_WALK || settings.population > GENETIC_SECTION ||
      builder.granularity == Granularity::fused) {
    kernel_ = builder.device.kernel<operations::SelectParents<Real>>(program);
    return;
  }
  // As the thesis has it: an individual a work-item, or a single sub-group for all (section 4.2).
  walk_ = builder.device.kernel<operations::WalkWheel<Real>>(program);
  const auto asked = builder.options.group_size != 0 ? builder.options.group_size : settings.population;
  walk_group_ = std::min({builder.granularity == Granularity::subgroup ? builder.device.subgroup().size : asked, asked,
                          walk_.max_group_size()});
}

template <class Element, class Real>
void ParentSelection<Element, Real>::launch(std::uint64_t generation, const WheelSections<Element, Real>& wheel) const {
  const auto& b = work_.buffers;
  if (walk_) {
    work_.queue->launch(walk_, Range::of_groups(work_.settings.islands, walk_group_),
                        {.costs = b.costs[(generation + 1) % 2],
                         .limits = b.limits,
                         .sections = b.sections,
                         .parents = b.parents,
                         .marks = b.marks,
                         .settings = b.settings,
                         .generation = static_cast<std::uint32_t>(generation)});
    return;
  }
  wheel.launch(generation);
  work_.queue->launch(kernel_, Range::of_items(work_.pairs),
                      {.costs = b.costs[(generation + 1) % 2],
                       .limits = b.limits,
                       .sections = b.sections,
                       .parents = b.parents,
                       .marks = b.marks,
                       .settings = b.settings,
                       .generation = static_cast<std::uint32_t>(generation),
                       .has_sections = std::uint32_t{has_sections(work_.settings)}});
}

template <class Element, class Real>
Replacement<Element, Real>::Replacement(const Builder& builder, Work<Element, Real>& work) : work_(work) {
  const auto& settings = work.settings;
  if (work.breeds_all()) return;
  extremes_ = builder.device.kernel<operations::Extremes<Real>>();
  copy_ = builder.device.kernel<operations::CopyIndividuals<Element, Real>>();
  const auto places = std::size_t{settings.islands} * std::max(settings.elites, work.migrants);
  best_places_ = zeroed_buffer<std::uint32_t>(builder.device, *work.queue, "places of the best", places);
  worst_places_ = zeroed_buffer<std::uint32_t>(builder.device, *work.queue, "places of the worst", places);
  elite_places_ = builder.device.buffer<std::uint32_t>(
      "places of elites", std::max<std::size_t>(1, std::size_t{settings.islands} * settings.elites));
  std::vector<std::uint32_t> elites;
  for (std::uint32_t island = 0; island < settings.islands; ++island)
    for (std::uint32_t i = 0; i < settings.elites; ++i)
      elites.push_back(island * settings.population + settings.population - settings.elites + i);
  work.queue->write(elite_places_, std::span<const std::uint32_t>(elites));
  if (settings.islands == work.plan.whole_islands || work.migrate_every == 0) return;
  passage_.rows =
      zeroed_buffer<Element>(builder.device, *work.queue, "migrants", std::size_t{work.migrants} * settings.row);
  passage_.costs = zeroed_buffer<Real>(builder.device, *work.queue, "costs of migrants", work.migrants);
  passage_.places = builder.device.buffer<std::uint32_t>("places of migrants", work.migrants);
  std::vector<std::uint32_t> numbers(work.migrants);
  std::iota(numbers.begin(), numbers.end(), 0U);
  work.queue->write(passage_.places, std::span<const std::uint32_t>(numbers));
}

template <class Element, class Real>
void Replacement<Element, Real>::copy(std::uint64_t from, const Buffer<std::uint32_t>& from_places, std::uint64_t to,
                                      const Buffer<std::uint32_t>& to_places, std::uint64_t generation,
                                      std::uint32_t count) const {
  const auto& b = work_.buffers;
  work_.queue->launch(copy_, Range::of_items(std::uint64_t{count} * work_.settings.row),
                      {.from_population = b.populations[from % 2],
                       .from_costs = b.costs[from % 2],
                       .from_places = from_places,
                       .to_population = b.populations[to % 2],
                       .to_costs = b.costs[to % 2],
                       .to_places = to_places,
                       .settings = b.settings,
                       .marks = b.marks,
                       .generation = static_cast<std::uint32_t>(generation),
                       .count = count});
}

template <class Element, class Real>
void Replacement<Element, Real>::keep_elites(std::uint64_t generation) const {
  const auto& settings = work_.settings;
  if (settings.elites == 0) return;
  work_.queue->launch(extremes_, Range::of_groups(settings.islands, group_of(extremes_)),
                      {.costs = work_.buffers.costs[(generation + 1) % 2],
                       .places = best_places_,
                       .settings = work_.buffers.settings,
                       .count = settings.elites,
                       .reverse = 0U,
                       .shift = 0U});
  copy(generation + 1, best_places_, generation, elite_places_, generation, settings.elites * settings.islands);
}

template <class Element, class Real>
void Replacement<Element, Real>::migrate(std::uint64_t generation) const {
  const auto& settings = work_.settings;
  if (work_.migrate_every == 0 || work_.plan.whole_islands < 2 || generation % work_.migrate_every != 0) return;
  const auto groups = Range::of_groups(settings.islands, group_of(extremes_));
  const auto& costs = work_.buffers.costs[generation % 2];
  const auto& settings_buffer = work_.buffers.settings;
  work_.queue->launch(extremes_, groups,
                      {.costs = costs,
                       .places = best_places_,
                       .settings = settings_buffer,
                       .count = work_.migrants,
                       .reverse = 0U,
                       .shift = 1U});
  work_.queue->launch(extremes_, groups,
                      {.costs = costs,
                       .places = worst_places_,
                       .settings = settings_buffer,
                       .count = work_.migrants,
                       .reverse = 1U,
                       .shift = 0U});
  copy(generation, best_places_, generation, worst_places_, generation, work_.migrants * settings.islands);
  if (work_.peers && passage_.rows) pass_on(generation);
}

// The ring of all islands leads from a run's last one to the first one of the next run; what the last one has given to
// the own first one is overwritten.
template <class Element, class Real>
void Replacement<Element, Real>::pass_on(std::uint64_t generation) const {
  const auto& b = work_.buffers;
  auto& queue = *work_.queue;
  const auto copy_range = Range::of_items(std::uint64_t{work_.migrants} * work_.settings.row);
  const auto at = generation % 2;
  queue.launch(copy_, copy_range,
               {.from_population = b.populations[at],
                .from_costs = b.costs[at],
                .from_places = best_places_,
                .to_population = passage_.rows,
                .to_costs = passage_.costs,
                .to_places = passage_.places,
                .settings = b.settings,
                .marks = b.marks,
                .generation = static_cast<std::uint32_t>(generation),
                .count = work_.migrants});
  const auto own_rows = queue.read_all(passage_.rows);
  const auto own_costs = queue.read_all(passage_.costs);
  const auto come = work_.peers->pass_on(encode(own_rows, own_costs));
  ByteReader message(come);
  const auto rows = message.take<std::vector<Element>>();
  const auto costs = message.take<std::vector<Real>>();
  if (rows.size() != own_rows.size() || costs.size() != own_costs.size())
    throw InternalError("genetic: another rank has sent other migrants than there are; please report it");
  queue.write(passage_.rows, std::span<const Element>(rows));
  queue.write(passage_.costs, std::span<const Real>(costs));
  queue.launch(copy_, copy_range,
               {.from_population = passage_.rows,
                .from_costs = passage_.costs,
                .from_places = passage_.places,
                .to_population = b.populations[at],
                .to_costs = b.costs[at],
                .to_places = worst_places_,
                .settings = b.settings,
                .marks = b.marks,
                .generation = static_cast<std::uint32_t>(generation),
                .count = work_.migrants});
}

template <class Element, class Real>
Summary<Element, Real>::Summary(const Builder& builder, Work<Element, Real>& work)
    : work_(work),
      summarise_(builder.device.kernel<operations::Summarise<Element, Real>>(builder.without_objective())) {
  const auto& settings = work.settings;
  if (settings.population > most_without_section_limits) {
    find_section_limits_ = builder.device.kernel<operations::FindSectionLimits<Real>>();
    sections_ = std::min(most_sections, settings.population / (most_without_section_limits / 8));
  }
  const auto count = std::size_t{settings.islands} * std::max(1U, sections_);
  section_limits_ = builder.device.buffer<Real>("limits of sections", 2 * count);
  section_places_ = zeroed_buffer<std::uint32_t>(builder.device, *work.queue, "places of sections", count);
}

template <class Element, class Real>
void Summary<Element, Real>::launch(std::uint64_t generation) const {
  const auto& settings = work_.settings;
  const auto& b = work_.buffers;
  const auto& costs = b.costs[generation % 2];
  if (sections_ != 0)
    work_.queue->launch(find_section_limits_,
                        Range::of_groups(std::uint64_t{settings.islands} * sections_, group_of(find_section_limits_)),
                        {.costs = costs,
                         .section_limits = section_limits_,
                         .section_places = section_places_,
                         .settings = b.settings,
                         .sections = sections_});
  work_.queue->launch(summarise_, Range::of_groups(settings.islands, group_of(summarise_)),
                      {.population = b.populations[generation % 2],
                       .costs = costs,
                       .limits = b.limits,
                       .best = b.best,
                       .marks = b.marks,
                       .numbers = b.numbers,
                       .section_limits = section_limits_,
                       .section_places = section_places_,
                       .settings = b.settings,
                       .generation = static_cast<std::uint32_t>(generation),
                       .sections = sections_});
}

#define CLOPT_STAGES(Element, Real)              \
  template class Unpacking<Element, Real>;       \
  template class Evaluation<Element, Real>;      \
  template class WheelSections<Element, Real>;   \
  template class ParentSelection<Element, Real>; \
  template class Replacement<Element, Real>;     \
  template class Summary<Element, Real>
CLOPT_GENETIC_TYPES(CLOPT_STAGES);
#undef CLOPT_STAGES

}  // namespace clopt::genetic
