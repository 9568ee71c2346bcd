#include "host_objective.hpp"

#include <shared/objective/constraint.h>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace clopt::objective {
namespace {

using std::uint32_t;
using std::uint64_t;

template <class Function>
void require_function(const Function& function, const std::string& name) {
  if (!function) throw InvalidInput(fmt::format("the objective '{}' is an empty function", name));
}

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
    require_function(function_, name);
  }

  void evaluate(std::span<const ObjectiveBatch> batches, bool double_precision) const override {
    for (const auto& batch : batches) double_precision ? evaluate_as<double>(batch) : evaluate_as<float>(batch);
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

// Sums the squares of the residuals that a function gives. A row has data, abscissas and standard deviations.
class ResidualCaller : public HostObjective {
 public:
  ResidualCaller(Objective::ResidualFunction function, const std::string& name)
      : HostObjective(name), function_(std::move(function)) {
    require_function(function_, name);
  }

  void evaluate(std::span<const ObjectiveBatch> batches, bool double_precision) const override {
    for (const auto& batch : batches) double_precision ? evaluate_as<double>(batch) : evaluate_as<float>(batch);
  }
  void residuals(const ObjectiveBatch& batch, bool double_precision) const override {
    double_precision ? residuals_as<double>(batch) : residuals_as<float>(batch);
  }

 private:
  static constexpr std::size_t parts = 3;

  // In the order of the data, as texts are summed.
  template <class Real>
  void evaluate_as(const ObjectiveBatch& batch) const {
    for_residuals<Real>(batch, [&](uint64_t i, std::span<const double> residuals) {
      Real sum = 0;
      for (const double residual : residuals) sum += static_cast<Real>(residual) * static_cast<Real>(residual);
      static_cast<Real*>(batch.values)[i] = sum;
    });
  }
  template <class Real>
  void residuals_as(const ObjectiveBatch& batch) const {
    auto* to = static_cast<Real*>(batch.values);
    for_residuals<Real>(batch, [&](uint64_t, std::span<const double> residuals) {
      for (const double residual : residuals) *to++ = static_cast<Real>(residual);
    });
  }

  template <class Real, class Take>
  void for_residuals(const ObjectiveBatch& batch, const Take& take) const {
    const std::size_t count = batch.column_count / parts;
    std::vector<double> genes(batch.gene_count);
    std::vector<double> row(batch.column_count);
    std::vector<double> residuals(count);
    const std::span<const double> all(row);
    for (uint64_t i = 0; i < batch.count; ++i) {
      gather<Real>(batch, i, genes);
      gather_row<Real>(batch, i, row);
      // One that the function leaves out is NaN.
      std::fill(residuals.begin(), residuals.end(), std::numeric_limits<double>::quiet_NaN());
      function_(genes, all.first(count), all.subspan(count, count), all.last(count), residuals);
      for (std::size_t j = 0; j < count; ++j)
        if (std::isnan(row[j])) residuals[j] = 0;
      take(i, residuals);
    }
  }

  Objective::ResidualFunction function_;
};

// Gives the individuals of all batches to one call, and its values back to each batch.
class BatchCaller : public HostObjective {
 public:
  BatchCaller(Objective::BatchFunction function, GeneKind kind, const std::string& name, Objective::BatchLayout layout)
      : HostObjective(name),
        function_(std::move(function)),
        kind_(kind),
        gene_by_gene_(layout == Objective::BatchLayout::genes) {
    require_function(function_, name);
  }

  bool takes_whole_generations() const override { return true; }

  void evaluate(std::span<const ObjectiveBatch> batches, bool double_precision) const override {
    double_precision ? evaluate_as<double>(batches) : evaluate_as<float>(batches);
  }

 private:
  // Where the numbers of some individuals go among those of all.
  struct Target {
    double* first;
    uint64_t individual_step;
    uint64_t number_step;
  };

  template <class Real>
  void evaluate_as(std::span<const ObjectiveBatch> batches) const {
    std::size_t individuals = 0;
    for (const auto& batch : batches) individuals += batch.count;
    if (individuals == 0) return;
    const std::size_t genes = batches.front().gene_count;
    const std::size_t columns = batches.front().column_count;
    const auto all_genes = std::make_unique_for_overwrite<double[]>(individuals * genes);
    const auto all_rows = std::make_unique_for_overwrite<double[]>(individuals * columns);
    // A value that the function leaves out is NaN.
    std::vector<double> values(individuals, std::numeric_limits<double>::quiet_NaN());
    std::size_t first = 0;
    for (const auto& batch : batches) {
      gather_genes<Real>(batch, target(all_genes.get(), first, individuals, genes));
      gather_rows<Real>(batch, target(all_rows.get(), first, individuals, columns));
      first += batch.count;
    }
    function_({all_genes.get(), individuals * genes}, {all_rows.get(), individuals * columns}, values);
    const double* value = values.data();
    for (const auto& batch : batches)
      for (uint64_t i = 0; i < batch.count; ++i) static_cast<Real*>(batch.values)[i] = static_cast<Real>(*value++);
  }

  Target target(double* all, std::size_t first, std::size_t individuals, std::size_t numbers) const {
    if (gene_by_gene_) return {all + first, 1, individuals};
    return {all + first * numbers, numbers, 1};
  }

  template <class Real>
  void gather_genes(const ObjectiveBatch& batch, const Target& to) const {
    switch (kind_) {
      case GeneKind::bits:
        return gather_as<uint32_t>(batch, to, [](const uint32_t* words, uint64_t step, uint32_t gene) {
          return words[gene / 32 * step] >> gene % 32 & 1U;
        });
      case GeneKind::reals: return gather_as<Real>(batch, to, element_of<Real>);
      case GeneKind::integers: return gather_as<std::int32_t>(batch, to, element_of<std::int32_t>);
      case GeneKind::permutation: return gather_as<uint32_t>(batch, to, element_of<uint32_t>);
    }
  }

  template <class Element>
  static Element element_of(const Element* elements, uint64_t step, uint32_t gene) {
    return elements[gene * step];
  }

  // gene_of(first element of an individual, step to its next one, gene).
  template <class Element, class GeneOf>
  static void gather_as(const ObjectiveBatch& batch, const Target& to, GeneOf gene_of) {
    const auto* const elements = static_cast<const Element*>(batch.genes);
    if (to.individual_step == 1 && batch.individual_step == 1) {
      // Both lie gene by gene: the inner loop is of steps that the compiler knows.
      for (uint32_t gene = 0; gene < batch.gene_count; ++gene) {
        double* const __restrict out = to.first + gene * to.number_step;
        for (uint64_t i = 0; i < batch.count; ++i)
          out[i] = static_cast<double>(gene_of(elements + i, batch.gene_step, gene));
      }
      return;
    }
    for (uint64_t i = 0; i < batch.count; ++i)
      for (uint32_t gene = 0; gene < batch.gene_count; ++gene)
        to.first[i * to.individual_step + gene * to.number_step] =
            static_cast<double>(gene_of(elements + i * batch.individual_step, batch.gene_step, gene));
  }

  template <class Real>
  static void gather_rows(const ObjectiveBatch& batch, const Target& to) {
    for (uint64_t i = 0; i < batch.count; ++i) {
      const auto* row = static_cast<const Real*>(batch.rows) + i * batch.row_step;
      for (uint32_t column = 0; column < batch.column_count; ++column)
        to.first[i * to.individual_step + column * to.number_step] = static_cast<double>(row[column]);
    }
  }

  Objective::BatchFunction function_;
  GeneKind kind_;
  bool gene_by_gene_;
};

// A function and the one of its violation.
class Constrained : public HostObjective {
 public:
  Constrained(std::shared_ptr<const HostObjective> value, std::shared_ptr<const HostObjective> violation, bool maximise)
      : HostObjective(value->name()),
        value_(std::move(value)),
        violation_(std::move(violation)),
        maximise_(maximise ? 1 : 0) {}

  bool takes_whole_generations() const override { return value_->takes_whole_generations(); }

  void evaluate(std::span<const ObjectiveBatch> batches, bool double_precision) const override {
    double_precision ? evaluate_as<double>(batches) : evaluate_as<float>(batches);
  }

 private:
  template <class Real>
  void evaluate_as(std::span<const ObjectiveBatch> batches) const {
    constexpr bool is_double = std::is_same_v<Real, double>;
    std::size_t individuals = 0;
    for (const auto& batch : batches) individuals += batch.count;
    std::vector<Real> violations(individuals);
    std::vector<ObjectiveBatch> beside(batches.begin(), batches.end());
    auto* violation = violations.data();
    for (auto& batch : beside) {
      batch.values = violation;
      violation += batch.count;
    }
    value_->evaluate(batches, is_double);
    violation_->evaluate(beside, is_double);
    violation = violations.data();
    for (const auto& batch : batches) {
      auto* const values = static_cast<Real*>(batch.values);
      for (uint64_t i = 0; i < batch.count; ++i) values[i] = shared::constrained(values[i], *violation++, maximise_);
    }
  }

  std::shared_ptr<const HostObjective> value_;
  std::shared_ptr<const HostObjective> violation_;
  uint32_t maximise_;
};

}  // namespace

std::shared_ptr<const HostFunction> constrained(const std::shared_ptr<const HostFunction>& value,
                                                const std::shared_ptr<const HostFunction>& violation, bool maximise) {
  return std::make_shared<Constrained>(std::dynamic_pointer_cast<const HostObjective>(value),
                                       std::dynamic_pointer_cast<const HostObjective>(violation), maximise);
}

std::shared_ptr<const HostFunction> host_objective(Objective::ResidualFunction function, const std::string& name) {
  return std::make_shared<ResidualCaller>(std::move(function), name);
}
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
std::shared_ptr<const HostFunction> host_objective(Objective::BatchFunction function, GeneKind kind,
                                                   const std::string& name, Objective::BatchLayout layout) {
  return std::make_shared<BatchCaller>(std::move(function), kind, name, layout);
}

}  // namespace clopt::objective
