/// \file
/// Runs whose problems ranks share.
#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/workers.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include "generation_loop.hpp"
#include "messages.hpp"
#include "run.hpp"

namespace clopt::differential_evolution {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view solver = "differential-evolution";

// How often a rank states how far a range is; with images, which checkpoints hold, as long as it takes to read them
// twenty times over.
constexpr double progress_interval = 0.5;
constexpr double state_interval = 1.0;
constexpr double state_share = 20;
// The same of a checkpoint, and writing it.
constexpr int save_share = 20;

/// Works at the ranges that this rank gets.
class RangeWorker {
 public:
  RangeWorker(Run& run, group::Mailbox& mailbox, bool keeps_states)
      : run_(run), mailbox_(mailbox), keeps_states_(keeps_states) {}

  void serve() {
    const auto most = group::Transport::most_bytes / 2 / message_bytes_of_problem(run_.plan());
    if (most == 0) throw OutOfMemory("a problem does not fit into a message of 1 GiB; give fewer vectors");
    try {
      run_.serve(mailbox_, most,
                 [this](Slot& slot, const group::Order& order) { return encode(outcome_of(slot, order)); });
    } catch (const DeviceError& error) {
      mailbox_.send_back(error.what());
    }
  }

 private:
  bool search_is_over() const { return run_.search_is_over() || mailbox_.stop().stop_requested(); }

  /// Brings a range to its end, or to where the run is ended. Another slot may have begun it before its device failed.
  Outcome outcome_of(Slot& slot, const group::Order& order) {
    const auto begin = Clock::now();
    ByteReader details(order.details);
    RangeProgress from;
    if (!details.rest().empty()) from = details.take<RangeProgress>();
    Piece piece{order.range.first, order.range.count, std::nullopt};
    if (from.state) piece.generation = from.generation;
    auto& batch = *slot.batch;
    // Problems that the limits leave no time for stay as they are.
    if (run_.leaves_out(piece, search_is_over())) return {};
    const auto generation = Run::begin(batch, piece, from.state, run_.watch());
    auto next_progress = begin + duration_of(keeps_states_ ? state_interval : progress_interval);
    const auto reached = [&](std::uint32_t now) {
      if (Clock::now() >= next_progress) next_progress = send_progress(batch, order.range, piece, now);
    };
    GenerationLoop loop(run_.plan(), {.is_over = [this] { return search_is_over(); }, .reached = reached});
    loop.add(slot, piece);
    return run_.outcome(*slot.device, batch, piece, loop.run(generation, run_.plan().generations), keeps_states_);
  }

  static Clock::duration duration_of(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  // \returns when to do so again.
  Clock::time_point send_progress(Batch& batch, const group::Range& range, const Piece& piece,
                                  std::uint32_t generation) {
    const auto begin = Clock::now();
    // A checkpoint holds whole ranges.
    const bool has_state = keeps_states_ && piece.count == range.count;
    mailbox_.send_progress(range,
                           encode(RangeProgress{generation, has_state ? std::optional(batch.state()) : std::nullopt}));
    const auto end = Clock::now();
    const std::chrono::duration<double> cost = end - begin;
    const double interval = keeps_states_ ? std::max(state_interval, state_share * cost.count()) : progress_interval;
    return end + duration_of(interval);
  }

  Run& run_;
  group::Mailbox& mailbox_;
  const bool keeps_states_;
};

void serve(ByteReader message, std::optional<double> seconds, std::span<const std::shared_ptr<Device>> devices,
           group::Mailbox& mailbox) {
  const auto sent = decode_run(message);
  RunControl control;
  control.stop = mailbox.stop();
  control.time_limit = seconds;
  Run run(sent->plan(control), devices, control);
  RangeWorker(run, mailbox, sent->keeps_states).serve();
}

const group::WorkerEntry entry(solver, &serve);

// Why ranks do not share a run; empty where they do.
std::string why_alone(const Plan& plan) {
  if (plan.options.statistics) return "statistics are of all problems at once";
  if (plan.problem.objective.is_function()) return "the objective is a function of one process";
  if (plan.problem.problems == 1) return "there is one problem";
  return {};
}

class DistributedRun {
 public:
  DistributedRun(Run& run, const RunControl& control) : run_(run), control_(control) {}

  group::Distributed distribute(group::Group& group) {
    const auto& plan = run_.plan();
    const bool keeps_states = run_.state().keeps_states();
    group::Work work{.solver = std::string(solver), .message = encode_run(plan, keeps_states)};
    if (work.message.size() > group::Transport::most_bytes / 2)
      throw InvalidInput("the problem's data are more than 512 MiB, which ranks cannot share yet; give slices of it");
    if (control_.time_limit) work.seconds = std::max(0.0, *control_.time_limit - run_.watch().seconds());
    work.ranges = run_.intervals();
    if (keeps_states) work.details = [this](const group::Range& range) { return details(range); };
    work.accept = [this](const group::Range& range, ByteReader result) { accept(range, result); };
    work.progress = [this](const group::Range& range, ByteReader progress) { note(range, progress); };
    work.attend = [this] {
      save_when_due();
      run_.report();
    };
    work.expired = [this] { return run_.watch().expired(); };
    work.interrupted = [this] { return run_.watch().interrupted(); };
    work.local = [this, keeps_states](group::Mailbox& mailbox) { RangeWorker(run_, mailbox, keeps_states).serve(); };
    return group::distribute(group, work);
  }

 private:
  // Other ranks wait meanwhile, so that a large checkpoint is written less often.
  void save_when_due() {
    if (!run_.is_checkpoint_due() || Clock::now() < next_save_) return;
    const auto begin = Clock::now();
    run_.save();
    const auto end = Clock::now();
    next_save_ = end + save_share * (end - begin);
  }

  Bytes details(const group::Range& range) {
    Piece piece{range.first, range.count, std::nullopt};
    piece.generation = run_.state().generation_of(piece);
    if (!piece.generation) return {};
    return encode(RangeProgress{*piece.generation, run_.state().state_of(piece)});
  }

  void accept(const group::Range& range, ByteReader& result) {
    const auto outcome = result.take<Outcome>();
    if (outcome.count == 0) return;
    run_.take(Piece{range.first, outcome.count, outcome.generation}, outcome);
  }

  void note(const group::Range& range, ByteReader& progress) {
    const auto reached = progress.take<RangeProgress>();
    const Piece piece{range.first, range.count, reached.generation};
    run_.note_done(piece, reached.generation, piece.count);
    // Of two ranks that have the range, the one that is ahead.
    if (reached.state && run_.state().generation_of(piece).value_or(0) <= reached.generation)
      run_.state().deposit(piece, reached.generation, *reached.state);
  }

  Run& run_;
  const RunControl& control_;
  Clock::time_point next_save_{};
};

}  // namespace

bool run_distributed(Run& run, const RunControl& control) {
  auto* group = group::Group::of_run();
  if (!group) return false;
  const auto reason = group->ranks() == 1 ? std::string("there is one rank") : why_alone(run.plan());
  if (!reason.empty()) {
    run.set_report(group::report_of_one(*group, reason), std::nullopt);
    return false;
  }
  auto distributed = DistributedRun(run, control).distribute(*group);
  run.set_report(std::move(distributed.report), distributed.launches);
  return true;
}

}  // namespace clopt::differential_evolution
