#include "messages.hpp"

#include <cluster/field_message.hpp>
#include <cluster/objective_message.hpp>

namespace clopt::genetic {

cluster::Bytes encode(const Job& job) {
  cluster::Writer message;
  cluster::add_objective(message, job.problem.objective);
  message.add(job.problem.genes).add(job.problem.lower).add(job.problem.upper);
  cluster::add_fields(message, fields_of(job.options));
  message.add(job.time_limit).add(job.members);
  return message.take();
}

Job decode_job(cluster::Reader& message) {
  Job job{{cluster::take_objective(message), 0, {}, {}}, {}, {}, {}};
  job.problem.genes = message.take<std::uint32_t>();
  job.problem.lower = message.list<double>();
  job.problem.upper = message.list<double>();
  cluster::take_fields(message, fields(job.options));
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
