/// \file
/// What the checksum of a result is made of.
#pragma once

#include <clopt/differential_evolution.hpp>
#include <support/numbers/checksum.hpp>

namespace clopt::differential_evolution {

/// The checksum of all problems of a result, of their digests, and of what a local search has made of them.
std::uint64_t checksum_of(const Result& result);

}  // namespace clopt::differential_evolution
