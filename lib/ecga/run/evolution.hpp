/// \file
/// A run from its beginning to its end, on the devices of one process.
#pragma once

#include <clopt/ecga.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <ecga/model/peers.hpp>
#include <ecga/plan.hpp>
#include "state.hpp"

namespace clopt::ecga {

class Run;

/// Calls the statistics callback and writes checkpoints, each generation once: a device that restarts comes to the
/// generations of the one before again.
class Recorder {
 public:
  /// Of a run that this process watches. \throws InvalidInput for a checkpoint of another run.
  explicit Recorder(const Plan& plan);
  /// Of a run that the first rank watches. \param start where it resumes; none: at the start.
  Recorder(const Plan& plan, std::optional<State> start) : plan_(plan), start_(std::move(start)) {}

  const State* start() const { return start_ ? &*start_ : nullptr; }
  /// Whether a run that is stopped among others has its result here.
  bool keeps_what_is_stopped() const { return watches_; }

  void record(const Statistics& statistics);
  void save_if_due(const Run& run);
  void save(const Run& run);

 private:
  const Plan& plan_;
  bool watches_ = false;
  std::optional<State> start_;
  std::optional<std::uint64_t> recorded_;
  std::uint64_t saved_ = 0;
};

/// A run on several devices. It survives the failure of all but the first. \param peers make the same models on other
/// ranks; null: there are none. \throws DeviceError where the first device fails; Cancelled where others were stopped
/// and the result is not here.
Result evolve_on(std::span<const std::shared_ptr<Device>> devices, const Plan& plan, const Watch& watch,
                 Recorder& recorder, Peers* peers);

/// As solve(), by this process alone.
Result solve_by_process(const Problem& problem, const Options& options,
                        std::span<const std::shared_ptr<Device>> devices, const RunControl& control);

}  // namespace clopt::ecga
