#include "messages.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <exchange/schedule/schedule_arrays.hpp>
#include <group/message_fields.hpp>

namespace clopt::exchange {

template <class Archive>
void fields(Archive& archive, Problem& problem) {
  auto& topology = problem.topology;
  archive("name", topology.name)("nodes", topology.nodes)("links", topology.links)("roles", topology.roles);
  archive("pattern", problem.pattern)("transfers", problem.transfers);
}

template <class Archive>
void fields(Archive& archive, Options& options) {
  group::option_fields(archive, fields(options));
}

template <class Archive>
void fields(Archive& archive, RunMessage& message) {
  archive("problem", message.problem)("options", message.options)("parsed", message.parsed)("steps", message.steps);
  archive("generations", message.generations)("seed", message.seed)("members", message.members);
}

template <class Archive>
void fields(Archive& archive, SearchResult& result) {
  archive("steps", result.schedule.steps);
  placement_fields(archive, result.schedule);
  archive("conflicts", result.conflicts)("search", result.search)("generations", result.generations);
  archive("evaluations", result.evaluations)("evaluations_done", result.evaluations_done);
  archive("is_final", result.is_final)("how", result.how);
  archive("launches", result.launches)("failures", result.failures);
}

Bytes encode_run(const SearchTask& task, std::vector<group::TeamMember> members) {
  return encode(
      RunMessage{task.problem, task.options, task.parsed, task.steps, task.generations, task.seed, std::move(members)});
}

RunMessage decode_run(ByteReader message) { return message.take<RunMessage>(); }

Bytes encode_result(const SearchResult& result) { return encode(result); }

SearchResult decode_result(ByteReader message) try {
  return message.take<SearchResult>();
} catch (const InvalidInput& error) {
  throw InternalError(
      fmt::format("exchange: what another rank has sent is not a schedule: {}; please report it", error.what()));
}

}  // namespace clopt::exchange
