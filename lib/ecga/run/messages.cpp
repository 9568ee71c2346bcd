#include "messages.hpp"

#include <cluster/message_fields.hpp>

namespace clopt::ecga {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  archive("objective", problem.objective)("length", problem.length);
}

template <class Archive>
void fields(Archive& archive, Options& options) {
  cluster::option_fields(archive, fields(options));
}

template <class Archive>
void fields(Archive& archive, Job& job) {
  archive("problem", job.problem)("options", job.options)("members", job.members)("start", job.start);
}

Bytes encode_job(const Job& job) { return encode(job); }

Job decode_job(ByteReader message) {
  Job job{{Objective::named("onemax")}, {}, {}, {}};
  message("job", job);
  return job;
}

}  // namespace clopt::ecga
