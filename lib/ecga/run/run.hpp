/// \file
/// One run of the algorithm on a device, generation by generation.
#pragma once

#include <clopt/device.hpp>
#include <clopt/ecga.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include <ecga/dimensions.hpp>
#include <ecga/model/device_counter.hpp>
#include <ecga/model/logarithms.hpp>
#include <ecga/model/predicted_model.hpp>
#include "fitness.hpp"
#include "state.hpp"

namespace clopt::ecga {

/// The population of a run on its device, and the steps of a generation.
class Run {
 public:
  /// \param dimensions that fit the device. Nothing is computed yet.
  /// \param counting the one that is used. \param logarithms of the population's size. The plan and the watch must
  /// outlive the run.
  Run(const Plan& plan, const Dimensions& dimensions, Counting counting, Device& device, const Watch& watch,
      Logarithms logarithms);

  /// Lets further devices count pairs.
  void share_with(std::span<const std::shared_ptr<Device>> devices);
  /// Makes each model together with others, which have the same population. To be called after share_with().
  void work_with(Peers& peers);
  /// Draws and evaluates the initial population, or takes that of a state. \returns false where the watch ended its
  /// local search.
  bool begin(const State* start);
  /// Whether all individuals are equal.
  bool has_converged() const { return converged_; }
  /// One generation. \returns false where the watch or a batch function ended it; the population is then as before.
  bool step();
  /// Refuses to continue where others are at another generation, or have come to another fitness. \throws Error then.
  void require_equal() const;
  /// Whether the watch ends the run, or that of the first one of others.
  bool is_expired() const;
  /// Calls the progress callback if it is due.
  void report() const;

  /// Builds the model of a population as it is, without selection. \param population as State::population.
  const Model& model_of(std::span<const std::uint32_t> population);

  const Statistics& statistics() const { return statistics_; }
  /// As Result::model.
  const GenerationModel& best_model() const { return best_model_; }
  /// Of all generations, if they are to be kept.
  const std::vector<GenerationModel>& models() const { return models_; }
  /// The best so far, as the objective gives it.
  double best_fitness() const { return plan_.value_of(best_fitness_); }
  /// Whether no individual can be better.
  bool is_optimal() const { return bound_ && best_fitness() >= *bound_; }
  /// Its genes as the device has them, 32 a word. \throws DeviceError where bits are set that are not genes.
  std::vector<std::uint32_t> read_best() const;
  std::vector<std::uint8_t> genes_of(std::span<const std::uint32_t> words) const;
  /// Evaluates the best so far, as it was read, again on the host. \returns why that was not done; empty where it was.
  /// \throws DeviceError where the host finds another value.
  std::string check_best(std::span<const std::uint32_t> best) const {
    return fitness_->check(best, best_fitness_, watch_.expired());
  }
  /// Generations since the last one in which best or mean got better.
  std::uint64_t stagnant_generations() const { return statistics_.generation - improved_at_; }
  /// \param best as read_best() gives it.
  State state(std::vector<std::uint32_t> best) const;
  State state() const { return state(read_best()); }
  /// Of population, fitness, model and generation.
  std::uint64_t checksum(const std::vector<std::uint32_t>& best) const;

  /// Devices that failed, had no room or cannot run these kernels.
  const std::vector<std::string>& failures() const { return counter_->devices().failures(); }
  std::uint64_t passes() const { return passes_; }
  std::uint64_t merges() const { return merges_; }
  std::uint64_t launches() const { return queue_->counts().launches; }
  double model_seconds() const { return model_seconds_; }
  /// Counting and listing the pairs of loci for the first time; 0 if that was not done.
  double first_pass_seconds() const { return counter_->first_pass_seconds(); }

 private:
  /// What a step changes before the fitness is known, but for individuals and fitness, which exchange() brings back.
  struct Generation {
    Model model;
    Statistics statistics;
    bool converged;
    std::uint64_t passes;
    std::uint64_t merges;
  };
  void exchange();
  void put_back(Generation before);
  void require_time() const;
  std::optional<Found> find_model(bool& was_predicted);
  void load(const State& start);
  void load_population(std::span<const std::uint32_t> population);
  void select_everyone();
  bool evaluate(std::uint64_t generation);
  void read_fitness();
  void take_fitness();
  bool take_mean();
  void select();
  void begin_next_model();
  bool is_sure_to_continue() const;
  void need_rows();
  void take_parents();
  bool build_model();
  std::optional<Found> predict();
  std::optional<Found> search();
  void deal(const Model& model);
  void deal_ahead();
  void replace_population();
  void take_model(const Found& found);
  void keep_model();
  bool all_equal();
  std::vector<std::uint32_t> read_population() const;

  const Plan& plan_;
  Dimensions dimensions_;
  Device& device_;
  const Watch& watch_;
  Peers* peers_ = nullptr;
  Logarithms logarithms_;
  std::uint32_t guesses_ = 1;
  bool is_predicted_ = true;
  std::optional<double> bound_;  // of the objective, which is maximised then
  bool observed_ = true;         // mean and worst are wanted

  Buffer<std::uint32_t> population_;
  Buffer<std::uint32_t> other_population_;  // of the generation before, where it may be put back
  Buffer<std::uint32_t> parents_;
  Buffer<std::uint32_t> sampled_;
  Buffer<std::uint32_t> lists_;
  Buffer<std::uint32_t> best_;

  Kernel<operations::InitialPopulation> initial_population_;
  Kernel<operations::SelectRows> select_rows_;
  Kernel<operations::RowsToPopulation> rows_to_population_;
  Kernel<operations::Sample> sample_;
  Kernel<operations::TakeIndividual> take_individual_;

  Statistics statistics_;
  Model model_;
  GenerationModel best_model_;
  std::vector<GenerationModel> models_;
  Model dealt_model_;                 // whose samples were drawn before the model was verified
  bool is_selected_ = false;          // for the next model
  std::exception_ptr early_failure_;  // of what was begun for the next step
  bool has_rows_ = false;             // of those that are selected
  bool is_steady_ = false;            // the last model was the one before
  double best_fitness_ = 0;
  bool has_best_ = false;
  double best_mean_ = 0;
  std::uint64_t improved_at_ = 0;
  mutable double shown_fitness_ = 0;
  mutable std::vector<double> shown_genes_;  // by progress
  bool is_improved_ = true;                  // the initial population
  bool converged_ = false;
  std::uint64_t passes_ = 0;
  std::uint64_t merges_ = 0;
  double model_seconds_ = 0;

  std::unique_ptr<PredictedModel> predicted_model_;
  std::unique_ptr<DeviceCounter> counter_;
  std::unique_ptr<Fitness> fitness_;
  std::unique_ptr<Queue> queue_;
};

}  // namespace clopt::ecga
