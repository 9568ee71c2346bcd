// A launch for each stage: where their times are measured, for genes that are not packed, on devices without long
// loops, and for batch functions.
#include <algorithm>

#include "launcher.hpp"

namespace clopt::genetic {
namespace {

template <class Element, class Real>
class StagedLauncher : public Launcher<Element, Real> {
 public:
  StagedLauncher(const Builder& builder, Work<Element, Real>& work, Stages<Element, Real>& stages)
      : work_(work),
        stages_(stages),
        selection_(builder, work),
        crossover_(builder.build<operations::Crossover<Element, Real>>(builder.of_stage(Stage::crossover))),
        mutate_(builder.build<operations::Mutate<Element, Real>>(builder.of_stage(Stage::mutation))),
        crossover_shape_(
            shape_of(team_of(builder.granularity, Stage::crossover), builder.options, crossover_, work.settings)),
        mutate_shape_(
            shape_of(team_of(builder.granularity, Stage::mutation), builder.options, mutate_, work.settings)) {}

  void advance(std::uint64_t from, std::uint64_t to) override {
    stages_.unpacking.unpack(from);
    for (std::uint64_t n = 0; from < to; ++n) {
      breed(++from);
      if (work_.keeps_costs) work_.keep_costs(from, n);
      work_.complete = from;
    }
  }
  std::uint32_t individuals_per_group() const override {
    return std::min({crossover_shape_.teams, mutate_shape_.teams, stages_.evaluation.shape().teams});
  }

 private:
  void breed(std::uint64_t generation) {
    auto& clock = stages_.clock;
    auto& queue = *work_.queue;
    clock.run(queue, Stage::selection, [&] { selection_.launch(generation, stages_.wheel); });
    clock.run(queue, Stage::crossover, [&] { cross(generation); });
    clock.run(queue, Stage::mutation, [&] { mutate(generation); });
    clock.run(queue, Stage::replacement, [&] { stages_.unpacking.pack(generation); });
    clock.run(queue, Stage::evaluation, [&] {
      stages_.evaluation.launch(generation);
      stages_.improvement.launch(generation);
    });
    clock.run(queue, Stage::replacement, [&] {
      stages_.replacement.keep_elites(generation);
      stages_.replacement.migrate(generation);
      stages_.summary.launch(generation);
      if (!work_.breeds_all()) stages_.unpacking.unpack(generation);
    });
  }

  void cross(std::uint64_t generation) {
    const auto& b = work_.buffers;
    work_.queue->launch(crossover_, crossover_shape_.range(work_.pairs),
                        {.population = work_.gene_populations[(generation + 1) % 2],
                         .children = work_.gene_populations[generation % 2],
                         .parents = b.parents,
                         .numbers = b.numbers,
                         .scratch = b.scratch,
                         .marks = b.marks,
                         .settings = work_.gene_settings,
                         .generation = static_cast<std::uint32_t>(generation),
                         .teams = crossover_shape_.teams});
  }

  void mutate(std::uint64_t generation) {
    const auto& b = work_.buffers;
    work_.queue->launch(mutate_, mutate_shape_.range(work_.pairs),
                        {.children = work_.gene_populations[generation % 2],
                         .numbers = b.numbers,
                         .marks = b.marks,
                         .settings = work_.gene_settings,
                         .generation = static_cast<std::uint32_t>(generation),
                         .teams = mutate_shape_.teams});
  }

  Work<Element, Real>& work_;
  Stages<Element, Real>& stages_;
  ParentSelection<Element, Real> selection_;
  Kernel<operations::Crossover<Element, Real>> crossover_;
  Kernel<operations::Mutate<Element, Real>> mutate_;
  TeamShape crossover_shape_;
  TeamShape mutate_shape_;
};

}  // namespace

template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_stages(const Builder& builder, Work<Element, Real>& work,
                                                       Stages<Element, Real>& stages) {
  return std::make_unique<StagedLauncher<Element, Real>>(builder, work, stages);
}

#define CLOPT_STAGED(Element, Real)                                                                     \
  template std::unique_ptr<Launcher<Element, Real>> launch_stages(const Builder&, Work<Element, Real>&, \
                                                                  Stages<Element, Real>&)
CLOPT_GENETIC_TYPES(CLOPT_STAGED);
#undef CLOPT_STAGED

}  // namespace clopt::genetic
