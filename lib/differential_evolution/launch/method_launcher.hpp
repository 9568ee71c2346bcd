/// \file
/// What the launchers of all methods have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "launcher.hpp"

namespace clopt::differential_evolution {

/// Work-items of a work-group that leads a population, at most.
inline constexpr std::uint32_t usual_items_of_leader = 256;

/// Finds best individuals and ends problems, where a method does not by itself.
template <class Real>
class Leader {
 public:
  explicit Leader(Builder& builder) : plan_(builder.plan()), kernel_(builder.plain<operations::Lead<Real>>()) {
    group_ = group_size_of(plan_, std::min(kernel_.max_group_size(), usual_items_of_leader));
  }
  void take(std::size_t count) { groups_ = count; }
  Event launch(Queue& queue, const Buffers<Real>& buffers, const Numbers<Real>& numbers, std::uint32_t generation,
               bool is_new) const {
    const std::uint32_t renews = is_new && plan_.remembers() ? 1 : 0;
    return queue.launch(kernel_, Range::of_groups(groups_, group_),
                        {.vectors = buffers.vectors,
                         .old = buffers.next_vectors,
                         .values = buffers.values,
                         .controls = buffers.controls,
                         .archive = buffers.archive,
                         .states = buffers.states,
                         .order = buffers.order,
                         .settings = plan_.settings,
                         .target = numbers.target,
                         .spread = numbers.spread,
                         .renews = renews,
                         .generation = generation,
                         .least = Local<Real>(group_),
                         .greatest = Local<Real>(group_),
                         .places = Local<std::uint32_t>(group_)});
  }

 private:
  const Plan& plan_;
  Kernel<operations::Lead<Real>> kernel_;
  std::uint64_t groups_ = 0;
  std::uint32_t group_ = 1;
};

/// What the methods have in common.
template <class Real>
class MethodLauncher : public Launcher<Real> {
 protected:
  MethodLauncher(Builder& builder, Buffers<Real>& buffers)
      : plan_(builder.plan()), buffers_(buffers), numbers_(plan_), leader_(builder) {}

  void take(std::size_t count) override {
    individuals_ = std::uint64_t{count} * plan_.settings.population;
    leader_.take(count);
  }

  void begin(Queue& queue, std::uint32_t generation) override {
    if (plan_.needs_lead() || plan_.settings.stop != 0) leader_.launch(queue, buffers_, numbers_, generation, false);
  }

  /// Keeps the values after a generation, the nth of a launch.
  void keep_values(Queue& queue, std::uint64_t n) const {
    queue.copy(buffers_.values, buffers_.history, individuals_, 0, n * individuals_);
  }

  Range all() const { return Range::of_items(individuals_); }
  /// The individuals of some problems, counted through all.
  struct Section {
    std::uint64_t begin;
    std::uint64_t end;
    Range range;
  };
  Section part(std::size_t first, std::size_t end) const {
    const std::uint64_t population = plan_.settings.population;
    return {first * population, end * population, Range::of_items((end - first) * population)};
  }
  Section everyone() const { return {0, individuals_, all()}; }

  const Plan& plan_;
  Buffers<Real>& buffers_;
  Numbers<Real> numbers_;
  std::uint64_t individuals_ = 0;
  Leader<Real> leader_;
};

/// I and E in one launch, as two methods begin, and as problems restart.
template <class Real>
class MergedStart {
 public:
  explicit MergedStart(Builder& builder) : kernel_(builder.with_objective<operations::InitialiseAndEvaluate<Real>>()) {}

  template <class Section>
  void launch(Queue& queue, const Section& part, const Buffers<Real>& buffers, const Plan& plan,
              const Numbers<Real>& numbers, std::uint32_t generation = 0) const {
    queue.launch(kernel_, part.range,
                 {.vectors = buffers.vectors,
                  .values = buffers.values,
                  .controls = buffers.controls,
                  .states = buffers.states,
                  .bounds = buffers.bounds,
                  .initial = buffers.initial,
                  .rows = buffers.rows,
                  .tables = buffers.tables,
                  .settings = plan.settings,
                  .weight = numbers.weight,
                  .crossover = numbers.crossover,
                  .generation = generation,
                  .begin = part.begin,
                  .end = part.end});
  }

 private:
  Kernel<operations::InitialiseAndEvaluate<Real>> kernel_;
};

}  // namespace clopt::differential_evolution
