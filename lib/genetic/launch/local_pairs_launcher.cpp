// One launch a generation: a work-group breeds the children of its pairs in local memory.
#include "launcher.hpp"
#include "local_groups.hpp"

namespace clopt::genetic {
namespace {

constexpr std::uint32_t largest_pairs_group = 64;
// Of a work-item with bits and a built-in objective, so that as many work-groups fit on a compute unit as local memory
// has room for: more hide what each waits for.
constexpr std::uint32_t most_registers = 48;
// Work-groups that each compute unit is to have before work-groups take more pairs.
constexpr std::uint32_t groups_of_unit = 2;

template <class Element, class Real>
class LocalPairsLauncher : public Launcher<Element, Real> {
 public:
  LocalPairsLauncher(const Builder& builder, Work<Element, Real>& work, Stages<Element, Real>& stages)
      : work_(work), stages_(stages) {
    const auto& settings = work.settings;
    const auto& info = builder.device.info();
    auto program = builder.of_stage(Stage::crossover);
    const auto most_items = std::min(largest_pairs_group, info.max_work_group_size);
    // Where there are many pairs, selection has more use for work-items of its own.
    const bool selects_apart = !is_shaped_first(builder) || settings.kind != GENETIC_BITS ||
                               settings.selection != GENETIC_ROULETTE || stages.wheel.exist();
    summarises_ =
        work.breeds_all() && settings.population <= most_without_section_limits && settings.islands <= most_summed_up;
    if (summarises_) program.defines.set("GENETIC_SUMS_UP", 1U);
    if (selects_apart) {
      program.defines.set("GENETIC_CHOSEN", 1U);
      selection_ = std::make_unique<ParentSelection<Element, Real>>(builder, work);
    }
    if (is_shaped_first(builder)) {
      set_shape(builder.device, builder.device.subgroup().size, most_items);
      shape_.fix(program);
      if (settings.kind == GENETIC_BITS && builder.objective.is_builtin()) program.registers = most_registers;
    }
    kernel_ = builder.build<operations::Breed<Element, Real>>(program);
    if (!is_shaped_first(builder))
      set_shape(builder.device, kernel_.subgroup_size(), std::min(most_items, kernel_.max_group_size()));
    const auto count = std::size_t{settings.islands} * groups_of_island();
    section_limits_ = builder.device.buffer<Real>("limits of sections of the children's costs", 2 * count);
    section_places_ =
        zeroed_buffer<std::uint32_t>(builder.device, *work.queue, "places of sections of the children's costs", count);
  }

  void advance(std::uint64_t from, std::uint64_t to) override {
    for (std::uint64_t n = 0; from < to; ++n) {
      breed(++from);
      if (work_.keeps_costs) work_.keep_costs(from, n);
      work_.complete = from;
    }
  }
  std::uint32_t individuals_per_group() const override { return stages_.evaluation.shape().teams; }

 private:
  std::uint32_t groups_of_island() const { return (work_.settings.pairs + pairs_each_ - 1) / pairs_each_; }

  void set_shape(const Device& device, std::uint32_t width, std::uint32_t most_items) {
    shape_.lanes = lanes_of_team(work_.settings, width, selection_ ? 1 : fewest_lanes);
    // As many pairs as whole sub-groups take at once, or more where there are enough for the whole device.
    const auto together = std::max(1U, width / shape_.lanes);
    const auto share = work_.pairs / (std::uint64_t{device.info().compute_units} * groups_of_unit);
    const auto most_pairs = std::min(most_local_pairs, pairs_in_local_memory(device, work_.settings));
    pairs_each_ = static_cast<std::uint32_t>(std::min(std::max<std::uint64_t>(share, together), most_pairs));
    shape_.set_group(pairs_each_, width, most_items);
  }

  void breed(std::uint64_t generation) {
    auto& clock = stages_.clock;
    auto& queue = *work_.queue;
    clock.run(queue, Stage::selection, [&] {
      if (selection_) selection_->launch(generation, stages_.wheel);
    });
    clock.run(queue, Stage::crossover, [&] { launch(generation); });
    clock.run(queue, Stage::evaluation, [&] { stages_.improvement.launch(generation); });
    clock.run(queue, Stage::replacement, [&] {
      stages_.replacement.keep_elites(generation);
      stages_.replacement.migrate(generation);
      if (!summarises_) stages_.summary.launch(generation);
    });
  }

  void launch(std::uint64_t generation) {
    const auto& settings = work_.settings;
    const auto& b = work_.buffers;
    const auto from = (generation + 1) % 2;
    const auto to = generation % 2;
    const std::uint64_t pairs = settings.kind == GENETIC_BITS ? pairs_each_ : 1;
    const std::uint64_t units = settings.kind == GENETIC_BITS ? settings.units : 1;
    work_.queue->launch(kernel_,
                        Range::of_groups(std::uint64_t{settings.islands} * groups_of_island(), shape_.group_size),
                        {.population = b.populations[from],
                         .children = b.populations[to],
                         .costs = b.costs[from],
                         .child_costs = b.costs[to],
                         .limits = b.limits,
                         .parents = b.parents,
                         .best = b.best,
                         .marks = b.marks,
                         .numbers = b.numbers,
                         .tables = b.tables,
                         .section_limits = section_limits_,
                         .section_places = section_places_,
                         .scratch = b.scratch,
                         .settings = b.settings,
                         .generation = static_cast<std::uint32_t>(generation),
                         .summarises = std::uint32_t{summarises_},
                         .pairs_each = pairs_each_,
                         .team_lanes = shape_.lanes,
                         .local_children = Local<std::uint64_t>(2 * pairs * units),
                         .listed = Local<std::uint32_t>(pairs * units),
                         .points = Local<std::uint32_t>(2 * pairs)});
  }

  Work<Element, Real>& work_;
  Stages<Element, Real>& stages_;
  bool summarises_ = false;
  std::unique_ptr<ParentSelection<Element, Real>> selection_;  ///< where the kernel does not select
  Kernel<operations::Breed<Element, Real>> kernel_;
  LaneShape shape_;
  std::uint32_t pairs_each_ = 1;  ///< of a work-group
  Buffer<Real> section_limits_;
  Buffer<std::uint32_t> section_places_;
};

}  // namespace

template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_local_pairs(const Builder& builder, Work<Element, Real>& work,
                                                            Stages<Element, Real>& stages) {
  return std::make_unique<LocalPairsLauncher<Element, Real>>(builder, work, stages);
}

#define CLOPT_LOCAL_PAIRS(Element, Real)                                                                     \
  template std::unique_ptr<Launcher<Element, Real>> launch_local_pairs(const Builder&, Work<Element, Real>&, \
                                                                       Stages<Element, Real>&)
CLOPT_GENETIC_TYPES(CLOPT_LOCAL_PAIRS);
#undef CLOPT_LOCAL_PAIRS

}  // namespace clopt::genetic
