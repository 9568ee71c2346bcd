#include "messages.hpp"

#include <group/message_fields.hpp>

namespace clopt::genetic {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  archive("objective", problem.objective)("genes", problem.genes)("lower", problem.lower)("upper", problem.upper);
}

template <class Archive>
void fields(Archive& archive, Options& options) {
  group::option_fields(archive, fields(options));
}

template <class Archive>
void fields(Archive& archive, RunMessage& message) {
  archive("problem", message.problem)("options", message.options);
  archive("time_limit", message.time_limit)("islands", message.islands)("members", message.members)(
      "wants_population", message.wants_population);
}

Bytes encode_run(const RunMessage& message) { return encode(message); }

RunMessage decode_run(ByteReader bytes) {
  RunMessage message{{Objective::named("onemax"), 0, {}, {}}, {}, {}, {}};
  bytes("run", message);
  return message;
}

}  // namespace clopt::genetic
