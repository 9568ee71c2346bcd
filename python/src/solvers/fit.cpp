#include <clopt/arrays.hpp>
#include <clopt/fit.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"
#include "fit_curve.hpp"

#include <memory>
#include <span>
#include <utility>

namespace clopt::python {
namespace {

namespace solver = fit;
/// Floats or doubles of numpy's.
using Reals = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The same numbers, whose array is kept. \throws nb::type_error for other ones.
SharedNumbers shared_numbers(const Reals& numbers) {
  const auto kept = kept_for_python(numbers);
  const auto over = [&]<class T>(const T* first) {
    return SharedNumbers::over(std::span(first, numbers.size()), kept);
  };
  if (numbers.dtype() == nb::dtype<double>()) return over(static_cast<const double*>(numbers.data()));
  if (numbers.dtype() == nb::dtype<float>()) return over(static_cast<const float*>(numbers.data()));
  throw nb::type_error("numbers are to be of float32 or float64");
}

using FitRun = PythonRun<solver::Problem, solver::Options, solver::Result>;

void add_fit_fields(nb::dict& fields, const solver::Problem& problem,
                    const std::shared_ptr<const solver::Result>& owner) {
  const auto& result = *owner;
  const auto rows = result.statuses.size();
  const auto n = problem.parameters;
  const auto shown = [&](const Column<double>& numbers) -> std::size_t { return numbers.empty() ? 0 : rows; };
  fields["x"] = array_over(owner, result.parameters.data(), {rows, n});
  fields["errors"] = array_over(owner, result.errors.data(), {shown(result.errors), n});
  fields["covariance"] = array_over(owner, result.covariance.data(), {shown(result.covariance), n, n});
  fields["chi_squared"] = array_over(owner, result.chi_squared);
  fields["degrees_of_freedom"] = array_over(owner, result.degrees_of_freedom);
  fields["statuses"] = array_over(owner, reinterpret_cast<const std::uint8_t*>(result.statuses.data()), {rows});
  fields["iterations"] = array_over(owner, result.iterations);
  fields["solved"] = result.converged;
  fields["model"] = problem.model.residuals.name();
  fields["names"] = solver::names_of_parameters(problem);
  fields["precision"] = result.precision;
}

// \param problem is empty afterwards: data may fill half of the memory.
nb::dict fit_rows(solver::Problem& problem, const nb::dict& options, std::uint64_t seed, const Control& control) {
  const auto run = std::make_shared<FitRun>(std::move(problem), solver::Options());
  return call_with_names(names_of(run->options), [&] {
    run->options.seed = seed;
    fields_of(run->options).check_needs(set_fields(fields(run->options), options));
    set_checkpoints(run->options, control, "fit");
    return solve_for_python(control, run, &add_fit_fields);
  });
}

/// Shape (rows, columns). \param problem without data.
nb::object model_values(solver::Problem& problem, const Numbers<double>& parameters, std::size_t rows,
                        std::size_t columns, const std::string& precision, const OpenDevice& device) {
  problem.data = std::vector<double>(rows * columns);
  problem.columns = columns;
  problem.parameters = parameters.size() / rows;
  auto values = [&, vectors = vector_of(parameters)] {
    const nb::gil_scoped_release others_may_run;
    return solver::model_values(problem, vectors, precision, *device.device);
  }();
  return array_of(std::move(values), columns);
}

template <SharedNumbers solver::Problem::*member>
void set_numbers(solver::Problem& problem, const Reals& numbers) {
  problem.*member = shared_numbers(numbers);
}

}  // namespace

void bind_fit(nb::module_& module) {
  nb::class_<solver::Problem>(module, "FitProblem")
      .def_static("named",
                  [](const std::string& name, std::size_t width) {
                    return solver::Problem{solver::Model::named(name, width), {}};
                  })
      .def_static("of_text",
                  [](const std::string& text, const std::string& name, std::size_t width) {
                    return solver::Problem{solver::Model::from_text(text, name, width), {}};
                  })
      .def("constant", [](solver::Problem& problem, const std::string& name,
                          double value) { problem.model.residuals.constant(name, value); })
      .def("table", [](solver::Problem& problem, const std::string& name,
                       const Numbers<double>& values) { problem.model.residuals.table(name, vector_of(values)); })
      .def_prop_ro("model_names", [](const solver::Problem& problem) { return problem.model.names; })
      .def("set_data",
           [](solver::Problem& problem, const Reals& data, std::size_t columns) {
             problem.data = shared_numbers(data);
             problem.columns = columns;
           })
      .def("set_guess",
           [](solver::Problem& problem, const Reals& guess, std::size_t parameters) {
             problem.guess = shared_numbers(guess);
             problem.parameters = parameters;
           })
      .def("set_abscissa", &set_numbers<&solver::Problem::abscissa>)
      .def("set_sigma", &set_numbers<&solver::Problem::sigma>)
      .def("set_lower", &set_numbers<&solver::Problem::lower>)
      .def("set_upper", &set_numbers<&solver::Problem::upper>)
      .def_rw("fixed", &solver::Problem::fixed);
  module.def("fit", fit_rows);
  module.def("fit_model_values", model_values);
  module.def("fit_curve", &curve_of<solver::Problem>);
  module.def("fit_confidence_reach", &solver::confidence_reach);
  module.def("fit_models", [] {
    nb::list list;
    for (const auto& model : solver::models()) list.append(nb::make_tuple(model.name, model.formula, model.parameters));
    return list;
  });
  module.def("fit_status_names", [] {
    std::vector<std::string> names{"running"};
    for (int k = 1; k <= static_cast<int>(solver::Status::limit); ++k)
      names.emplace_back(solver::name_of(static_cast<solver::Status>(k)));
    return names;
  });
}

}  // namespace clopt::python
