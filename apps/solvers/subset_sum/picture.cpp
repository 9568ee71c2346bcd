#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <pictures/panel.hpp>

namespace clopt::apps::subset_sum {
namespace {

constexpr double width = 860;
constexpr Panel::Frame frame{90, 64, 746, 260};
constexpr double strip_top = frame.top + frame.height + 74;
constexpr double strip_height = 26;
constexpr std::size_t most_bars = 200;
constexpr std::size_t most_named = 32;  ///< below bars
constexpr std::size_t bins = 60;
constexpr const char* chosen_colour = colour::blue;
constexpr const char* next_colour = colour::sky_blue;
constexpr const char* left_colour = "#cccccc";

/// A number as it is drawn.
struct Item {
  std::size_t index;
  double size;
  bool is_chosen;
};

// The largest first.
std::vector<Item> items_of(const Question& question, const std::vector<std::size_t>& chosen) {
  std::vector<Item> items(question.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = {i, static_cast<double>(question.number(i)) / static_cast<double>(question.scale()), false};
  for (const auto index : chosen) items[index].is_chosen = true;
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.size > b.size; });
  return items;
}

std::string title_of(const Question& question, const clopt::subset_sum::AmountsResult& answer) {
  const auto capacity = question.text_of(question.capacity());
  if (!answer.possible) return fmt::format("{} numbers, capacity {}: no subset", question.size(), capacity);
  const auto profit = question.profits().empty() ? "" : "profit " + question.profit_text(answer.profit) + ", ";
  return fmt::format("{} of {} numbers: {}sum {}, capacity {}{}", answer.indices.size(), question.size(), profit,
                     question.text_of(answer.value), capacity, answer.run.optimal ? "" : ", not proven to be optimal");
}

void draw_legend(Svg& svg) {
  double x = frame.left;
  for (const auto& [colour, name] : {std::pair(chosen_colour, "chosen"), std::pair(left_colour, "left out")}) {
    svg.rectangle(x, 40, 10, 10, colour).text(x + 14, 49, name, "start", 11);
    x += 30 + text_width(name, 11);
  }
}

// What is written below a bar: the row, or its label.
std::string name_of(const Question& question, std::size_t index) {
  return question.label().empty() ? std::to_string(index + 1) : question.labels()[index];
}

void draw_bars(Svg& svg, const Question& question, const std::vector<Item>& items) {
  const auto count = static_cast<double>(items.size());
  const double least = std::min(0.0, items.back().size);
  const double most = std::max(0.0, items.front().size);
  const double margin = (most - least) / 20;
  const Panel panel(svg, frame, {0.5, count + 0.5}, {least < 0 ? least - margin : 0, most + std::max(margin, 1e-9)});
  const bool are_named = items.size() <= most_named;
  panel.draw_axes(!are_named);
  const double room = frame.width / count;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& [index, size, is_chosen] = items[i];
    const double top = std::min(panel.y(size), panel.y(0));
    const double left = frame.left + room * static_cast<double>(i);
    svg.rectangle(left + 0.08 * room, top, 0.84 * room, std::abs(panel.y(size) - panel.y(0)),
                  is_chosen ? chosen_colour : left_colour,
                  fmt::format("{}: {}", name_of(question, index), question.text_of(question.number(index))));
    if (are_named)
      svg.text_within(left + room / 2, frame.top + frame.height + 16, room - 4, name_of(question, index), "middle", 11);
  }
  const auto& label = question.label();
  panel.draw_titles(!are_named      ? "numbers, the largest first"
                    : label.empty() ? "row, the largest number first"
                                    : label + ", the largest number first",
                    "number");
}

void draw_histogram(Svg& svg, const std::vector<Item>& items, double unit) {
  const double least = items.back().size;
  // Numbers that are all equal have a bin too.
  const double extent = std::max({items.front().size - least, unit, std::abs(least) / 1000});
  std::array<std::array<double, 2>, bins> counts{};  // chosen, and all
  for (const auto& item : items) {
    auto& [chosen, all] = counts[std::min(bins - 1, static_cast<std::size_t>((item.size - least) / extent * bins))];
    chosen += item.is_chosen ? 1 : 0;
    ++all;
  }
  double most = 10;  // counts are whole
  for (const auto& each : counts) most = std::max(most, each[1]);
  const Panel panel(svg, frame, {least, least + extent}, {0, 1.05 * most});
  panel.draw_axes();
  constexpr double room = frame.width / bins;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const double chosen = counts[bin][0];
    const double all = counts[bin][1];
    const auto bar = [&](double from, double to, const char* colour) {
      if (to > from)
        svg.rectangle(frame.left + room * static_cast<double>(bin) + 0.5, panel.y(to), room - 1,
                      panel.y(from) - panel.y(to), colour, fmt::format("{:.0f} of {:.0f} chosen", chosen, all));
    };
    bar(0, chosen, chosen_colour);
    bar(chosen, all, left_colour);
  }
  panel.draw_titles("size", "numbers of this size");
}

// The chosen numbers one behind the other, up to the capacity.
void draw_sum(Svg& svg, const Question& question, const clopt::subset_sum::AmountsResult& answer,
              const std::vector<Item>& items) {
  const auto scale = static_cast<double>(question.scale());
  const double sum = static_cast<double>(answer.value) / scale;
  const double capacity = static_cast<double>(question.capacity()) / scale;
  const double whole = std::max(sum, capacity);
  if (!answer.possible || !(whole > 0) || items.back().size < 0) return;
  const auto place = [&](double number) { return frame.left + number / whole * frame.width; };
  svg.rectangle(frame.left, strip_top, frame.width, strip_height, "#f2f2f2");
  if (answer.indices.size() > most_bars) {
    svg.rectangle(frame.left, strip_top, place(sum) - frame.left, strip_height, chosen_colour);
  } else {
    double reached = 0;
    bool is_odd = false;
    for (const auto& [index, size, is_chosen] : items) {
      if (!is_chosen) continue;
      svg.rectangle(place(reached), strip_top, place(reached + size) - place(reached), strip_height,
                    is_odd ? next_colour : chosen_colour,
                    fmt::format("{}: {}", name_of(question, index), question.text_of(question.number(index))));
      reached += size;
      is_odd = !is_odd;
    }
  }
  svg.line(place(capacity), strip_top - 6, place(capacity), strip_top + strip_height + 6, "black", 1.5);
  svg.text(frame.left - 8, strip_top + strip_height / 2 + 4, "sum", "end", 12);
  const bool is_right = place(capacity) > frame.left + frame.width / 2;
  svg.text(place(capacity), strip_top - 10, "capacity " + question.text_of(question.capacity()),
           is_right ? "end" : "start", 11);
}

}  // namespace

Svg picture_of(const Question& question, const clopt::subset_sum::AmountsResult& answer) {
  Svg svg(width, strip_top + strip_height + 20);
  svg.text_within(12, 24, width - 24, title_of(question, answer), "start", 15);
  const auto items = items_of(question, answer.indices);
  if (items.empty()) return svg;
  draw_legend(svg);
  if (items.size() <= most_bars)
    draw_bars(svg, question, items);
  else
    draw_histogram(svg, items, 1 / static_cast<double>(question.scale()));
  draw_sum(svg, question, answer, items);
  return svg;
}

}  // namespace clopt::apps::subset_sum
