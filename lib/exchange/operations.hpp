/// \file
/// What the complete exchange asks of a device.
#pragma once

#include <shared/exchange_search.h>
#include <device/checked_operation.hpp>

#include <cstdint>

namespace clopt::exchange {

/// Structures of kernels_cl/shared/exchange_search.h.
using SearchOrbit = shared::exchange_orbit;
using SearchShape = shared::exchange_shape;
using SearchMoves = shared::exchange_moves;

/// Heat-bath moves of several replicas: orbits; their graphs' nodes and edges; where the group moves links and slots;
/// weights of costs for each replica; an order of orbits; slots, paths and last moves of each replica's orbits; uses of
/// links and slots, a byte each; room for distances; conflicts over the group's order, for each replica; the sizes; the moves;
/// words of local memory for uses and for distances, as PLACE says. Launched with a work-group for each replica.
inline constexpr auto anneal_moves =
    operation<In<SearchOrbit>, In<std::uint16_t>, In<std::uint32_t>, In<std::uint16_t>, In<std::uint16_t>,
              In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint16_t>, InOut<std::uint32_t>, InOut<std::uint32_t>,
              InOut<std::uint32_t>, InOut<std::uint32_t>, SearchShape, SearchMoves, Local<std::uint32_t>,
              Local<std::uint32_t>>("exchange/anneal");

}  // namespace clopt::exchange
