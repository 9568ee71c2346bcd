/// \file
/// Zeros of many functions of a number at once.
#pragma once

#include <functional>
#include <vector>

namespace clopt::differential_evolution {

/// The values of all functions, each at a number of its own. NaN where a function has none there.
using Values = std::function<std::vector<double>(const std::vector<double>& numbers)>;

/// A zero of each function: by the secant method until two values have different signs, then between them by the
/// Illinois method (Dowell and Jarratt 1971), with bisection where that is slow. A zero of a linear function takes
/// three calls. \param values is called with as many numbers as there are starts, at most 80 times. \param starts where
/// to begin, finite. \param step how far the second number lies from the first. \param tolerance how near a zero must
/// be. \returns NaN for a function whose zero was not found, such as one that has none, or a pole in place of it.
std::vector<double> find_zeros(const Values& values, const std::vector<double>& starts, double step, double tolerance);

}  // namespace clopt::differential_evolution
