/// \file
/// Standard errors of a fit's parameters.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace clopt::differential_evolution {

/// Standard errors from the normal equations, whose row a has the products of slope a with the slopes up to a, in
/// parameters + 1 numbers: the roots of the diagonal of their inverse, times the root of `variance`. All are infinite
/// where the equations have no inverse. O(parameters^3).
std::vector<double> standard_errors(std::span<const double> normal, std::size_t parameters, double variance);

/// The variance of a residual: 1 where the data have standard deviations; else the sum of squares over the degrees of
/// freedom, and infinite without these.
double residual_variance(double sum_of_squares, std::size_t data, std::size_t parameters, bool has_deviations);

}  // namespace clopt::differential_evolution
