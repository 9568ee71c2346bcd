/// \file
/// Whether a run repays what the host's compiler makes of its model.
#pragma once

#include <clopt/fit.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace clopt::fit {

/// Whether Program::quick_build suits fits of that many rows: they end before optimised code would have been compiled.
/// What this process has asked for by the same code counts too, so that many small calls get optimised code at some
/// time. \throws InvalidInput for another CLOPT_BUILD than it takes.
bool suits_quick_build(const Problem& problem, const Options& options, bool is_double, std::uint64_t rows,
                       std::span<const std::shared_ptr<Device>> devices);

}  // namespace clopt::fit
