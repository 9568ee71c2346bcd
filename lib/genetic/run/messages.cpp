#include "messages.hpp"

#include <cluster/objective_message.hpp>

namespace clopt::genetic {
namespace {

void add(cluster::Writer& message, const Options& options) {
  message.add(options.preset).add(options.seed).add(options.population).add(options.selection).add(options.tournament);
  message.add(options.rank_pressure).add(options.crossover_kind).add(options.crossover).add(options.line_extension);
  message.add(options.distribution_index).add(options.mutation_kind).add(options.mutation).add(options.step);
  message.add(options.mutation_index).add(options.elites).add(options.islands).add(options.migrate_every);
  message.add(options.migrants).add(options.restart).add(options.improve).add(options.precision).add(options.initial);
  message.add(options.generations).add(options.evaluations).add(options.stagnation).add(options.target);
  message.add(options.granularity).add(options.individuals_per_group).add(options.group_size);
}

Options take_options(cluster::Reader& message) {
  Options options;
  options.preset = message.text();
  options.seed = message.take<std::uint64_t>();
  options.population = message.optional<std::uint64_t>();
  options.selection = message.text();
  options.tournament = message.optional<std::uint32_t>();
  options.rank_pressure = message.take<double>();
  options.crossover_kind = message.text();
  options.crossover = message.optional<double>();
  options.line_extension = message.take<double>();
  options.distribution_index = message.optional<double>();
  options.mutation_kind = message.text();
  options.mutation = message.optional<double>();
  options.step = message.optional<double>();
  options.mutation_index = message.optional<double>();
  options.elites = message.optional<std::uint64_t>();
  options.islands = message.take<std::uint32_t>();
  options.migrate_every = message.take<std::uint64_t>();
  options.migrants = message.take<std::uint32_t>();
  options.restart = message.optional<std::uint64_t>();
  options.improve = message.text();
  options.precision = message.text();
  options.initial = message.list<double>();
  options.generations = message.optional<std::uint64_t>();
  options.evaluations = message.optional<std::uint64_t>();
  options.stagnation = message.optional<std::uint64_t>();
  options.target = message.optional<double>();
  options.granularity = message.text();
  options.individuals_per_group = message.take<std::uint32_t>();
  options.group_size = message.take<std::uint32_t>();
  return options;
}

}  // namespace

cluster::Bytes encode(const Job& job) {
  cluster::Writer message;
  cluster::add_objective(message, job.problem.objective);
  message.add(job.problem.genes).add(job.problem.lower).add(job.problem.upper);
  add(message, job.options);
  message.add(job.time_limit).add(job.members);
  return message.take();
}

Job decode_job(cluster::Reader& message) {
  Job job{{cluster::take_objective(message), 0, {}, {}}, {}, {}, {}};
  job.problem.genes = message.take<std::uint32_t>();
  job.problem.lower = message.list<double>();
  job.problem.upper = message.list<double>();
  job.options = take_options(message);
  job.time_limit = message.optional<double>();
  job.members = message.list<Member>();
  return job;
}

void add(cluster::Writer& message, const PartEnd& end) {
  const auto& result = end.result;
  message.add(end.kind).add(end.failure).add(end.has_other_device);
  message.add(result.method).add(result.reason).add(result.individuals_per_group).add(result.ending);
  message.add(result.unchecked).add(result.seconds.compute).add(result.seconds.build).add(result.launches);
}

PartEnd take_part_end(cluster::Reader& message) {
  PartEnd end;
  end.kind = message.take<PartEnd::Kind>();
  end.failure = message.text();
  end.has_other_device = message.take<bool>();
  auto& result = end.result;
  result.method = message.text();
  result.reason = message.text();
  result.individuals_per_group = message.take<std::uint32_t>();
  result.ending = message.take<Ending>();
  result.unchecked = message.text();
  result.seconds.compute = message.take<double>();
  result.seconds.build = message.take<double>();
  result.launches = message.take<std::uint64_t>();
  return end;
}

}  // namespace clopt::genetic
