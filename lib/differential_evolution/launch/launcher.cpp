#include "launcher.hpp"

#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>
#include <objective/program.hpp>

#include <algorithm>
#include <utility>

#include "group_layout.hpp"
#include "method_launcher.hpp"
#include "offloaded.hpp"
#include "staged.hpp"

namespace clopt::differential_evolution {
namespace {

// Vectors up to here are held in registers while they are made and evaluated; as in population.cl.
constexpr std::uint32_t most_unrolled = 32;

/// I with E, and M with C, R and E, while P makes the next generation's draws on a second queue.
template <class Real>
class Merged : public MethodLauncher<Real> {
 public:
  Merged(Builder& builder, Buffers<Real>& buffers, std::size_t room)
      : MethodLauncher<Real>(builder, buffers),
        start_(builder),
        prepare_(builder.prepare()),
        evolve_(builder.with_objective<operations::Evolve<Real>>()),
        beside_(builder.device().queue()) {
    for (auto& drawn : drawn_)
      drawn = zeroed_buffer<std::uint32_t>(builder.device(), *beside_, "individuals drawn",
                                           room * this->plan_.settings.population * EVOLUTION_DRAWN_WORDS);
    beside_->finish();
  }

  void initialise(Queue& queue, std::size_t first, std::size_t end) override {
    start_.launch(queue, this->part(first, end), this->buffers_, this->plan_, this->numbers_);
  }

  void advance(Queue& queue, std::uint32_t first, std::uint32_t last, const std::vector<std::uint32_t>&,
               bool keeps_values) override {
    auto& b = this->buffers_;
    Event evolved[2] = {queue.record(), {}};
    // The draws of a generation are read while the next one's are made.
    Event prepared = draw(first, evolved[0]);
    for (auto generation = first; generation <= last; ++generation) {
      queue.wait_for(prepared);
      const bool has_next = generation < last;
      if (has_next && !this->plan_.remembers()) prepared = draw(generation + 1, evolved[(generation - first) % 2]);
      evolved[(generation - first + 1) % 2] = evolve(queue, generation);
      std::swap(b.vectors, b.next_vectors);
      if (this->plan_.needs_lead()) {
        const auto led = this->leader_.launch(queue, b, this->numbers_, generation, true);
        // The set to draw from is not known before.
        if (has_next && this->plan_.remembers()) prepared = draw(generation + 1, led);
      }
      if (keeps_values) this->keep_values(queue, generation - first);
    }
  }

  std::uint64_t launches() const override { return beside_->counts().launches; }

 private:
  // P for a generation, after what still reads the buffer: the generation before last.
  Event draw(std::uint32_t generation, const Event& free) {
    beside_->wait_for(free);
    return beside_->launch(prepare_, this->all(),
                           {.states = this->buffers_.states,
                            .drawn = drawn_[generation % 2],
                            .settings = this->plan_.settings,
                            .first_generation = generation,
                            .drawn_words = EVOLUTION_DRAWN_WORDS,
                            .count = this->individuals_,
                            .end = this->individuals_});
  }

  Event evolve(Queue& queue, std::uint32_t generation) {
    const auto& b = this->buffers_;
    return queue.launch(evolve_, this->all(),
                        {.vectors = b.vectors,
                         .next = b.next_vectors,
                         .values = b.values,
                         .drawn = drawn_[generation % 2],
                         .controls = b.controls,
                         .states = b.states,
                         .order = b.order,
                         .archive = b.archive,
                         .bounds = b.bounds,
                         .rows = b.rows,
                         .tables = b.tables,
                         .settings = this->plan_.settings,
                         .weight = this->numbers_.weight,
                         .target = this->numbers_.target,
                         .generation = generation,
                         .count = this->individuals_});
  }

  MergedStart<Real> start_;
  Kernel<operations::Prepare> prepare_;
  Kernel<operations::Evolve<Real>> evolve_;
  std::unique_ptr<Queue> beside_;
  Buffer<std::uint32_t> drawn_[2];
};

/// The paper's method: a work-group is a whole optimisation.
template <class Real>
class Fused : public MethodLauncher<Real> {
 public:
  Fused(Builder& builder, Buffers<Real>& buffers, std::size_t room)
      : MethodLauncher<Real>(builder, buffers),
        start_(builder),
        running_(builder.device().template buffer<std::uint32_t>("running problems", room + most_side_by_side)) {
    build(builder, room);
  }

  void take(std::size_t count) override {
    MethodLauncher<Real>::take(count);
    uploaded_ = 0;
  }

  void initialise(Queue& queue, std::size_t first, std::size_t end) override {
    start_.launch(queue, this->part(first, end), this->buffers_, this->plan_, this->numbers_);
  }

  void advance(Queue& queue, std::uint32_t first, std::uint32_t last, const std::vector<std::uint32_t>& running,
               bool keeps_values) override {
    const auto& b = this->buffers_;
    const auto& n = this->numbers_;
    if (uploaded_ != running.size()) {
      // The last work-group may have fewer problems than the others.
      auto places = running;
      places.resize(running_.size(), EVOLUTION_NO_PROBLEM);
      queue.write_later(running_, std::span<const std::uint32_t>(places));
    }
    uploaded_ = running.size();
    const auto groups = (running.size() + form_.problems - 1) / form_.problems;
    const std::size_t scratch = this->plan_.needs_extremes() ? form_.items : 1;
    queue.launch(fused_, Range::of_groups(groups, form_.items),
                 {.vectors = b.vectors,
                  .spare = b.next_vectors,
                  .values = b.values,
                  .controls = b.controls,
                  .states = b.states,
                  .order = b.order,
                  .archive = b.archive,
                  .running = running_,
                  .bounds = b.bounds,
                  .rows = b.rows,
                  .tables = b.tables,
                  .settings = this->plan_.settings,
                  .weight = n.weight,
                  .target = n.target,
                  .spread = n.spread,
                  .first_generation = first,
                  .last_generation = last,
                  .history = b.history,
                  .history_step = keeps_values ? this->individuals_ : 0,
                  .memory = Local<Real>(form_.local_numbers),
                  .least = Local<Real>(scratch),
                  .greatest = Local<Real>(scratch),
                  .places = Local<std::uint32_t>(scratch + form_.local_places)});
  }

 private:
  // Takes the best form that the device's compiler leaves room for.
  void build(Builder& builder, std::size_t room) {
    const auto& plan = this->plan_;
    const auto& info = builder.device().info();
    for (const auto& form : forms_of(plan, info, room)) {
      form_ = form;
      auto program = program_of(builder.device(), plan, true);
      form.define(plan, info, program);
      program.defines.set("KEEPS_HISTORY", plan.keeps_history());
      fused_ = builder.with_objective<operations::Fused<Real>>(program);
      if (form.items <= fused_.max_group_size()) break;
    }
    if (form_.items == 0) form_.items = group_size_of(plan, std::min(fused_.max_group_size(), most_items));
  }

  MergedStart<Real> start_;
  Kernel<operations::Fused<Real>> fused_;
  Buffer<std::uint32_t> running_;
  std::size_t uploaded_ = 0;
  GroupLayout form_;
};

}  // namespace

Program program_of(const Device& device, const Plan& plan, bool with_objective) {
  const auto& settings = plan.settings;
  const bool is_gpu = device.info().kind == DeviceKind::gpu;
  Program program;
  if (with_objective) objective::prepare(program, plan.objective, plan.is_double(), is_gpu ? settings.dimensions : 0);
  program.defines.set("DIMENSIONS", settings.dimensions)
      .set("STRATEGY", settings.strategy)
      .set("EXPONENTIAL", settings.exponential)
      .set("ADAPT", settings.adapt)
      .set("BOUNDS", settings.bounds)
      .set("UNIFORM_BOUNDS", plan.uniform_bounds)
      .set("WHOLE", settings.whole)
      .set("CONSTRAINED", settings.constrained)
      .set("MAXIMISE", plan.maximises())
      .set("PRIVATE_TRIAL", is_gpu && settings.dimensions <= most_unrolled)
      .set("NEEDS_BEST", plan.needs_best())
      .set("NEEDS_ORDER", plan.needs_order())
      .set("STOPS_AT_TARGET", (settings.stop & EVOLUTION_STOP_TARGET) != 0)
      .set("STOPS_BY_SPREAD", (settings.stop & EVOLUTION_STOP_SPREAD) != 0)
      .set("STOPS_BY_STAGNATION", (settings.stop & EVOLUTION_STOP_STAGNATION) != 0);
  return program;
}

std::uint32_t group_size_of(const Plan& plan, std::uint32_t most) {
  const auto population = plan.settings.population;
  // Equal shares: 1025 individuals are three each for 342 work-items, not two for some of 1024.
  const auto shares = (population + most - 1) / most;
  const auto wanted = (population + shares - 1) / shares;
  return std::min(most, whole_subgroups(wanted));
}

template <class Real>
std::unique_ptr<Launcher<Real>> make_launcher(Method method, Builder& builder, Buffers<Real>& buffers,
                                              std::size_t room) {
  if (method == Method::staged || method == Method::ahead)
    return std::make_unique<Staged<Real>>(builder, buffers, room);
  if (method == Method::offloaded) return std::make_unique<Offloaded<Real>>(builder, buffers, room);
  if (method == Method::merged) return std::make_unique<Merged<Real>>(builder, buffers, room);
  return std::make_unique<Fused<Real>>(builder, buffers, room);
}

template std::unique_ptr<Launcher<float>> make_launcher(Method, Builder&, Buffers<float>&, std::size_t);
template std::unique_ptr<Launcher<double>> make_launcher(Method, Builder&, Buffers<double>&, std::size_t);

}  // namespace clopt::differential_evolution
