/// \file
/// A slow fit in long doubles, which shares no code with the solver: damped Gauss-Newton steps of central differences.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace clopt::test {

struct OracleFit {
  std::vector<long double> parameters;
  std::vector<long double> errors;  ///< of residuals with variance 1
  long double chi_squared = 0;
};

/// The residuals at a vector of parameters.
using OracleResiduals = std::function<std::vector<long double>(const std::vector<long double>&)>;

inline long double sum_of_squares(const std::vector<long double>& residuals) {
  long double sum = 0;
  for (const auto residual : residuals) sum += residual * residual;
  return sum;
}

/// Solves a x = b for several b by Gauss's elimination with pivots; a and b are overwritten.
inline void eliminate(std::vector<std::vector<long double>>& a, std::vector<std::vector<long double>>& b) {
  const auto n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (auto i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
    std::swap(a[k], a[best]);
    std::swap(b[k], b[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const auto factor = a[i][k] / a[k][k];
      for (auto c = k; c < n; ++c) a[i][c] -= factor * a[k][c];
      for (std::size_t c = 0; c < b[i].size(); ++c) b[i][c] -= factor * b[k][c];
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (auto& each : b[k]) each /= a[k][k];
}

/// \param size how much each parameter changes curves: differences are a millionth of it. \param rounds until it ends.
inline OracleFit fit_slowly(const OracleResiduals& residuals, std::vector<long double> at,
                            const std::vector<long double>& size, int rounds = 500) {
  const auto n = at.size();
  long double damping = 1e-3L;
  auto value = sum_of_squares(residuals(at));
  OracleFit fit;
  for (int round = 0; round < rounds; ++round) {
    const auto here = residuals(at);
    std::vector<std::vector<long double>> slopes;
    for (std::size_t k = 0; k < n; ++k) {
      auto above = at;
      auto below = at;
      above[k] += size[k] * 1e-6L;
      below[k] -= size[k] * 1e-6L;
      auto slope = residuals(above);
      const auto other = residuals(below);
      for (std::size_t j = 0; j < slope.size(); ++j) slope[j] = (slope[j] - other[j]) / (above[k] - below[k]);
      slopes.push_back(std::move(slope));
    }
    std::vector<std::vector<long double>> normal(n, std::vector<long double>(n));
    std::vector<std::vector<long double>> right(n, std::vector<long double>(1));
    std::vector<std::vector<long double>> identity(n, std::vector<long double>(n));
    for (std::size_t a = 0; a < n; ++a) {
      identity[a][a] = 1;
      for (std::size_t j = 0; j < here.size(); ++j) right[a][0] -= slopes[a][j] * here[j];
      for (std::size_t b = 0; b < n; ++b)
        for (std::size_t j = 0; j < here.size(); ++j) normal[a][b] += slopes[a][j] * slopes[b][j];
    }
    auto undamped = normal;
    eliminate(undamped, identity);
    fit.errors.clear();
    for (std::size_t k = 0; k < n; ++k) fit.errors.push_back(std::sqrt(identity[k][k]));
    for (std::size_t a = 0; a < n; ++a) normal[a][a] *= 1 + damping;
    eliminate(normal, right);
    auto next = at;
    for (std::size_t k = 0; k < n; ++k) next[k] += right[k][0];
    const auto moved = sum_of_squares(residuals(next));
    damping = moved < value ? damping / 10 : damping * 10;
    if (!(moved < value)) continue;
    at = next;
    value = moved;
  }
  fit.parameters = at;
  fit.chi_squared = value;
  return fit;
}

}  // namespace clopt::test
