/// \file
/// Twins of kernels_cl/differential_evolution/simplex.cl and candidates.cl.
#include <shared/differential_evolution/simplex.h>
#include <differential_evolution/operations.hpp>
#include <openmp/objective/objective.hpp>
#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace clopt::openmp::differential_evolution {
namespace {

namespace operations = clopt::differential_evolution::operations;

/// Problems that a thread evaluates at a time.
constexpr std::size_t candidates_at_once = 64;

std::uint64_t problems_worth_a_thread(std::uint64_t parameters) {
  return (1 << 12) / (parameters * parameters + 1) + 1;
}

template <class Real>
void begin_simplices_twin(const Range&, const operations::BeginSimplices<Real>& arguments) {
  const shared::simplex_settings settings = arguments.settings;
  const std::uint32_t n = settings.parameters;
  const std::uint64_t population = arguments.population;
  const Real* const bounds = arguments.bounds.data();
  for_each_index(settings.problems, problems_worth_a_thread(n), [&](std::uint64_t problem) {
    const auto& state = arguments.states[problem];
    Real* const own = arguments.numbers.data() + problem * shared::simplex_numbers(n);
    for (std::uint32_t k = 0; k < n; ++k) {
      const Real* const all = arguments.vectors.data() + (problem * n + k) * population;
      const auto [least, greatest] = std::minmax_element(all, all + state.alive);
      own[k] = all[state.best];
      own[SIMPLEX_EDGES(n) + k] = shared::simplex_first_edge<Real>(*least, *greatest, bounds[k], bounds[n + k]);
    }
    own[SIMPLEX_VALUES(n)] = own[SIMPLEX_BEGUN_VALUE(n)] = arguments.values[problem * population + state.best];
    std::fill_n(own + SIMPLEX_VALUES(n) + 1, n, std::numeric_limits<Real>::infinity());
    arguments.simplices[problem] = shared::simplex_first(settings.most_evaluations);
    shared::simplex_edge<Real>(own, 1, bounds, n, settings.bounded, arguments.candidates.data() + problem,
                               settings.problems);
  });
}

template <class Real>
void move_simplices_twin(const Range&, const operations::MoveSimplices<Real>& arguments) {
  const shared::simplex_settings settings = arguments.settings;
  const std::uint32_t n = settings.parameters;
  for_each_index(settings.problems, problems_worth_a_thread(n), [&](std::uint64_t problem) {
    auto& state = arguments.simplices[problem];
    if (shared::simplex_waits(state) == 0) return;
    const auto next = shared::simplex_step<Real>(
        arguments.numbers.data() + problem * shared::simplex_numbers(n), arguments.bounds.data(), n, settings.bounded,
        state, arguments.values[problem], arguments.candidates.data() + problem, settings.problems);
    state = shared::simplex_limited(next, settings.most_evaluations);
  });
}

template <class Real>
void choose_vertices_twin(const Range&, const operations::ChooseVertices<Real>& arguments) {
  const shared::simplex_settings settings = arguments.settings;
  const std::uint32_t n = settings.parameters;
  for_each_index(settings.problems, problems_worth_a_thread(n), [&](std::uint64_t problem) {
    const Real* const own = arguments.numbers.data() + problem * shared::simplex_numbers(n);
    const auto best = shared::simplex_best<Real>(own, n);
    arguments.values[problem] = own[SIMPLEX_VALUES(n) + best];
    std::copy_n(own + std::uint64_t{best} * n, n, arguments.vectors.data() + problem * n);
  });
}

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

const Twin begin_simplices{begin_simplices_twin<float>, begin_simplices_twin<double>};
const Twin move_simplices{move_simplices_twin<float>, move_simplices_twin<double>};
const Twin choose_vertices{choose_vertices_twin<float>, choose_vertices_twin<double>};
const Twin evaluate_candidates{evaluate_candidates_twin<float>, evaluate_candidates_twin<double>};

}  // namespace clopt::openmp::differential_evolution
