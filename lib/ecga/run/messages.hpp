/// \file
/// The messages between the ranks of runs.
#pragma once

#include <clopt/ecga.hpp>
#include <group/team.hpp>
#include <run/bytes.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "state.hpp"

namespace clopt::ecga {

/// Runs, or one whose models several ranks make, as a rank gets them from the first one.
struct RunMessage {
  Problem problem;
  Options options;
  std::vector<group::TeamMember> members;  ///< none: there are several runs
  std::optional<State> start;              ///< of a checkpoint
};
/// Callbacks and checkpoints are not sent.
Bytes encode_run(const RunMessage& message);
RunMessage decode_run(ByteReader message);

/// What a rank has come to at the end.
struct PartResult {
  std::uint64_t checksum = 0;     ///< of the run
  std::vector<std::string> lost;  ///< devices that were left out, and why
};
template <class Archive>
void fields(Archive& archive, PartResult& result) {
  archive("checksum", result.checksum)("lost", result.lost);
}

}  // namespace clopt::ecga
