/// \file
/// One run of the algorithm on a device, generation by generation.
#pragma once

#include <clopt/device.hpp>
#include <clopt/ecga.hpp>
#include <objective/operations.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include "device_counter.hpp"
#include "forecast.hpp"
#include "logarithms.hpp"
#include "shape.hpp"
#include "state.hpp"

namespace clopt::ecga {

/// The population of a run on its device, and the steps of a generation.
class Run {
 public:
  /// \param shape that fits the device. Nothing is computed yet.
  Run(const Problem& problem, const Options& options, const Shape& shape, Counting counting, Device& device,
      const Watch& watch);

  /// Has further devices count pairs.
  void share_with(std::span<const std::shared_ptr<Device>> devices, std::optional<double> least_shared) {
    counter_->share_with(devices, least_shared);
  }
  /// Whether generation() is to tell the worst and the mean fitness too.
  void observe(bool observed) { observed_ = observed; }
  /// Draws and evaluates the initial population, or takes that of a state.
  void begin(const State* start);
  /// Whether all individuals are equal.
  bool has_converged() const { return converged_; }
  /// One generation. \returns false where a limit ended it; the population is then as before.
  bool step();

  /// Builds the model of a population as it is, without selection. \param population as State::population.
  const Model& model_of(std::span<const std::uint32_t> population);

  const Generation& generation() const { return generation_; }
  const Model& model() const { return model_; }
  double best_fitness() const { return best_fitness_; }
  std::vector<std::uint8_t> best_genes();
  State state();
  /// Of population, fitness, model and generation.
  std::uint64_t checksum();

  /// Devices that failed, had no room or cannot run these kernels; and what the first of them said.
  std::uint32_t lost_devices() const { return counter_->crew().lost(); }
  const std::string& lost_reason() const { return counter_->crew().reason(); }
  std::uint64_t passes() const { return passes_; }
  std::uint64_t merges() const { return merges_; }
  std::uint64_t launches() const { return queue_->counts().launches; }
  double build_seconds() const { return build_seconds_ + counter_->build_seconds(); }
  double model_seconds() const { return model_seconds_; }
  /// Counting and listing the pairs of loci for the first time; 0 if that was not done.
  double first_pass_seconds() const { return counter_->first_pass_seconds(); }

 private:
  void load(const State& start);
  void load_population(std::span<const std::uint32_t> population);
  void select_everyone();
  void evaluate();
  void begin_to_note_fitness();
  void note_fitness();
  void note_spread();
  [[noreturn]] void refuse_fitness(std::uint64_t individual);
  std::vector<float> read_fitness();
  void select();
  bool is_sure_to_go_on() const;
  void need_rows();
  void take_parents();
  bool build_model();
  std::optional<Found> foresee();
  std::optional<Found> search();
  void deal(const Model& model);
  void deal_ahead();
  void replace_population();
  void take_model(const Found& found);
  bool all_equal();
  std::vector<std::uint32_t> read_population();

  const Problem& problem_;
  const Options& options_;
  Shape shape_;
  Device& device_;
  const Watch& watch_;
  Logarithms logarithms_;
  std::uint32_t guesses_ = 1;
  bool is_foreseen_ = true;
  double build_seconds_ = 0;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<DeviceCounter> counter_;
  std::unique_ptr<Forecast> forecast_;

  Buffer<std::uint32_t> population_;
  Buffer<float> fitness_;
  Buffer<std::uint32_t> parents_;
  Buffer<std::uint32_t> sampled_;
  Buffer<std::uint32_t> lists_;
  Buffer<std::uint32_t> best_;
  Buffer<std::uint64_t> sections_;
  Buffer<float> tables_;
  Buffer<float> no_rows_;

  Kernel<InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t> initial_population_;
  Kernel<In<float>, InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t,
         std::uint64_t, std::uint32_t>
      tournament_;
  Kernel<In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t,
         std::uint32_t>
      select_rows_;
  Kernel<In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t> rows_to_population_;
  Kernel<In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t,
         std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t>
      sample_;
  Kernel<In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t> take_individual_;
  Kernel<In<float>, InOut<std::uint64_t>, std::uint32_t, std::uint32_t> find_best_;
  using Evaluate = objective::operations::Evaluate<std::uint32_t, float>;
  Kernel<Evaluate> evaluate_;

  Generation generation_;
  Model model_;
  Model dealt_model_;  // whose samples were dealt out before it was known
  Event best_told_;
  Event lists_written_;
  bool observed_ = true;
  bool is_selected_ = false;  // for the next model
  bool has_rows_ = false;     // of those that are selected
  bool is_steady_ = false;    // the last model was the one before
  std::vector<std::uint64_t> host_sections_;
  std::vector<std::uint32_t> host_lists_;
  double best_fitness_ = 0;
  bool converged_ = false;
  std::uint64_t passes_ = 0;
  std::uint64_t merges_ = 0;
  double model_seconds_ = 0;
};

}  // namespace clopt::ecga
