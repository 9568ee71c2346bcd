/// \file
/// What runs have in common, in whatever order their pieces are completed.
#pragma once

#include <clopt/cluster.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <group/mailbox.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "run_state.hpp"
#include "slots.hpp"

namespace clopt::differential_evolution {

/// Slots of a device of its own memory where there are pieces enough.
inline constexpr std::size_t slots_of_device = 2;

/// What has become of a piece.
struct Outcome {
  std::uint32_t generation = 0;
  std::size_t count = 0;  ///< problems that were begun, the first ones of the piece
  Summary summary{};
  std::optional<Polished> polished{};     ///< what the local search has made of it
  std::string unchecked{};                ///< why the host has not evaluated the best vectors again
  std::optional<EvolutionState> state{};  ///< for checkpoints
};

/// One run of solve(): the plan, where each problem stands, the devices, and its reports. Threads of several slots may
/// work at their pieces.
class Run {
 public:
  Run(Plan plan, std::span<const std::shared_ptr<Device>> devices, const RunControl& control);
  Run(const Part& part, std::span<const std::shared_ptr<Device>> devices, const RunControl& control);
  Run(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
      const RunControl& control);

  const Plan& plan() const { return plan_; }
  RunState& state() { return state_; }
  Slots& slots() { return slots_; }
  const std::vector<std::shared_ptr<Device>>& devices() const { return slots_.devices(); }
  const Watch& watch() const { return watch_; }
  /// Whether generations must end: what is left of the time is the local search's.
  bool search_is_over() const;

  /// The problems in pieces that are no larger than a share, and than what devices have memory for.
  std::vector<Piece> pieces_of(std::size_t shares);
  /// The most problems of a piece that is no larger than a share.
  std::size_t most_of_share(std::size_t shares) const;
  /// Makes room for pieces of that many problems.
  void reserve(std::size_t problems) { room_ = std::max(room_, problems); }
  /// What follows is computing; before, everything was made ready.
  void begin_computing() { computing_.emplace(TimePart::compute); }

  /// What is left to do, in intervals of problems that are at the same generation.
  std::vector<group::Range> intervals() const;
  /// Adds a slot on the first device.
  void add_slot();
  /// Does ranges in slots on all devices, until the run has ended. \param most problems of a range. \param work brings
  /// a range to its end, and returns the result's message. \throws what work throws, but a DeviceError only where no
  /// device is left.
  void serve(group::Mailbox& mailbox, std::size_t most,
             const std::function<Bytes(Slot& slot, const group::Order& order)>& work);
  /// Whether a piece stays without vectors, because the run is over and another piece has some.
  bool leaves_out(const Piece& piece, bool is_over) {
    if (!piece.generation && is_over && has_vectors_.exchange(true)) return true;
    has_vectors_ = true;
    return false;
  }
  /// Gives a piece to a batch. \param state of the piece; none: it has no vectors yet. \returns its generation.
  /// Problems that there is no time to begin leave the piece.
  static std::uint32_t begin(Batch& batch, Piece& piece, const std::optional<EvolutionState>& state,
                             const Watch& watch);
  /// The same with the state that was deposited.
  std::uint32_t begin(Batch& batch, Piece& piece, const Watch& watch);
  /// What a batch has made of a piece.
  Outcome outcome(const Device& device, Batch& batch, const Piece& piece, std::uint32_t generation, bool keeps_state);
  /// \throws DeviceError where it is not sound, or the host finds other values.
  void check(const Device& device, Batch& batch, const Piece& piece, Outcome& outcome);
  /// \throws InvalidInput where the checkpoint that was resumed has other values than its vectors.
  void require_checkpoint() const;
  /// Takes it over.
  void take(const Piece& piece, const Outcome& outcome);
  void end(const Device& device, Batch& batch, const Piece& piece, std::uint32_t generation);

  bool is_checkpoint_due() const { return plan_.options.checkpoint && plan_.options.checkpoint->due(); }
  void deposit(const Piece& piece, std::uint32_t generation, Batch& batch) {
    state_.deposit(piece, generation, batch.state());
  }
  void save() { state_.save(*plan_.options.checkpoint); }

  /// Notes for report() how far a piece is. \param running how many of its problems have proceeded since the last call.
  void note_done(const Piece& piece, std::uint32_t generation, std::size_t running);
  /// The same at the piece's end.
  void note_end(const Piece& piece);
  /// Notes for report() a value and its vector, unless a better one is known.
  void note_best(Best best);
  /// The same for the best of a piece's problems.
  void note_best(const Summary& summary);
  /// Whether the caller wants progress reports, and how often.
  bool reports() const { return static_cast<bool>(control_.progress); }
  double report_interval() const { return control_.progress_interval; }
  bool is_caller() const { return std::this_thread::get_id() == caller_; }
  /// Calls the caller's function of progress where that is due; to be called by the caller's thread.
  void report();
  /// Whether that function has thrown: pieces under way are left.
  bool report_failed() const { return report_failed_; }

  /// The result, once all pieces have ended.
  Result finish();
  /// Sets what ranks have done, for the result. \param launches of all ranks; none: this one has done all.
  void set_report(cluster::Report report, std::optional<std::uint64_t> launches);

 private:
  std::unique_ptr<Batch> make_slot(Device& device) const;

  const RunControl& control_;
  const Watch watch_;
  const std::thread::id caller_ = std::this_thread::get_id();
  const Plan plan_;
  RunState state_;
  const std::vector<std::shared_ptr<Device>> given_;
  Slots slots_;
  std::size_t room_ = 1;  // problems in a slot
  Method method_ = Method::automatic;
  Result result_;
  std::optional<TimedPart> computing_;
  std::optional<std::uint64_t> launches_;  // of all ranks
  std::vector<DevicePart> parts_;          // of several devices
  std::mutex mutex_;
  Best best_;
  /// What is known of a piece.
  struct Done {
    double problems = 0;  ///< that are done, fractions counted
    std::uint32_t generation = 0;
    State state{};  ///< of a problem that has not stopped
    std::uint64_t evaluations = 0;
  };
  std::map<std::size_t, Done> done_;  // of each piece by its first
  std::atomic<bool> report_failed_{false};
  std::atomic<bool> has_vectors_{false};  // some piece
};

/// Brings ranges of problems to their ends, each by a device that is free.
void run_shared(Run& run);

/// Brings ranges of problems to their ends on all ranks. \returns false where this run is not one that ranks share, or
/// this process is not one of several ranks.
bool run_distributed(Run& run, const RunControl& control);

/// Brings all pieces to their ends side by side, some generations at a time, since statistics are of all problems at
/// once.
void run_observed(Run& run);

}  // namespace clopt::differential_evolution
