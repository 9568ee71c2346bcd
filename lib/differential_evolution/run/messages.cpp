#include "messages.hpp"

#include <clopt/error.hpp>
#include <cluster/field_message.hpp>
#include <cluster/objective_message.hpp>

#include <fmt/format.h>

namespace clopt::differential_evolution {
namespace {

void add(cluster::Writer& message, const EvolutionState& image) {
  message.add(image.states).add(image.vectors).add(image.values).add(image.controls).add(image.archive);
}

EvolutionState take_image(cluster::Reader& message) {
  EvolutionState image;
  image.states = message.list<State>();
  image.vectors = message.list<double>();
  image.values = message.list<double>();
  image.controls = message.list<double>();
  image.archive = message.list<double>();
  return image;
}

void add(cluster::Writer& message, const std::optional<EvolutionState>& image) {
  message.add(std::uint8_t{image.has_value()});
  if (image) add(message, *image);
}

std::optional<EvolutionState> take_optional_image(cluster::Reader& message) {
  return message.take<std::uint8_t>() != 0 ? std::optional(take_image(message)) : std::nullopt;
}

void add(cluster::Writer& message, const RunIdentity& identity) {
  message.add(std::uint64_t{identity.entries().size()});
  for (const auto& entry : identity.entries()) message.add(entry.name).add(entry.text);
}

void require_identity(cluster::Reader& message, const RunIdentity& identity) {
  const auto& entries = identity.entries();
  const auto count = message.take<std::uint64_t>();
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto name = message.text();
    const auto text = message.text();
    if (k < entries.size() && entries[k].name == name && entries[k].text == text) continue;
    throw InvalidInput(fmt::format("the ranks differ: the first one has the `{}` {}, and this one has {}", name, text,
                                   k < entries.size() ? entries[k].text : "none"));
  }
}

}  // namespace

cluster::Bytes encode_job(const Plan& plan, bool keeps_images) {
  const auto& problem = plan.problem;
  const auto& options = plan.options;
  cluster::Writer message;
  cluster::add_objective(message, problem.objective);
  message.add(problem.dimensions).add(problem.problems).add(problem.lower).add(problem.upper).add(problem.data);
  message.add(problem.columns).add(problem.abscissa).add(problem.sigma).add(problem.integer);
  cluster::add_fields(message, fields_of(options));
  message.add(options.range).add(plan.whole_problems).add(keeps_images);
  add(message, identity_of(plan));
  return message.take();
}

std::unique_ptr<const Job> decode_job(cluster::Reader& message) {
  auto job = std::make_unique<Job>(Job{{{cluster::take_objective(message)}, {}}});
  auto& problem = job->part.problem;
  problem.dimensions = message.take<std::size_t>();
  problem.problems = message.take<std::size_t>();
  problem.lower = message.list<double>();
  problem.upper = message.list<double>();
  problem.data = message.list<double>();
  problem.columns = message.take<std::size_t>();
  problem.abscissa = message.list<double>();
  problem.sigma = message.list<double>();
  problem.integer = message.list<std::size_t>();
  auto& options = job->part.options;
  cluster::take_fields(message, fields(options));
  options.range = message.optional<WorkRange>();
  job->is_part = options.range.has_value();
  job->part.whole_problems = message.take<std::size_t>();
  job->keeps_images = message.take<bool>();
  require_identity(message, identity_of(job->plan({})));
  return job;
}

cluster::Bytes encode(const Outcome& outcome) {
  cluster::Writer message;
  message.add(outcome.generation).add(std::uint64_t{outcome.count}).add(outcome.unchecked);
  const auto& summary = outcome.summary;
  message.add(summary.states).add(summary.best_values).add(summary.worst_values).add(summary.best_vectors);
  message.add(summary.digests).add(std::uint8_t{outcome.polished.has_value()});
  if (outcome.polished)
    message.add(outcome.polished->improved)
        .add(outcome.polished->converged)
        .add(outcome.polished->evaluations)
        .add(outcome.polished->normal);
  add(message, outcome.image);
  return message.take();
}

Outcome decode_outcome(cluster::Reader& message) {
  Outcome outcome;
  outcome.generation = message.take<std::uint32_t>();
  outcome.count = message.take<std::uint64_t>();
  outcome.unchecked = message.text();
  auto& summary = outcome.summary;
  summary.states = message.list<State>();
  summary.best_values = message.list<double>();
  summary.worst_values = message.list<double>();
  summary.best_vectors = message.list<double>();
  summary.digests = message.list<std::uint64_t>();
  if (message.take<std::uint8_t>() != 0) {
    auto& polished = outcome.polished.emplace();
    polished.improved = message.list<std::uint8_t>();
    polished.converged = message.list<std::uint8_t>();
    polished.evaluations = message.list<std::uint64_t>();
    polished.normal = message.list<double>();
  }
  outcome.image = take_optional_image(message);
  return outcome;
}

cluster::Bytes encode(const Stand& stand) {
  cluster::Writer message;
  message.add(stand.generation);
  add(message, stand.image);
  return message.take();
}

Stand decode_stand(cluster::Reader& message) {
  Stand stand;
  stand.generation = message.take<std::uint32_t>();
  stand.image = take_optional_image(message);
  return stand;
}

std::size_t message_bytes_of_problem(const Plan& plan) {
  const std::size_t dimensions = plan.settings.dimensions;
  const std::size_t numbers = (plan.settings.population + std::size_t{plan.settings.archive}) * dimensions;
  const std::size_t controls = shared::evolution_controls(plan.settings.adapt, plan.settings.population);
  const std::size_t normal = plan.objective.is_fit() ? dimensions * (dimensions + 1) : 0;
  return 2 * sizeof(State) + 64 + 8 * (numbers + plan.settings.population + controls + dimensions + normal);
}

}  // namespace clopt::differential_evolution
