#include <clopt/closest_value.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"

namespace clopt::python {
namespace {

namespace solver = closest_value;
using ClosestValueRun = PythonRun<solver::Problem, solver::Options, solver::Result>;

void add_answer(nb::dict& fields, const solver::Problem&, const std::shared_ptr<const solver::Result>& owner) {
  fields["index"] = owner->index;
  fields["distance"] = owner->distance;
}

nb::dict choose(const Numbers<std::uint64_t>& values, const nb::dict& options, const Control& control) {
  const auto run = std::make_shared<ClosestValueRun>(solver::Problem{vector_of(values)}, solver::Options());
  return call_with_names(names_of(run->options), [&] {
    fields_of(run->options).check_needs(set_fields(fields(run->options), options));
    set_checkpoints(run->options, control, "closest-value");
    return solve_for_python(control, run, &add_answer);
  });
}

}  // namespace

void bind_closest_value(nb::module_& module) { module.def("closest_value", choose); }

}  // namespace clopt::python
