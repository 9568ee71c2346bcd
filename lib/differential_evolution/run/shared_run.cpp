/// \file
/// Runs whose pieces do not wait for each other.
#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/local_group.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "generation_loop.hpp"
#include "run.hpp"

namespace clopt::differential_evolution {
namespace {

// What the best value for the progress callback may take of a run's time.
constexpr double best_share = 0.01;
constexpr std::chrono::duration<double> longest_pause(3600);

using Clock = std::chrono::steady_clock;

/// Notes how far a piece is, and its best value where that is due. \param next_best when it is due next.
void note(Run& run, Batch& batch, const Piece& piece, std::uint32_t generation, Clock::time_point& next_best) {
  run.note_done(piece, generation, batch.running());
  const auto begin = Clock::now();
  // Threads other than the caller's do not ask the watch.
  if (run.reports() && begin >= next_best && (!run.is_caller() || run.watch().report_due())) {
    run.note_best(batch.best());
    const std::chrono::duration<double> taken = Clock::now() - begin;
    const std::chrono::duration<double> pause(std::max(run.report_interval(), taken.count() / best_share));
    next_best = begin + std::chrono::duration_cast<Clock::duration>(std::min(pause, longest_pause));
  }
  if (run.is_caller()) run.report();
}

/// Brings a piece to its end, or to where the run is ended. \param saving is locked while a checkpoint is written.
void run_piece(Run& run, Slot& slot, Piece piece, std::mutex& saving) {
  auto& batch = *slot.batch;
  // Another device may have brought the piece further before it failed.
  piece.generation = run.state().generation_of(piece);
  if (run.is_caller()) run.report();
  // Problems that the limits leave no time for stay as they are.
  if (run.leaves_out(piece, run.search_is_over())) return;
  const auto generation = run.begin(batch, piece, run.watch());
  Clock::time_point next_best{};
  note(run, batch, piece, generation, next_best);
  const auto reached = [&](std::uint32_t now) {
    note(run, batch, piece, now, next_best);
    const std::lock_guard lock(saving);
    if (!run.is_checkpoint_due()) return;
    run.deposit(piece, now, batch);
    run.save();
  };
  GenerationLoop loop(run.plan(),
                      {.is_over = [&] { return run.search_is_over() || run.report_failed(); }, .reached = reached});
  loop.add(slot, piece);
  run.end(*slot.device, batch, piece, loop.run(generation, run.plan().generations));
}

}  // namespace

void run_shared(Run& run) {
  auto pieces = run.pieces_of(1);
  const auto& devices = run.devices();
  std::mutex saving;
  // A device of its own memory transfers one piece while it computes another one.
  if (devices.size() == 1 && (pieces.size() == 1 || devices.front()->info().launches_are_calls)) {
    run.add_slot();
    run.begin_computing();
    for (const auto& piece : pieces) {
      run_piece(run, run.slots().all().front(), piece, saving);
      run.report();
    }
    return;
  }
  require_device(*devices.front(), run.plan());
  group::LocalGroup group(std::span<const std::shared_ptr<Device>>(devices).first(1));
  group::Work work;
  work.ranges = run.intervals();
  work.accept = [](const group::Range&, ByteReader) {};
  work.attend = [&] { run.report(); };
  // Whatever waits is taken once more, since it has a best one.
  work.expired = work.interrupted = [] { return false; };
  work.local = [&](group::Mailbox& mailbox) {
    run.serve(mailbox, run.plan().problem.problems, [&](Slot& slot, const group::Order& order) {
      run_piece(run, slot, {order.range.first, order.range.count, std::nullopt}, saving);
      return Bytes();
    });
  };
  try {
    group::distribute(group, work);
  } catch (const DeviceError&) {
    run.slots().lost().rethrow();
  }
}

}  // namespace clopt::differential_evolution
