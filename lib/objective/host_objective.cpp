#include "host_objective.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <type_traits>
#include <vector>

namespace clopt::objective {
namespace {

using std::uint32_t;
using std::uint64_t;

// Element j of an individual, for each of its elements.
template <class Element, class To>
void gather(const ObjectiveBatch& batch, uint64_t individual, std::vector<To>& to) {
  const auto* first = static_cast<const Element*>(batch.genes) + individual * batch.individual_step;
  for (std::size_t j = 0; j < to.size(); ++j) to[j] = static_cast<To>(first[j * batch.gene_step]);
}

template <class Real>
void gather_row(const ObjectiveBatch& batch, uint64_t individual, std::vector<double>& to) {
  const auto* first = static_cast<const Real*>(batch.rows) + individual * batch.row_step;
  for (std::size_t j = 0; j < to.size(); ++j) to[j] = static_cast<double>(first[j]);
}

// `Function` takes elements of type `Element`; reals may be floats in the batch.
template <class Function, class Element>
class Caller : public HostObjective {
 public:
  Caller(Function function, const std::string& name) : HostObjective(name), function_(std::move(function)) {
    if (!function_) throw InvalidInput(fmt::format("the objective '{}' is an empty function", name));
  }

  void evaluate(const ObjectiveBatch& batch, bool double_precision) const override {
    if (double_precision)
      evaluate_as<double>(batch);
    else
      evaluate_as<float>(batch);
  }

 private:
  static constexpr bool of_reals = std::is_same_v<Element, double>;
  static constexpr bool of_bits = std::is_same_v<Function, Objective::BitFunction>;

  template <class Real>
  void evaluate_as(const ObjectiveBatch& batch) const {
    std::vector<Element> elements(of_bits ? (batch.gene_count + 31) / 32 : batch.gene_count);
    std::vector<double> row(batch.column_count);
    for (uint64_t i = 0; i < batch.count; ++i) {
      gather<std::conditional_t<of_reals, Real, Element>>(batch, i, elements);
      if constexpr (of_reals) gather_row<Real>(batch, i, row);
      static_cast<Real*>(batch.values)[i] = static_cast<Real>(call(elements, row, batch.gene_count));
    }
  }

  double call(const std::vector<Element>& elements, [[maybe_unused]] const std::vector<double>& row,
              [[maybe_unused]] std::size_t genes) const {
    if constexpr (of_reals)
      return function_(elements, row);
    else if constexpr (of_bits)
      return function_(elements, genes);
    else
      return function_(elements);
  }

  Function function_;
};

}  // namespace

HostObjective::~HostObjective() = default;

std::shared_ptr<const HostFunction> host_objective(Objective::RealFunction function, const std::string& name) {
  return std::make_shared<Caller<Objective::RealFunction, double>>(std::move(function), name);
}
std::shared_ptr<const HostFunction> host_objective(Objective::BitFunction function, const std::string& name) {
  return std::make_shared<Caller<Objective::BitFunction, uint32_t>>(std::move(function), name);
}
std::shared_ptr<const HostFunction> host_objective(Objective::IntegerFunction function, const std::string& name) {
  return std::make_shared<Caller<Objective::IntegerFunction, std::int32_t>>(std::move(function), name);
}
std::shared_ptr<const HostFunction> host_objective(Objective::PermutationFunction function, const std::string& name) {
  return std::make_shared<Caller<Objective::PermutationFunction, uint32_t>>(std::move(function), name);
}

}  // namespace clopt::objective
