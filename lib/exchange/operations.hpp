/// \file
/// What the complete exchange asks of a device. The operations are generated from the kernels' signatures.
#pragma once

#include <generated/operations/exchange.hpp>

#include <cstdint>

namespace clopt::exchange {

/// Structures of kernels_cl/shared/exchange/search.h.
using SearchOrbit = shared::exchange_orbit;
using SearchCell = shared::exchange_cell;
using SearchShape = shared::exchange_shape;
using SearchMoves = shared::exchange_moves;

/// Structures of kernels_cl/shared/exchange/umda.h.
using Gene = shared::exchange_gene;
using Footprint = shared::exchange_footprint;
using Population = shared::exchange_population;
using Row = shared::exchange_row;
using Pairing = shared::exchange_two;
using DeviceExtremes = shared::exchange_extremes;

/// Work-groups of the operations on the UMDA's individuals are no larger.
inline constexpr std::uint32_t fitness_group_size = 256;

}  // namespace clopt::exchange
