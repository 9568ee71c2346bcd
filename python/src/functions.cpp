#include "functions.hpp"

#include <clopt/error.hpp>

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "caller.hpp"
#include "control.hpp"

namespace clopt::python {
namespace {

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Layout = Objective::BatchLayout;

// Objects of Python that any thread may give up.
struct SharedFunction {
  explicit SharedFunction(PythonFunction of)
      : function(shared_object(std::move(of.function))),
        form(of.form),
        args(shared_object(std::move(of.args))),
        number(shared_object(std::move(of.number))) {}

  std::shared_ptr<nb::object> function;
  PythonFunction::Form form;
  std::shared_ptr<nb::object> args;
  std::shared_ptr<nb::object> number;
};

/// A function of Python as the library calls it.
class Function {
 public:
  Function(PythonFunction function, bool maximises, bool is_violation)
      : python_(std::move(function)), maximises_(maximises), is_violation_(is_violation) {}

  void operator()(std::span<const double> genes, std::span<const double> rows, std::span<double> values) {
    auto* caller = Caller::of_this_thread();
    if (!caller) throw InternalError("a function of Python was called by another thread than the run's");
    const bool is_first = !has_generation_ && !caller->resumes();
    std::vector<std::uint8_t> evaluated(values.size());
    // The first generation has a value at least.
    if (!is_first && caller->is_over()) return leave(*caller, is_first, genes, evaluated, values);
    const auto outcome = caller->call([&] { evaluate(*caller, is_first, {genes, rows, values, evaluated}); });
    if (outcome == Caller::Outcome::failed) throw PythonFailed();
    if (std::find(evaluated.begin(), evaluated.end(), 0) != evaluated.end())
      return leave(*caller, is_first, genes, evaluated, values);
    has_generation_ = true;
  }

 private:
  struct Generation {
    std::span<const double> genes;
    std::span<const double> rows;
    std::span<double> values;
    std::vector<std::uint8_t>& evaluated;
  };

  bool is_better(double value, double other) const { return maximises_ ? value > other : value < other; }

  // Of the first generation the individuals that were left out are worse than all others.
  void leave(Caller& caller, bool is_first, std::span<const double> genes, const std::vector<std::uint8_t>& evaluated,
             std::span<double> values) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    LeftGeneration left{is_first};
    std::optional<double> worst;
    std::size_t best = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (evaluated[i] == 0) continue;
      ++left.evaluated;
      if (!std::isfinite(values[i])) continue;
      if (!worst || is_better(*worst, values[i])) worst = values[i];
      if (left.best && !is_better(values[i], *left.best)) continue;
      left.best = values[i];
      best = i;
    }
    if (is_violation_) {
      if (!is_first) throw Cancelled("the run has left a generation");
    } else {
      if (left.best) left.point = individual(genes, best, values.size());
      const bool has_values = left.evaluated != 0;
      caller.note_left(std::move(left));
      if (!is_first || !has_values) throw Cancelled("the run was ended before there was any value");
    }
    caller.note_guess();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const double guess =
        worst && !is_violation_ ? std::nextafter(static_cast<float>(*worst), maximises_ ? -infinity : infinity) : none;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (evaluated[i] == 0) values[i] = guess;
  }

  std::vector<double> individual(std::span<const double> genes, std::size_t i, std::size_t individuals) const {
    const auto count = genes.size() / individuals;
    std::vector<double> point(count);
    const bool by_gene = python_.form == PythonFunction::Form::vectorised;
    for (std::size_t j = 0; j < count; ++j) point[j] = genes[by_gene ? j * individuals + i : i * count + j];
    return point;
  }

  // The function may keep what it is given.
  nb::object table(std::span<const double> numbers, std::size_t individuals) const {
    const auto columns = python_.form == PythonFunction::Form::vectorised ? individuals : numbers.size() / individuals;
    return array_of(std::vector<double>(numbers.begin(), numbers.end()), columns);
  }

  void evaluate(const Caller& caller, bool is_first, const Generation& generation) const {
    const auto individuals = generation.values.size();
    const auto genes = table(generation.genes, individuals);
    const auto rows = generation.rows.empty() ? nb::none() : table(generation.rows, individuals);
    if (python_.form == PythonFunction::Form::individual)
      evaluate_each(caller, is_first, genes, rows, generation);
    else
      evaluate_all(call_function(*python_.function, {genes, rows}), generation);
  }

  void evaluate_each(const Caller& caller, bool is_first, const nb::object& genes, const nb::object& rows,
                     const Generation& generation) const {
    const auto extra = static_cast<Py_ssize_t>(nb::len(*python_.args));
    const Py_ssize_t own = rows.is_none() ? 1 : 2;
    for (std::size_t i = 0; i < generation.values.size(); ++i) {
      if (caller.is_over() && (i != 0 || !is_first)) return;
      const auto arguments = nb::steal<nb::tuple>(PyTuple_New(own + extra));
      if (!arguments) throw nb::python_error();
      const auto put = [&](Py_ssize_t place, nb::object object) {
        if (!object) throw nb::python_error();
        PyTuple_SetItem(arguments.ptr(), place, object.release().ptr());
      };
      const auto at = static_cast<Py_ssize_t>(i);
      put(0, nb::steal(PySequence_GetItem(genes.ptr(), at)));
      if (own == 2) put(1, nb::steal(PySequence_GetItem(rows.ptr(), at)));
      for (Py_ssize_t k = 0; k < extra; ++k) put(own + k, nb::borrow(PyTuple_GetItem(python_.args->ptr(), k)));
      generation.values[i] = number_of(call_function(*python_.function, arguments));
      generation.evaluated[i] = 1;
      // What is written in C looks for no signals.
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }

  double number_of(const nb::object& result) const {
    const bool is_plain = PyFloat_Check(result.ptr()) || PyLong_Check(result.ptr());
    const double number = PyFloat_AsDouble(is_plain ? result.ptr() : call_function(*python_.number, {result}).ptr());
    if (number == -1 && PyErr_Occurred()) throw nb::python_error();
    return number;
  }

  static void evaluate_all(const nb::object& result, const Generation& generation) {
    const bool is_part = PyTuple_Check(result.ptr());
    const auto numbers = nb::cast<Values>(is_part ? result[0] : result);
    if (numbers.size() != generation.values.size()) throw nb::value_error("a value for each individual is required");
    std::copy(numbers.data(), numbers.data() + numbers.size(), generation.values.begin());
    if (!is_part) return std::fill(generation.evaluated.begin(), generation.evaluated.end(), 1);
    const auto flags = nb::cast<std::vector<bool>>(result[1]);
    for (std::size_t i = 0; i < flags.size() && i < generation.evaluated.size(); ++i)
      generation.evaluated[i] = flags[i] ? 1 : 0;
  }

  SharedFunction python_;
  bool maximises_;
  bool is_violation_;
  bool has_generation_ = false;
};

Objective::BatchFunction batch_function_of(PythonFunction python, bool maximises, bool is_violation) {
  const auto function = std::make_shared<Function>(std::move(python), maximises, is_violation);
  return [function](std::span<const double> genes, std::span<const double> rows, std::span<double> values) {
    (*function)(genes, rows, values);
  };
}

Layout layout_of(PythonFunction::Form form) {
  return form == PythonFunction::Form::vectorised ? Layout::genes : Layout::individuals;
}

// The worst value that functions gave on any thread.
class WorstValue {
 public:
  explicit WorstValue(bool maximises) : maximises_(maximises) {}

  void note(double value) {
    double known = worst_.load(std::memory_order_relaxed);
    while (std::isfinite(value) && (std::isnan(known) || (maximises_ ? value < known : value > known)) &&
           !worst_.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
    }
  }
  /// No number before there is one.
  double get() const { return worst_.load(std::memory_order_relaxed); }

 private:
  bool maximises_;
  std::atomic<double> worst_ = std::numeric_limits<double>::quiet_NaN();
};

// What is called promises not to write, which its type cannot express.
double* writable(std::span<const double> numbers) { return const_cast<double*>(numbers.data()); }

Objective::RealFunction plain_function_of(const CPointer& pointer) {
  if (pointer.address == 0) throw InvalidInput("the address of the C function is 0; give that of a function");
  if (pointer.has_rows && pointer.user_data)
    throw InvalidInput("a C function with rows has no user data; leave one of both out");
  if (pointer.has_rows)
    return [function = reinterpret_cast<double (*)(int, double*, int, double*)>(pointer.address)](
               std::span<const double> genes, std::span<const double> row) {
      return function(static_cast<int>(genes.size()), writable(genes), static_cast<int>(row.size()), writable(row));
    };
  if (pointer.user_data)
    return
        [function = reinterpret_cast<double (*)(int, double*, void*)>(pointer.address),
         data = reinterpret_cast<void*>(*pointer.user_data)](std::span<const double> genes, std::span<const double>) {
          return function(static_cast<int>(genes.size()), writable(genes), data);
        };
  return [function = reinterpret_cast<double (*)(int, double*)>(pointer.address)](std::span<const double> genes,
                                                                                  std::span<const double>) {
    return function(static_cast<int>(genes.size()), writable(genes));
  };
}

// Once the run is to end the worst value stands for those that are left out.
Objective::RealFunction real_function_of(CPointer pointer, bool maximises, std::shared_ptr<Caller> caller) {
  const auto worst = std::make_shared<WorstValue>(maximises);
  return [function = plain_function_of(pointer), owner = shared_object(std::move(pointer.owner)), worst,
          caller = std::move(caller)](std::span<const double> genes, std::span<const double> row) {
    if (caller->is_ending()) {
      caller->note_guess();
      return worst->get();
    }
    const double value = function(genes, row);
    worst->note(value);
    return value;
  };
}

}  // namespace

Objective objective_of_function(PythonFunction function, GeneKind kind, bool maximises, const std::string& name) {
  const auto layout = layout_of(function.form);
  return Objective::from_batch_function(batch_function_of(std::move(function), maximises, false), kind, name, layout);
}

void set_violation_function(Objective& objective, PythonFunction function) {
  const auto layout = layout_of(function.form);
  objective.set_violation(batch_function_of(std::move(function), false, true), layout);
}

Objective objective_of_pointer(CPointer pointer, bool maximises, const std::string& name,
                               std::shared_ptr<Caller> caller) {
  return Objective::from_real_function(real_function_of(std::move(pointer), maximises, std::move(caller)), name);
}

void set_violation_pointer(Objective& objective, CPointer pointer, std::shared_ptr<Caller> caller) {
  objective.set_violation(real_function_of(std::move(pointer), false, std::move(caller)));
}

}  // namespace clopt::python
