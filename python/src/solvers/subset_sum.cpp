#include <clopt/subset_sum.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <fstream>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"

namespace clopt::python {
namespace {

namespace solver = subset_sum;
using SubsetSumRun = PythonRun<solver::Amounts, solver::Options, solver::AmountsResult>;

void add_subset_fields(nb::dict& fields, const solver::Amounts& amounts,
                       const std::shared_ptr<const solver::AmountsResult>& owner) {
  const auto& run = owner->run;
  fields["possible"] = owner->possible;
  fields["value"] = owner->value;
  fields["profit"] = amounts.profits.empty() ? nb::object(nb::none()) : nb::cast(owner->profit);
  fields["reached"] = owner->reached;
  fields["zeros"] = owner->zeros;
  fields["fewest"] = owner->fewest;
  fields["more"] = owner->more;
  fields["unique"] = owner->unique;
  nb::list subsets;
  for (const auto& each : owner->subsets) subsets.append(array_over(owner, each));
  fields["subsets"] = nb::tuple(subsets);
  fields["indices"] = array_over(owner, owner->indices);
  fields["optimal"] = run.optimal;
  fields["proof"] = name_of(run.proof);
  fields["capacities_swept"] = run.capacities_swept;
  nb::list candidates;
  for (const auto& each : run.candidates)
    candidates.append(nb::make_tuple(each.method, each.seconds, each.bytes, each.fits));
  fields["candidates"] = nb::tuple(candidates);
}

nb::dict choose(const Numbers<std::int64_t>& numbers, std::int64_t capacity, unsigned decimals, std::int64_t tolerance,
                const Numbers<std::int64_t>& profits, unsigned profit_decimals, const nb::dict& options,
                const Control& control) {
  solver::Amounts amounts{vector_of(numbers), capacity, decimals, tolerance, vector_of(profits), profit_decimals};
  const auto run = std::make_shared<SubsetSumRun>(std::move(amounts), solver::Options());
  return call_with_names(names_of(run->options), [&] {
    fields_of(run->options).check_needs(set_fields(fields(run->options), options));
    // What Ctrl-C leaves of a sweep has at least this.
    run->options.found = [raw = run.get()](std::int64_t value, const std::vector<std::size_t>& indices) {
      const auto& profits = raw->problem.profits;
      if (!profits.empty()) value = 0;
      if (!profits.empty())
        for (const auto index : indices) value += profits[index];
      const std::lock_guard lock(raw->mutex);
      raw->best = static_cast<double>(value);
    };
    return solve_for_python(control, run, &add_subset_fields);
  });
}

nb::tuple draw(const std::string& description, std::uint64_t seed) {
  auto instance = solver::make_instance(description, seed);
  return nb::make_tuple(array_of(std::move(instance.weights)), instance.capacity);
}

nb::tuple read(const std::string& file, const std::string& column, const std::string& label, const std::string& decimal,
               const std::string& thousands, const std::string& separator) {
  std::ifstream stream(file, std::ios::binary);
  auto text = solver::read_amounts(stream, file, {}, {column, label, decimal, thousands, separator});
  nb::list labels;
  for (const auto& each : text.labels)
    labels.append(nb::steal(PyUnicode_DecodeUTF8(each.data(), static_cast<Py_ssize_t>(each.size()), "replace")));
  return nb::make_tuple(array_of(std::move(text.amounts.numbers)), text.amounts.decimals, labels);
}

}  // namespace

void bind_subset_sum(nb::module_& module) {
  module.def("subset_sum", choose);
  module.def("read_amounts", read);
  module.def("subset_sum_instance", draw, nb::arg("description"), nb::arg("seed"));
}

}  // namespace clopt::python
