/// \file
/// The same work by pagmo, where its library was there when clopt was built.
#pragma once

#include <clopt/run.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace clopt::apps::differential_evolution {

/// Whether clopt was built with pagmo.
bool has_pagmo();

/// Seconds that pagmo's rand/1/bin takes for problems of rastrigin, one after the other on one core; none without
/// pagmo, or where the run was ended.
std::optional<double> pagmo_seconds(std::size_t problems, std::size_t dimensions, std::size_t population,
                                    std::uint64_t generations, std::uint64_t seed, const RunControl& control);

}  // namespace clopt::apps::differential_evolution
