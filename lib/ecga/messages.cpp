#include "messages.hpp"

#include <cluster/objective_message.hpp>

namespace clopt::ecga {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  archive("objective", problem.objective)("length", problem.length);
}

template <class Archive>
void fields(Archive& archive, Options& options) {
  archive("population", options.population)("search", options.search)("counting", options.counting);
  archive("tournament", options.tournament)("crossover", options.crossover)("largest_group", options.largest_group);
  archive("seed", options.seed)("generations", options.generations)("evaluations", options.evaluations);
  archive("stagnation", options.stagnation)("target", options.target)("guesses", options.guesses);
  archive("least_shared", options.least_shared);
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
