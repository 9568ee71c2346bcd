#include "messages.hpp"

#include <cluster/objective_message.hpp>

namespace clopt::genetic {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  archive("objective", problem.objective)("genes", problem.genes)("lower", problem.lower)("upper", problem.upper);
}

template <class Archive>
void fields(Archive& archive, Options& options) {
  archive("preset", options.preset)("seed", options.seed)("population", options.population);
  archive("selection", options.selection)("tournament", options.tournament)("rank_pressure", options.rank_pressure);
  archive("crossover_kind", options.crossover_kind)("crossover", options.crossover);
  archive("line_extension", options.line_extension)("distribution_index", options.distribution_index);
  archive("mutation_kind", options.mutation_kind)("mutation", options.mutation)("step", options.step);
  archive("mutation_index", options.mutation_index)("elites", options.elites)("islands", options.islands);
  archive("migrate_every", options.migrate_every)("migrants", options.migrants)("restart", options.restart);
  archive("improve", options.improve)("precision", options.precision)("initial", options.initial);
  archive("generations", options.generations)("evaluations", options.evaluations)("stagnation", options.stagnation);
  archive("target", options.target)("granularity", options.granularity);
  archive("individuals_per_group", options.individuals_per_group)("group_size", options.group_size);
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
