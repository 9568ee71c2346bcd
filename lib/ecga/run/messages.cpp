#include "messages.hpp"

#include <cluster/field_message.hpp>
#include <cluster/objective_message.hpp>

namespace clopt::ecga {
namespace {

void add(cluster::Writer& message, const State& state) {
  message.add(state.generation).add(state.evaluations).add(state.population).add(state.fitness).add(state.best_genes);
  message.add(state.best_fitness).add(state.best_mean).add(state.improved_at);
  message.add(state.model_sizes).add(state.model_loci);
}

State take_state(cluster::Reader& message) {
  State state;
  state.generation = message.take<std::uint64_t>();
  state.evaluations = message.take<std::uint64_t>();
  state.population = message.list<std::uint32_t>();
  state.fitness = message.list<float>();
  state.best_genes = message.list<std::uint32_t>();
  state.best_fitness = message.take<double>();
  state.best_mean = message.take<double>();
  state.improved_at = message.take<std::uint64_t>();
  state.model_sizes = message.list<std::uint32_t>();
  state.model_loci = message.list<std::uint32_t>();
  return state;
}

}  // namespace

void add(cluster::Writer& message, const Problem& problem, const Options& options) {
  cluster::add_objective(message, problem.objective);
  message.add(problem.length);
  cluster::add_fields(message, fields_of(options));
}

std::pair<Problem, Options> take_problem(cluster::Reader& message) {
  Problem problem{cluster::take_objective(message)};
  problem.length = message.take<std::uint32_t>();
  Options options;
  cluster::take_fields(message, fields(options));
  return {std::move(problem), std::move(options)};
}

cluster::Bytes encode(const Job& job) {
  cluster::Writer message;
  add(message, job.problem, job.options);
  message.add(job.members).add(job.start.has_value());
  if (job.start) add(message, *job.start);
  return message.take();
}

Job decode_job(cluster::Reader& message) {
  auto [problem, options] = take_problem(message);
  Job job{std::move(problem), std::move(options), message.list<cluster::TeamMember>(), {}};
  if (message.take<bool>()) job.start = take_state(message);
  return job;
}

cluster::Bytes encode(const PartResult& result) {
  cluster::Writer message;
  message.add(result.checksum).add(std::uint64_t{result.lost.size()});
  for (const auto& text : result.lost) message.add(text);
  return message.take();
}

PartResult decode_part_result(cluster::Reader& message) {
  PartResult result{message.take<std::uint64_t>(), {}};
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) result.lost.push_back(message.text());
  return result;
}

}  // namespace clopt::ecga
