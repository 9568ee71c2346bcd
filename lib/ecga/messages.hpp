/// \file
/// What ranks tell each other of runs.
#pragma once

#include <clopt/ecga.hpp>
#include <cluster/bytes.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "state.hpp"

namespace clopt::ecga {

/// A problem and how to solve it, but for callbacks and checkpoints.
void add(cluster::Writer& message, const Problem& problem, const Options& options);
std::pair<Problem, Options> take_problem(cluster::Reader& message);

/// A rank among those that make a run's models.
struct Member {
  std::uint32_t rank = 0;
  std::uint32_t failed = 0;  ///< of its devices, the first ones
};

/// A run whose models several ranks make, as a rank gets it from the first one.
struct Job {
  Problem problem;
  Options options;
  std::vector<Member> members;
  std::optional<State> start;  ///< of a checkpoint
};
cluster::Bytes encode(const Job& job);
Job decode_job(cluster::Reader& message);

/// How a rank's part in a run has ended.
struct PartEnd {
  enum class Kind : std::uint8_t { none, done, failed };
  Kind kind = Kind::none;
  std::string failure;            ///< of the device
  bool has_other_device = false;  ///< to begin anew on
  std::uint64_t checksum = 0;     ///< of the run
  std::vector<std::string> lost;  ///< devices that were left out, and why
};
cluster::Bytes encode(const PartEnd& end);
PartEnd decode_part_end(cluster::Reader& message);

}  // namespace clopt::ecga
