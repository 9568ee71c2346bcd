#include "fit_plot.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <pictures/panel.hpp>
#include "fit_curve.hpp"

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

constexpr std::size_t most_plot_rows = 8;
constexpr std::size_t most_bars = 40;
constexpr double picture_width = 860;
constexpr double panel_left = 84;
constexpr double panel_right = 40;
constexpr double title_height = 40;
constexpr double curve_height = 190;
constexpr double residual_height = 70;
constexpr double row_height = 360;
constexpr double bars_height = 180;
constexpr double bars_room = 270;
constexpr double logarithmic_bars_from = 100;  ///< the greatest value over the least
constexpr const char* data_colour = "#0072B2";
constexpr const char* curve_colour = "#D55E00";
constexpr const char* bar_colour = "#56B4E9";

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

void draw_row(Svg& picture, double top, const std::string& title, const DrawnRow& drawn) {
  const double width = picture_width - panel_left - panel_right;
  const auto [across, up] = spans_of(drawn);
  auto off = numbers_of(drawn.residuals, &Svg::Point::y);
  off.push_back(0);

  picture.text_within(panel_left, top + 14, width, title, "start", 13);
  const double frame_top = top + 24;
  const Panel above(picture, {panel_left, frame_top, width, curve_height}, across, up);
  above.draw_axes(false);
  above.draw_titles("", drawn.curve.empty() ? "data" : "data and curve");
  for (const auto& part : drawn.curve) {
    std::vector<Svg::Point> line;
    line.reserve(part.size());
    for (const auto& point : part) line.push_back({above.x(point.x), above.y(std::clamp(point.y, up.least, up.most))});
    if (line.size() > 1) picture.polyline(line, curve_colour, 2);
  }
  for (const auto& point : drawn.data) picture.circle(above.x(point.x), above.y(point.y), 3, data_colour);

  const Panel below(picture, {panel_left, frame_top + curve_height + 12, width, residual_height}, across,
                    Span::around(off));
  below.draw_axes();
  below.draw_titles("abscissa", "residuals");
  picture.line(panel_left, below.y(0), panel_left + width, below.y(0), "#888888");
  for (const auto& point : drawn.residuals) {
    picture.line(below.x(point.x), below.y(0), below.x(point.x), below.y(point.y), data_colour);
    picture.circle(below.x(point.x), below.y(point.y), 2.5, data_colour);
  }
}

/// How many values lie in each of equal ranges; of values over several powers of ten, of their logarithms.
void draw_bars(Svg& picture, double top, const std::vector<double>& all) {
  std::vector<double> values;
  for (const double value : all)
    if (std::isfinite(value)) values.push_back(value);
  const double width = picture_width - panel_left - panel_right;
  picture.text(panel_left, top + 14,
               fmt::format("sums of squared residuals of {} row{}", values.size(), values.size() == 1 ? "" : "s"),
               "start", 13);
  if (values.empty()) return;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const bool is_logarithmic = *least > 0 && *most / *least >= logarithmic_bars_from;
  if (is_logarithmic)
    for (double& value : values) value = std::log10(value);
  const auto across = Span::around(values);
  const auto bars = std::min<std::size_t>(most_bars, 4 + values.size() / 4);
  std::vector<double> counts(bars);
  for (const double value : values) {
    const double part = (value - across.least) / (across.most - across.least) * static_cast<double>(bars);
    counts[std::min(bars - 1, static_cast<std::size_t>(part))] += 1;
  }
  const double highest = *std::max_element(counts.begin(), counts.end());
  const Panel panel(picture, {panel_left, top + 24, width, bars_height}, across, {0, highest * 1.05});
  panel.draw_axes();
  panel.draw_titles(is_logarithmic ? "log10 of the sum of squared residuals" : "sum of squared residuals", "rows");
  const double bar_width = width / static_cast<double>(bars);
  for (std::size_t i = 0; i < bars; ++i)
    if (counts[i] > 0)
      picture.rectangle(panel_left + static_cast<double>(i) * bar_width + 0.5, panel.y(counts[i]), bar_width - 1,
                        panel.y(0) - panel.y(counts[i]), bar_colour, fmt::format("{} rows", counts[i]));
}

/// The best, the median and the worst row, each once.
std::vector<std::pair<std::size_t, std::string>> usual_rows(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<std::pair<std::size_t, std::string>> rows{{order.front(), "best"}};
  if (order.size() > 2) rows.emplace_back(order[order.size() / 2], "median");
  if (order.size() > 1) rows.emplace_back(order.back(), "worst");
  return rows;
}

std::string title_of(const solver::Problem& problem, const solver::Result& result, std::size_t row,
                     const std::string& rank) {
  std::string title = fmt::format("row {}{}: sum of squares {:.5g}, parameters", row,
                                  rank.empty() ? "" : fmt::format(" ({})", rank), result.values[row]);
  for (std::size_t j = 0; j < problem.dimensions; ++j)
    title += fmt::format(" {:.4g}", result.parameters[row * problem.dimensions + j]);
  return title;
}

}  // namespace

void add_fit_plot_options(OptionParser& parser) {
  parser.group("Files").value(
      "plot-rows", "N[,N...]",
      fmt::format("of a fit: the rows that --plot shows, from 0, at most {} (default the best, the median and "
                  "the worst)",
                  most_plot_rows));
}

std::vector<std::size_t> read_plot_rows(const Options& options, const solver::Problem& problem) {
  const auto text = options.text("plot-rows");
  if (!text) return {};
  if (!options.has("plot") || !problem.objective.is_fit())
    throw InvalidInput(
        "--plot-rows says which rows of a fit --plot shows; give --plot FILE.svg and a fit, or leave it out");
  std::vector<std::size_t> rows;
  for (std::size_t begin = 0; begin <= text->size();) {
    const auto end = std::min(text->find(',', begin), text->size());
    std::size_t row = 0;
    const auto [stop, error] = std::from_chars(text->data() + begin, text->data() + end, row);
    if (error != std::errc{} || stop != text->data() + end || row >= problem.problems)
      throw InvalidInput(fmt::format("--plot-rows {}: give rows from 0 to {}, with commas between them",
                                     printable(*text), problem.problems - 1));
    rows.push_back(row);
    begin = end + 1;
  }
  if (rows.size() > most_plot_rows)
    throw InvalidInput(fmt::format("--plot-rows names {} rows; give at most {}", rows.size(), most_plot_rows));
  return rows;
}

Svg draw_fit(const solver::Problem& problem, const solver::Result& result, const std::string& precision,
             const std::vector<std::size_t>& rows, Device& device) {
  std::vector<std::pair<std::size_t, std::string>> shown;
  shown.reserve(rows.size());
  for (const auto row : rows) shown.emplace_back(row, "");
  if (shown.empty()) shown = usual_rows(result.values);
  std::erase_if(shown, [&](const auto& row) { return !std::isfinite(result.values[row.first]); });
  Svg picture(picture_width, title_height + row_height * static_cast<double>(shown.size()) + bars_room);
  picture.text_within(panel_left, 26, picture_width - panel_left - panel_right, "fits of " + problem.objective.name(),
                      "start", 15);
  double top = title_height;
  for (const auto& [row, rank] : shown) {
    const auto drawn = drawn_row(problem, result, row, precision, device);
    const auto title = title_of(problem, result, row, rank);
    draw_row(picture, top, drawn.curve.empty() ? title + "; no datum makes its residual 0" : title, drawn);
    top += row_height;
  }
  draw_bars(picture, top, result.values);
  return picture;
}

}  // namespace clopt::apps::differential_evolution
