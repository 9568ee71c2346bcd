#include "messages.hpp"

#include <group/message_fields.hpp>

namespace clopt::ecga {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  archive("objective", problem.objective)("length", problem.length);
}

template <class Archive>
void fields(Archive& archive, Options& options) {
  group::option_fields(archive, fields(options));
}

template <class Archive>
void fields(Archive& archive, RunMessage& message) {
  archive("problem", message.problem)("options", message.options)("members", message.members)("start", message.start);
}

Bytes encode_run(const RunMessage& message) { return encode(message); }

RunMessage decode_run(ByteReader bytes) {
  RunMessage message{{Objective::named("onemax")}, {}, {}, {}};
  bytes("run", message);
  return message;
}

}  // namespace clopt::ecga
