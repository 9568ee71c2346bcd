#include "polish.hpp"

#include <shared/differential_evolution/least_squares.h>
#include <shared/differential_evolution/simplex.h>

namespace clopt::differential_evolution {

namespace {

std::size_t simplex_bytes(const Plan& plan) {
  const std::size_t n = plan.problem.dimensions;
  const auto numbers = shared::simplex_numbers(static_cast<std::uint32_t>(n)) + 2 * n + 1;
  return numbers * (plan.is_double() ? sizeof(double) : sizeof(float)) + sizeof(shared::simplex_state);
}

}  // namespace

template <class Real>
std::unique_ptr<Polisher> make_polisher(Builder& builder, const Buffers<Real>& buffers, std::size_t room) {
  if (builder.plan().objective.is_fit()) return make_least_squares<Real>(builder, buffers, room);
  return builder.plan().polishes ? make_simplex<Real>(builder, buffers, room) : nullptr;
}

template std::unique_ptr<Polisher> make_polisher(Builder&, const Buffers<float>&, std::size_t);
template std::unique_ptr<Polisher> make_polisher(Builder&, const Buffers<double>&, std::size_t);

std::size_t polish_bytes_of_problem(const Plan& plan) {
  const std::size_t n = plan.problem.dimensions;
  if (!plan.objective.is_fit()) return plan.polishes ? simplex_bytes(plan) : 0;
  const std::size_t points = shared::fit_points(static_cast<std::uint32_t>(n));
  const std::size_t trial = n + shared::fit_scratch(static_cast<std::uint32_t>(n)) + 3;
  const std::size_t numbers = points * (n + plan.problem.columns) + n * (n + 2) + 2 + FIT_TRIALS * trial;
  const auto bytes = numbers * (plan.is_double() ? sizeof(double) : sizeof(float)) + sizeof(shared::fit_state);
  return bytes * fits_of_problem(plan);
}

}  // namespace clopt::differential_evolution
