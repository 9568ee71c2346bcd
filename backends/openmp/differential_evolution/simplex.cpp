/// \file
/// The kernels of simplex.cl as they stand, and the twin of candidates.cl.
#include <shared/differential_evolution/simplex.h>
#include <differential_evolution/operations.hpp>
#include <openmp/objective/objective.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <openmp/work_item.hpp>

namespace clopt::openmp::differential_evolution {
namespace {

namespace operations = clopt::differential_evolution::operations;

/// Problems that a thread evaluates at a time.
constexpr std::size_t candidates_at_once = 64;
/// Problems that are worth a thread.
constexpr auto problems_worth_a_thread = [](const auto& arguments) {
  const std::uint64_t parameters = arguments.settings->parameters;
  return (1 << 12) / (parameters * parameters + 1) + 1;
};

template <class real>
struct Items : WorkItem {
#include <openmp/kernel_text.hpp>

#include <differential_evolution/simplex.cl>

#include <openmp/kernel_text_end.hpp>
};

/// Some problems' candidates side by side, and their values.
template <class Real>
class Candidates {
 public:
  Candidates(const operations::EvaluateCandidates<Real>& arguments, const std::uint32_t* problems, std::size_t count)
      : arguments_(arguments), settings_(arguments.settings), problems_(problems), count_(count) {
    genes_.resize(count * settings_.parameters);
    rows_.resize(std::max<std::size_t>(1, count * settings_.columns));
    values_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::uint64_t k = 0; k < settings_.parameters; ++k)
        genes_[k * count + i] = arguments.candidates[k * settings_.problems + problems[i]];
      for (std::uint64_t j = 0; j < settings_.columns; ++j)
        rows_[i * settings_.columns + j] = arguments.rows[std::uint64_t{problems[i]} * settings_.columns + j];
    }
  }

  ObjectiveBatch batch() {
    ObjectiveBatch batch{};
    batch.genes = genes_.data();
    batch.rows = rows_.data();
    batch.tables = arguments_.tables.data();
    batch.values = values_.data();
    batch.count = count_;
    batch.individual_step = 1;
    batch.row_step = settings_.columns;
    batch.gene_step = static_cast<std::uint32_t>(count_);
    batch.gene_count = settings_.parameters;
    batch.column_count = settings_.columns;
    return batch;
  }

  void give(bool maximises) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const Real value = values_[i];
      const Real turned = maximises ? -value : value;
      arguments_.values[problems_[i]] = std::isnan(value) ? std::numeric_limits<Real>::infinity() : turned;
    }
  }

 private:
  const operations::EvaluateCandidates<Real>& arguments_;
  shared::simplex_settings settings_;
  const std::uint32_t* problems_;
  std::size_t count_;
  std::vector<Real> genes_;
  std::vector<Real> rows_;
  std::vector<Real> values_;
};

template <class Real>
void evaluate_candidates_twin(const ObjectiveCode& code, const Range&,
                              const operations::EvaluateCandidates<Real>& arguments) {
  const shared::simplex_settings settings = arguments.settings;
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t problem = 0; problem < settings.problems; ++problem)
    if (shared::simplex_waits(arguments.simplices[problem]) != 0) waiting.push_back(problem);
  const auto take = [&](std::size_t first, std::size_t count) {
    Candidates<Real> candidates(arguments, waiting.data() + first, count);
    code.evaluate(candidates.batch());
    candidates.give(settings.maximises != 0);
  };
  if (waiting.empty()) return;
  if (code.whole_generations()) return take(0, waiting.size());
  for_each_part((waiting.size() + candidates_at_once - 1) / candidates_at_once, [&](std::size_t part) {
    const auto first = part * candidates_at_once;
    take(first, std::min(candidates_at_once, waiting.size() - first));
  });
}

}  // namespace

const Twin begin_simplices{
    items_of<operations::BeginSimplices<float>, &Items<float>::begin_simplices>(problems_worth_a_thread),
    items_of<operations::BeginSimplices<double>, &Items<double>::begin_simplices>(problems_worth_a_thread)};
const Twin move_simplices{
    items_of<operations::MoveSimplices<float>, &Items<float>::move_simplices>(problems_worth_a_thread),
    items_of<operations::MoveSimplices<double>, &Items<double>::move_simplices>(problems_worth_a_thread)};
const Twin choose_vertices{
    items_of<operations::ChooseVertices<float>, &Items<float>::choose_vertices>(problems_worth_a_thread),
    items_of<operations::ChooseVertices<double>, &Items<double>::choose_vertices>(problems_worth_a_thread)};
const Twin evaluate_candidates{evaluate_candidates_twin<float>, evaluate_candidates_twin<double>};

}  // namespace clopt::openmp::differential_evolution
