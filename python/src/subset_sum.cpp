#include <clopt/subset_sum.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"

namespace clopt::python {
namespace {

namespace solver = subset_sum;
using SubsetSumJob = Job<solver::Problem, solver::Options, solver::Result>;

void add_subset_fields(nb::dict& fields, const solver::Problem&, const std::shared_ptr<const solver::Result>& owner) {
  const auto& result = *owner;
  const auto proof = name_of(result.proof);
  fields["value"] = result.value;
  fields["optimal"] = result.optimal;
  fields["proof"] = nb::str(proof.data(), proof.size());
  fields["indices"] = array_over(owner, result.indices);
  fields["capacities_swept"] = result.capacities_swept;
  nb::list candidates;
  for (const auto& each : result.candidates)
    candidates.append(nb::make_tuple(each.method, each.seconds, each.bytes, each.fits));
  fields["candidates"] = candidates;
}

nb::dict choose(const Numbers<std::uint64_t>& weights, std::uint64_t capacity, const solver::Options& options,
                const Control& control) {
  const auto job = std::make_shared<SubsetSumJob>(solver::Problem{vector_of(weights), capacity}, options);
  return solve_for_python<solver::Problem, solver::Options, solver::Result>(control, job, &solver::solve,
                                                                            &add_subset_fields);
}

nb::tuple draw(const std::string& description, std::uint64_t seed) {
  auto instance = solver::make_instance(description, seed);
  return nb::make_tuple(array_of(std::move(instance.weights)), instance.capacity);
}

}  // namespace

void bind_subset_sum(nb::module_& module) {
  nb::class_<solver::Options>(module, "SubsetSumOptions")
      .def(nb::init<>())
      .def_rw("method", &solver::Options::method)
      .def_rw("reduce", &solver::Options::reduce)
      .def_rw("barrier", &solver::Options::barrier)
      .def_rw("recovery", &solver::Options::recovery);
  module.def("subset_sum", choose);
  module.def("subset_sum_instance", draw, nb::arg("description"), nb::arg("seed"));
}

}  // namespace clopt::python
