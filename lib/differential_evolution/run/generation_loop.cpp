#include "generation_loop.hpp"

#include <clopt/error.hpp>

#include <algorithm>
#include <utility>

namespace clopt::differential_evolution {

void GenerationLoop::add(Slot& slot, const Piece& piece) {
  // A launch that keeps values has all its generations.
  const bool can_end_early = slot.batch->can_end_early() && !plan_.options.statistics;
  members_.push_back({&slot, pacing_of_generations(*slot.device, plan_, piece.count, can_end_early), {}});
}

std::uint32_t GenerationLoop::run(std::uint32_t generation, std::uint32_t last) {
  auto step = begin_step(generation, last);
  while (step != 0) {
    const auto before = std::exchange(generation, await_step(generation, step));
    // The objective has left the generation, since the run is to end.
    if (generation == before) break;
    const bool works_ahead = observer_.works_ahead && observer_.works_ahead();
    if (works_ahead) step = begin_step(generation, last);
    const Stopwatch stopwatch;
    if (observer_.show) observer_.show(before, generation);
    seconds_to_show_ = works_ahead && step != 0 ? stopwatch.seconds() : 0;
    observer_.reached(generation);
    if (!works_ahead) step = begin_step(generation, last);
  }
  return generation;
}

/// The generations of the next launch; 0: the loop ends.
std::uint32_t GenerationLoop::next_step(std::uint32_t generation, std::uint32_t last) {
  const auto has_stopped = [](const Member& member) { return member.slot->batch->running() == 0; };
  if (generation >= last || std::all_of(members_.begin(), members_.end(), has_stopped) || observer_.is_over()) return 0;
  auto step = std::min(last - generation, plan_.most_of_launch(generation));
  for (std::size_t n = 0; n < members_.size(); ++n) {
    const auto& batch = *members_[n].slot->batch;
    step = static_cast<std::uint32_t>(std::min<std::uint64_t>(step, members_[n].pacing.steps()));
    if (kept(n, batch) != HistoryKind::nothing) step = std::min(step, batch.most_kept());
  }
  return step;
}

/// Begins a launch of all pieces. Those whose devices fail wait for await_step(): their batches may still hold what is
/// shown next. \returns how many generations it has; 0: the loop ends, and nothing has begun.
std::uint32_t GenerationLoop::begin_step(std::uint32_t generation, std::uint32_t last) {
  const auto step = next_step(generation, last);
  since_launch_ = {};
  for (std::size_t n = 0; n < members_.size() && step != 0; ++n) {
    try {
      begin_launch(n, *members_[n].slot->batch, generation, step);
    } catch (const DeviceError&) {
      members_[n].failure = std::current_exception();
    }
  }
  return step;
}

void GenerationLoop::begin_launch(std::size_t n, Batch& batch, std::uint32_t before, std::uint32_t step) {
  // A restart's generation, of two calls, is not for a pause.
  const bool may_pause = !plan_.restarts_in(before + 1);
  batch.begin_advance(before + 1, before + step, kept(n, batch), [this, may_pause] {
    return observer_.is_over() || (may_pause && since_launch_.seconds() > most_seconds_of_calls);
  });
}

/// Waits for a launch of all pieces. \returns the last generation in which a problem ran.
std::uint32_t GenerationLoop::await_step(std::uint32_t before, std::uint32_t step) {
  std::uint32_t last = before;
  for (std::size_t n = 0; n < members_.size(); ++n) {
    try {
      if (members_[n].failure) std::rethrow_exception(std::exchange(members_[n].failure, {}));
      last = std::max(last, await_launch(n, *members_[n].slot->batch, before));
    } catch (const DeviceError&) {
      if (!observer_.recover) throw;
      observer_.recover(n, before, std::current_exception(), [&](Batch& batch) {
        begin_launch(n, batch, before, step);
        last = std::max(last, await_launch(n, batch, before));
      });
    }
  }
  return last;
}

std::uint32_t GenerationLoop::await_launch(std::size_t n, Batch& batch, std::uint32_t before) {
  const auto done = batch.await();
  if (done == 0) return before;
  // Not where the launch waited for what was shown meanwhile.
  const auto seconds = batch.last_seconds();
  if (seconds_to_show_ < seconds / 2) members_[n].pacing.aim_at(wanted_seconds_of(plan_), done, seconds);
  return observer_.take_launch ? observer_.take_launch(n, batch, before, before + done) : before + done;
}

}  // namespace clopt::differential_evolution
