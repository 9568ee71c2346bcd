#include "messages.hpp"

#include <clopt/error.hpp>
#include <group/message_fields.hpp>

#include <fmt/format.h>

namespace clopt::differential_evolution {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  archive("objective", problem.objective)("dimensions", problem.dimensions)("problems", problem.problems);
  archive("lower", problem.lower)("upper", problem.upper)("data", problem.data)("columns", problem.columns);
  archive("abscissa", problem.abscissa)("sigma", problem.sigma)("integer", problem.integer);
}

template <class Archive>
void fields(Archive& archive, Options& options) {
  group::option_fields(archive, fields(options));
  archive("range", options.range);
}

template <class Archive>
void fields(Archive& archive, RunMessage& sent) {
  archive("problem", sent.part.problem)("options", sent.part.options)("whole_problems", sent.part.whole_problems);
  archive("keeps_states", sent.keeps_states);
}

Bytes encode_run(const Plan& plan, bool keeps_states) {
  return encode(RunMessage{{plan.problem, plan.options, plan.whole_problems}, keeps_states}, identity_of(plan));
}

std::unique_ptr<const RunMessage> decode_run(ByteReader message) {
  auto sent = std::make_unique<RunMessage>(RunMessage{{{Objective::named("sphere")}, {}}});
  message("run", *sent);
  const auto first = message.take<RunIdentity>();
  const auto text = first.difference_text(identity_of(sent->plan({})), "the first one", "this one has");
  if (!text.empty()) throw InvalidInput(fmt::format("the ranks differ: {}", text));
  return sent;
}

std::size_t message_bytes_of_problem(const Plan& plan) {
  const std::size_t dimensions = plan.settings.dimensions;
  const std::size_t numbers = (plan.settings.population + std::size_t{plan.settings.archive}) * dimensions;
  const std::size_t controls = shared::evolution_controls(plan.settings.adapt, plan.settings.population);
  const std::size_t normal = plan.objective.is_fit() ? dimensions * (dimensions + 1) : 0;
  return 2 * sizeof(State) + 64 + 8 * (numbers + plan.settings.population + controls + 2 * dimensions + 1 + normal);
}

}  // namespace clopt::differential_evolution
