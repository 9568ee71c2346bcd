#include <clopt/checkpoint.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <thread>

#include "choice.hpp"
#include "pace.hpp"
#include "share.hpp"

namespace clopt::differential_evolution {
namespace {

// Pieces for each device where several share a run: enough for a quick one to help a slow one out.
constexpr std::size_t pieces_of_device = 6;
// Slots of a device of its own memory where there are pieces enough.
constexpr std::size_t slots_of_device = 2;

/// One run of solve().
class Run {
 public:
  Run(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
      const RunControl& control)
      : watch_(control),
        plan_(make_plan(problem, options, control)),
        state_(plan_, options.checkpoint != nullptr || options.resume != nullptr),
        slots_(in_order(devices), [this](Device& device) { return make_slot(device); }) {
    if (devices.empty()) throw InvalidInput("differential evolution: there is no device to run on");
    if (devices.size() > 1 && problem.objective.is_batch_function())
      throw InvalidInput(fmt::format(
          "differential evolution: there are {} devices, each with a thread of its own, and '{}' is a batch "
          "function, which is called on the caller's thread only; give one device",
          devices.size(), problem.objective.name()));
    if (options.resume) state_.load(*options.resume);
  }

  Result finish() {
    const auto choice = choose_method(plan_, *devices().front());
    result_.method = choice.method;
    result_.reason = choice.reason;
    result_.population = plan_.settings.population;
    if (plan_.options.statistics)
      run_observed();
    else
      run_shared();
    result_.compute_seconds = std::max(0.0, watch_.seconds() - result_.build_seconds - begin_);
    if (plan_.options.checkpoint) state_.save(*plan_.options.checkpoint);
    state_.fill(result_);
    for (const auto& slot : slots_.all()) result_.launches += slot.batch ? slot.batch->launches() : 0;
    result_.failures = slots_.failures();
    result_.interrupted = watch_.interrupted();
    result_.total_seconds = watch_.seconds() - result_.build_seconds;
    return std::move(result_);
  }

 private:
  // Those whose launches are calls come last: others need not wait for them.
  static std::vector<std::shared_ptr<Device>> in_order(std::span<const std::shared_ptr<Device>> given) {
    std::vector<std::shared_ptr<Device>> devices(given.begin(), given.end());
    std::stable_partition(devices.begin(), devices.end(),
                          [](const auto& device) { return !device->info().launches_are_calls; });
    return devices;
  }
  const std::vector<std::shared_ptr<Device>>& devices() const { return slots_.devices(); }

  // Called by the caller's thread.
  std::unique_ptr<Batch> make_slot(Device& device) {
    auto batch = make_batch(device, plan_, result_.method, room_);
    result_.build_seconds += batch->build_seconds();
    return batch;
  }

  /// The problems in pieces that are no larger than a share, and than what devices have memory for.
  std::vector<Piece> pieces_of(std::size_t shares) {
    std::size_t most = (plan_.problem.problems - 1) / shares + 1;
    const auto bytes = bytes_of_problem(plan_);
    for (const auto& device : devices()) {
      // Each buffer within the largest allocation, and all slots of a device within half of its memory.
      const auto limit =
          std::min(device->info().max_allocation_bytes, device->info().global_memory_bytes / (2 * slots_of_device));
      most = std::min<std::size_t>(most, std::max<std::uint64_t>(1, limit / bytes));
    }
    auto pieces = state_.pieces(most);
    for (const auto& piece : pieces) room_ = std::max(room_, piece.count);
    return pieces;
  }

  void run_shared() {
    auto pieces = pieces_of(devices().size() == 1 ? 1 : devices().size() * pieces_of_device);
    for (std::size_t n = 0; n < slots_of_device; ++n)
      for (const auto& device : devices())
        if (n == 0 || (slots_.all().size() < pieces.size() && !device->info().launches_are_calls)) slots_.add(device);
    if (slots_.all().empty()) slots_.rethrow();
    begin_ = watch_.seconds() - result_.build_seconds;
    Share share(std::move(pieces), slots_, [this](Slot& slot, const Piece& piece) { bring_to_end(slot, piece); });
    share.run([this] { report(); });
  }

  /// Brings a piece to its end, or to where the run is ended.
  void bring_to_end(Slot& slot, Piece piece) {
    auto& batch = *slot.batch;
    // A piece that another device was at may have come further.
    piece.generation = state_.generation_of(piece);
    // Problems that the limits leave no time for stay as they are; one at least has vectors.
    if (!piece.generation && watch_.expired() && began_.exchange(true)) return;
    began_ = true;
    auto generation = begin(batch, piece, watch_);
    Pace pace(*slot.device, plan_, piece.count);
    while (generation < plan_.generations && batch.running() != 0 && !watch_.expired() && !report_failed_) {
      const auto step = std::min(pace.step(), plan_.generations - generation);
      batch.advance(generation + 1, generation + step);
      generation += step;
      pace.measured(step, batch.last_seconds());
      note(piece, generation);
      const std::lock_guard lock(mutex_);
      if (!is_checkpoint_due()) continue;
      state_.deposit(piece, generation, batch.image());
      state_.save(*plan_.options.checkpoint);
    }
    end(batch, piece, generation);
  }

  /// All pieces one generation after the other, since statistics are of all problems at once.
  void run_observed() {
    pieces_ = pieces_of(devices().size());
    for (const auto& piece : pieces_)
      if (piece.generation != pieces_.front().generation)
        throw InvalidInput(
            "differential evolution: the checkpoint stands at different generations of different problems; "
            "go on without statistics");
    for (std::size_t n = 0; slots_.all().size() < pieces_.size(); ++n)
      if (!slots_.add(devices()[n % devices().size()]) && n >= devices().size() && slots_.all().empty())
        slots_.rethrow();
    begin_ = watch_.seconds() - result_.build_seconds;
    std::uint32_t generation = pieces_.front().generation.value_or(0);
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) { begin(batch, pieces_[n], watch_); });
    // The generation of a checkpoint was told by the run that wrote it.
    if (!pieces_.front().generation) tell(generation);
    while (generation < plan_.generations && running() != 0 && !watch_.expired()) {
      ++generation;
      for_all(generation - 1, [&](Batch& batch) { batch.begin_advance(generation, generation); });
      for_all(generation, [](Batch& batch) { batch.await(); });
      tell(generation);
      for (const auto& piece : pieces_) note(piece, generation);
      if (!is_checkpoint_due()) continue;
      deposit_all(generation);
      state_.save(*plan_.options.checkpoint);
    }
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) { end(batch, pieces_[n], generation); });
  }

  std::size_t running() {
    std::size_t running = 0;
    for (const auto& slot : slots_.all()) running += slot.batch->running();
    return running;
  }

  template <class Function>
  void for_all(std::uint32_t generation, const Function& function) {
    for (std::size_t n = 0; n < pieces_.size(); ++n) guarded(n, generation, function);
  }

  /// Does something with a slot whose piece is at a generation. Where its device is lost, another one takes the piece
  /// there first.
  template <class Function>
  void guarded(std::size_t n, std::uint32_t generation, const Function& function) {
    auto& slot = slots_.all()[n];
    for (std::optional<DeviceError> failure;;) {
      if (failure) slots_.move(slot, *failure);
      try {
        if (failure) catch_up(*slot.batch, pieces_[n], generation);
        return function(*slot.batch);
      } catch (const DeviceError& found) {
        if (!is_fault(found)) throw;
        failure.emplace(found);
      }
    }
  }

  void catch_up(Batch& batch, Piece& piece, std::uint32_t generation) {
    piece.generation = state_.generation_of(piece);
    const RunControl no_limits;
    const auto reached = begin(batch, piece, Watch(no_limits));
    if (reached < generation) batch.advance(reached + 1, generation);
  }

  void deposit_all(std::uint32_t generation) {
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) { state_.deposit(pieces_[n], generation, batch.image()); });
  }

  void tell(std::uint32_t generation) {
    std::vector<double> values;
    for_all(generation, [&](Batch& batch) {
      const auto found = batch.summarise().best_values;
      values.insert(values.end(), found.begin(), found.end());
    });
    Statistics statistics;
    statistics.generation = generation;
    statistics.running = running();
    statistics.best = *std::min_element(values.begin(), values.end());
    statistics.worst = *std::max_element(values.begin(), values.end());
    statistics.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    plan_.options.statistics(statistics);
  }

  bool is_checkpoint_due() const { return plan_.options.checkpoint && plan_.options.checkpoint->due(); }

  /// Gives a piece to a batch. \returns its generation. Problems that there is no time to begin leave the piece.
  std::uint32_t begin(Batch& batch, Piece& piece, const Watch& watch) {
    batch.take(piece.first, piece.count);
    if (piece.generation)
      batch.restore(state_.image_of(piece), *piece.generation);
    else
      batch.initialise(watch);
    piece.count = batch.count();
    return piece.generation.value_or(0);
  }

  void end(Batch& batch, const Piece& piece, std::uint32_t generation) {
    if (state_.keeps_images()) state_.deposit(piece, generation, batch.image());
    state_.finish(piece, generation, batch.summarise());
    note(piece, plan_.generations);
  }

  /// Counts a piece's generations for report().
  void note(const Piece& piece, std::uint32_t generation) {
    {
      const std::lock_guard lock(mutex_);
      done_[piece.first] = static_cast<double>(piece.count) * generation / std::max(1U, plan_.generations);
    }
    if (std::this_thread::get_id() == caller_) report();
  }

  // Called by the caller's thread.
  void report() {
    double done = 0;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [first, part] : done_) done += part;
    }
    try {
      watch_.report("generations", std::min(1.0, done / static_cast<double>(plan_.problem.problems)));
    } catch (...) {
      report_failed_ = true;
      throw;
    }
  }

  const Watch watch_;
  const std::thread::id caller_ = std::this_thread::get_id();
  const Plan plan_;
  RunState state_;
  Slots slots_;
  std::vector<Piece> pieces_;  // of a run with statistics, each in the slot of its place
  std::size_t room_ = 1;       // problems in a slot
  Result result_;
  double begin_ = 0;
  std::mutex mutex_;
  std::map<std::size_t, double> done_;  // problems that are done, fractions counted, of each piece by its first
  std::atomic<bool> began_{false};
  std::atomic<bool> report_failed_{false};  // the caller's function threw: pieces under way are left
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
