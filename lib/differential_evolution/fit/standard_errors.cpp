#include "standard_errors.hpp"

#include <cmath>
#include <limits>

namespace clopt::differential_evolution {

std::vector<double> standard_errors(std::span<const double> normal, std::size_t parameters, double variance) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  // As good as none of a slope's length is its own, beside what rounding leaves.
  constexpr double least_pivot = 0x1p-40;
  const std::size_t n = parameters;
  std::vector<double> scale(n);
  for (std::size_t a = 0; a < n; ++a) {
    const double square = normal[a * (n + 1) + a];
    if (!(square > 0) || !std::isfinite(square)) return std::vector<double>(n, unknown);
    scale[a] = 1 / std::sqrt(square);
  }
  // Cholesky's factor L of the correlations of slopes.
  std::vector<double> factor(n * n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = a == b ? 1 : normal[a * (n + 1) + b] * scale[a] * scale[b];
      for (std::size_t c = 0; c < b; ++c) sum -= factor[a * n + c] * factor[b * n + c];
      if (a != b)
        factor[a * n + b] = sum / factor[b * n + b];
      else if (sum > least_pivot)
        factor[a * n + a] = std::sqrt(sum);
      else
        return std::vector<double>(n, unknown);
    }
  // Element a of the inverse's diagonal is the squared length of column a of L^-1.
  std::vector<double> errors(n);
  std::vector<double> column(n);
  for (std::size_t a = 0; a < n; ++a) {
    double length = 0;
    for (std::size_t b = a; b < n; ++b) {
      double sum = a == b ? 1 : 0;
      for (std::size_t c = a; c < b; ++c) sum -= factor[b * n + c] * column[c];
      column[b] = sum / factor[b * n + b];
      length += column[b] * column[b];
    }
    errors[a] = std::sqrt(length * variance) * scale[a];
  }
  return errors;
}

double residual_variance(double sum_of_squares, std::size_t data, std::size_t parameters, bool has_deviations) {
  if (has_deviations) return 1;
  if (data <= parameters) return std::numeric_limits<double>::infinity();
  return sum_of_squares / static_cast<double>(data - parameters);
}

}  // namespace clopt::differential_evolution
