#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <pictures/svg.hpp>

#include "network_picture.hpp"

namespace clopt::apps::exchange {
namespace {

constexpr double left = 90;
constexpr double top = 50;
constexpr double least_width = 420;
constexpr double slot_size = 10;
constexpr double most_cells_shown = 60'000;
constexpr std::size_t most_senders_named = 48;
constexpr double legend_line = 18;
constexpr const char* conflict_colour = "black";

// Neighbouring senders get colours far apart: the golden angle.
std::string colour_of(std::uint32_t sender) { return colour_of_hue(std::fmod(sender * 137.508, 360), 0.65, 0.55); }

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

// Files are named without their folders.
std::string title_of(const clopt::exchange::Problem& problem, std::uint32_t steps, std::size_t conflicts) {
  const auto clashes = conflicts == 0   ? std::string()
                       : conflicts == 1 ? ", with a conflict"
                                        : fmt::format(", with {} conflicts", conflicts);
  return fmt::format("{}, {} in {} slots{}", last_part(problem.topology.name), problem.pattern, steps, clashes);
}

struct LegendEntry {
  std::string name;
  std::string colour;
};

// The colours' meanings, as long as there are few.
std::vector<LegendEntry> legend_of(const Cells& cells) {
  std::set<std::uint32_t> senders;
  bool clashes = false;
  for (const auto& [at, cell] : cells) {
    if (cell.uses > 1)
      clashes = true;
    else
      senders.insert(cell.sender);
  }
  std::vector<LegendEntry> legend;
  if (clashes) legend.push_back({"conflict", conflict_colour});
  if (senders.size() > most_senders_named) return legend;
  for (const auto sender : senders) legend.push_back({fmt::format("from {}", sender), colour_of(sender)});
  return legend;
}

constexpr double legend_entry_width = 64;

std::size_t entries_a_line(double width) {
  return std::max<std::size_t>(1, static_cast<std::size_t>((width - 24) / legend_entry_width));
}

void draw_legend(Svg& svg, const std::vector<LegendEntry>& legend, double y) {
  const auto a_line = entries_a_line(svg.width());
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const double x = 12 + legend_entry_width * static_cast<double>(i % a_line);
    const auto row = i / a_line;
    const double line = y + legend_line * static_cast<double>(row);
    svg.rectangle(x, line, 10, 10, legend[i].colour)
        .text_within(x + 14, line + 9, legend_entry_width - 16, legend[i].name, "start", 10);
  }
}

}  // namespace

Svg picture_of(const clopt::exchange::Problem& problem, const clopt::exchange::Schedule& schedule) {
  const auto& links = problem.topology.links;
  const auto cells = cells_of(problem, schedule);
  const auto rows = static_cast<double>(links.size());
  const double width = std::clamp(900.0 / schedule.steps, 2.0, 24.0);
  const double height = std::clamp(1200.0 / rows, 2.0, 14.0);
  const auto legend = legend_of(cells);
  const auto conflicts = static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [](const auto& each) { return each.second.uses > 1; }));
  const double own = std::max(std::ceil(left + width * schedule.steps + 20), least_width);
  const double whole = own + (network_is_drawn(problem.topology) ? network_size : 0);
  const double legend_height =
      legend_line * std::ceil(static_cast<double>(legend.size()) / static_cast<double>(entries_a_line(whole)));
  const double bottom = top + height * rows + 48;
  const double least_height = network_is_drawn(problem.topology) ? top + network_size : 0;
  Svg svg(whole, std::ceil(std::max(bottom, least_height) + legend_height));
  svg.text_within(12, 20, whole - 24, title_of(problem, schedule.steps, conflicts), "start", 14);
  svg.text_within(12, 40, own - 24, "a row for each channel, a column for each slot, coloured by sender", "start", 11);
  // Where cells have no room for a title, they would only make the file large.
  const bool has_titles = static_cast<double>(cells.size()) <= most_cells_shown;
  for (const auto& [at, cell] : cells) {
    const auto title = has_titles ? fmt::format("slot {}, link {}: {}", at.second, name_of(links, at.first),
                                                cell.uses > 1 ? fmt::format("{} messages", cell.uses)
                                                              : fmt::format("{} to {}", cell.sender, cell.receiver))
                                  : std::string();
    svg.rectangle(left + width * at.second, top + height * static_cast<double>(at.first), width * 0.92, height * 0.92,
                  cell.uses > 1 ? conflict_colour : colour_of(cell.sender), title);
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
  draw_legend(svg, legend, std::max(bottom, least_height));
  if (network_is_drawn(problem.topology)) {
    std::vector<std::uint32_t> busy(links.size(), 0);
    for (const auto& [at, cell] : cells) ++busy[at.first];
    draw_network(svg, problem.topology, busy, schedule.steps, {own, top});
  }
  return svg;
}

}  // namespace clopt::apps::exchange
