/// \file
/// The stages of a generation, a launch each: the first version on GPUs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "method_launcher.hpp"

namespace clopt::differential_evolution {

/// P, M, C and R, which call no objective.
template <class Real>
class Breeder {
 public:
  Breeder(Builder& builder, Buffers<Real>& buffers, std::size_t room)
      : plan_(builder.plan()),
        buffers_(buffers),
        numbers_(plan_),
        prepare_(builder.prepare()),
        mutate_(builder.plain<operations::Mutate<Real>>()),
        recombine_(builder.plain<operations::Recombine<Real>>()),
        replace_(builder.plain<operations::Replace<Real>>()),
        ahead_(generations_ahead(builder.device(), room)),
        drawn_(builder.device().template buffer<std::uint32_t>("individuals drawn", ahead_ * words_of(room))),
        trial_values_(builder.device().template buffer<Real>("values of trials", room * plan_.settings.population)) {}

  void take(std::size_t count) { individuals_ = std::uint64_t{count} * plan_.settings.population; }

  // Should a launch be lost that draws, these are individuals all the same.
  void clear(Queue& queue) const { queue.fill(drawn_, 0U); }

  /// P, M and C of a generation, into Buffers::next_vectors. A launch of P makes the draws of several of those up to
  /// \p last, where a method has draws ahead. \param place of the generation among those of the launches.
  void make_trials(Queue& queue, std::uint32_t generation, std::uint32_t place, std::uint32_t last) const {
    if (place % ahead_ == 0) draw(queue, generation, std::min(ahead_, last - generation + 1));
    const auto& b = buffers_;
    const auto drawn_words = plan_.drawn_words();
    const auto first_drawn = individuals_ * (place % ahead_) * drawn_words;
    queue.launch(mutate_, Range::of_items(individuals_),
                 {.vectors = b.vectors,
                  .drawn = drawn_,
                  .controls = b.controls,
                  .states = b.states,
                  .order = b.order,
                  .archive = b.archive,
                  .trials = b.next_vectors,
                  .settings = plan_.settings,
                  .weight = numbers_.weight,
                  .generation = generation,
                  .drawn_words = drawn_words,
                  .first_drawn = first_drawn,
                  .count = individuals_});
    queue.launch(recombine_, Range::of_items(individuals_),
                 {.vectors = b.vectors,
                  .drawn = drawn_,
                  .controls = b.controls,
                  .states = b.states,
                  .bounds = b.bounds,
                  .trials = b.next_vectors,
                  .settings = plan_.settings,
                  .generation = generation,
                  .drawn_words = drawn_words,
                  .first_drawn = first_drawn,
                  .count = individuals_});
  }

  const Buffer<Real>& trial_values() const { return trial_values_; }

  void replace(Queue& queue, std::uint32_t generation) const {
    const auto& b = buffers_;
    queue.launch(replace_, Range::of_items(individuals_),
                 {.trials = b.next_vectors,
                  .trial_values = trial_values_,
                  .vectors = b.vectors,
                  .values = b.values,
                  .controls = b.controls,
                  .states = b.states,
                  .settings = plan_.settings,
                  .target = numbers_.target,
                  .generation = generation,
                  .count = individuals_});
  }

 private:
  // Generations whose draws are made at once, and what they may take of a device's memory.
  static constexpr std::uint32_t most_ahead = 64;
  static constexpr std::size_t most_bytes_ahead = std::size_t{64} << 20;

  std::size_t words_of(std::size_t room) const { return room * plan_.settings.population * plan_.drawn_words(); }

  // Not where what is drawn depends on the generation before.
  std::uint32_t generations_ahead(const Device& device, std::size_t room) const {
    if (plan_.method != Method::ahead || plan_.remembers()) return 1;
    const auto most_bytes = std::min<std::uint64_t>(most_bytes_ahead, device.info().max_allocation_bytes / 2);
    const auto bytes = words_of(room) * sizeof(std::uint32_t);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_bytes / bytes, 1, most_ahead));
  }

  // P, for some generations.
  void draw(Queue& queue, std::uint32_t generation, std::uint32_t generations) const {
    const auto end = individuals_ * generations;
    queue.launch(prepare_, Range::of_items(end),
                 {.states = buffers_.states,
                  .drawn = drawn_,
                  .settings = plan_.settings,
                  .first_generation = generation,
                  .drawn_words = plan_.drawn_words(),
                  .count = individuals_,
                  .end = end});
  }

  const Plan& plan_;
  const Buffers<Real>& buffers_;
  Numbers<Real> numbers_;
  Kernel<operations::Prepare> prepare_;
  Kernel<operations::Mutate<Real>> mutate_;
  Kernel<operations::Recombine<Real>> recombine_;
  Kernel<operations::Replace<Real>> replace_;
  std::uint64_t individuals_ = 0;
  std::uint32_t ahead_;  // generations
  Buffer<std::uint32_t> drawn_;
  Buffer<Real> trial_values_;
};

/// E.
template <class Real>
class Evaluator {
 public:
  explicit Evaluator(Builder& builder)
      : plan_(builder.plan()), kernel_(builder.with_objective<operations::Evaluate<Real>>()) {}

  template <class Section>
  void launch(Queue& queue, const Section& part, const Buffers<Real>& buffers, const Buffer<Real>& vectors,
              const Buffer<Real>& values, std::uint32_t generation) const {
    queue.launch(kernel_, part.range,
                 {.vectors = vectors,
                  .values = values,
                  .states = buffers.states,
                  .rows = buffers.rows,
                  .tables = buffers.tables,
                  .settings = plan_.settings,
                  .generation = generation,
                  .begin = part.begin,
                  .end = part.end});
  }

 private:
  const Plan& plan_;
  Kernel<operations::Evaluate<Real>> kernel_;
};

/// The first version on GPUs: a launch a stage. Draws may be made ahead, for many generations by one launch.
template <class Real>
class Staged : public MethodLauncher<Real> {
 public:
  Staged(Builder& builder, Buffers<Real>& buffers, std::size_t room)
      : MethodLauncher<Real>(builder, buffers),
        initialise_(builder.plain<operations::Initialise<Real>>()),
        evaluator_(builder),
        breeder_(builder, buffers, room) {}

  void take(std::size_t count) override {
    MethodLauncher<Real>::take(count);
    breeder_.take(count);
  }

  void initialise(Queue& queue, std::size_t first, std::size_t end) override {
    const auto& b = this->buffers_;
    const auto part = this->part(first, end);
    breeder_.clear(queue);
    queue.launch(initialise_, part.range,
                 {.vectors = b.vectors,
                  .controls = b.controls,
                  .states = b.states,
                  .bounds = b.bounds,
                  .initial = b.initial,
                  .settings = this->plan_.settings,
                  .weight = this->numbers_.weight,
                  .crossover = this->numbers_.crossover,
                  .generation = 0U,
                  .begin = part.begin,
                  .end = part.end});
    evaluator_.launch(queue, part, b, b.vectors, b.values, 0);
  }

  void advance(Queue& queue, std::uint32_t first, std::uint32_t last, const std::vector<std::uint32_t>&,
               bool keeps_values) override {
    const auto& b = this->buffers_;
    for (auto generation = first; generation <= last; ++generation) {
      breeder_.make_trials(queue, generation, generation - first, last);
      evaluator_.launch(queue, this->everyone(), b, b.next_vectors, breeder_.trial_values(), generation);
      breeder_.replace(queue, generation);
      if (this->plan_.needs_lead()) this->leader_.launch(queue, b, this->numbers_, generation, true);
      if (keeps_values) this->keep_values(queue, generation - first);
    }
  }

 private:
  Kernel<operations::Initialise<Real>> initialise_;
  Evaluator<Real> evaluator_;
  Breeder<Real> breeder_;
};

}  // namespace clopt::differential_evolution
