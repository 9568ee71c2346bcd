#include "fit_panels.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <pictures/panel.hpp>

namespace clopt::apps {
namespace {

constexpr double curve_height = 190;
constexpr double residual_height = 70;
constexpr const char* data_colour = "#0072B2";
constexpr const char* curve_colour = "#D55E00";

std::vector<double> numbers_of(const std::vector<Svg::Point>& points, double Svg::Point::*side) {
  std::vector<double> numbers;
  numbers.reserve(points.size());
  for (const auto& point : points) numbers.push_back(point.*side);
  return numbers;
}

/// What a panel shows across and up. A curve that has a pole does not flatten the data.
std::pair<Span, Span> spans_of(const DrawnRow& drawn) {
  auto places = numbers_of(drawn.data, &Svg::Point::x);
  auto heights = numbers_of(drawn.data, &Svg::Point::y);
  const auto of_data = Span::around(heights);
  const double most_beyond = of_data.most - of_data.least;
  for (const auto& part : drawn.curve)
    for (const auto& point : part) {
      places.push_back(point.x);
      heights.push_back(std::clamp(point.y, of_data.least - most_beyond, of_data.most + most_beyond));
    }
  return {Span::around(places), Span::around(heights)};
}

}  // namespace

void draw_fit_panels(Svg& picture, const FitPlace& place, const std::string& title, const DrawnRow& drawn) {
  const auto [across, up] = spans_of(drawn);
  auto off = numbers_of(drawn.residuals, &Svg::Point::y);
  off.push_back(0);

  picture.text_within(place.left, place.top + 14, place.width, title, "start", 13);
  const double frame_top = place.top + 24;
  const Panel above(picture, {place.left, frame_top, place.width, curve_height}, across, up);
  above.draw_axes(false);
  above.draw_titles("", drawn.curve.empty() ? "data" : "data and curve");
  for (const auto& part : drawn.curve) {
    std::vector<Svg::Point> line;
    line.reserve(part.size());
    for (const auto& point : part) line.push_back({above.x(point.x), above.y(std::clamp(point.y, up.least, up.most))});
    if (line.size() > 1) picture.polyline(line, curve_colour, 2);
  }
  for (const auto& point : drawn.data) picture.circle(above.x(point.x), above.y(point.y), 3, data_colour);

  const Panel below(picture, {place.left, frame_top + curve_height + 12, place.width, residual_height}, across,
                    Span::around(off));
  below.draw_axes();
  below.draw_titles("abscissa", "residuals");
  picture.line(place.left, below.y(0), place.left + place.width, below.y(0), "#888888");
  for (const auto& point : drawn.residuals) {
    picture.line(below.x(point.x), below.y(0), below.x(point.x), below.y(point.y), data_colour);
    picture.circle(below.x(point.x), below.y(point.y), 2.5, data_colour);
  }
}

}  // namespace clopt::apps
