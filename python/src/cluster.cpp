#include "cluster.hpp"

#include <clopt/cluster.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/devices.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "control.hpp"
#include "job_member.hpp"

namespace clopt::python {
namespace {

nb::dict fields_of_report(const cluster::Report& report) {
  nb::list per_rank;
  for (const auto& rank : report.per_rank)
    per_rank.append(nb::make_tuple(rank.host, nb::tuple(nb::cast(rank.devices)), rank.busy_seconds,
                                   nb::tuple(nb::cast(rank.failures))));
  nb::dict fields;
  fields["engine"] = report.engine;
  fields["library"] = report.library;
  fields["ranks"] = report.ranks;
  fields["requests"] = report.requests;
  fields["duplicated"] = report.duplicated;
  fields["wait_seconds"] = report.wait_seconds;
  fields["bytes"] = report.bytes;
  fields["per_rank"] = per_rank;
  fields["alone"] = report.alone;
  return fields;
}

// Which of a number of devices are this rank's.
std::vector<std::size_t> share_of(const JobMember& member, std::size_t count) {
  std::vector<DeviceInfo> devices(count);
  for (std::size_t k = 0; k < count; ++k) devices[k].id = std::to_string(k);
  std::vector<std::size_t> numbers;
  for (const auto& each : member.share_of(devices)) numbers.push_back(leading_number(each.id));
  return numbers;
}

int serve(JobMember& member, const std::optional<std::vector<std::string>>& texts,
          const std::vector<OpenDevice>& opened) {
  return member.serve([texts, opened] {
    auto devices = texts ? open_share(*texts) : std::vector<std::shared_ptr<Device>>();
    for (const auto& each : opened) devices.push_back(each.device);
    return devices;
  });
}

void build(const std::string& wrapper, const std::string& file) {
  const nb::gil_scoped_release released;
  cluster::build_module(wrapper, file);
}

}  // namespace

nb::object cluster_fields(const RunResult& result) {
  if (result.cluster) return fields_of_report(*result.cluster);
  const auto member = JobMember::current();
  if (!member) return nb::none();
  cluster::Report report;
  report.library = member->library();
  report.ranks = member->ranks();
  report.alone = member->ranks() == 1 ? "there is one rank" : "the work of this call is not shared out";
  return fields_of_report(report);
}

void bind_cluster(nb::module_& module) {
  nb::class_<JobMember>(module, "Member")
      .def_prop_ro("rank", &JobMember::rank)
      .def_prop_ro("ranks", &JobMember::ranks)
      .def_prop_ro("local_rank", &JobMember::local_rank)
      .def_prop_ro("local_ranks", &JobMember::local_ranks)
      .def_prop_ro("library", [](const JobMember& member) { return member.library(); })
      .def_prop_ro("has_left", &JobMember::has_left)
      .def("share_of", &share_of)
      .def("threads", &JobMember::threads)
      .def("serve", &serve, nb::arg("texts").none(), nb::arg("opened"))
      .def("serve_as_failed", &JobMember::serve_as_failed)
      .def("leave", &JobMember::leave)
      .def("wait_until_idle", [](const JobMember& member, double seconds) {
        const nb::gil_scoped_release released;
        return member.wait_until_idle(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)));
      });
  module.def("join_cluster", &JobMember::join);
  module.def("build_cluster_module", &build);
}

}  // namespace clopt::python
