#include "fit_panels.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <pictures/panel.hpp>

namespace clopt::apps {
namespace {

constexpr double curve_height = 190;
constexpr double residual_height = 70;
constexpr const char* data_colour = colour::blue;
constexpr const char* curve_colour = colour::vermilion;

using clopt::differential_evolution::FitCurve;

/// What a panel shows across and up. A curve that has a pole does not flatten the data.
std::pair<Span, Span> spans_of(std::vector<double> places, std::vector<double> heights, const FitCurve& fit) {
  const auto of_data = Span::around(heights);
  const double most_beyond = of_data.most - of_data.least;
  for (std::size_t i = 0; i < fit.curve.size(); ++i) {
    if (!std::isfinite(fit.curve[i])) continue;
    places.push_back(fit.places[i]);
    heights.push_back(std::clamp(fit.curve[i], of_data.least - most_beyond, of_data.most + most_beyond));
  }
  return {Span::around(places), Span::around(heights)};
}

/// The parts of the curve between gaps.
void draw_curve(Svg& picture, const Panel& panel, const Span& up, const FitCurve& fit) {
  std::vector<Svg::Point> line;
  for (std::size_t i = 0; i <= fit.curve.size(); ++i) {
    if (i < fit.curve.size() && std::isfinite(fit.curve[i])) {
      line.push_back({panel.x(fit.places[i]), panel.y(std::clamp(fit.curve[i], up.least, up.most))});
      continue;
    }
    if (line.size() > 1) picture.polyline(line, curve_colour, 2);
    line.clear();
  }
}

}  // namespace

std::vector<std::size_t> plot_rows_in(const std::string& text, std::size_t rows, std::size_t most) {
  auto named = numbers_in<std::size_t>(text);
  if (!named || std::any_of(named->begin(), named->end(), [&](auto row) { return row < 1 || row > rows; }))
    throw InvalidInput(
        fmt::format("--plot-rows {}: give rows from 1 to {}, with commas between them", printable(text), rows));
  if (named->size() > most)
    throw InvalidInput(fmt::format("--plot-rows names {} rows; give at most {}", named->size(), most));
  for (auto& row : *named) --row;
  return *std::move(named);
}

void draw_fit_panels(Svg& picture, const FitPlace& place, const std::string& title, std::span<const double> data,
                     const FitCurve& fit) {
  std::vector<Svg::Point> points;
  std::vector<Svg::Point> off;
  std::vector<double> places;
  std::vector<double> heights;
  std::vector<double> sizes{0};
  for (std::size_t j = 0; j < data.size(); ++j) {
    if (!std::isfinite(data[j]) || !std::isfinite(fit.abscissa[j])) continue;
    places.push_back(fit.abscissa[j]);
    heights.push_back(data[j]);
    points.push_back({fit.abscissa[j], data[j]});
    if (!std::isfinite(fit.residuals[j])) continue;
    off.push_back({fit.abscissa[j], fit.residuals[j]});
    sizes.push_back(fit.residuals[j]);
  }
  const auto [across, up] = spans_of(std::move(places), std::move(heights), fit);
  const bool has_none = fit.curve.empty() && !off.empty();
  picture.text_within(place.left, place.top + 14, place.width,
                      has_none ? title + "; no datum makes its residual 0" : title, "start", 13);
  const double frame_top = place.top + 24;
  const Panel above(picture, {place.left, frame_top, place.width, curve_height}, across, up);
  above.draw_axes(false);
  above.draw_titles("", fit.curve.empty() ? "data" : "data and curve");
  draw_curve(picture, above, up, fit);
  for (const auto& point : points) picture.circle(above.x(point.x), above.y(point.y), 3, data_colour);

  const Panel below(picture, {place.left, frame_top + curve_height + 12, place.width, residual_height}, across,
                    Span::around(sizes));
  below.draw_axes();
  below.draw_titles("abscissa", "residuals");
  picture.line(place.left, below.y(0), place.left + place.width, below.y(0), colour::axis);
  for (const auto& point : off) {
    picture.line(below.x(point.x), below.y(0), below.x(point.x), below.y(point.y), data_colour);
    picture.circle(below.x(point.x), below.y(point.y), 2.5, data_colour);
  }
}

}  // namespace clopt::apps
