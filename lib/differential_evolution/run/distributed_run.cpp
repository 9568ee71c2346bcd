/// \file
/// Runs whose problems ranks share.
#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/workers.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
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
// What a worker waits at a time: a range that ends, and one that comes, end it.
constexpr double longest_wait = 0.05;

/// Works at the ranges that this rank gets.
class RangeWorker {
 public:
  RangeWorker(Run& run, group::Mailbox& mailbox, bool keeps_states)
      : run_(run),
        mailbox_(mailbox),
        keeps_states_(keeps_states),
        share_(run.slots(), [this](Slot& slot, Piece piece) { run_piece(slot, piece); }) {}

  void serve() {
    std::vector<std::string> names;
    for (const auto& device : run_.devices()) names.push_back(device->info().id);
    const auto most =
        std::min(run_.most_of_share(1), group::Transport::most_bytes / 2 / message_bytes_of_problem(run_.plan()));
    std::size_t slots = 0;
    for (const auto& device : run_.devices()) slots += device->info().launches_are_calls ? 1 : slots_of_device;
    if (most == 0) throw OutOfMemory("a problem does not fit into a message of 1 GiB; give fewer vectors");
    mailbox_.prepared({names.size(), slots, most}, names);
    const auto devices = mailbox_.await_go();
    if (!devices) return;
    run_.reserve(std::min(most, group::RangeQueue::most_of(run_.plan().problem.problems, *devices)));
    run_.add_slots();
    run_.begin_computing();
    try {
      share_.run_fed([this] { feed(); });
    } catch (const DeviceError& error) {
      report_failures();
      mailbox_.send_back(error.what());
    }
  }

 private:
  /// On the worker's own thread, again and again.
  void feed() {
    while (auto order = mailbox_.take()) {
      --asked_;
      ByteReader details(order->details);
      RangeProgress reached;
      if (!details.rest().empty()) reached = details.take<RangeProgress>();
      Piece piece{order->range.first, order->range.count, std::nullopt};
      if (reached.state) piece.generation = reached.generation;
      {
        const std::lock_guard lock(mutex_);
        orders_[piece.first] = {order->range, std::move(reached.state)};
      }
      share_.add(piece);
    }
    if (mailbox_.has_ended()) share_.close(true);
    for (; asked_ < share_.wanted(); ++asked_) mailbox_.ask();
    report_failures();
    mailbox_.wait(longest_wait);
  }

  void report_failures() {
    const auto failures = share_.failures();
    for (; reported_failures_ < failures.size(); ++reported_failures_)
      mailbox_.send_failure(failures[reported_failures_]);
  }

  struct Taken {
    group::Range range;
    std::optional<EvolutionState> state;
  };
  Taken taken(const Piece& piece) {
    const std::lock_guard lock(mutex_);
    return orders_.at(piece.first);
  }

  bool search_is_over() const { return run_.search_is_over() || mailbox_.stop().stop_requested(); }

  /// Brings a piece to its end, or to where the run is ended. Another slot may have begun it before its device failed.
  void run_piece(Slot& slot, Piece piece) {
    const auto begin = Clock::now();
    const auto order = taken(piece);
    auto& batch = *slot.batch;
    // Problems that the limits leave no time for stay as they are.
    if (run_.leaves_out(piece, search_is_over())) return send(slot, order.range, {}, begin);
    auto generation = Run::begin(batch, piece, order.state, run_.watch());
    auto next_progress = begin + duration_of(keeps_states_ ? state_interval : progress_interval);
    const auto reached = [&](std::uint32_t now) {
      if (Clock::now() >= next_progress) next_progress = send_progress(batch, order.range, piece, now);
    };
    GenerationLoop loop(run_.plan(), {.is_over = [this] { return search_is_over(); }, .reached = reached});
    loop.add(slot, piece);
    generation = loop.run(generation, run_.plan().generations);
    send(slot, order.range, run_.outcome(*slot.device, batch, piece, generation, keeps_states_), begin);
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

  void send(const Slot& slot, const group::Range& range, const Outcome& outcome, Clock::time_point begin) {
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    std::uint64_t launches = 0;
    {
      const std::lock_guard lock(mutex_);
      launches_[&slot] = slot.batch->launches();
      for (const auto& [each, count] : launches_) launches += count;
      orders_.erase(range.first);
    }
    mailbox_.send_result(range, seconds.count(), share_.busy_seconds(), launches, encode(outcome));
    mailbox_.notify();
  }

  Run& run_;
  group::Mailbox& mailbox_;
  const bool keeps_states_;
  std::mutex mutex_;
  std::map<std::size_t, Taken> orders_;            // by the first problem; under the mutex
  std::map<const Slot*, std::uint64_t> launches_;  // so far; under the mutex
  std::size_t asked_ = 0;                          // ranges that have not come
  std::size_t reported_failures_ = 0;
  PieceAssignment share_;
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

// What is left to do, in intervals of problems that are at the same generation.
std::vector<group::Range> intervals_of(const RunState& state, std::size_t problems) {
  std::vector<group::Range> intervals;
  for (const auto& piece : state.pieces(problems)) intervals.push_back({0, piece.first, piece.count});
  return intervals;
}

class DistributedRun {
 public:
  DistributedRun(Run& run, const RunControl& control) : run_(run), control_(control) {}

  group::Distributed distribute(group::Group& group) {
    const auto& plan = run_.plan();
    auto& state = run_.state();
    const bool keeps_states = state.keeps_states();
    group::Work work{.solver = std::string(solver), .message = encode_run(plan, keeps_states)};
    if (work.message.size() > group::Transport::most_bytes / 2)
      throw InvalidInput("the problem's data are more than 512 MiB, which ranks cannot share yet; give slices of it");
    if (control_.time_limit) work.seconds = std::max(0.0, *control_.time_limit - run_.watch().seconds());
    work.ranges = intervals_of(state, plan.problem.problems);
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
