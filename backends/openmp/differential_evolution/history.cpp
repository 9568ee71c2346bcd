/// \file
/// Twins of kernels_cl/differential_evolution/history.cl.
#include <differential_evolution/operations.hpp>
#include <differential_evolution/run/value_totals.hpp>
#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace clopt::openmp::differential_evolution {
namespace {

namespace operations = clopt::differential_evolution::operations;
using clopt::differential_evolution::ValueTotals;

/// Values that are worth a thread.
constexpr std::size_t values_to_share = 4096;

/// By lanes, so that compilers compare many at once.
template <class Real>
Real least_of(std::span<const Real> values) {
  constexpr std::size_t lanes = 64 / sizeof(Real);
  std::array<Real, lanes> least;
  least.fill(std::numeric_limits<Real>::infinity());
  for (; values.size() >= lanes; values = values.subspan(lanes))
    for (std::size_t lane = 0; lane < lanes; ++lane)
      least[lane] = values[lane] < least[lane] ? values[lane] : least[lane];
  auto found = std::numeric_limits<Real>::infinity();
  for (const auto value : values) found = value < found ? value : found;
  for (const auto value : least) found = value < found ? value : found;
  return found + Real{0};
}

template <class Real>
void least_values_twin(const Range&, const operations::LeastValues<Real>& arguments) {
  const std::size_t population = arguments.population;
  for_each_index(arguments.count, values_to_share / population + 1, [&](std::uint64_t n) {
    arguments.least[n] = least_of<Real>(arguments.history.subspan(n * population, population));
  });
}

template <class Real>
void total_values_twin(const Range& range, const operations::TotalValues<Real>& arguments) {
  const std::size_t problems = arguments.problems;
  for_each_index(range.groups(), values_to_share / problems + 1, [&](std::uint64_t n) {
    ValueTotals totals;
    totals.add(std::span<const Real>(arguments.least.subspan(n * problems, problems)));
    arguments.totals[n] = totals.all();
  });
}

}  // namespace

const Twin least_values{least_values_twin<float>, least_values_twin<double>};
const Twin total_values{total_values_twin<float>, total_values_twin<double>};

}  // namespace clopt::openmp::differential_evolution
