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
constexpr double apart = 3;  ///< from the middle to the link of one direction
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
std::vector<Svg::Point> course_of(Svg::Point from, Svg::Point to, bool bends) {
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
  const auto places = places_of(topology, corner);
  const auto grid = grid_of(topology);
  // Parallel channels are one line, with the mean of their loads.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> loads;
  for (std::size_t row = 0; row < topology.links.size(); ++row) {
    auto& [uses, channels] = loads[{topology.links[row].from, topology.links[row].to}];
    uses += busy[row];
    ++channels;
  }
  draw_scale(svg, slots, corner);
  for (const auto& [link, load] : loads) {
    const auto [from, to] = link;
    const double part = slots == 0 ? 0 : static_cast<double>(load.first) / load.second / slots;
    const bool bends = grid && !grid->are_neighbours(from, to);
    svg.polyline(course_of(places[from], places[to], bends), colour_of_load(part), 1 + 2.5 * part);
  }
  for (std::uint32_t node = 0; node < topology.nodes; ++node) {
    svg.circle(places[node].x, places[node].y, topology.nodes > 40 ? small_node : node_size, "#dddddd");
    svg.text(places[node].x, places[node].y + 3.5, fmt::format("{}", node), "middle", 9);
  }
}

}  // namespace clopt::apps::exchange
