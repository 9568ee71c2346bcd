/// \file
/// Guesses where none are given.
#pragma once

#include <clopt/fit.hpp>

#include <memory>
#include <span>

namespace clopt::fit {

/// The problem with a guess for each row of a range: the best vector of differential evolution within the bounds.
/// \param launches that it took are added.
Problem with_guesses(const Problem& problem, const Options& options, const WorkRange& range,
                     std::span<const std::shared_ptr<Device>> devices, const RunControl& control,
                     std::uint64_t& launches);

}  // namespace clopt::fit
