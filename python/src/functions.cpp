#include "functions.hpp"

#include <clopt/error.hpp>

#include <nanobind/ndarray.h>

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

/// A function of Python, and the worst value that it gave, which stands for those that Ctrl-C has left out.
class Function {
 public:
  Function(nb::object evaluate, bool maximises, Layout layout)
      : evaluate_(shared_object(std::move(evaluate))), maximises_(maximises), layout_(layout) {}

  void operator()(std::span<const double> genes, std::span<const double> rows, std::span<double> values) {
    auto* caller = Caller::of_this_thread();
    if (!caller) throw InternalError("a function of Python was called by another thread than the run's");
    const auto outcome = caller->call([&] { evaluate(genes, rows, values); });
    if (outcome == Caller::Outcome::failed) throw PythonFailed();
    if (outcome == Caller::Outcome::done) {
      for (const double value : values)
        if (std::isfinite(value) && (!worst_ || is_worse(value, *worst_))) worst_ = value;
    } else if (worst_) {
      caller->note_guess();
      std::fill(values.begin(), values.end(), *worst_);
    } else {
      throw PythonFailed();  // there is no answer yet
    }
  }

 private:
  bool is_worse(double value, double other) const { return maximises_ ? value < other : value > other; }

  // The function may keep what it is given.
  nb::object table(std::span<const double> numbers, std::size_t individuals) const {
    const auto columns = layout_ == Layout::genes ? individuals : numbers.size() / individuals;
    return array_of(std::vector<double>(numbers.begin(), numbers.end()), columns);
  }

  void evaluate(std::span<const double> genes, std::span<const double> rows, std::span<double> values) const {
    const auto individuals = values.size();
    const auto result =
        call_function(*evaluate_, {table(genes, individuals), rows.empty() ? nb::none() : table(rows, individuals)});
    const auto numbers = nb::cast<Values>(result);
    if (numbers.size() != individuals) throw nb::value_error("a value for each individual is wanted");
    std::copy(numbers.data(), numbers.data() + individuals, values.begin());
  }

  std::shared_ptr<nb::object> evaluate_;
  bool maximises_;
  Layout layout_;
  std::optional<double> worst_;
};

Objective::BatchFunction batch_function_of(nb::object evaluate, bool maximises, Layout layout) {
  const auto function = std::make_shared<Function>(std::move(evaluate), maximises, layout);
  return [function](std::span<const double> genes, std::span<const double> rows, std::span<double> values) {
    (*function)(genes, rows, values);
  };
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

Objective objective_of_function(nb::object evaluate, GeneKind kind, bool maximises, const std::string& name,
                                Layout layout) {
  return Objective::from_batch_function(batch_function_of(std::move(evaluate), maximises, layout), kind, name, layout);
}

void set_violation_function(Objective& objective, nb::object evaluate, Layout layout) {
  objective.set_violation(batch_function_of(std::move(evaluate), false, layout), layout);
}

Objective objective_of_pointer(CPointer pointer, bool maximises, const std::string& name,
                               std::shared_ptr<Caller> caller) {
  return Objective::from_real_function(real_function_of(std::move(pointer), maximises, std::move(caller)), name);
}

void set_violation_pointer(Objective& objective, CPointer pointer, std::shared_ptr<Caller> caller) {
  objective.set_violation(real_function_of(std::move(pointer), false, std::move(caller)));
}

}  // namespace clopt::python
