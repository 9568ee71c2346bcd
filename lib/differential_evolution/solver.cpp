#include <clopt/checkpoint.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <device/borrow.hpp>
#include <device/first_launches.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "host_check.hpp"
#include "pace.hpp"
#include "share.hpp"
#include "statistics.hpp"

namespace clopt::differential_evolution {
namespace {

// Pieces for each device where several share a run: enough for load balancing.
constexpr std::size_t pieces_of_device = 6;
// Slots of a device of its own memory where there are pieces enough.
constexpr std::size_t slots_of_device = 2;

using Clock = std::chrono::steady_clock;

// What the best value for the progress callback may take of a run's time.
constexpr double best_share = 0.01;
constexpr std::chrono::duration<double> longest_pause(3600);

/// One run of solve().
class Run {
 public:
  Run(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
      const RunControl& control)
      : control_(control),
        watch_(control),
        plan_(make_plan(problem, options, control)),
        state_(plan_, options.checkpoint != nullptr || options.resume != nullptr),
        slots_(in_order(devices), [this](Device& device) { return make_slot(device); }) {
    if (devices.empty()) throw InvalidInput("`devices` is empty; give at least one device to run on");
    if (devices.size() > 1 && needs_whole_generations(problem.objective))
      throw InvalidInput(
          fmt::format("there are {} devices, each with a thread of its own, and '{}' is a batch function, which is "
                      "called on the caller's thread only; give one device",
                      devices.size(), problem.objective.name()));
    if (options.resume) state_.load(*options.resume);
  }

  Result finish() {
    const auto choice = choose_method(plan_, *devices().front());
    method_ = choice.method;
    result_.method = method_names.of(method_);
    result_.reason = choice.reason;
    result_.population = plan_.settings.population;
    if (plan_.options.statistics)
      run_observed();
    else
      run_shared();
    result_.seconds.compute = std::max(0.0, watch_.seconds() - result_.seconds.build - begin_);
    if (plan_.options.checkpoint) state_.save(*plan_.options.checkpoint);
    state_.fill(result_, watch_.interrupted() ? Ending::interrupted : Ending::time);
    for (const auto& slot : slots_.all()) result_.launches += slot.batch ? slot.batch->launches() : 0;
    result_.failures = slots_.failures();
    result_.seconds.total = watch_.seconds() - result_.seconds.build;
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
    auto batch = make_batch(device, plan_, method_, room_);
    result_.seconds.build += batch->build_seconds();
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
    add_slots(pieces.size());
    begin_ = watch_.seconds() - result_.seconds.build;
    Share share(std::move(pieces), slots_, [this](Slot& slot, const Piece& piece) { bring_to_end(slot, piece); });
    share.run([this] { report(); });
  }

  void add_slots(std::size_t pieces) {
    for (std::size_t n = 0; n < slots_of_device; ++n)
      for (const auto& device : devices()) {
        const bool is_wanted = n == 0 || (slots_.all().size() < pieces && !device->info().launches_are_calls);
        if (is_wanted) slots_.add(device);
      }
    if (slots_.all().empty()) slots_.rethrow();
  }

  /// Brings a piece to its end, or to where the run is ended.
  void bring_to_end(Slot& slot, Piece piece) {
    auto& batch = *slot.batch;
    // Another device may have brought the piece further before it failed.
    piece.generation = state_.generation_of(piece);
    if (is_caller()) report();
    // Problems that the limits leave no time for stay as they are; one at least has vectors.
    if (!piece.generation && watch_.expired() && began_.exchange(true)) return;
    began_ = true;
    auto generation = begin(batch, piece, watch_);
    Pace pace(*slot.device, plan_, piece.count);
    Clock::time_point next_best{};
    note(batch, piece, generation, next_best);
    while (generation < plan_.generations && batch.running() != 0 && !watch_.expired() && !report_failed_) {
      const auto step = std::min(pace.step(), plan_.generations - generation);
      batch.advance(generation + 1, generation + step);
      generation += step;
      pace.measured(step, batch.last_seconds());
      note(batch, piece, generation, next_best);
      const std::lock_guard lock(mutex_);
      if (!is_checkpoint_due()) continue;
      state_.deposit(piece, generation, batch.image());
      state_.save(*plan_.options.checkpoint);
    }
    end(*slot.device, batch, piece, generation);
  }

  /// All pieces side by side, some generations at a time, since statistics are of all problems at once.
  void run_observed() {
    pieces_ = pieces_of(devices().size());
    for (const auto& piece : pieces_)
      if (piece.generation != pieces_.front().generation)
        throw InvalidInput(
            "the checkpoint stands at different generations of different problems; go on without `statistics`");
    for (std::size_t n = 0; slots_.all().size() < pieces_.size(); ++n)
      if (!slots_.add(devices()[n % devices().size()]) && n >= devices().size() && slots_.all().empty())
        slots_.rethrow();
    begin_ = watch_.seconds() - result_.seconds.build;
    std::uint32_t generation = pieces_.front().generation.value_or(0);
    report();
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) { begin(batch, pieces_[n], watch_); });
    begin_rows(generation);
    // The run that wrote a checkpoint has given the statistics of its generation.
    if (!pieces_.front().generation) give_statistics(generation);
    note_all(generation);
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      paces_.emplace_back(*slots_.all()[n].device, plan_, pieces_[n].count);
    generation = advance_observed(generation);
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) { end(*slots_.all()[n].device, batch, pieces_[n], generation); });
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
  /// \param failure of the device before, if it has failed.
  template <class Function>
  void guarded(std::size_t n, std::uint32_t generation, const Function& function, std::exception_ptr failure = {}) {
    auto& slot = slots_.all()[n];
    for (;;) {
      if (failure) slots_.move(slot, failure);
      try {
        if (failure) catch_up(*slot.batch, pieces_[n], generation);
        return function(*slot.batch);
      } catch (const DeviceError&) {
        failure = std::current_exception();
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

  void begin_rows(std::uint32_t generation) {
    rows_.resize(pieces_.size());
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) {
        auto summary = batch.summarise();
        rows_[n] = StatisticsRow(std::move(summary.states), std::move(summary.best_values), generation);
        note_best(batch.best());
      });
  }

  /// Runs all generations after one and gives their statistics. Where devices work by themselves, the next launch is
  /// under way while those of the last one are told; it is told too where the run is to end meanwhile. \returns the
  /// generation at the end.
  std::uint32_t advance_observed(std::uint32_t generation) {
    const bool works_ahead = !devices().front()->info().launches_are_calls;
    auto step = next_step(generation);
    begin_step(generation, step);
    while (step != 0) {
      const auto before = std::exchange(generation, await_step(generation, step));
      const bool is_due = is_checkpoint_due();
      const bool goes_ahead = works_ahead && !is_due;
      step = goes_ahead ? next_step(generation) : 0;
      auto failures = begin_ahead(generation, step);
      tell(before, generation);
      note_all(generation);
      if (is_due) {
        deposit_all(generation);
        state_.save(*plan_.options.checkpoint);
      }
      if (!goes_ahead) step = next_step(generation);
      begin_step(generation, step, goes_ahead ? std::move(failures) : std::vector<std::exception_ptr>{});
    }
    return generation;
  }

  /// The generations that the next launch of all pieces has; 0 where the run ends.
  std::uint32_t next_step(std::uint32_t generation) {
    if (generation >= plan_.generations || running() == 0 || watch_.expired()) return 0;
    auto step = plan_.generations - generation;
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      step = std::min({step, paces_[n].step(), slots_.all()[n].batch->most_kept()});
    return step;
  }

  /// Begins a launch of all pieces. No other device takes a piece yet: what is told next lies in the batches. \returns
  /// what went wrong, of each piece.
  std::vector<std::exception_ptr> begin_ahead(std::uint32_t before, std::uint32_t step) {
    std::vector<std::exception_ptr> failures(pieces_.size());
    for (std::size_t n = 0; n < pieces_.size() && step != 0; ++n) {
      try {
        slots_.all()[n].batch->begin_advance(before + 1, before + step, true);
      } catch (const DeviceError&) {
        failures[n] = std::current_exception();
      }
    }
    return failures;
  }

  /// Begins a launch of all pieces, on other devices where theirs fail. \param ahead what begin_ahead() returned, which
  /// has begun the rest; empty: nothing has begun.
  void begin_step(std::uint32_t before, std::uint32_t step, const std::vector<std::exception_ptr>& ahead = {}) {
    if (step == 0) return;
    for (std::size_t n = 0; n < pieces_.size(); ++n) {
      const auto failure = ahead.empty() ? nullptr : ahead[n];
      if (!ahead.empty() && !failure) continue;
      guarded(
          n, before, [&](Batch& batch) { batch.begin_advance(before + 1, before + step, true); }, failure);
    }
  }

  /// Waits for a launch of all pieces. \returns the last generation in which a problem ran.
  std::uint32_t await_step(std::uint32_t before, std::uint32_t step) {
    std::uint32_t last = before;
    for (std::size_t n = 0; n < pieces_.size(); ++n) {
      bool is_lost = false;
      guarded(n, before, [&](Batch& batch) {
        // Another device in its place begins these generations anew.
        if (std::exchange(is_lost, true)) batch.begin_advance(before + 1, before + step, true);
        batch.await();
        rows_[n].take_launch(batch, before);
        if (watch_.report_due()) note_best(batch.best());
      });
      last = std::max(last, rows_[n].last_of_launch(before + step));
      // Not where it waited for what was told meanwhile.
      const auto seconds = slots_.all()[n].batch->last_seconds();
      if (told_seconds_ < seconds / 2) paces_[n].measured(step, seconds);
    }
    return last;
  }

  void tell(std::uint32_t before, std::uint32_t last) {
    const double begin = watch_.seconds();
    for (auto generation = before + 1; generation <= last; ++generation) {
      for (auto& row : rows_) row.take_generation(plan_, generation, generation == last);
      give_statistics(generation);
    }
    told_seconds_ = watch_.seconds() - begin;
  }

  void give_statistics(std::uint32_t generation) { plan_.options.statistics(statistics_of(plan_, rows_, generation)); }

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

  void end(const Device& device, Batch& batch, const Piece& piece, std::uint32_t generation) {
    const auto summary = batch.summarise();
    require_sound(plan_, device, generation, summary);
    auto unchecked = check_on_host(plan_, device, piece, summary, watch_.expired());
    if (!unchecked.empty()) {
      const std::lock_guard lock(mutex_);
      result_.unchecked = std::move(unchecked);
    }
    if (state_.keeps_images()) state_.deposit(piece, generation, batch.image());
    state_.finish(piece, generation, summary);
    note_best(summary);
    note_done(piece, plan_.generations);
    if (is_caller()) report();
  }

  bool is_caller() const { return std::this_thread::get_id() == caller_; }

  /// Notes for report() how far a piece is, and its best value where that is due. \param next_best when it is due next.
  void note(Batch& batch, const Piece& piece, std::uint32_t generation, Clock::time_point& next_best) {
    note_done(piece, generation);
    const auto begin = Clock::now();
    // Threads other than the caller's do not ask the watch.
    if (control_.progress && begin >= next_best && (!is_caller() || watch_.report_due())) {
      note_best(batch.best());
      const std::chrono::duration<double> taken = Clock::now() - begin;
      const std::chrono::duration<double> pause(std::max(control_.progress_interval, taken.count() / best_share));
      next_best = begin + std::chrono::duration_cast<Clock::duration>(std::min(pause, longest_pause));
    }
    if (is_caller()) report();
  }

  void note_all(std::uint32_t generation) {
    for (const auto& piece : pieces_) note_done(piece, generation);
    report();
  }

  void note_done(const Piece& piece, std::uint32_t generation) {
    const std::lock_guard lock(mutex_);
    done_[piece.first] = static_cast<double>(piece.count) * generation / std::max(1U, plan_.generations);
  }

  void note_best(const Summary& summary) {
    const auto least = std::min_element(summary.best_values.begin(), summary.best_values.end(), is_better);
    if (least == summary.best_values.end() || !std::isfinite(*least)) return;
    const auto begin = (least - summary.best_values.begin()) * static_cast<std::ptrdiff_t>(plan_.problem.dimensions);
    const auto point = summary.best_vectors.begin() + begin;
    note_best({*least, {point, point + static_cast<std::ptrdiff_t>(plan_.problem.dimensions)}});
  }
  void note_best(Best best) {
    const std::lock_guard lock(mutex_);
    if (best.value < best_.value) best_ = std::move(best);
  }

  // Called by the caller's thread.
  void report() {
    if (!watch_.report_due()) return;
    double done = 0;
    Best best;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [first, part] : done_) done += part;
      best = best_;
    }
    const auto value = best.point.empty() ? std::nullopt : std::optional(plan_.turned(best.value));
    try {
      watch_.report("generations", std::min(1.0, done / static_cast<double>(plan_.problem.problems)), value,
                    best.point);
    } catch (...) {
      report_failed_ = true;
      throw;
    }
  }

  const RunControl& control_;
  const Watch watch_;
  const std::thread::id caller_ = std::this_thread::get_id();
  const Plan plan_;
  RunState state_;
  Slots slots_;
  std::vector<Piece> pieces_;        // of a run with statistics, each in the slot of its place
  std::vector<StatisticsRow> rows_;  // of its pieces
  std::vector<Pace> paces_;          // of its pieces
  double told_seconds_ = 0;          // what telling the last launch took
  std::size_t room_ = 1;             // problems in a slot
  Method method_ = Method::automatic;
  Result result_;
  double begin_ = 0;
  std::mutex mutex_;
  Best best_;
  std::map<std::size_t, double> done_;  // problems that are done, fractions counted, of each piece by its first
  std::atomic<bool> began_{false};
  std::atomic<bool> report_failed_{false};  // the caller's function threw: pieces under way are left
};

}  // namespace

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  const FirstLaunches first_launches(devices);
  auto result = Run(problem, options, devices, control).finish();
  first_launches.move_to_build(result.seconds);
  return result;
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const auto borrowed = borrow(device);
  return solve(problem, options, std::span(&borrowed, 1), control);
}

}  // namespace clopt::differential_evolution
