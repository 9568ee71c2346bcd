// One launch a generation: a team of the granularity asked for has a pair from the choice of its parents to the costs
// of its children.
#include "launcher.hpp"

namespace clopt::genetic {
namespace {

template <class Element, class Real>
class TeamLauncher : public Launcher<Element, Real> {
 public:
  TeamLauncher(const Builder& builder, Work<Element, Real>& work, Stages<Element, Real>& stages)
      : work_(work),
        stages_(stages),
        kernel_(builder.build<operations::Offspring<Element, Real>>(builder.of_team(
            builder.granularity == Granularity::hybrid ? Team::mixed
                                                       : team_of(builder.granularity, Stage::crossover)))),
        shape_(shape_of(team_of(builder.granularity, Stage::crossover), builder.options, kernel_, work.settings)),
        // One work-group goes over all costs.
        summarises_(work.breeds_all() && work.individuals <= most_without_sections &&
                    work.settings.islands <= most_summed_up && !builder.device.info().launches_are_calls) {}

  void advance(std::uint64_t from, std::uint64_t to) override {
    for (std::uint64_t n = 0; from < to; ++n) {
      ++from;
      stages_.wheel.launch(from);
      breed(from);
      stages_.improvement.launch(from);
      stages_.replacement.keep_elites(from);
      stages_.replacement.migrate(from);
      if (!summarises_) stages_.summary.launch(from);
      if (work_.keeps_costs) work_.keep_costs(from, n);
      work_.complete = from;
    }
  }
  std::uint32_t individuals_per_group() const override { return shape_.teams; }

 private:
  void breed(std::uint64_t generation) {
    const auto& b = work_.buffers;
    const auto from = (generation + 1) % 2;
    const auto to = generation % 2;
    work_.queue->launch(kernel_, shape_.range(work_.pairs),
                        {.population = b.populations[from],
                         .children = b.populations[to],
                         .costs = b.costs[from],
                         .child_costs = b.costs[to],
                         .limits = b.limits,
                         .sections = b.sections,
                         .best = b.best,
                         .marks = b.marks,
                         .numbers = b.numbers,
                         .tables = b.tables,
                         .scratch = b.scratch,
                         .settings = b.settings,
                         .generation = static_cast<std::uint32_t>(generation),
                         .has_sections = std::uint32_t{stages_.wheel.exist()},
                         .summarises = std::uint32_t{summarises_},
                         .teams = shape_.teams});
  }

  Work<Element, Real>& work_;
  Stages<Element, Real>& stages_;
  Kernel<operations::Offspring<Element, Real>> kernel_;
  TeamShape shape_;
  bool summarises_;
};

}  // namespace

template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_teams(const Builder& builder, Work<Element, Real>& work,
                                                      Stages<Element, Real>& stages) {
  return std::make_unique<TeamLauncher<Element, Real>>(builder, work, stages);
}

#define CLOPT_TEAMS(Element, Real)                                                                     \
  template std::unique_ptr<Launcher<Element, Real>> launch_teams(const Builder&, Work<Element, Real>&, \
                                                                 Stages<Element, Real>&)
CLOPT_GENETIC_TYPES(CLOPT_TEAMS);
#undef CLOPT_TEAMS

}  // namespace clopt::genetic
