#include "network_picture.hpp"

#include <clopt/detail/numbers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace clopt::apps::exchange {
namespace {

constexpr std::uint32_t most_nodes = 64;
constexpr std::size_t most_links = 600;
constexpr double margin = 34;
constexpr double node_size = 9;
constexpr double small_node = 7;
constexpr double usual_apart = 3;  ///< from the middle to the link of one direction
constexpr double bend_part =
    0.12;  ///< how far links that would run through nodes of a row bend, in parts of their length

/// A load, from idle to busy in every slot.
std::string colour_of_load(double load) { return colour_of_hue(208, 0.75, 0.88 - 0.58 * load); }

// The place of a node in a mesh or torus of two dimensions, whose second side is numbered faster.
struct Grid {
  std::uint32_t rows;
  std::uint32_t columns;

  std::uint32_t row(std::uint32_t node) const { return node / columns; }
  std::uint32_t column(std::uint32_t node) const { return node % columns; }
  bool are_neighbours(std::uint32_t a, std::uint32_t b) const {
    const auto gap = [](std::uint32_t one, std::uint32_t other) { return std::max(one, other) - std::min(one, other); };
    return gap(row(a), row(b)) + gap(column(a), column(b)) == 1;
  }
};

// That of "mesh:AxB" and "torus:AxB", whose nodes may be missing.
std::optional<Grid> grid_of(const clopt::exchange::Topology& topology) {
  std::string_view name = topology.name;
  for (const std::string_view form : {"mesh:", "torus:"}) {
    if (!name.starts_with(form)) continue;
    const auto sides = name.substr(form.size());
    const auto cross = std::min(sides.find('x'), sides.size() - 1);
    const auto rows = number_in<std::uint32_t>(sides.substr(0, cross));
    const auto columns = number_in<std::uint32_t>(sides.substr(cross + 1));
    if (rows && columns && std::uint64_t{*rows} * *columns == topology.nodes) return Grid{*rows, *columns};
  }
  return std::nullopt;
}

std::vector<Svg::Point> places_of(const clopt::exchange::Topology& topology, Svg::Point corner) {
  const double size = network_size - 2 * margin;
  std::vector<Svg::Point> places;
  const auto grid = grid_of(topology);
  const double cell = grid ? size / std::max(grid->rows, grid->columns) : 0;
  const auto along = [&](std::uint32_t place, std::uint32_t count) {
    return margin + size / 2 + cell * (place - (count - 1) / 2.0);
  };
  for (std::uint32_t node = 0; node < topology.nodes; ++node) {
    if (grid) {
      places.push_back(
          {corner.x + along(grid->column(node), grid->columns), corner.y + along(grid->row(node), grid->rows)});
    } else {
      const double turn = 2 * std::numbers::pi * node / topology.nodes - std::numbers::pi / 2;
      places.push_back(
          {corner.x + margin + size / 2 * (1 + std::cos(turn)), corner.y + margin + size / 2 * (1 + std::sin(turn))});
    }
  }
  return places;
}

// The two directions of a link lie apart; on a grid those that reach beyond a neighbour bend around the nodes between.
std::vector<Svg::Point> course_of(Svg::Point from, Svg::Point to, bool bends, double apart) {
  const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
  const Svg::Point aside{-(to.y - from.y) / length, (to.x - from.x) / length};
  const auto moved = [&](Svg::Point point, double by) {
    return Svg::Point{point.x + aside.x * by, point.y + aside.y * by};
  };
  if (!bends) return {moved(from, apart), moved(to, apart)};
  constexpr int parts = 16;
  std::vector<Svg::Point> course;
  for (int i = 0; i <= parts; ++i) {
    const double part = static_cast<double>(i) / parts;
    course.push_back(moved({from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part},
                           apart + 4 * bend_part * length * part * (1 - part)));
  }
  return course;
}

// The dimension of "hypercube:D" with all of its nodes, from 2 on; else 0.
std::uint32_t dimensions_of(const clopt::exchange::Topology& topology) {
  constexpr std::string_view form = "hypercube:";
  const std::string_view name = topology.name;
  const auto dimensions = name.starts_with(form) ? number_in<std::uint32_t>(name.substr(form.size())) : std::nullopt;
  return dimensions && *dimensions >= 2 && *dimensions < 32 && topology.nodes == 1U << *dimensions ? *dimensions : 0;
}

/// Slots in which the channels of a link are busy, and how many there are: parallel channels are one line, with the
/// mean of their loads.
struct Load {
  std::uint32_t uses = 0;
  std::uint32_t channels = 0;

  double part(std::uint32_t slots) const { return slots == 0 ? 0 : static_cast<double>(uses) / channels / slots; }
};
using Loads = std::map<std::pair<std::uint32_t, std::uint32_t>, Load>;

void draw_link(Svg& svg, Svg::Point from, Svg::Point to, bool bends, double load, double apart = usual_apart) {
  svg.polyline(course_of(from, to, bends, apart), colour_of_load(load), (1 + 2.5 * load) * apart / usual_apart);
}

void draw_node(Svg& svg, Svg::Point place, double size, std::uint32_t node) {
  svg.circle(place.x, place.y, size, "#dddddd");
  svg.text(place.x, place.y + 3.5, fmt::format("{}", node), "middle", 9);
}

// A hypercube on a circle is a tangle; a panel for each dimension has the pairs of nodes that it links.
void draw_dimensions(Svg& svg, std::uint32_t dimensions, const Loads& loads, std::uint32_t slots, Svg::Point corner) {
  const std::uint32_t pairs = 1U << (dimensions - 1);
  const double room = (network_size - margin) / dimensions;
  const double row = std::min(28.0, (network_size - margin) / pairs);
  const double size = std::min(node_size, 0.48 * row);
  for (std::uint32_t dimension = 0; dimension < dimensions; ++dimension) {
    const std::uint32_t bit = 1U << dimension;
    const double left = corner.x + margin + room * dimension;
    svg.text(left + room / 2 - 6, corner.y + 12, fmt::format("bit {}", dimension), "middle", 11);
    double y = corner.y + margin;
    for (std::uint32_t node = 0; node < 2 * pairs; ++node) {
      if ((node & bit) != 0) continue;
      const Svg::Point one{left + size, y};
      const Svg::Point other{left + room - 12 - size, y};
      for (const auto& [from, to] : {std::pair(node, node | bit), std::pair(node | bit, node)})
        if (const auto link = loads.find({from, to}); link != loads.end())
          draw_link(svg, from == node ? one : other, from == node ? other : one, false, link->second.part(slots),
                    std::min(usual_apart, row / 6));
      draw_node(svg, one, size, node);
      draw_node(svg, other, size, node | bit);
      y += row;
    }
  }
}

void draw_scale(Svg& svg, std::uint32_t slots, Svg::Point corner) {
  constexpr int steps = 5;
  const double y = corner.y - 14;
  double x = corner.x + margin;
  svg.text(x, y + 4, "busy in 0", "start", 11);
  x += text_width("busy in 0", 11) + 6;
  for (int i = 0; i <= steps; ++i, x += 14)
    svg.rectangle(x, y - 5, 12, 9, colour_of_load(static_cast<double>(i) / steps));
  svg.text(x + 4, y + 4, fmt::format("{} slots", slots), "start", 11);
}

}  // namespace

bool network_is_drawn(const clopt::exchange::Topology& topology) {
  return topology.nodes <= most_nodes && topology.links.size() <= most_links;
}

void draw_network(Svg& svg, const clopt::exchange::Topology& topology, const std::vector<std::uint32_t>& busy,
                  std::uint32_t slots, Svg::Point corner) {
  Loads loads;
  for (std::size_t row = 0; row < topology.links.size(); ++row) {
    auto& [uses, channels] = loads[{topology.links[row].from, topology.links[row].to}];
    uses += busy[row];
    ++channels;
  }
  draw_scale(svg, slots, corner);
  if (const auto dimensions = dimensions_of(topology); dimensions > 0)
    return draw_dimensions(svg, dimensions, loads, slots, corner);
  const auto places = places_of(topology, corner);
  const auto grid = grid_of(topology);
  for (const auto& [link, load] : loads) {
    const auto [from, to] = link;
    draw_link(svg, places[from], places[to], grid && !grid->are_neighbours(from, to), load.part(slots));
  }
  for (std::uint32_t node = 0; node < topology.nodes; ++node)
    draw_node(svg, places[node], topology.nodes > 40 ? small_node : node_size, node);
}

}  // namespace clopt::apps::exchange
