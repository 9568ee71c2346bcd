#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <pictures/svg.hpp>

namespace clopt::apps::exchange {
namespace {

constexpr double left = 90;
constexpr double top = 50;
constexpr double most_cells_shown = 60'000;

// Neighbouring senders get colours far apart: the golden angle.
std::string colour_of(std::uint32_t sender) {
  return fmt::format("hsl({:.0f},65%,55%)", std::fmod(sender * 137.508, 360));
}

/// What a link carries in a slot.
struct Cell {
  std::uint32_t sender = 0;
  std::uint32_t receiver = 0;
  std::uint32_t uses = 0;
};

}  // namespace

std::string picture_of(const clopt::exchange::Problem& problem, const clopt::exchange::Schedule& schedule) {
  const auto& links = problem.topology.links;
  std::map<std::pair<std::size_t, std::uint32_t>, Cell> cells;
  for (std::size_t i = 0; i < schedule.placements.size(); ++i) {
    const auto& [slot, path] = schedule.placements[i];
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
      const clopt::exchange::Link link{path[hop], path[hop + 1]};
      const auto row = static_cast<std::size_t>(std::lower_bound(links.begin(), links.end(), link) - links.begin());
      auto& cell = cells[{row, slot}];
      cell = {problem.transfers[i].from, problem.transfers[i].to, cell.uses + 1};
    }
  }
  const auto rows = static_cast<double>(links.size());
  const double width = std::clamp(900.0 / schedule.steps, 2.0, 24.0);
  const double height = std::clamp(1200.0 / rows, 2.0, 14.0);
  Svg svg(std::ceil(left + width * schedule.steps + 20), std::ceil(top + height * rows + 40));
  svg.text(left, 20, fmt::format("{}, {}: {} steps", problem.topology.name, problem.pattern, schedule.steps), "start",
           14);
  svg.text(left, 40, "a row for each link, a column for each slot, coloured by sender", "start", 11);
  // Where cells have no room for a title, they would only make the file large.
  const bool has_titles = static_cast<double>(cells.size()) <= most_cells_shown;
  for (const auto& [at, cell] : cells) {
    const auto title = has_titles
                           ? fmt::format("slot {}, link {}-{}: {}", at.second, links[at.first].from, links[at.first].to,
                                         cell.uses > 1 ? fmt::format("{} messages", cell.uses)
                                                       : fmt::format("{} to {}", cell.sender, cell.receiver))
                           : std::string();
    svg.rectangle(left + width * at.second, top + height * static_cast<double>(at.first), width * 0.92, height * 0.92,
                  cell.uses > 1 ? "black" : colour_of(cell.sender), title);
  }
  const std::size_t every = height >= 8 ? 1 : static_cast<std::size_t>(10 / height) + 1;
  for (std::size_t row = 0; row < links.size(); row += every)
    svg.text(left - 6, top + height * (static_cast<double>(row) + 0.8),
             fmt::format("{}-{}", links[row].from, links[row].to), "end", 8);
  svg.text(left + width * schedule.steps / 2, top + height * rows + 24, "slot", "middle", 12);
  return svg.str();
}

}  // namespace clopt::apps::exchange
