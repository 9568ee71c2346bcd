/// \file
/// A packing on the host while a device searches.
#pragma once

#include <clopt/run.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>

#include <exchange/network/network.hpp>
#include <support/stopwatch.hpp>
#include <support/threads/thread_team.hpp>
#include "packing.hpp"

namespace clopt::exchange {

/// A packing by a team of threads, which is reserved until finish(). The destructor stops it, and waits for that.
class BackgroundPacking {
 public:
  /// \param time_limit seconds that it may take; none: no limit. \param on_end is called when it has ended, by another
  /// thread. All that is referred to outlives this.
  BackgroundPacking(const Problem& problem, const Network& network, const PackingEffort& effort, ThreadTeam& team,
                    std::optional<double> time_limit, std::function<void(const Packed&)> on_end);
  ~BackgroundPacking();
  BackgroundPacking(const BackgroundPacking&) = delete;
  BackgroundPacking& operator=(const BackgroundPacking&) = delete;

  /// Waits for it. \param watch of the run, to which progress is reported: once it has expired, the packing ends before
  /// it is whole.
  Packed finish(const Watch& watch);
  /// How long it took, after finish().
  double seconds() const { return seconds_; }

 private:
  Packed make();

  const Problem& problem_;
  const Network& network_;
  PackingEffort effort_;
  ThreadTeam& team_;
  std::function<void(const Packed&)> on_end_;
  std::atomic<double> done_ = 0;
  std::stop_source stop_;
  RunControl control_;
  Stopwatch stopwatch_;
  double seconds_ = 0;
  std::future<Packed> packing_;  ///< none where no thread could be begun: finish() makes it
};

}  // namespace clopt::exchange
