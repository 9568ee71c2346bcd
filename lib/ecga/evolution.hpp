/// \file
/// A run from its beginning to its end, on the devices of one process.
#pragma once

#include <clopt/ecga.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "others.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace clopt::ecga {

class Run;

/// Calls the statistics callback and writes checkpoints, each generation once: a device that restarts comes to the
/// generations of the one before again.
class Recorder {
 public:
  /// Of a run that this process watches. \throws InvalidInput for a checkpoint of another run.
  explicit Recorder(const Settings& settings);
  /// Of a run that the first rank watches. \param start where it goes on; none: at the start.
  Recorder(const Settings& settings, std::optional<State> start) : settings_(settings), start_(std::move(start)) {}

  const State* start() const { return start_ ? &*start_ : nullptr; }
  /// Whether a run that is stopped among others has its result here.
  bool keeps_what_is_stopped() const { return watches_; }

  void record(const Statistics& statistics);
  void save_if_due(const Run& run);
  void save(const Run& run);

 private:
  const Settings& settings_;
  bool watches_ = false;
  std::optional<State> start_;
  std::optional<std::uint64_t> recorded_;
  std::uint64_t saved_ = 0;
};

/// A run on several devices. It survives the failure of all but the first. \param others make the same models on other
/// ranks; null: there are none. \throws DeviceError where the first device fails; Cancelled where others were stopped
/// and the result is not here.
Result evolve_on(std::span<const std::shared_ptr<Device>> devices, const Settings& settings, const Watch& watch,
                 Recorder& recorder, Others* others);

/// As solve(), by this process alone.
Result solve_by_process(const Problem& problem, const Options& options,
                        std::span<const std::shared_ptr<Device>> devices, const RunControl& control);

}  // namespace clopt::ecga
