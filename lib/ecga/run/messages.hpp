/// \file
/// The messages between the ranks of runs.
#pragma once

#include <clopt/ecga.hpp>
#include <cluster/bytes.hpp>
#include <cluster/team.hpp>

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

/// A run whose models several ranks make, as a rank gets it from the first one.
struct Job {
  Problem problem;
  Options options;
  std::vector<cluster::TeamMember> members;
  std::optional<State> start;  ///< of a checkpoint
};
cluster::Bytes encode(const Job& job);
Job decode_job(cluster::Reader& message);

/// What a rank has come to at the end.
struct PartResult {
  std::uint64_t checksum = 0;     ///< of the run
  std::vector<std::string> lost;  ///< devices that were left out, and why
};
cluster::Bytes encode(const PartResult& result);
PartResult decode_part_result(cluster::Reader& message);

}  // namespace clopt::ecga
