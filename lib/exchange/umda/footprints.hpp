/// \file
/// Paths as places of links relative to each other, which many transfers of a regular network have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <exchange/network/network.hpp>
#include <exchange/operations.hpp>

namespace clopt::exchange {

/// Where links are counted: places are numbers from 0, a different one for each link.
struct LinkPlaces {
  std::uint32_t places = 0;
  std::vector<std::uint32_t> place;  ///< of each link
};

/// Places of links that lead from a node to another with the same difference of their numbers follow each other, in
/// the order of the nodes they leave: moving a path to other nodes then adds the same to all its places. Where that
/// would leave more than a third of the places unused, places are the links' numbers.
LinkPlaces place_links(const Network& network);

/// The places of all genes' paths, see exchange_umda.h.
struct Footprints {
  std::uint32_t places = 0;  ///< of all links; 0: there are no footprints, because paths are too long or too many
  std::uint32_t places_an_element = 8;
  std::vector<Footprint> genes;
  std::vector<std::uint64_t> elements;
};

/// \param genes, paths as in GeneTable. Genes share elements where their paths look alike.
Footprints make_footprints(const Network& network, std::span<const Gene> genes, std::span<const std::uint16_t> paths);

}  // namespace clopt::exchange
