/// \file
/// The rows of a fit: data, abscissas and standard deviations, as devices get them.
#pragma once

#include <clopt/differential_evolution.hpp>

#include <vector>

namespace clopt::differential_evolution {

/// Checks abscissas and standard deviations. \throws InvalidInput, as solve() says; also where there are some and the
/// objective is not a fit.
void check_fit(const Problem& problem, bool is_double);

/// A fit's objective, which knows what the rows have; what all rows share is a table of it.
Objective fit_of(const Problem& problem);

/// The rows of a fit on devices: the data of each, then its own abscissas and standard deviations. Empty where the data
/// are all that rows have.
std::vector<double> packed_rows(const Problem& problem, const Objective& fit);

/// How many data of a problem's row are not absent. O(columns).
std::size_t present_data(const Problem& problem, std::size_t k);

}  // namespace clopt::differential_evolution
