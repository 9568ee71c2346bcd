/// \file
/// The messages between the ranks of a run.
#pragma once

#include <clopt/genetic.hpp>
#include <clopt/shard.hpp>
#include <group/team.hpp>
#include <run/record_fields.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace clopt::genetic {

/// A run as a rank gets it from the first one.
struct RunMessage {
  Problem problem;
  Options options;  ///< complete ones, of all islands
  std::optional<double> time_limit;
  WorkRange islands;  ///< that the members have
  std::vector<group::TeamMember> members{};
  bool wants_population = false;  ///< at the end; else its checksums will do

  /// Those of a member.
  WorkRange islands_of(std::size_t place) const {
    const auto own = range_of({place + 1, members.size()}, islands.count);
    return {islands.first + own.first, own.count};
  }
};
Bytes encode_run(const RunMessage& message);
RunMessage decode_run(ByteReader message);

/// What a member has come to at the end; the state of its islands follows.
struct PartResult {
  Result result;  ///< its method, reason, individuals_per_group, ending, unchecked, seconds, launches
  std::vector<std::uint64_t> hashes;  ///< of the population's blocks, which the state is then without
};
template <class Archive>
void fields(Archive& archive, PartResult& part) {
  archive("result", static_cast<RunResult&>(part.result))("individuals_per_group", part.result.individuals_per_group)(
      "hashes", part.hashes);
}

}  // namespace clopt::genetic
