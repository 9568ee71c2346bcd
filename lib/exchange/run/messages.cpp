#include "messages.hpp"

#include <clopt/error.hpp>

#include <utility>

#include <cluster/field_message.hpp>
#include <exchange/schedule/schedule_arrays.hpp>

namespace clopt::exchange {

cluster::Bytes encode_job(const SearchTask& task) {
  const auto& topology = task.problem.topology;
  cluster::Writer message;
  message.add(topology.name).add(topology.nodes).add(topology.links).add(topology.roles);
  message.add(task.problem.pattern).add(task.problem.transfers);
  auto options = task.options;
  options.optimizer = name_of(task.choice.optimizer);
  cluster::add_fields(message, fields_of(options));
  message.add(task.steps).add(task.generations).add(task.seed);
  return message.take();
}

Job decode_job(cluster::Reader& message) {
  Job job;
  auto& topology = job.problem.topology;
  topology.name = message.text();
  topology.nodes = message.take<std::uint32_t>();
  topology.links = message.list<Link>();
  topology.roles = message.list<Role>();
  job.problem.pattern = message.text();
  job.problem.transfers = message.list<Transfer>();
  cluster::take_fields(message, fields(job.options));
  job.choice = named_by(job.options);
  job.steps = message.take<std::uint32_t>();
  job.generations = message.take<std::uint64_t>();
  job.seed = message.take<std::uint64_t>();
  return job;
}

cluster::Bytes encode_result(const SearchResult& result) {
  const auto flat = flat_of(result.schedule);
  cluster::Writer message;
  message.add(result.schedule.steps).add(flat.slots).add(flat.lengths).add(flat.nodes);
  message.add(result.conflicts).add(result.search).add(result.generations);
  message.add(result.evaluations).add(result.evaluations_done).add(result.is_final).add(result.how);
  message.add(result.build_seconds).add(result.launches).add(std::uint64_t{result.failures.size()});
  for (const auto& failure : result.failures) message.add(failure);
  return message.take();
}

SearchResult decode_result(cluster::Reader& message) {
  SearchResult result;
  const auto steps = message.take<std::uint32_t>();
  ScheduleArrays flat;
  flat.slots = message.list<std::uint32_t>();
  flat.lengths = message.list<std::uint32_t>();
  flat.nodes = message.list<std::uint32_t>();
  auto schedule = schedule_of(flat, steps);
  if (!schedule) throw InternalError("exchange: what another rank has sent is not a schedule; please report it");
  result.schedule = std::move(*schedule);
  result.conflicts = message.take<std::uint64_t>();
  result.search = message.take<std::uint32_t>();
  result.generations = message.take<std::uint64_t>();
  result.evaluations = message.take<std::uint64_t>();
  result.evaluations_done = message.take<std::uint64_t>();
  result.is_final = message.take<bool>();
  result.how = message.text();
  result.build_seconds = message.take<double>();
  result.launches = message.take<std::uint64_t>();
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) result.failures.push_back(message.text());
  return result;
}

}  // namespace clopt::exchange
