/// \file
/// What the complete exchange asks of a device.
#pragma once

#include <shared/exchange/search.h>
#include <shared/exchange/umda.h>
#include <device/checked_operation.hpp>

#include <cstdint>

namespace clopt::exchange {

/// Structures of kernels_cl/shared/exchange/search.h.
using SearchOrbit = shared::exchange_orbit;
using SearchCell = shared::exchange_cell;
using SearchShape = shared::exchange_shape;
using SearchMoves = shared::exchange_moves;

/// Heat-bath moves of several replicas: orbits; their graphs' nodes and edges; where the group moves links and slots;
/// weights of costs for each replica; an order of orbits; slots, paths and last moves of each replica's orbits; uses of
/// links and slots, a byte each; room for distances; conflicts over the group's order, for each replica; the moves of
/// this launch that each has made; the sizes; the moves; words of local memory for uses and for distances, as PLACE
/// says. Launched with a work-group for each replica.
inline constexpr auto anneal_moves =
    operation<In<SearchOrbit>, In<std::uint16_t>, In<std::uint32_t>, In<std::uint16_t>, In<std::uint16_t>,
              In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint16_t>, InOut<std::uint32_t>,
              InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, SearchShape,
              SearchMoves, Local<std::uint32_t>, Local<std::uint32_t>>("exchange/anneal");

/// Structures of kernels_cl/shared/exchange/umda.h.
using Gene = shared::exchange_gene;
using Footprint = shared::exchange_footprint;
using Population = shared::exchange_population;
using Row = shared::exchange_row;
using Pairing = shared::exchange_duel;

/// Blocks of genes that a work-group samples.
inline constexpr std::uint32_t blocks_a_group = 4;

/// Work-groups of the operations on the UMDA's individuals are no larger.
inline constexpr std::uint32_t fitness_group_size = 256;

/// Conflicts by a histogram: genes, row after row; what they stand for, as footprints with their elements
/// and link by link; fitness; the sizes; how rows hold genes; places of an element, 4 or 8; words for all places of
/// links in as many slots as share words, or 0 to count link by link alone; words of local memory, and how many, at
/// least (links + 3) / 4. Launched with a work-group an individual.
inline constexpr auto fitness_by_links =
    operation<In<std::uint32_t>, In<Footprint>, In<std::uint64_t>, In<Gene>, In<std::uint16_t>, InOut<std::uint64_t>,
              Population, Row, std::uint32_t, std::uint32_t, std::uint32_t, Local<std::uint32_t>>("exchange/links");

/// Sorts individuals' genes by slot: genes; their numbers, sorted; where slots end; the sizes; a word for each slot.
/// Launched with a work-group an individual.
inline constexpr auto sort_by_slot =
    operation<In<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, Population, Local<std::uint32_t>>(
        "exchange/partition");

/// Conflicts of each slot by pairs of paths: genes; their numbers sorted by slot, and where slots end; what genes stand
/// for; the table of paths; conflicts, slot by slot of each individual; the sizes. Launched with a work-group for each
/// slot (second dimension) and individual (third).
inline constexpr auto conflicts_by_pairs =
    operation<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, In<Gene>, In<std::uint16_t>,
              InOut<std::uint64_t>, Population>("exchange/pairs");

/// Adds the slots up: conflicts of each slot; fitness; slots, individuals. Launched over the individuals.
inline constexpr auto sum_slots =
    operation<In<std::uint64_t>, InOut<std::uint64_t>, std::uint32_t, std::uint32_t>("exchange/sum_slots");

/// The first population: rows of genes; what genes stand for; the sizes; how rows hold genes. Launched over genes and
/// individuals.
inline constexpr auto first_population =
    operation<InOut<std::uint32_t>, In<Gene>, Population, Row>("exchange/first_population");

/// Samples new individuals and finds their places: rows of genes; what genes stand for; fitness, individuals' rows and
/// spare rows, which new individuals get, before and afterwards; whom new individuals replace; the generation that made
/// the first individual without conflicts, plus 1, or 0; the sizes; how rows hold genes; the permutation of pairs.
/// Launched with a work-group for each blocks_a_group blocks of genes and chunk of individuals.
inline constexpr auto sample_blocks =
    operation<InOut<std::uint32_t>, In<Gene>, In<std::uint64_t>, In<std::uint32_t>, In<std::uint32_t>,
              InOut<std::uint64_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, In<std::uint32_t>,
              Population, Row, Pairing>("exchange/sample");

/// Evaluates new individuals: rows of genes; what genes stand for, as for fitness_by_links; the new individuals' rows;
/// whom they replace; the fitness afterwards; as for sample_blocks; the sizes; how rows hold genes; places, words and
/// local memory as for fitness_by_links. Launched with a work-group for each new individual.
inline constexpr auto replace_individuals =
    operation<In<std::uint32_t>, In<Footprint>, In<std::uint64_t>, In<Gene>, In<std::uint16_t>, In<std::uint32_t>,
              In<std::uint32_t>, InOut<std::uint64_t>, InOut<std::uint32_t>, Population, Row, std::uint32_t,
              std::uint32_t, std::uint32_t, Local<std::uint32_t>>("exchange/replace");

}  // namespace clopt::exchange
