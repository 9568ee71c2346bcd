#include "fitness.hpp"

#include <clopt/error.hpp>
#include <device/transfer/read_in_pieces.hpp>
#include <device/verification/fault_detection.hpp>
#include <objective/host_check.hpp>
#include <objective/operations.hpp>
#include <objective/program.hpp>
#include <support/numbers/checksum.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace clopt::ecga {
namespace {

constexpr std::uint32_t best_group = 256;
constexpr std::uint32_t section_individuals = 2048;

// The way back from ecga_order().
template <class Real>
Real fitness_of_order(std::uint64_t order) {
  using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  constexpr Bits sign = Bits{1} << (8 * sizeof(Real) - 1);
  const auto ordered = static_cast<Bits>(order);
  return std::bit_cast<Real>(ordered >= sign ? ordered - sign : sign + (sign - ordered));
}

template <class Real>
using Evaluate = objective::operations::Evaluate<std::uint32_t, Real>;

template <class Real>
Kernel<Evaluate<Real>> evaluation(const Plan& plan, Device& device) {
  const auto& problem = plan.problem;
  Program program;
  objective::prepare(program, problem.objective, plan.is_double, device.info().launches_are_calls ? 0 : problem.length);
  return objective::build<Evaluate<Real>>(device, program, problem.objective);
}

template <class Real>
class FitnessOf final : public Fitness {
 public:
  FitnessOf(const Plan& plan, const Dimensions& dimensions, Device& device, Queue& queue, bool is_observed)
      : plan_(plan),
        dimensions_(dimensions),
        device_(device),
        queue_(queue),
        is_observed_(is_observed),
        improvement_(plan, dimensions, device, queue) {
    tournament_ = device.kernel<operations::Tournament<Real>>();
    turn_fitness_ = device.kernel<operations::TurnFitness<Real>>();
    find_best_ = device.kernel<operations::FindBest<Real>>();
    evaluate_ = evaluation<Real>(plan, device);
  }

  void reserve() override {
    fitness_ = device_.buffer<Real>("fitness", dimensions_.stride());
    if (dimensions_.keeps_before) other_fitness_ = device_.buffer<Real>("fitness before", dimensions_.stride());
    tables_ = objective::upload_tables<Real>(device_, queue_, plan_.problem.objective);
    no_rows_ = device_.buffer<Real>("rows", 1);
    queue_.fill(no_rows_, Real{0});
    host_sections_ = fast_memory<std::uint64_t>(
        device_, "best of sections on the host",
        (std::size_t{dimensions_.individuals} + section_individuals - 1) / section_individuals * 2);
    sections_ = device_.buffer<std::uint64_t>("best of sections", host_sections_.size());
    if (is_observed_) host_fitness_ = fast_memory<Real>(device_, "fitness on the host", dimensions_.individuals);
    improvement_.reserve();
  }

  void evaluate(const Buffer<std::uint32_t>& population) override {
    evaluate(population, fitness_, dimensions_.individuals);
  }

  Improved improve(const NewPopulation& population) override {
    return improvement_.improve(population, tables_, fitness_,
                                [this](const Buffer<std::uint32_t>& individuals, const Buffer<Real>& values,
                                       std::uint32_t count) { evaluate(individuals, values, count); });
  }

  void select(const Buffer<std::uint32_t>& parents, const DeviceCounter& counter, std::uint64_t generation) override {
    queue_.launch(tournament_, Range::of_items(dimensions_.individuals),
                  {.fitness = fitness_,
                   .parents = parents,
                   .copies = counter.copies(),
                   .totals = counter.totals(),
                   .individuals = dimensions_.individuals,
                   .tournament_size = plan_.options.tournament,
                   .seed = plan_.options.seed,
                   .generation = static_cast<std::uint32_t>(generation)});
  }

  void begin_to_read(const DeviceCounter& counter) override {
    const auto group = std::min(best_group, find_best_.max_group_size());
    queue_.launch(find_best_, Range::of_groups(host_sections_.size() / 2, group),
                  {.fitness = fitness_,
                   .best = sections_,
                   .individuals = dimensions_.individuals,
                   .section_size = section_individuals});
    sections_read_ = counter.devices().first().read_beside(sections_, host_sections_);
    if (is_observed_) fitness_read_ = counter.devices().first().read_more(fitness_, host_fitness_);
  }

  Best best() override {
    sections_read_.wait();
    std::size_t best = 0;
    for (std::size_t section = 2; section < host_sections_.size(); section += 2)
      if (host_sections_[section] > host_sections_[best]) best = section;
    const auto individual = host_sections_[best + 1];
    if (individual >= dimensions_.individuals)
      report_fault(device_, fmt::format("calls individual {} of {} the best", individual, dimensions_.individuals));
    return {fitness_of_order<Real>(host_sections_[best]), static_cast<std::uint32_t>(individual)};
  }

  MeanAndLeast mean_and_least() override {
    fitness_read_.wait();
    return ecga::mean_and_least(std::span<const Real>(host_fitness_.data(), host_fitness_.size()));
  }

  std::span<const std::uint64_t> sections() const override { return {host_sections_.data(), host_sections_.size()}; }

  void exchange() override { std::swap(fitness_, other_fitness_); }
  void load(const State& state) override { queue_.write(fitness_, state.fitness_of<Real>()); }
  void keep(State& state) const override { state.fitness_of<Real>() = read(); }

  void add_to(Checksum& checksum) const override {
    if (is_observed_)
      checksum.add(std::span<const Real>(host_fitness_.data(), host_fitness_.size()));
    else
      checksum.add(std::span<const Real>(read()));
  }

  std::string check(std::span<const std::uint32_t> genes, double fitness, bool was_ended) const override {
    const auto& objective = plan_.problem.objective;
    auto unchecked = objective::why_unchecked(objective, device_, was_ended);
    if (!unchecked.empty()) return unchecked;
    const auto values = objective::values_on_host<std::uint32_t, Real>(
        objective, {.elements = genes, .count = 1, .genes = dimensions_.length}, unchecked);
    for (const auto value : values)
      objective::require_host_value(
          objective, device_, plan_.value_of(fitness),
          std::isnan(value) ? plan_.value_of(-std::numeric_limits<double>::infinity()) : static_cast<double>(value));
    return unchecked;
  }

 private:
  void evaluate(const Buffer<std::uint32_t>& individuals, const Buffer<Real>& values, std::uint32_t count) {
    queue_.launch(evaluate_, Range::of_items(count),
                  {.elements = individuals,
                   .rows = no_rows_,
                   .tables = tables_,
                   .values = values,
                   .count = std::uint64_t{count},
                   .individual_step = std::uint64_t{1},
                   .row_step = std::uint64_t{0},
                   .gene_step = dimensions_.stride(),
                   .gene_count = dimensions_.length,
                   .column_count = 0U});
    queue_.launch(turn_fitness_, Range::of_items(count),
                  {.fitness = values, .individuals = count, .minimise = plan_.minimises ? 1U : 0U});
  }

  std::vector<Real> read() const {
    HostArray<Real> fitness(dimensions_.individuals);
    queue_.read(fitness_, fitness);
    return fitness.take();
  }

  const Plan& plan_;
  const Dimensions& dimensions_;
  Device& device_;
  Queue& queue_;
  bool is_observed_;

  Improvement<Real> improvement_;
  Kernel<operations::Tournament<Real>> tournament_;
  Kernel<operations::TurnFitness<Real>> turn_fitness_;
  Kernel<operations::FindBest<Real>> find_best_;
  Kernel<Evaluate<Real>> evaluate_;

  Buffer<Real> fitness_;
  Buffer<Real> other_fitness_;
  Buffer<Real> tables_;
  Buffer<Real> no_rows_;
  Buffer<std::uint64_t> sections_;
  HostArray<std::uint64_t> host_sections_;
  HostArray<Real> host_fitness_;  // where the mean is wanted
  Event sections_read_;
  Event fitness_read_;
};

}  // namespace

void build_evaluation(const Plan& plan, Device& device) {
  if (plan.is_double)
    evaluation<double>(plan, device);
  else
    evaluation<float>(plan, device);
}

std::unique_ptr<Fitness> Fitness::make(const Plan& plan, const Dimensions& dimensions, Device& device, Queue& queue,
                                       bool is_observed) {
  if (plan.is_double) return std::make_unique<FitnessOf<double>>(plan, dimensions, device, queue, is_observed);
  return std::make_unique<FitnessOf<float>>(plan, dimensions, device, queue, is_observed);
}

}  // namespace clopt::ecga
