/// \file
/// A run whose models the ranks of a job make together.
#pragma once

#include <clopt/ecga.hpp>

#include <span>

namespace clopt::ecga {

/// As solve(); in a job by all ranks, where that pays. Every rank has the whole population and does with it what every
/// other does; of the pairs that a model is made of each counts a part, and all get to know those that gain. Where a
/// rank's device fails, all restart, that rank with its next device, or without it. \throws InvalidInput where this
/// rank is not the first one.
Result solve_by_job(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                    const RunControl& control);

}  // namespace clopt::ecga
