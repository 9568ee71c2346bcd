/// \file
/// The buffers of a run on its device.
#pragma once

#include <clopt/device.hpp>
#include <clopt/objective.hpp>
#include <device/verification/fault_detection.hpp>
#include <objective/program.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include <genetic/peers.hpp>
#include <genetic/plan.hpp>

namespace clopt::genetic {

// From here on the wheel of roulette has sections, each weighed by a work-group; up to here one work-item goes over all
// weights in the rare case.
inline constexpr std::uint32_t most_without_sections = 4096;
// The same for stochastic universal sampling, which turns the whole wheel.
inline constexpr std::uint32_t most_sampled_without_sections = 512;

/// What the costs of several generations may take of a device's memory, and how many generations pay.
inline constexpr std::uint64_t most_history_bytes = std::uint64_t{64} << 20;
inline constexpr std::uint64_t most_history = 1024;

/// Generations whose costs are kept on the device until the host reads them: none where statistics are not requested.
inline std::uint64_t generations_in_history(const Settings& settings, bool keeps_costs, std::size_t real_bytes) {
  if (!keeps_costs) return 0;
  const auto bytes = std::uint64_t{settings.population} * settings.islands * real_bytes;
  return std::clamp<std::uint64_t>(most_history_bytes / bytes, 1, most_history);
}

inline bool has_sections(const Settings& settings) {
  return settings.selection == GENETIC_ROULETTE_WALK ||
         (settings.selection == GENETIC_ROULETTE && settings.population > most_without_sections) ||
         (settings.selection == GENETIC_UNIVERSAL && settings.population > most_sampled_without_sections);
}

/// The marks of a run that has not stopped.
inline std::vector<std::uint32_t> first_marks(const Settings& settings) {
  std::vector<std::uint32_t> marks(GENETIC_MARKS + settings.islands * std::size_t{GENETIC_MARKS_EACH});
  marks[GENETIC_STOP] = std::numeric_limits<std::uint32_t>::max();
  return marks;
}

/// Element and Real as in operations.hpp. Launchers have more of their own.
template <class Element, class Real>
struct Buffers {
  std::array<Buffer<Element>, 2> populations;  ///< of even and of odd generations
  std::array<Buffer<Real>, 2> costs;
  Buffer<Real> limits;
  Buffer<Element> best;  ///< the best individual of each island ever
  Buffer<std::uint32_t> marks;
  Buffer<Real> numbers;
  Buffer<Settings> settings;
  Buffer<Real> tables;
  Buffer<std::uint32_t> parents;
  Buffer<std::uint32_t> scratch;   ///< a bit a gene for each individual of permutations
  Buffer<std::uint64_t> sections;  ///< of the wheel
  Buffer<Real> history;            ///< costs of a few generations; one element where they are not kept

  Buffers(Device& device, Queue& queue, const Plan& plan, const Objective& objective, bool keeps_costs) {
    const auto& sizes = plan.settings;
    const auto individuals = std::uint64_t{sizes.population} * sizes.islands;
    const auto pairs = std::uint64_t{sizes.pairs} * sizes.islands;
    const auto words = (sizes.genes + 31) / 32;
    for (auto& population : populations)
      population = zeroed_buffer<Element>(device, queue, "population", individuals * sizes.row);
    for (auto& each : costs) each = device.buffer<Real>("costs", individuals);
    limits = device.buffer<Real>("limits of costs", std::size_t{sizes.islands} * GENETIC_LIMITS);
    best = device.buffer<Element>("best individuals", std::size_t{sizes.islands} * sizes.row);
    marks = device.buffer<std::uint32_t>("marks of the run", first_marks(sizes).size());
    numbers = device.buffer<Real>("numbers of the run", plan.numbers.size());
    settings = device.buffer<Settings>("settings of the run", 1);
    parents = zeroed_buffer<std::uint32_t>(device, queue, "parents", 2 * pairs);
    scratch = device.buffer<std::uint32_t>("genes taken", sizes.kind == GENETIC_PERMUTATION ? individuals * words : 1);
    sections = device.buffer<std::uint64_t>(
        "sections of the wheel", has_sections(sizes) ? std::size_t{sizes.islands} * GENETIC_SECTIONS(sizes) : 1);
    const auto kept = generations_in_history(sizes, keeps_costs, sizeof(Real));
    history = device.buffer<Real>("costs of generations", std::max<std::uint64_t>(1, kept * individuals));
    tables = objective::upload_tables<Real>(device, queue, objective);
    write_start(queue, plan);
  }

 private:
  void write_start(Queue& queue, const Plan& plan) const {
    queue.write_later(settings, std::span<const Settings>(&plan.settings, 1));
    const std::vector<Real> reals(plan.numbers.begin(), plan.numbers.end());
    queue.write_later(numbers, std::span<const Real>(reals));
    queue.write_later(marks, std::span<const std::uint32_t>(first_marks(plan.settings)));
    const std::vector<Real> zeros(limits.size());
    queue.write_later(limits, std::span<const Real>(zeros));
  }
};

/// What the launches of a run work on.
template <class Element, class Real>
struct Work {
  Work(Device& device, const Objective& objective, const Options& options, const Plan& of)
      : plan(of),
        settings(of.settings),
        individuals(std::uint64_t{settings.population} * settings.islands),
        pairs(std::uint64_t{settings.pairs} * settings.islands),
        migrate_every(options.migrate_every),
        migrants(options.migrants),
        keeps_costs(static_cast<bool>(options.statistics)),
        improves(of.improves),
        queue(device.queue()),
        buffers(device, *queue, of, objective, keeps_costs),
        gene_populations(buffers.populations),
        gene_settings(buffers.settings) {
    if (!plan.unpacks) return;
    auto unpacked = settings;
    unpacked.row = shared::genetic_unpacked_row(settings);
    for (auto& population : gene_populations)
      population = zeroed_buffer<Element>(device, *queue, "genes", individuals * unpacked.row);
    gene_settings = device.buffer<Settings>("settings of genes", 1);
    queue->write_later(gene_settings, std::span<const Settings>(&unpacked, 1));
  }

  /// Generations whose costs can be kept.
  std::uint64_t most_kept() const { return generations_in_history(settings, keeps_costs, sizeof(Real)); }
  /// Keeps the costs of a generation, the nth of some. Where the run stopped before, they mean nothing.
  void keep_costs(std::uint64_t generation, std::uint64_t n) {
    queue->copy(buffers.costs[generation % 2], buffers.history, individuals, 0, n * individuals);
  }

  /// Whether nothing comes between a generation's children and its summary.
  bool breeds_all() const { return settings.elites == 0 && migrate_every == 0 && !improves; }

  const Plan& plan;
  const Settings settings;
  const std::uint64_t individuals;
  const std::uint64_t pairs;
  const std::uint64_t migrate_every;
  const std::uint32_t migrants;
  const bool keeps_costs;  ///< whether the costs after each generation are kept, for statistics
  const bool improves;     ///< whether individuals are made local optima
  std::unique_ptr<Queue> queue;
  Buffers<Element, Real> buffers;
  /// What the stages breed: the populations, or of bits that are not packed copies of them with an element a gene.
  std::array<Buffer<Element>, 2> gene_populations;
  Buffer<Settings> gene_settings;
  Peers* peers = nullptr;  ///< the runs of all other islands; none where these are all
  /// Called between the launches of a generation; throws Cancelled where the run is to end before its end.
  std::function<void()> between_launches = [] {};
  std::uint64_t complete = 0;  ///< the last generation that is whole
};

/// A generation as it was, from which the run can continue.
template <class Element, class Real>
class Snapshot {
 public:
  void take(Device& device, const Work<Element, Real>& work, std::uint64_t generation) {
    const auto& b = work.buffers;
    generation_ = generation;
    if (!population_) {
      population_ = device.buffer<Element>("population before a launch", b.populations[0].size());
      costs_ = device.buffer<Real>("costs before a launch", b.costs[0].size());
      limits_ = device.buffer<Real>("limits before a launch", b.limits.size());
      best_ = device.buffer<Element>("best individuals before a launch", b.best.size());
      marks_ = device.buffer<std::uint32_t>("marks before a launch", b.marks.size());
    }
    copy_all(*work.queue, b,
             [](Queue& queue, const auto& own, const auto& kept) { queue.copy(own, kept, own.size()); });
  }
  /// Puts it back. \returns the generation.
  std::uint64_t put_back(const Work<Element, Real>& work) const {
    copy_all(*work.queue, work.buffers,
             [](Queue& queue, const auto& own, const auto& kept) { queue.copy(kept, own, own.size()); });
    return generation_;
  }

 private:
  template <class Copy>
  void copy_all(Queue& queue, const Buffers<Element, Real>& b, const Copy& copy) const {
    copy(queue, b.populations[generation_ % 2], population_);
    copy(queue, b.costs[generation_ % 2], costs_);
    copy(queue, b.limits, limits_);
    copy(queue, b.best, best_);
    copy(queue, b.marks, marks_);
  }

  std::uint64_t generation_ = 0;
  Buffer<Element> population_;
  Buffer<Real> costs_;
  Buffer<Real> limits_;
  Buffer<Element> best_;
  Buffer<std::uint32_t> marks_;
};

}  // namespace clopt::genetic
