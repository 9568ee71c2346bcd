/// \file
/// Runs with statistics.
#include <clopt/error.hpp>

#include <algorithm>
#include <exception>
#include <utility>

#include <differential_evolution/launch/pacing.hpp>
#include "run.hpp"
#include "statistics.hpp"

namespace clopt::differential_evolution {
namespace {

/// Each piece lies in the slot of its place.
class ObservedRun {
 public:
  explicit ObservedRun(Run& run) : run_(run), plan_(run.plan()) {}

  void bring_all() {
    pieces_ = run_.pieces_of(run_.devices().size());
    for (const auto& piece : pieces_)
      if (piece.generation != pieces_.front().generation)
        throw InvalidInput(
            "the checkpoint stands at different generations of different problems; go on without `statistics`");
    add_slots();
    run_.begin_computing();
    std::uint32_t generation = pieces_.front().generation.value_or(0);
    run_.report();
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) { run_.begin(batch, pieces_[n], run_.watch()); });
    begin_rows(generation);
    // The run that wrote a checkpoint has given the statistics of its generation.
    if (!pieces_.front().generation) give_statistics(generation);
    note_all(generation);
    for (std::size_t n = 0; n < pieces_.size(); ++n) paces_.emplace_back(*slots()[n].device, plan_, pieces_[n].count);
    generation = advance(generation);
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) { run_.end(*slots()[n].device, batch, pieces_[n], generation); });
  }

 private:
  std::vector<Slot>& slots() { return run_.slots().all(); }

  void add_slots() {
    const auto& devices = run_.devices();
    for (std::size_t n = 0; slots().size() < pieces_.size(); ++n) {
      if (run_.slots().add(devices[n % devices.size()])) continue;
      const auto is_lost = [&](const auto& device) { return run_.slots().is_lost(*device); };
      if (std::all_of(devices.begin(), devices.end(), is_lost)) run_.slots().rethrow();
    }
  }

  std::size_t running() {
    std::size_t running = 0;
    for (const auto& slot : slots()) running += slot.batch->running();
    return running;
  }

  /// Does something with a slot whose piece is at a generation. Where its device is lost, another one takes the piece
  /// there first.
  /// \param failure of the device before, if it has failed.
  template <class Function>
  void guarded(std::size_t n, std::uint32_t generation, const Function& function, std::exception_ptr failure = {}) {
    auto& slot = slots()[n];
    for (;;) {
      if (failure) run_.slots().move(slot, failure);
      try {
        if (failure) catch_up(slot, pieces_[n], generation);
        return function(*slot.batch);
      } catch (const DeviceError&) {
        failure = std::current_exception();
      }
    }
  }

  void catch_up(Slot& slot, Piece& piece, std::uint32_t generation) {
    auto& batch = *slot.batch;
    piece.generation = run_.state().generation_of(piece);
    const RunControl no_limits;
    auto reached = run_.begin(batch, piece, Watch(no_limits));
    Pace pace(*slot.device, plan_, piece.count);
    while (reached < generation) {
      const auto step = std::min(pace.step(), generation - reached);
      batch.advance(reached + 1, reached + step);
      pace.measured(step, batch.last_seconds());
      reached += step;
    }
  }

  void begin_rows(std::uint32_t generation) {
    rows_.resize(pieces_.size());
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) {
        auto summary = batch.summarise();
        run_.note_best(summary);
        rows_[n] = StatisticsRow(std::move(summary.states), std::move(summary.best_values), generation);
      });
  }

  /// Runs all generations after one and reports their statistics. Where devices work by themselves, the next launch is
  /// under way while those of the last one are reported; it is reported too where the run is to end meanwhile.
  /// \returns the generation at the end.
  std::uint32_t advance(std::uint32_t generation) {
    const bool works_ahead = !run_.devices().front()->info().launches_are_calls;
    auto step = begin_step(generation);
    while (step != 0) {
      recover_step(generation, step);
      const auto before = std::exchange(generation, await_step(generation, step));
      const bool is_due = run_.is_checkpoint_due();
      const bool goes_ahead = works_ahead && !is_due;
      if (goes_ahead) step = begin_step(generation);
      tell(before, generation, goes_ahead && step != 0);
      note_all(generation);
      if (is_due) save_all(generation);
      if (!goes_ahead) step = begin_step(generation);
    }
    return generation;
  }

  /// The generations that the next launch of all pieces has; 0 where the run ends.
  std::uint32_t next_step(std::uint32_t generation) {
    if (generation >= plan_.generations || running() == 0 || run_.search_is_over()) return 0;
    auto step = plan_.generations - generation;
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      step = std::min({step, paces_[n].step(), slots()[n].batch->most_kept()});
    return step;
  }

  /// Sums run over all pieces: totals are of one piece, and of problems that all run.
  void begin_launch(std::size_t n, Batch& batch, std::uint32_t before, std::uint32_t step) {
    const bool has_totals = pieces_.size() == 1 && rows_[n].all_run() && batch.has_totals();
    batch.begin_advance(before + 1, before + step, has_totals ? Kept::totals : Kept::values);
  }

  /// Begins a launch of all pieces. Those whose devices fail wait for recover_step(): the next statistics may still be
  /// in their batches. \returns how many generations it has; 0: the run ends, and nothing has begun.
  std::uint32_t begin_step(std::uint32_t before) {
    const auto step = next_step(before);
    failures_.assign(pieces_.size(), {});
    for (std::size_t n = 0; n < pieces_.size() && step != 0; ++n) {
      try {
        begin_launch(n, *slots()[n].batch, before, step);
      } catch (const DeviceError&) {
        failures_[n] = std::current_exception();
      }
    }
    return step;
  }

  /// Begins the launch on other devices where it has failed to begin.
  void recover_step(std::uint32_t before, std::uint32_t step) {
    for (std::size_t n = 0; n < pieces_.size(); ++n) {
      if (!failures_[n]) continue;
      guarded(
          n, before, [&](Batch& batch) { begin_launch(n, batch, before, step); }, failures_[n]);
    }
  }

  /// Waits for a launch of all pieces. \returns the last generation in which a problem ran.
  std::uint32_t await_step(std::uint32_t before, std::uint32_t step) {
    std::uint32_t last = before;
    for (std::size_t n = 0; n < pieces_.size(); ++n) {
      bool is_lost = false;
      guarded(n, before, [&](Batch& batch) {
        // Another device in its place begins these generations anew.
        if (std::exchange(is_lost, true)) begin_launch(n, batch, before, step);
        batch.await();
        rows_[n].take_launch(batch, before, before + step);
        if (run_.watch().report_due()) run_.note_best(batch.best());
      });
      last = std::max(last, rows_[n].last_of_launch(before + step));
      // Not where it waited for a report meanwhile.
      const auto seconds = slots()[n].batch->last_seconds();
      if (told_seconds_ < seconds / 2) paces_[n].measured(step, seconds);
    }
    return last;
  }

  /// Gives the statistics of a launch's generations. \param is_ahead whether the next one is under way.
  void tell(std::uint32_t before, std::uint32_t last, bool is_ahead) {
    const double begin = run_.watch().seconds();
    for (auto generation = before + 1; generation <= last; ++generation) {
      for (auto& row : rows_) row.take_generation(plan_, generation, generation == last);
      give_statistics(generation);
    }
    told_seconds_ = is_ahead ? run_.watch().seconds() - begin : 0;
  }

  void give_statistics(std::uint32_t generation) { plan_.options.statistics(statistics_of(plan_, rows_, generation)); }

  void note_all(std::uint32_t generation) {
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      run_.note_done(pieces_[n], generation, slots()[n].batch->running());
    run_.report();
  }

  void save_all(std::uint32_t generation) {
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      guarded(n, generation, [&](Batch& batch) { run_.deposit(pieces_[n], generation, batch); });
    run_.save();
  }

  Run& run_;
  const Plan& plan_;
  std::vector<Piece> pieces_;
  std::vector<StatisticsRow> rows_;  // of each piece, like what follows
  std::vector<Pace> paces_;
  std::vector<std::exception_ptr> failures_;  // to begin the launch
  double told_seconds_ = 0;                   // the time of the last report while another launch was under way
};

}  // namespace

void run_observed(Run& run) { ObservedRun(run).bring_all(); }

}  // namespace clopt::differential_evolution
