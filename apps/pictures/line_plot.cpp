#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "axis.hpp"
#include "svg.hpp"

namespace clopt::apps {
namespace {

constexpr std::size_t most_points = 2048;  // of a curve, more than a picture has columns
constexpr double width = LinePlot::draw_width;
constexpr double height = LinePlot::draw_height;
constexpr double legend_room = 150;
constexpr double panel_width = 430;
constexpr double panel_height = 300;
constexpr std::size_t most_panels_a_row = 3;
/// The part of the axis that the first curve takes at least.
constexpr double least_part_of_first = 0.15;
constexpr double part_shown = 1.1;  ///< of what is before a flat tail
constexpr int label_digits = 6;

// Dashes distinguish curves which lie on each other: the first one is broad.
constexpr std::array<const char*, 6> colours{colour::blue,   colour::vermilion, colour::green,
                                             colour::purple, colour::orange,    colour::sky_blue};
constexpr std::array<const char*, 4> dashes{"", "7 5", "2 4", "9 3 2 3"};

const char* colour_of(std::size_t curve) { return colours[curve % colours.size()]; }
// Curves of one colour have different dashes.
const char* dashes_of(std::size_t curve) {
  return curve == 0 ? "" : dashes[1 + (curve - 1 + curve / colours.size()) % (dashes.size() - 1)];
}
double width_of(std::size_t curve) { return curve == 0 ? 3 : 1.5; }

}  // namespace

LinePlot::LinePlot(std::string title, std::string x_title, std::string y_title)
    : title_(std::move(title)), x_title_(std::move(x_title)), y_title_(std::move(y_title)) {}

std::size_t LinePlot::curve(std::string name) {
  curves_.push_back({std::move(name), {}});
  return curves_.size() - 1;
}

void LinePlot::add(std::size_t curve, double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  auto& [name, points, joined, pending] = curves_.at(curve);
  if (!points.empty() && pending < joined) {
    auto& last = points.back();
    last = {x, std::min(last.least, y), std::max(last.most, y), y};
    ++pending;
    return;
  }
  if (points.size() == most_points) {
    for (std::size_t i = 0; i < most_points / 2; ++i) {
      const auto& first = points[2 * i];
      const auto& second = points[2 * i + 1];
      points[i] = {second.x, std::min(first.least, second.least), std::max(first.most, second.most), second.last};
    }
    points.resize(most_points / 2);
    joined *= 2;
  }
  points.push_back({x, y, y, y});
  pending = 1;
}

void LinePlot::mark(std::string name, double y) {
  if (std::isfinite(y)) marks_.push_back({std::move(name), y});
}

bool LinePlot::empty() const {
  return std::all_of(curves_.begin(), curves_.end(), [](const Curve& each) { return each.points.empty(); });
}

// For each curve: how many points, how many values each stands for, how many the last one has, and the points.
std::vector<double> LinePlot::numbers() const {
  std::vector<double> result;
  for (const auto& [name, points, joined, pending] : curves_) {
    for (const std::size_t number : {points.size(), joined, pending}) result.push_back(static_cast<double>(number));
    for (const auto& [x, least, greatest, last] : points) result.insert(result.end(), {x, least, greatest, last});
  }
  return result;
}

bool LinePlot::restore(const std::vector<double>& numbers) {
  std::size_t at = 0;
  for (auto& [name, points, joined, pending] : curves_) {
    const auto is_count = [&](std::size_t place, double limit) {
      return numbers[place] >= 0 && numbers[place] <= limit && numbers[place] == std::floor(numbers[place]);
    };
    if (numbers.size() < at + 3 || !is_count(at, most_points) || !is_count(at + 1, 1e15) || !is_count(at + 2, 1e15))
      return false;
    const auto count = static_cast<std::size_t>(numbers[at]);
    joined = std::max<std::size_t>(1, static_cast<std::size_t>(numbers[at + 1]));
    pending = static_cast<std::size_t>(numbers[at + 2]);
    at += 3;
    if (numbers.size() < at + 4 * count) return false;
    points.clear();
    for (std::size_t i = 0; i < count; ++i, at += 4)
      points.push_back({numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]});
  }
  return at == numbers.size();
}

/// Where a plot stands in a picture.
struct LinePlot::Box {
  double x = 0, y = 0;
  double width = 0, height = 0;
  double right = 20;  ///< room beside the axes
  double title_size = 15;
};

/// The values that the axes show, and those that there are.
struct LinePlot::Range {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  double lowest = least, highest = most;
  double positive = least;        ///< the least value above 0
  double begin = least, end = 0;  ///< across
  double last = 0;                ///< where the last curve ends

  bool is_empty() const { return lowest > highest; }
  void take_in(double from, double to, bool is_first) {
    lowest = std::min(lowest, from);
    highest = std::max(highest, to);
    for (const double value : {from, to})
      if (value > 0) positive = std::min(positive, value);
    if (!is_first) return;
    least = std::min(least, from);
    most = std::max(most, to);
  }
  /// Takes in the range of another plot, which is shown beside.
  void take_in(const Range& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
    positive = std::min(positive, other.positive);
    least = std::min(least, other.least);
    most = std::max(most, other.most);
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
    last = std::max(last, other.last);
  }
};

// From where on no curve changes.
double LinePlot::last_change() const {
  double change = 0;
  for (const auto& [name, points, joined, pending] : curves_) {
    if (points.empty()) continue;
    const double final = points.back().last;
    const auto differs = [&](const Point& each) { return each.least != final || each.most != final; };
    const auto found = std::find_if(points.rbegin(), points.rend(), differs);
    if (found != points.rend()) change = std::max(change, found == points.rbegin() ? found->x : std::prev(found)->x);
  }
  return change;
}

LinePlot::Range LinePlot::range() const {
  Range range;
  for (std::size_t curve = 0; curve < curves_.size(); ++curve)
    for (const auto& point : curves_[curve].points) {
      range.take_in(point.least, point.most, curve == 0);
      range.begin = std::min(range.begin, point.x);
      range.last = std::max(range.last, point.x);
    }
  for (const auto& mark : marks_) range.take_in(mark.y, mark.y, true);
  // Where nothing changes at all, there is nothing before a tail.
  const double before = last_change() - range.begin;
  range.end = before > 0 ? std::min(range.last, range.begin + before * part_shown) : range.last;
  if (range.is_empty()) return range;
  const bool is_logarithmic = range.lowest >= 0 && range.highest / range.positive >= logarithmic_from;
  const auto on_axis = [&](double value) {
    return is_logarithmic ? std::log(std::max(value, range.positive)) : value / 2;
  };
  const double size = on_axis(range.most) - on_axis(range.least);
  const double whole = on_axis(range.highest) - on_axis(range.lowest);
  if (!(size > 0) || size >= least_part_of_first * whole) {
    range.least = range.lowest;
    range.most = range.highest;
    return range;
  }
  // As much again on each side shows how near the others come.
  const auto value_at = [&](double place) { return is_logarithmic ? std::exp(place) : 2 * place; };
  if (range.least != 0 || !is_logarithmic) range.least = std::max(range.lowest, value_at(on_axis(range.least) - size));
  range.most = std::min(range.highest, value_at(on_axis(range.most) + size));
  return range;
}

void LinePlot::draw_legend(Svg& picture, double x, double y, bool is_row) const {
  constexpr double sample = 30;
  const auto next = [&](const std::string& name) {
    (is_row ? x : y) += is_row ? sample + 24 + text_width(name, 12) : 20;
  };
  const auto room = is_row ? 1e9 : legend_room - sample - 18;
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    picture.line(x, y, x + sample, y, colour_of(i), width_of(i), dashes_of(i));
    picture.text_within(x + sample + 6, y + 4, room, curves_[i].name);
    next(curves_[i].name);
  }
  for (const auto& mark : marks_) {
    picture.line(x, y, x + sample, y, colour::axis);
    picture.text_within(x + sample + 6, y + 4, room, mark.name);
    next(mark.name);
  }
}

void LinePlot::draw_into(Svg& picture, const Box& box, const Range& range) const {
  constexpr double left = 84;
  constexpr double top = 48;
  constexpr double bottom = 56;
  Axis horizontal;
  Axis vertical;
  if (range.begin <= range.last) {
    horizontal.take_in(range.begin);
    horizontal.take_in(range.end);
  }
  if (!range.is_empty()) {
    vertical.take_in(range.least);
    vertical.take_in(range.most);
    // Beside a 0 the least number above it.
    if (range.least == 0) vertical.take_in(std::min(range.positive, range.most));
  }
  horizontal.settle(false);
  vertical.settle(true);
  vertical.widen();
  horizontal.set_pixels(box.x + left, box.x + box.width - box.right);
  vertical.set_pixels(box.y + box.height - bottom, box.y + top);

  picture.text_within(box.x + left, box.y + 22, box.width - left - 12, title_, "start", box.title_size);
  const auto across = horizontal.ticks();
  const auto words_across = tick_labels(across, label_digits);
  for (std::size_t i = 0; i < across.size(); ++i) {
    const double x = horizontal.place(across[i]);
    picture.line(x, vertical.from(), x, vertical.to(), colour::grid)
        .text(x, vertical.from() + 18, words_across[i], "middle");
  }
  const auto up = vertical.ticks();
  auto differences = up;
  const auto offset = vertical.is_logarithmic() ? std::string() : take_offset(differences, label_digits);
  const auto words_up = tick_labels(differences, label_digits);
  for (std::size_t i = 0; i < up.size(); ++i) {
    const double y = vertical.place(up[i]);
    picture.line(horizontal.from(), y, horizontal.to(), y, colour::grid);
    picture.text_within(horizontal.from() - 8, y + 4, left - 40, words_up[i], "end");
  }
  picture.line(horizontal.from(), vertical.from(), horizontal.to(), vertical.from(), "black");
  picture.line(horizontal.from(), vertical.from(), horizontal.from(), vertical.to(), "black");
  picture.text((horizontal.from() + horizontal.to()) / 2, vertical.from() + 42, x_title_, "middle", 13);
  picture.text(box.x + 18, (vertical.from() + vertical.to()) / 2,
               y_title_ + (vertical.is_logarithmic() ? ", logarithmic"
                           : offset.empty()          ? ""
                                                     : ", above " + offset),
               "middle", 13, -90);
  const auto note = [&](double y, const char* words, double value) {
    picture.text_within(horizontal.to(), y, horizontal.to() - horizontal.from(),
                        fmt::format(fmt::runtime(words), tick_labels({value}, label_digits)[0]), "end", 10);
  };
  if (range.highest > range.most) note(vertical.to() - 5, "the axis ends here; values go up to {}", range.highest);
  if (range.lowest < range.least) note(vertical.from() - 5, "the axis ends here; values go down to {}", range.lowest);
  if (range.end < range.last) note(vertical.to() - 16, "nothing changes from here to {}", range.last);

  for (const auto& mark : marks_) {
    const double y = vertical.place(mark.y);
    picture.line(horizontal.from(), y, horizontal.to(), y, colour::axis);
  }
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    std::vector<Svg::Point> line;
    for (const auto& point : curves_[i].points) {
      // What lies beyond the end is the flat tail.
      const double x = horizontal.place(point.x);
      if (point.x > range.end && !line.empty() && line.back().x == x) break;
      if (point.least != point.most) {
        line.push_back({x, vertical.place(point.most)});
        line.push_back({x, vertical.place(point.least)});
      }
      line.push_back({x, vertical.place(point.last)});
    }
    if (line.size() == 1) picture.circle(line[0].x, line[0].y, 3, colour_of(i));
    picture.polyline(line, colour_of(i), width_of(i), dashes_of(i));
  }
}

Svg LinePlot::draw(double room) const {
  Svg picture(width + room, height);
  draw_into(picture, {0, 0, width, height, legend_room, 15}, range());
  draw_legend(picture, width - legend_room + 10, 60, false);
  return picture;
}

Svg LinePlot::draw_side_by_side(const std::string& title, const std::vector<const LinePlot*>& plots, double room) {
  constexpr double head = 64;
  const auto columns = std::clamp<std::size_t>(plots.size(), 1, most_panels_a_row);
  const auto rows = (std::max<std::size_t>(plots.size(), 1) + columns - 1) / columns;
  const double whole = std::max(panel_width * static_cast<double>(columns), width);
  const double needed = head + panel_height * static_cast<double>(rows);
  Svg picture(whole + room, room > 0 ? std::max(needed, height) : needed);
  picture.text_within(24, 24, whole - 48, title, "start", 15);
  if (!plots.empty()) plots[0]->draw_legend(picture, 24, 46, true);
  // All have the same axes, so that they can be compared.
  Range shared;
  for (const auto* plot : plots) shared.take_in(plot->range());
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const std::size_t row = i / columns;
    plots[i]->draw_into(picture,
                        {panel_width * static_cast<double>(i % columns), head + panel_height * static_cast<double>(row),
                         panel_width, panel_height, 32, 12},
                        shared);
  }
  return picture;
}

}  // namespace clopt::apps
