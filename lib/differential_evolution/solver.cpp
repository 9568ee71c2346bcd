#include <clopt/checkpoint.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "choice.hpp"
#include "pace.hpp"
#include "share.hpp"

namespace clopt::differential_evolution {
namespace {

// Pieces for each device where several share a run: enough for a quick one to help a slow one out.
constexpr std::size_t pieces_of_device = 6;

/// One run of solve().
class Run {
 public:
  Run(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
      const RunControl& control)
      : watch_(control),
        plan_(make_plan(problem, options, control)),
        devices_(devices),
        state_(plan_, options.checkpoint != nullptr || options.resume != nullptr) {
    if (devices.empty()) throw InvalidInput("differential evolution: there is no device to run on");
    if (options.resume) state_.load(*options.resume);
  }

  Result finish() {
    const auto choice = choose_method(plan_, *devices_.front());
    result_.method = choice.method;
    result_.reason = choice.reason;
    result_.population = plan_.settings.population;
    begin_ = watch_.seconds();
    if (plan_.options.statistics)
      run_observed();
    else
      run_shared();
    result_.compute_seconds = std::max(0.0, watch_.seconds() - begin_ - result_.build_seconds);
    if (plan_.options.checkpoint) state_.save(*plan_.options.checkpoint);
    state_.fill(result_);
    result_.interrupted = watch_.interrupted();
    result_.total_seconds = watch_.seconds() - result_.build_seconds;
    return std::move(result_);
  }

 private:
  std::size_t most_in_piece() const {
    std::size_t most = plan_.problem.problems;
    if (devices_.size() > 1) most = (most - 1) / (devices_.size() * pieces_of_device) + 1;
    const auto bytes = bytes_of_problem(plan_);
    for (const auto& device : devices_) {
      // Each buffer within the largest allocation, and all batches of a device within half of its memory.
      const auto limit = std::min(device->info().max_allocation_bytes, device->info().global_memory_bytes / 4);
      most = std::min<std::size_t>(most, std::max<std::uint64_t>(1, limit / bytes));
    }
    return most;
  }

  void run_shared() {
    Share share(state_.pieces(most_in_piece()), [this](Device& device, const Piece& piece) { run(device, piece); });
    share.run(devices_);
    result_.failures = share.failures();
  }

  /// Brings a piece to its end, or to where the run is ended.
  void run(Device& device, Piece piece) {
    // A piece that another device was at may have come further.
    piece.generation = state_.generation_of(piece);
    // Problems that the limits leave no time for stay as they are; one at least has vectors.
    if (!piece.generation && watch_.expired() && began_.exchange(true)) return;
    began_ = true;
    const auto batch = begin_batch(device, piece);
    auto generation = piece.generation.value_or(0);
    Pace pace(device, plan_, piece.count);
    while (generation < plan_.generations && batch->running() != 0 && !watch_.expired()) {
      const auto step = std::min(pace.step(), plan_.generations - generation);
      batch->advance(generation + 1, generation + step);
      generation += step;
      pace.measured(step, batch->last_seconds());
      const std::lock_guard lock(mutex_);
      report(piece, generation);
      if (!plan_.options.checkpoint || !plan_.options.checkpoint->due()) continue;
      state_.deposit(piece, generation, batch->image());
      state_.save(*plan_.options.checkpoint);
    }
    end_batch(*batch, piece, generation);
  }

  /// All pieces one generation after the other, since statistics are of all problems at once.
  void run_observed() {
    std::vector<Piece> pieces = state_.pieces(plan_.problem.problems);
    if (pieces.size() > 1)
      throw InvalidInput(
          "differential evolution: the checkpoint stands at different generations of different problems; "
          "go on without statistics");
    auto& piece = pieces.front();
    const auto batch = begin_batch(*devices_.front(), piece);
    auto generation = piece.generation.value_or(0);
    // The generation of a checkpoint was told by the run that wrote it.
    if (!piece.generation) tell(generation, *batch);
    while (generation < plan_.generations && batch->running() != 0 && !watch_.expired()) {
      ++generation;
      batch->advance(generation, generation);
      tell(generation, *batch);
      report(piece, generation);
      if (!plan_.options.checkpoint || !plan_.options.checkpoint->due()) continue;
      state_.deposit(piece, generation, batch->image());
      state_.save(*plan_.options.checkpoint);
    }
    end_batch(*batch, piece, generation);
  }

  void tell(std::uint32_t generation, Batch& batch) const {
    const auto summary = batch.summarise();
    const auto& values = summary.best_values;
    Statistics statistics;
    statistics.generation = generation;
    statistics.running = batch.running();
    statistics.best = *std::min_element(values.begin(), values.end());
    statistics.worst = *std::max_element(values.begin(), values.end());
    statistics.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    plan_.options.statistics(statistics);
  }

  std::unique_ptr<Batch> begin_batch(Device& device, Piece& piece) {
    const double begin = watch_.seconds();
    auto batch = make_batch(device, plan_, result_.method, piece.first, piece.count);
    if (devices_.size() == 1) result_.build_seconds += watch_.seconds() - begin;
    if (piece.generation)
      batch->restore(state_.image_of(piece), *piece.generation);
    else
      batch->initialise(watch_);
    piece.count = batch->count();
    return batch;
  }

  void end_batch(Batch& batch, const Piece& piece, std::uint32_t generation) {
    if (state_.keeps_images()) state_.deposit(piece, generation, batch.image());
    state_.finish(piece, generation, batch.summarise());
    const std::lock_guard lock(mutex_);
    result_.launches += batch.launches();
  }

  // Called by one thread at a time.
  void report(const Piece& piece, std::uint32_t generation) const {
    const double part = static_cast<double>(piece.count) / static_cast<double>(plan_.problem.problems);
    const double before = static_cast<double>(piece.first) / static_cast<double>(plan_.problem.problems);
    watch_.report("generations", before + part * generation / std::max(1U, plan_.generations));
  }

  const Watch watch_;
  const Plan plan_;
  std::span<const std::shared_ptr<Device>> devices_;
  RunState state_;
  Result result_;
  double begin_ = 0;
  std::mutex mutex_;
  std::atomic<bool> began_{false};
};

}  // namespace

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  return Run(problem, options, devices, control).finish();
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> shared = device.shared_from_this();
  return solve(problem, options, std::span(&shared, 1), control);
}

}  // namespace clopt::differential_evolution
