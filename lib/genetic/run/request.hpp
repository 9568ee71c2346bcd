/// \file
/// What a run is asked for.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/device.hpp>
#include <clopt/genetic.hpp>
#include <support/numbers/checksum.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <genetic/peers.hpp>
#include <genetic/plan.hpp>

namespace clopt::genetic {

/// Of the individuals that a run begins with; checkpoints keep it.
inline std::uint64_t hash_of_initial(const std::vector<double>& initial) {
  Checksum checksum;
  checksum.add(std::span<const double>(initial));
  return checksum.value();
}

/// The hash that a checkpoint has. \throws InvalidInput where other individuals are given than the run began with.
inline std::uint64_t initial_in(const Checkpoint& checkpoint, const Options& options) {
  const auto initial = checkpoint.number<std::uint64_t>("initial");
  if (!options.initial.empty() && hash_of_initial(options.initial) != initial)
    checkpoint.refuse(
        "its run did not begin with these individuals of `initial`; leave `initial` out, or begin a new run");
  return initial;
}

/// What is asked for, and what the caller was given already, whatever the device.
struct Request {
  const Problem& problem;
  const Options& options;
  const Plan& plan;
  const Watch& watch;
  double progress_interval;
  std::optional<std::uint64_t> last_reported{};       ///< the last generation whose statistics were reported
  std::optional<std::uint64_t> last_saved{};          ///< the generation of the last checkpoint
  Peers* peers = nullptr;                             ///< the runs of all other islands; none where these are all
  bool wants_population = true;                       ///< among others, at the end
  std::span<const std::shared_ptr<Device>> others{};  ///< devices that may evaluate, too
};

}  // namespace clopt::genetic
