/// \file
/// Runs whose pieces do not wait for each other.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

#include <differential_evolution/launch/pacing.hpp>
#include "run.hpp"

namespace clopt::differential_evolution {
namespace {

// Pieces for each device where several share a run: enough for load balancing.
constexpr std::size_t pieces_of_device = 6;

// What the best value for the progress callback may take of a run's time.
constexpr double best_share = 0.01;
constexpr std::chrono::duration<double> longest_pause(3600);

class SharedRun {
 public:
  explicit SharedRun(Run& run) : run_(run) {}

  void bring_all() {
    const auto devices = run_.devices().size();
    auto pieces = run_.pieces_of(devices == 1 ? 1 : devices * pieces_of_device);
    add_slots(pieces.size());
    run_.begin_computing();
    PieceAssignment share(std::move(pieces), run_.slots(),
                          [this](Slot& slot, const Piece& piece) { bring_to_end(slot, piece); });
    share.run([this] { run_.report(); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  void add_slots(std::size_t pieces) {
    auto& slots = run_.slots();
    for (std::size_t n = 0; n < slots_of_device; ++n)
      for (const auto& device : run_.devices()) {
        const bool is_wanted = n == 0 || (slots.all().size() < pieces && !device->info().launches_are_calls);
        if (is_wanted) slots.add(device);
      }
    if (slots.all().empty()) slots.rethrow();
  }

  /// Brings a piece to its end, or to where the run is ended.
  void bring_to_end(Slot& slot, Piece piece) {
    const auto& plan = run_.plan();
    const auto& watch = run_.watch();
    auto& batch = *slot.batch;
    // Another device may have brought the piece further before it failed.
    piece.generation = run_.state().generation_of(piece);
    if (run_.is_caller()) run_.report();
    // Problems that the limits leave no time for stay as they are; one at least has vectors.
    if (!piece.generation && run_.search_is_over() && began_.exchange(true)) return;
    began_ = true;
    auto generation = run_.begin(batch, piece, watch);
    Pace pace(*slot.device, plan, piece.count, batch.ends_between_calls());
    double launch_begin = 0;
    const std::function<bool()> is_over = [&] {
      return run_.search_is_over() || watch.seconds() - launch_begin > most_seconds_of_calls;
    };
    Clock::time_point next_best{};
    note(batch, piece, generation, next_best);
    while (generation < plan.generations && batch.running() != 0 && !run_.search_is_over() && !run_.report_failed()) {
      const auto step = std::min(pace.step(), plan.generations - generation);
      launch_begin = watch.seconds();
      const auto done = batch.advance_until(generation + 1, generation + step, is_over);
      generation += done;
      pace.measured(done, batch.last_seconds());
      note(batch, piece, generation, next_best);
      const std::lock_guard lock(saving_);
      if (!run_.is_checkpoint_due()) continue;
      run_.deposit(piece, generation, batch);
      run_.save();
    }
    run_.end(*slot.device, batch, piece, generation);
  }

  /// Notes how far a piece is, and its best value where that is due. \param next_best when it is due next.
  void note(Batch& batch, const Piece& piece, std::uint32_t generation, Clock::time_point& next_best) {
    run_.note_done(piece, generation, batch.running());
    const auto begin = Clock::now();
    // Threads other than the caller's do not ask the watch.
    if (run_.reports() && begin >= next_best && (!run_.is_caller() || run_.watch().report_due())) {
      run_.note_best(batch.best());
      const std::chrono::duration<double> taken = Clock::now() - begin;
      const std::chrono::duration<double> pause(std::max(run_.report_interval(), taken.count() / best_share));
      next_best = begin + std::chrono::duration_cast<Clock::duration>(std::min(pause, longest_pause));
    }
    if (run_.is_caller()) run_.report();
  }

  Run& run_;
  std::mutex saving_;
  std::atomic<bool> began_{false};
};

}  // namespace

void run_shared(Run& run) { SharedRun(run).bring_all(); }

}  // namespace clopt::differential_evolution
