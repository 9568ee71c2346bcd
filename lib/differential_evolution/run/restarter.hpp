/// \file
/// Restarts of problems whose populations have collapsed.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <shared/differential_evolution/arithmetic.h>
#include <differential_evolution/launch/method_launcher.hpp>
#include "batch.hpp"

namespace clopt::differential_evolution {

/// Finds such problems, keeps their best vectors, and draws new ones.
template <class Real>
class Restarter {
 public:
  Restarter(Builder& builder, Buffers<Real>& buffers, std::size_t room)
      : plan_(builder.plan()),
        buffers_(buffers),
        numbers_(plan_),
        collapse_(builder.plain<operations::Collapse<Real>>()),
        start_(builder),
        group_(group_size_of(plan_, std::min(collapse_.max_group_size(), usual_items_of_leader))),
        values_(builder.device().template buffer<Real>("kept values", room)),
        vectors_(builder.device().template buffer<Real>("kept vectors", room * plan_.settings.dimensions)) {}

  void take(Queue& queue) {
    queue.fill(values_, std::numeric_limits<Real>::infinity());
    // Only a checkpoint reads these before they are written.
    queue.fill(vectors_, Real{0});
  }

  /// Makes the vectors of \p generation of those problems of \p count that restart in it. They run again once
  /// Launcher::begin() has seen them.
  void launch(Queue& queue, std::size_t count, std::uint32_t generation) const {
    queue.launch(collapse_, Range::of_groups(count, group_),
                 {.vectors = buffers_.vectors,
                  .values = buffers_.values,
                  .states = buffers_.states,
                  .kept_values = values_,
                  .kept_vectors = vectors_,
                  .settings = plan_.settings,
                  .generation = generation,
                  .least = Local<Real>(group_),
                  .greatest = Local<Real>(group_),
                  .places = Local<std::uint32_t>(group_)});
    const std::uint64_t individuals = std::uint64_t{count} * plan_.settings.population;
    struct {
      std::uint64_t begin;
      std::uint64_t end;
      Range range;
    } const all{0, individuals, Range::of_items(individuals)};
    start_.launch(queue, all, buffers_, plan_, numbers_, generation);
  }

  const Buffer<Real>& values() const { return values_; }
  const Buffer<Real>& vectors() const { return vectors_; }

  /// The best of what was kept of \p count problems.
  Best best(Queue& queue, std::size_t count) const {
    std::vector<Real> values(count);
    queue.read(values_, std::span(values));
    const auto least = std::min_element(values.begin(), values.end());
    std::vector<Real> vector(plan_.settings.dimensions);
    queue.read(vectors_, std::span(vector), static_cast<std::size_t>(least - values.begin()) * vector.size());
    return {static_cast<double>(*least), {vector.begin(), vector.end()}};
  }

  /// Whether what was kept is the answer, and not the population's best: of equal ones the first stays. Where the
  /// caller has left the call of a restart, the values are still those of the vectors before it.
  static bool takes(double kept, double least) { return std::isfinite(kept) && !(least < kept); }

  /// Puts what was kept into a summary where takes() says so.
  void take_better(Queue& queue, Summary& summary) const {
    const std::size_t dimensions = plan_.settings.dimensions;
    const auto count = summary.best_values.size();
    std::vector<Real> values(count), vectors(count * dimensions);
    queue.read(values_, std::span(values));
    queue.read(vectors_, std::span(vectors));
    for (std::size_t k = 0; k < count; ++k) {
      if (summary.states[k].restarted_at == 0) continue;
      const auto value = static_cast<double>(values[k]);
      const auto* const own = &vectors[k * dimensions];
      const auto first = std::uint64_t{plan_.settings.population} * (dimensions + 1);
      summary.digests[k] += shared::evolution_digest(std::bit_cast<std::uint64_t>(value), first);
      for (std::size_t j = 0; j < dimensions; ++j)
        summary.digests[k] +=
            shared::evolution_digest(std::bit_cast<std::uint64_t>(static_cast<double>(own[j])), first + j + 1);
      if (!takes(value, summary.best_values[k])) continue;
      summary.best_values[k] = value;
      for (std::size_t j = 0; j < dimensions; ++j)
        summary.best_vectors[k * dimensions + j] = static_cast<double>(own[j]);
    }
  }

 private:
  const Plan& plan_;
  Buffers<Real>& buffers_;
  Numbers<Real> numbers_;
  Kernel<operations::Collapse<Real>> collapse_;
  MergedStart<Real> start_;
  std::uint32_t group_;
  Buffer<Real> values_;
  Buffer<Real> vectors_;
};

}  // namespace clopt::differential_evolution
