/// \file
/// The messages between the ranks of a run.
#pragma once

#include <clopt/genetic.hpp>
#include <clopt/shard.hpp>
#include <run/record_fields.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt::genetic {

/// A rank among those that have islands.
struct Member {
  std::uint32_t rank = 0;
  std::uint32_t failed = 0;  ///< of its devices, the first ones
  std::uint64_t first = 0;   ///< of its islands
  std::uint64_t count = 0;
};

/// A run as a rank gets it from the first one.
struct RunMessage {
  Problem problem;
  Options options;  ///< complete ones, of all islands
  std::optional<double> time_limit;
  std::vector<Member> members;
  bool wants_population = false;  ///< at the end; else its checksums will do
};
Bytes encode_run(const RunMessage& message);
RunMessage decode_run(ByteReader message);

/// How a rank's islands have ended; their state follows where they have.
struct PartOutcome {
  enum class Kind : std::uint8_t { none, done, failed };
  Kind kind = Kind::none;
  std::string failure;            ///< of the device
  bool has_other_device = false;  ///< to restart on
  Result result;                  ///< its method, reason, individuals_per_group, ending, unchecked, seconds, launches
  double build_seconds = 0;       ///< in which it, or another one that it waits for, has built kernels
  std::vector<std::uint64_t> hashes;  ///< of the population's blocks, which the state is then without
};
template <class Archive>
void fields(Archive& archive, PartOutcome& end) {
  archive("kind", end.kind)("failure", end.failure)("has_other_device", end.has_other_device);
  archive("result", static_cast<RunResult&>(end.result))("individuals_per_group", end.result.individuals_per_group)(
      "hashes", end.hashes);
}

}  // namespace clopt::genetic
