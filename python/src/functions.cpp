#include "functions.hpp"

#include <clopt/error.hpp>

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
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

/// A function of Python, and the worst value that it gave, which stands for those that Ctrl-C has left out.
class Function {
 public:
  Function(nb::object evaluate, bool maximises)
      : evaluate_(shared_object(std::move(evaluate))), maximises_(maximises) {}

  void operator()(std::span<const double> genes, std::span<const double> rows, std::span<double> values) {
    auto* caller = Caller::of_this_thread();
    if (!caller) throw InternalError("a function of Python was called by another thread than the run's");
    const auto outcome = caller->call([&] { evaluate(genes, rows, values); });
    if (outcome == Caller::Outcome::failed) throw PythonFailed();
    if (outcome == Caller::Outcome::done) {
      for (const double value : values)
        if (std::isfinite(value) && (!worst_ || is_worse(value, *worst_))) worst_ = value;
    } else if (worst_) {
      std::fill(values.begin(), values.end(), *worst_);
    } else {
      throw PythonFailed();  // there is no answer yet
    }
  }

 private:
  bool is_worse(double value, double other) const { return maximises_ ? value < other : value > other; }

  static nb::object table(std::span<const double> numbers, std::size_t rows) {
    return array_of(std::vector<double>(numbers.begin(), numbers.end()), numbers.size() / rows);
  }

  void evaluate(std::span<const double> genes, std::span<const double> rows, std::span<double> values) const {
    const auto individuals = values.size();
    const auto result =
        (*evaluate_)(table(genes, individuals), rows.empty() ? nb::object(nb::none()) : table(rows, individuals));
    const auto numbers = nb::cast<Values>(result);
    if (numbers.size() != individuals) throw nb::value_error("a value for each individual is wanted");
    std::copy(numbers.data(), numbers.data() + individuals, values.begin());
  }

  std::shared_ptr<nb::object> evaluate_;
  bool maximises_;
  std::optional<double> worst_;
};

}  // namespace

Objective objective_of_function(nb::object evaluate, GeneKind kind, bool maximises, const std::string& name) {
  const auto function = std::make_shared<Function>(std::move(evaluate), maximises);
  return Objective::from_batch_function([function](std::span<const double> genes, std::span<const double> rows,
                                                   std::span<double> values) { (*function)(genes, rows, values); },
                                        kind, name);
}

Objective objective_of_address(std::uintptr_t address, bool has_rows, const std::string& name) {
  if (address == 0) throw InvalidInput("the address of the C function is 0; give that of a function");
  // What is called promises not to write, which its type cannot tell.
  if (has_rows) {
    const auto function = reinterpret_cast<double (*)(int, double*, int, double*)>(address);
    return Objective::from_real_function(
        [function](std::span<const double> genes, std::span<const double> row) {
          return function(static_cast<int>(genes.size()), const_cast<double*>(genes.data()),
                          static_cast<int>(row.size()), const_cast<double*>(row.data()));
        },
        name);
  }
  const auto function = reinterpret_cast<double (*)(int, double*)>(address);
  return Objective::from_real_function(
      [function](std::span<const double> genes) {
        return function(static_cast<int>(genes.size()), const_cast<double*>(genes.data()));
      },
      name);
}

}  // namespace clopt::python
