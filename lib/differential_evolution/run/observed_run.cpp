/// \file
/// Runs with statistics.
#include <clopt/error.hpp>

#include <algorithm>
#include <utility>

#include "generation_loop.hpp"
#include "run.hpp"
#include "statistics.hpp"

namespace clopt::differential_evolution {
namespace {

/// Each piece lies in the slot of its place.
class ObservedRun {
 public:
  explicit ObservedRun(Run& run) : run_(run), plan_(run.plan()) {}

  void run_all() {
    pieces_ = run_.pieces_of(run_.devices().size());
    for (const auto& piece : pieces_)
      if (piece.generation != pieces_.front().generation)
        throw InvalidInput(
            "the checkpoint stands at different generations of different problems; resume without `statistics`");
    add_slots();
    run_.begin_computing();
    std::uint32_t generation = pieces_.front().generation.value_or(0);
    run_.report();
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      attempt(n, generation, {}, [&](Batch& batch) { run_.begin(batch, pieces_[n], run_.watch()); });
    begin_rows(generation);
    // The run that wrote a checkpoint has given the statistics of its generation.
    if (!pieces_.front().generation) give_statistics(generation);
    note_all(generation);
    GenerationLoop loop(plan_, observer());
    for (std::size_t n = 0; n < pieces_.size(); ++n) loop.add(slots()[n], pieces_[n]);
    generation = loop.run(generation, plan_.generations);
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      attempt(n, generation, {}, [&](Batch& batch) { run_.end(*slots()[n].device, batch, pieces_[n], generation); });
  }

 private:
  GenerationObserver observer() {
    return {.is_over = [this] { return run_.search_is_over(); },
            .reached = [this](auto generation) { reached(generation); },
            .kept = [this](auto n, const auto& batch) { return kept(n, batch); },
            .take_launch = [this](auto n, auto& batch, auto before,
                                  auto last) { return take_launch(n, batch, before, last); },
            .works_ahead = [this] { return works_ahead(); },
            .show = [this](auto before, auto last) { show(before, last); },
            .recover = [this](auto n, auto generation, const auto& failure,
                              const auto& work) { attempt(n, generation, failure, work); }};
  }

  /// Sums are over all pieces in turn: totals are of one piece, and of problems that all run.
  HistoryKind kept(std::size_t n, const Batch& batch) const {
    return pieces_.size() == 1 && rows_[n].all_run() && batch.has_totals() ? HistoryKind::totals : HistoryKind::values;
  }

  std::uint32_t take_launch(std::size_t n, Batch& batch, std::uint32_t before, std::uint32_t last) {
    rows_[n].take_launch(plan_, batch, before, last);
    if (run_.watch().report_due()) run_.note_best(batch.best());
    return rows_[n].last_of_launch(last);
  }

  /// Where devices work by themselves, they run the next launch while the statistics of the last one are given; these
  /// are given too where the run is to end meanwhile.
  bool works_ahead() {
    is_checkpoint_due_ = run_.is_checkpoint_due();
    return !run_.devices().front()->info().launches_are_calls && !is_checkpoint_due_;
  }

  void show(std::uint32_t before, std::uint32_t last) {
    for (auto generation = before + 1; generation <= last; ++generation) {
      for (auto& row : rows_) row.take_generation(plan_, generation, generation == last);
      give_statistics(generation);
    }
  }

  void reached(std::uint32_t generation) {
    note_all(generation);
    if (!is_checkpoint_due_) return;
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      attempt(n, generation, {}, [&](Batch& batch) { run_.deposit(pieces_[n], generation, batch); });
    run_.save();
  }

  std::vector<Slot>& slots() { return run_.slots().all(); }

  void add_slots() {
    const auto& devices = run_.devices();
    for (std::size_t n = 0; slots().size() < pieces_.size(); ++n) {
      if (run_.slots().add(devices[n % devices.size()])) continue;
      const auto is_lost = [&](const auto& device) { return run_.slots().lost().has(*device); };
      if (std::all_of(devices.begin(), devices.end(), is_lost)) run_.slots().lost().rethrow();
    }
  }

  /// Does work with a piece that stands at a generation. Where its device is lost, another one takes the piece there
  /// first. \param failure of the device before, if it has failed.
  void attempt(std::size_t n, std::uint32_t generation, const std::exception_ptr& failure,
               const GenerationObserver::Work& work) {
    auto& slot = slots()[n];
    run_.slots().attempt(slot, failure, [&](bool has_moved) {
      if (has_moved) catch_up(slot, pieces_[n], generation);
      work(*slot.batch);
    });
  }

  void catch_up(Slot& slot, Piece& piece, std::uint32_t generation) {
    piece.generation = run_.state().generation_of(piece);
    const RunControl no_limits;
    const auto reached = run_.begin(*slot.batch, piece, Watch(no_limits));
    GenerationLoop loop(plan_, {.is_over = [] { return false; }, .reached = [](std::uint32_t) {}});
    loop.add(slot, piece);
    loop.run(reached, generation);
  }

  void begin_rows(std::uint32_t generation) {
    rows_.resize(pieces_.size());
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      attempt(n, generation, {}, [&](Batch& batch) {
        auto summary = batch.summarise();
        run_.note_best(summary);
        rows_[n] = StatisticsRow(std::move(summary.states), std::move(summary.best_values), generation);
      });
  }

  void give_statistics(std::uint32_t generation) { plan_.options.statistics(statistics_of(plan_, rows_, generation)); }

  void note_all(std::uint32_t generation) {
    for (std::size_t n = 0; n < pieces_.size(); ++n)
      run_.note_done(pieces_[n], generation, slots()[n].batch->running());
    run_.report();
  }

  Run& run_;
  const Plan& plan_;
  std::vector<Piece> pieces_;
  std::vector<StatisticsRow> rows_;  // of each piece
  bool is_checkpoint_due_ = false;
};

}  // namespace

void run_observed(Run& run) { ObservedRun(run).run_all(); }

}  // namespace clopt::differential_evolution
