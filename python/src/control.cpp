#include "control.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "caller.hpp"
#include "cluster.hpp"
#include "job_member.hpp"

namespace clopt::python {

std::shared_ptr<nb::object> shared_object(nb::object object) { return kept_for_python(std::move(object)); }

bool report_progress(const std::shared_ptr<nb::object>& callback, const Progress& progress, const Rows& rows) {
  bool continues = true;
  const auto outcome = Caller::of_this_thread()->call([&] {
    nb::object best = nb::none();
    nb::object point = nb::none();
    if (progress.best) best = nb::float_(*progress.best);
    if (!progress.best_point.empty())
      point = array_of(std::vector<double>(progress.best_point.begin(), progress.best_point.end()));
    nb::dict row;
    const auto columns = rows.names.size();
    if (columns > 0 && rows.numbers.size() >= columns)
      for (std::size_t i = 0; i < columns; ++i)
        row[rows.names[i].c_str()] = rows.numbers[rows.numbers.size() - columns + i];
    // A run that ranks share has no rows.
    if (columns == 0 && progress.evaluations.value_or(0) > 0) row["nfev"] = static_cast<double>(*progress.evaluations);
    const nb::str phase(progress.phase.data(), progress.phase.size());
    continues = nb::cast<bool>(call_function(*callback, {phase, nb::float_(progress.done), best, point, row}));
  });
  if (outcome == Caller::Outcome::failed) throw PythonFailed();
  return continues && outcome == Caller::Outcome::done;
}

nb::dict common_fields(const RunResult& result) {
  nb::dict fields;
  const auto ending = name_of(result.ending);
  fields["method"] = result.method;
  fields["reason"] = result.reason;
  fields["ending"] = nb::str(ending.data(), ending.size());
  fields["checksum"] = result.checksum;
  fields["seconds"] = nb::make_tuple(result.seconds.total, result.seconds.compute, result.seconds.build,
                                     result.seconds.open, result.seconds.other);
  fields["launches"] = result.launches;
  nb::list devices;
  for (const auto& part : result.devices)
    devices.append(nb::make_tuple(part.id, part.name, part.share, part.seconds, part.beside, part.failures));
  fields["devices"] = devices;
  fields["failures"] = nb::tuple(nb::cast(result.failures));
  fields["unchecked"] = result.unchecked;
  fields["cluster"] = cluster_fields(result);
  return fields;
}

nb::dict fields_of_rows(const Rows& rows) {
  nb::dict fields;
  fields["names"] = nb::cast(rows.names);
  fields["rows"] = array_of(rows.numbers, rows.names.size());
  return fields;
}

nb::object left_fields(const Caller& caller) {
  const auto& left = caller.left_generation();
  if (!left) return nb::none();
  return nb::make_tuple(left->is_first, left->evaluated, left->best, array_of(left->point));
}

void bind_control(nb::module_& module) {
  nb::class_<Control>(module, "Control")
      .def("__init__",
           [](Control* control) {
             require_may_solve();
             new (control) Control();
           })
      .def_rw("open_devices", &Control::open_devices, nb::arg().none())
      .def_rw("time_limit", &Control::time_limit)
      .def_rw("callback", &Control::callback, nb::arg().none())
      .def_rw("callback_interval", &Control::callback_interval)
      .def_rw("statistics", &Control::statistics)
      .def_rw("checkpoint", &Control::checkpoint)
      .def_rw("resume", &Control::resume)
      .def_rw("certificate", &Control::certificate)
      .def("stop", [](const Control& control) { control.caller->request_stop(); })
      .def("interrupt", [](const Control& control) { control.caller->interrupt_after_work(); })
      .def_prop_ro("is_over", [](const Control& control) { return control.caller->is_over(); });
  module.def("end_all", [] { Caller::end_all(); });
}

}  // namespace clopt::python
