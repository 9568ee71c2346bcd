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
constexpr double least_width = 420;
constexpr double slot_size = 10;
constexpr double most_cells_shown = 60'000;

// Neighbouring senders get colours far apart: the golden angle.
std::string colour_of(std::uint32_t sender) {
  return fmt::format("hsl({:.0f},65%,55%)", std::fmod(sender * 137.508, 360));
}

/// What a channel carries in a slot.
struct Cell {
  std::uint32_t sender = 0;
  std::uint32_t receiver = 0;
  std::uint32_t uses = 0;
};

/// By channel and slot.
using Cells = std::map<std::pair<std::size_t, std::uint32_t>, Cell>;

// Transfers over a link take its parallel channels by turns.
Cells cells_of(const clopt::exchange::Problem& problem, const clopt::exchange::Schedule& schedule) {
  const auto& links = problem.topology.links;
  Cells cells;
  std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> taken;
  for (std::size_t i = 0; i < schedule.placements.size(); ++i) {
    const auto& [slot, path] = schedule.placements[i];
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
      const auto [begin, end] =
          std::equal_range(links.begin(), links.end(), clopt::exchange::Link{path[hop], path[hop + 1]});
      const auto first = static_cast<std::size_t>(begin - links.begin());
      const auto channel = taken[{first, slot}]++ % static_cast<std::size_t>(end - begin);
      auto& cell = cells[{first + channel, slot}];
      cell = {problem.transfers[i].from, problem.transfers[i].to, cell.uses + 1};
    }
  }
  return cells;
}

// "0-3", and "0-3 (2)" for the second of parallel channels.
std::string name_of(const std::vector<clopt::exchange::Link>& links, std::size_t row) {
  std::size_t channel = 1;
  while (row >= channel && links[row - channel] == links[row]) ++channel;
  const auto link = fmt::format("{}-{}", links[row].from, links[row].to);
  return channel == 1 ? link : fmt::format("{} ({})", link, channel);
}

}  // namespace

std::string picture_of(const clopt::exchange::Problem& problem, const clopt::exchange::Schedule& schedule) {
  const auto& links = problem.topology.links;
  const auto cells = cells_of(problem, schedule);
  const auto rows = static_cast<double>(links.size());
  const double width = std::clamp(900.0 / schedule.steps, 2.0, 24.0);
  const double height = std::clamp(1200.0 / rows, 2.0, 14.0);
  const double whole = std::max(std::ceil(left + width * schedule.steps + 20), least_width);
  Svg svg(whole, std::ceil(top + height * rows + 48));
  svg.text_within(12, 20, whole - 24,
                  fmt::format("{}, {}: {} steps", problem.topology.name, problem.pattern, schedule.steps), "start", 14);
  svg.text_within(12, 40, whole - 24, "a row for each channel, a column for each slot, coloured by sender", "start",
                  11);
  // Where cells have no room for a title, they would only make the file large.
  const bool has_titles = static_cast<double>(cells.size()) <= most_cells_shown;
  for (const auto& [at, cell] : cells) {
    const auto title = has_titles ? fmt::format("slot {}, link {}: {}", at.second, name_of(links, at.first),
                                                cell.uses > 1 ? fmt::format("{} messages", cell.uses)
                                                              : fmt::format("{} to {}", cell.sender, cell.receiver))
                                  : std::string();
    svg.rectangle(left + width * at.second, top + height * static_cast<double>(at.first), width * 0.92, height * 0.92,
                  cell.uses > 1 ? "black" : colour_of(cell.sender), title);
  }
  const std::size_t every = height >= 8 ? 1 : static_cast<std::size_t>(10 / height) + 1;
  for (std::size_t row = 0; row < links.size(); row += every)
    svg.text_within(left - 6, top + height * (static_cast<double>(row) + 0.8), left - 10, name_of(links, row), "end",
                    std::clamp(0.9 * height, 7.0, 10.0));
  // Slots by ones, twos, fives, tens and so on, so that their numbers have room.
  std::uint32_t step = 1;
  for (std::uint32_t factor = 0; width * step < 8 + text_width(fmt::format("{}", schedule.steps), slot_size); ++factor)
    step = step / (factor % 3 == 2 ? 5 : factor % 3 == 1 ? 2 : 1) * (factor % 3 == 2 ? 10 : factor % 3 == 1 ? 5 : 2);
  for (std::uint32_t slot = 0; slot < schedule.steps; slot += step)
    svg.text(left + width * (slot + 0.46), top + height * rows + 14, fmt::format("{}", slot), "middle", slot_size);
  svg.text(left + width * schedule.steps / 2, top + height * rows + 36, "slot", "middle", 12);
  return svg.str();
}

}  // namespace clopt::apps::exchange
