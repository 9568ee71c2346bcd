/// \file
/// Values that an objective cannot pass.
#pragma once

#include <clopt/ecga.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace clopt::ecga {

/// Values of generated NK landscapes are whole numbers of 2^-12: sums of some thousand are exact in single precision.
inline constexpr int bits_of_nk_value = 12;
/// The most neighbours of a ring whose best value is looked for.
inline constexpr std::uint32_t most_neighbours_of_ring = 6;

/// The best value of an NK landscape whose loci have the neighbours that follow them around a ring, by dynamic
/// programming. \param table of the objective. O(length 4^K).
double best_of_ring(const std::vector<double>& table, std::uint32_t length);

/// A bound of an objective with known parts that no individual passes: of a ring of NK its best value, of others what
/// their parts give at most. None where values may be rounded, of other landscapes, and of rings for which
/// best_of_ring() takes long: length 4^K above 2^22. \param is_double the precision of values.
std::optional<double> upper_bound(const Problem& problem, bool is_double);

}  // namespace clopt::ecga
