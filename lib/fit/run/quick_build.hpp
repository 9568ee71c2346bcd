/// \file
/// Whether a run repays what the host's compiler makes of its model.
#pragma once

#include <clopt/fit.hpp>

#include <cstdint>
#include <memory>
#include <span>

#include <fit/plan.hpp>

namespace clopt::fit {

/// Seconds of unoptimised fits that repay a compiler beside them.
inline constexpr double seconds_worth_compiler = 3;

/// Whether Program::quick_build suits fits of that many rows: they probably end before optimised code would have been
/// compiled. What this process has fitted by the same code counts too, so that many small calls get optimised code at
/// some time. \throws InvalidInput for another CLOPT_BUILD than it takes.
bool suits_quick_build(const Problem& problem, const Options& options, bool is_double, std::uint64_t rows,
                       std::span<const std::shared_ptr<Device>> devices);

/// Whether a run may take optimised code after it began without: CLOPT_BUILD does not forbid it.
bool may_build_anew();

/// Counts seconds in which rows were fitted by a quick build.
void count_quick_build(const Plan& plan, double seconds);

}  // namespace clopt::fit
