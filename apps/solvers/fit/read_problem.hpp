/// \file
/// The problem that the options describe.
#pragma once

#include <clopt/fit.hpp>

#include <optional>

#include <frame/options/options.hpp>

namespace clopt::apps::fit {

/// Adds --model, --data and what belongs to them.
void add_problem_options(OptionParser& parser);

/// \throws InvalidInput.
clopt::fit::Problem read_problem(const Options& options);

/// The probability of the intervals that --confidence asks for. \throws InvalidInput.
std::optional<double> read_confidence(const Options& options);

}  // namespace clopt::apps::fit
