/// \file
/// Reports the statistics of a run.
#pragma once

#include <clopt/genetic.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <genetic/plan.hpp>
#include "population_summary.hpp"

namespace clopt::genetic {

/// Gives the statistics of generations in their order to the caller's function.
template <class Real>
class StatisticsReporter {
 public:
  /// \param best_costs of each island so far. \param has_idle_host whether other threads may describe populations.
  StatisticsReporter(const Settings& settings, const Options& options, Values<Real> value_of,
                     std::vector<Real> best_costs, bool has_idle_host)
      : settings_(settings),
        options_(options),
        value_of_(value_of),
        best_so_far_(std::move(best_costs)),
        descriptions_(has_idle_host) {}

  /// \param generation the first of some. \param costs of all individuals of it and of those after it.
  /// \param restarts up to the first one; there are none behind it.
  /// \param last_reported the last one that was reported, by any device: generations up to it are not reported again.
  void report(std::uint64_t generation, std::span<const Real> costs, std::uint64_t restarts,
              std::optional<std::uint64_t>& last_reported) {
    const std::size_t individuals = std::size_t{settings_.population} * settings_.islands;
    // Few enough at a time that their descriptions stay small.
    const std::size_t generations = std::max<std::size_t>(1, most_described / settings_.islands);
    while (!costs.empty()) {
      const auto some = costs.first(std::min(costs.size(), generations * individuals));
      const std::span described = descriptions_.of(some, settings_.population, value_of_);
      for (std::size_t begin = 0; begin < described.size(); begin += settings_.islands)
        report_generation(generation++, described.subspan(begin, settings_.islands), restarts, last_reported);
      costs = costs.subspan(some.size());
    }
  }

 private:
  static constexpr std::size_t most_described = 4096;  ///< populations

  void report_generation(std::uint64_t generation, std::span<const PopulationSummary<Real>> islands,
                         std::uint64_t restarts, std::optional<std::uint64_t>& last_reported) {
    const bool is_new = !last_reported || generation > *last_reported;
    if (is_new) last_reported = generation;
    for (std::uint32_t island = 0; island < settings_.islands; ++island) {
      auto [statistics, least] = islands[island];
      if (least < best_so_far_[island]) best_so_far_[island] = least;
      statistics.island = settings_.first_island + island;
      statistics.generation = generation;
      statistics.evaluations = evaluations_at(settings_, generation, restarts);
      statistics.best_so_far = value_of_(best_so_far_[island]);
      if (is_new) options_.statistics(statistics);
    }
  }

  const Settings& settings_;
  const Options& options_;
  Values<Real> value_of_;
  std::vector<Real> best_so_far_;  ///< of each island, up to the generation that was reported last
  PopulationSummaries<Real> descriptions_;
};

}  // namespace clopt::genetic
