#include "messages.hpp"

#include <cluster/message_fields.hpp>

namespace clopt::genetic {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  archive("objective", problem.objective)("genes", problem.genes)("lower", problem.lower)("upper", problem.upper);
}

template <class Archive>
void fields(Archive& archive, Options& options) {
  cluster::option_fields(archive, fields(options));
}

template <class Archive>
void fields(Archive& archive, Job& job) {
  archive("problem", job.problem)("options", job.options)("time_limit", job.time_limit)("members", job.members);
}

Bytes encode_job(const Job& job) { return encode(job); }

Job decode_job(ByteReader message) {
  Job job{{Objective::named("onemax"), 0, {}, {}}, {}, {}, {}};
  message("job", job);
  return job;
}

}  // namespace clopt::genetic
