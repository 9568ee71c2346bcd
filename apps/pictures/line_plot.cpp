#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "svg.hpp"

namespace clopt::apps {
namespace {

constexpr std::size_t most_points = 2048;  // of a curve, more than a picture has columns
constexpr double width = 860;
constexpr double height = 480;
constexpr double left = 84;
constexpr double right = 150;
constexpr double top = 44;
constexpr double bottom = 56;
constexpr double logarithmic_from = 1e3;  ///< a ratio of the largest to the least value
constexpr int most_ticks = 8;

// Colours that colour-blind people can tell apart (Okabe and Ito).
constexpr std::array<const char*, 6> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};

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
  double place(double value) const {
    // Halves, so that a range of all numbers is none that is infinite.
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
      return result;
    }
    const double rough = (most / 2 - least / 2) / most_ticks * 2;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double nice : {5.0, 2.0, 1.0})
      if (nice * power >= rough) step = nice * power;
    const double first = std::ceil(least / step);
    for (int i = 0; i <= 2 * most_ticks && (first + i) * step <= most; ++i) result.push_back((first + i) * step);
    return result;
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

Svg LinePlot::draw() const {
  Axis horizontal;
  Axis vertical;
  for (const auto& curve : curves_)
    for (const auto& point : curve.points) {
      horizontal.take_in(point.x);
      vertical.take_in(point.least);
      vertical.take_in(point.most);
    }
  for (const auto& mark : marks_) vertical.take_in(mark.y);
  horizontal.settle(false);
  vertical.settle(true);
  horizontal.from = left;
  horizontal.to = width - right;
  vertical.from = height - bottom;
  vertical.to = top;

  Svg picture(width, height);
  picture.text(left, top / 2 + 5, title_, "start", 15);
  for (const double tick : horizontal.ticks()) {
    const double x = horizontal.place(tick);
    picture.line(x, vertical.from, x, vertical.to, "#e6e6e6").text(x, vertical.from + 18, label(tick), "middle");
  }
  for (const double tick : vertical.ticks()) {
    const double y = vertical.place(tick);
    picture.line(horizontal.from, y, horizontal.to, y, "#e6e6e6").text(left - 8, y + 4, label(tick), "end");
  }
  picture.line(left, vertical.from, horizontal.to, vertical.from, "black");
  picture.line(left, vertical.from, left, vertical.to, "black");
  picture.text((left + horizontal.to) / 2, height - 14, x_title_, "middle", 13);
  picture.text(18, (vertical.from + vertical.to) / 2, y_title_, "middle", 13, -90);

  double legend = top + 8;
  for (const auto& mark : marks_) {
    const double y = vertical.place(mark.y);
    picture.line(left, y, horizontal.to, y, "#888888").text(horizontal.to + 8, y + 4, mark.name);
    if (std::abs(y - legend) < 16) legend = y + 22;
  }
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const auto* const colour = colours[i % colours.size()];
    std::vector<Svg::Point> line;
    for (const auto& point : curves_[i].points) {
      const double x = horizontal.place(point.x);
      if (point.least != point.most) {
        line.push_back({x, vertical.place(point.most)});
        line.push_back({x, vertical.place(point.least)});
      }
      line.push_back({x, vertical.place(point.last)});
    }
    if (line.size() == 1) picture.circle(line[0].x, line[0].y, 3, colour);
    picture.polyline(line, colour);
    picture.line(horizontal.to + 8, legend, horizontal.to + 28, legend, colour, 3);
    picture.text(horizontal.to + 34, legend + 4, curves_[i].name);
    legend += 20;
  }
  return picture;
}

}  // namespace clopt::apps
