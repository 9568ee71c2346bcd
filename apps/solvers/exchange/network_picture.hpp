/// \file
/// A network with the load of its links.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <vector>

#include <pictures/svg.hpp>

namespace clopt::apps::exchange {

/// Whether a network is so small that its links can be distinguished in a picture.
bool network_is_drawn(const clopt::exchange::Topology& topology);

/// The width and the height of its picture, in pixels.
inline constexpr double network_size = 420;

/// Draws a network's nodes, meshes and tori of two dimensions as a grid, hypercubes as a panel a dimension, others on a
/// circle, and its links, which are broad and dark where they are busy. \param busy the slots in which each channel
/// carries a message, of \p slots; \param corner the upper left one.
void draw_network(Svg& svg, const clopt::exchange::Topology& topology, const std::vector<std::uint32_t>& busy,
                  std::uint32_t slots, Svg::Point corner);

}  // namespace clopt::apps::exchange
