#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "panel.hpp"
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
constexpr double logarithmic_from = 1e3;  ///< a ratio of the largest to the least value
constexpr int most_ticks = 8;
/// The part of the axis that the first curve takes at least.
constexpr double least_part_of_first = 0.15;

// Colours that colour-blind people can distinguish (Okabe and Ito), and dashes that distinguish curves which lie on
// each other: the first one is broad.
constexpr std::array<const char*, 6> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
constexpr std::array<const char*, 4> dashes{"", "7 5", "2 4", "9 3 2 3"};

const char* colour_of(std::size_t curve) { return colours[curve % colours.size()]; }
const char* dashes_of(std::size_t curve) { return curve == 0 ? "" : dashes[1 + (curve - 1) % (dashes.size() - 1)]; }
double width_of(std::size_t curve) { return curve == 0 ? 3 : 1.5; }

// A range of numbers on a range of pixels.
struct Axis {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double from = 0;
  double to = 1;
  bool logarithmic = false;

  void take_in(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  /// A range of some size, even for one value.
  void settle(bool may_be_logarithmic) {
    if (least > most) least = 0, most = 1;
    logarithmic = may_be_logarithmic && least > 0 && most / least >= logarithmic_from;
    if (least == most) {
      const double around = least == 0 ? 1 : std::abs(least) / 10;
      least -= around;
      most += around;
    }
  }
  /// Some room on both sides, so that no curve runs along the frame.
  void widen() {
    constexpr double part = 0.03;
    if (logarithmic) {
      const double factor = std::pow(most / least, part);
      least = std::max(least / factor, std::numeric_limits<double>::min());
      most = std::min(most * factor, std::numeric_limits<double>::max());
    } else {
      const double room = part * (most / 2 - least / 2);
      constexpr double largest = std::numeric_limits<double>::max();
      least = std::max(least, room - largest) - room;
      most = std::min(most, largest - room) + room;
    }
  }
  double place(double value) const {
    value = std::clamp(value, least, most);
    // Halves, so that a range of all numbers is not infinite.
    const double part = logarithmic ? (std::log(value) - std::log(least)) / (std::log(most) - std::log(least))
                                    : (value / 2 - least / 2) / (most / 2 - least / 2);
    return from + part * (to - from);
  }
  std::vector<double> ticks() const {
    std::vector<double> result;
    if (logarithmic) {
      const double first = std::ceil(std::log10(least));
      const double last = std::floor(std::log10(most));
      const double step = std::max(1.0, std::ceil((last - first) / most_ticks));
      for (double power = first; power <= last; power += step) result.push_back(std::pow(10, power));
      if (result.size() > 2) return result;
      result.clear();
      for (double power = first - 1; power <= last + 1; ++power)
        for (const double factor : {1.0, 2.0, 5.0})
          if (const double value = factor * std::pow(10, power); value >= least && value <= most)
            result.push_back(value);
      if (result.size() > 1) return result;
    }
    return Span{least, most}.ticks(most_ticks);
  }
};

std::string label(double value) { return fmt::format("{:.6g}", value == 0 ? 0.0 : value); }

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

/// The values that an axis shows, and those that there are.
struct LinePlot::Range {
  double least = 0, most = 1;
  double lowest = 0, highest = 1;
};

LinePlot::Range LinePlot::range_of_values() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double lowest = infinity, highest = -infinity, least = infinity, most = -infinity;
  const auto take_in = [&](double from, double to, bool is_first) {
    lowest = std::min(lowest, from);
    highest = std::max(highest, to);
    if (!is_first) return;
    least = std::min(least, from);
    most = std::max(most, to);
  };
  for (std::size_t curve = 0; curve < curves_.size(); ++curve)
    for (const auto& point : curves_[curve].points) take_in(point.least, point.most, curve == 0);
  for (const auto& mark : marks_) take_in(mark.y, mark.y, true);
  if (lowest > highest) return {};
  const Range whole{lowest, highest, lowest, highest};
  const bool is_logarithmic = lowest > 0 && highest / lowest >= logarithmic_from;
  const auto on_axis = [&](double value) { return is_logarithmic ? std::log(value) : value / 2; };
  const double size = on_axis(most) - on_axis(least);
  if (!(size > 0) || size >= least_part_of_first * (on_axis(highest) - on_axis(lowest))) return whole;
  // As much again on each side shows how near the others come.
  const auto value_at = [&](double place) { return is_logarithmic ? std::exp(place) : 2 * place; };
  return {std::max(lowest, value_at(on_axis(least) - size)), std::min(highest, value_at(on_axis(most) + size)), lowest,
          highest};
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
    picture.line(x, y, x + sample, y, "#888888");
    picture.text_within(x + sample + 6, y + 4, room, mark.name);
    next(mark.name);
  }
}

void LinePlot::draw_into(Svg& picture, const Box& box) const {
  constexpr double left = 84;
  constexpr double top = 48;
  constexpr double bottom = 56;
  const auto range = range_of_values();
  Axis horizontal;
  Axis vertical;
  for (const auto& curve : curves_)
    for (const auto& point : curve.points) horizontal.take_in(point.x);
  if (!empty() || !marks_.empty()) {
    vertical.take_in(range.least);
    vertical.take_in(range.most);
  }
  horizontal.settle(false);
  vertical.settle(true);
  vertical.widen();
  horizontal.from = box.x + left;
  horizontal.to = box.x + box.width - box.right;
  vertical.from = box.y + box.height - bottom;
  vertical.to = box.y + top;

  picture.text_within(box.x + left, box.y + 22, box.width - left - 12, title_, "start", box.title_size);
  for (const double tick : horizontal.ticks()) {
    const double x = horizontal.place(tick);
    picture.line(x, vertical.from, x, vertical.to, "#e6e6e6").text(x, vertical.from + 18, label(tick), "middle");
  }
  for (const double tick : vertical.ticks()) {
    const double y = vertical.place(tick);
    picture.line(horizontal.from, y, horizontal.to, y, "#e6e6e6");
    picture.text_within(horizontal.from - 8, y + 4, left - 40, label(tick), "end");
  }
  picture.line(horizontal.from, vertical.from, horizontal.to, vertical.from, "black");
  picture.line(horizontal.from, vertical.from, horizontal.from, vertical.to, "black");
  picture.text((horizontal.from + horizontal.to) / 2, vertical.from + 42, x_title_, "middle", 13);
  picture.text(box.x + 18, (vertical.from + vertical.to) / 2,
               vertical.logarithmic ? y_title_ + ", logarithmic" : y_title_, "middle", 13, -90);
  const double room = horizontal.to - horizontal.from;
  if (range.highest > range.most)
    picture.text_within(horizontal.to, vertical.to - 5, room,
                        fmt::format("the axis ends here; values go up to {}", label(range.highest)), "end", 10);
  if (range.lowest < range.least)
    picture.text_within(horizontal.to, vertical.from - 5, room,
                        fmt::format("the axis ends here; values go down to {}", label(range.lowest)), "end", 10);

  for (const auto& mark : marks_) {
    const double y = vertical.place(mark.y);
    picture.line(horizontal.from, y, horizontal.to, y, "#888888");
  }
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    std::vector<Svg::Point> line;
    for (const auto& point : curves_[i].points) {
      const double x = horizontal.place(point.x);
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
  draw_into(picture, {0, 0, width, height, legend_room, 15});
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
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const std::size_t row = i / columns;
    plots[i]->draw_into(picture, {panel_width * static_cast<double>(i % columns),
                                  head + panel_height * static_cast<double>(row), panel_width, panel_height, 32, 12});
  }
  return picture;
}

}  // namespace clopt::apps
