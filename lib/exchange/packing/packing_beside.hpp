/// \file
/// A packing while a device searches.
#pragma once

#include <clopt/run.hpp>

#include <future>
#include <optional>
#include <stop_token>

#include <exchange/network/network.hpp>
#include <support/thread_team.hpp>
#include "packing.hpp"

namespace clopt::exchange {

/// A packing by threads of its own, which is ended when this is.
class PackingBeside {
 public:
  /// \param time_limit seconds that it may take; none: no limit. All that is referred to outlives this.
  PackingBeside(const Problem& problem, const Network& network, const PackingEffort& effort, ThreadTeam& team,
                std::optional<double> time_limit);
  ~PackingBeside();
  PackingBeside(const PackingBeside&) = delete;
  PackingBeside& operator=(const PackingBeside&) = delete;

  /// Waits for it. \param watch of the run: once it has expired, the packing ends before it is whole.
  Packed finish(const Watch& watch);

 private:
  PackingEffort effort_;
  RunControl control_;
  std::stop_source stop_;
  std::future<Packed> packing_;
};

}  // namespace clopt::exchange
