#include "fit_plot.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <pictures/panel.hpp>
#include "fit_panels.hpp"

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

constexpr std::size_t most_plot_rows = 8;
constexpr std::size_t most_bars = 40;
constexpr double picture_width = 860;
constexpr double panel_left = 84;
constexpr double panel_right = 40;
constexpr double title_height = 40;
constexpr double bars_height = 180;
constexpr double bars_room = 270;
constexpr double logarithmic_bars_from = 100;  ///< the greatest value over the least
constexpr const char* bar_colour = colour::sky_blue;

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
  std::string title = fmt::format("row {}{}: sum of squares {:.5g}, parameters", row + 1,
                                  rank.empty() ? "" : fmt::format(" ({})", rank), result.values[row]);
  for (std::size_t j = 0; j < problem.dimensions; ++j)
    title += fmt::format(" {:.4g}", result.parameters[row * problem.dimensions + j]);
  return title;
}

}  // namespace

void add_fit_plot_options(OptionParser& parser) {
  parser.group("Files").value(
      "plot-rows", "N[,N...]",
      fmt::format("of a fit: the rows that --plot shows, from 1, at most {} (default the best, the median and "
                  "the worst)",
                  most_plot_rows));
}

std::vector<std::size_t> read_plot_rows(const Options& options, const solver::Problem& problem) {
  const auto text = options.text("plot-rows");
  if (!text) return {};
  if (!options.has("plot") || !problem.objective.is_fit())
    throw InvalidInput(
        "--plot-rows says which rows of a fit --plot shows; give --plot FILE.svg and a fit, or leave it out");
  return plot_rows_in(*text, problem.problems, most_plot_rows);
}

Svg draw_fit(const solver::Problem& problem, const solver::Result& result, const std::string& precision,
             const std::vector<std::size_t>& rows, Device& device) {
  std::vector<std::pair<std::size_t, std::string>> shown;
  shown.reserve(rows.size());
  for (const auto row : rows) shown.emplace_back(row, "");
  if (shown.empty()) shown = usual_rows(result.values);
  std::erase_if(shown, [&](const auto& row) { return !std::isfinite(result.values[row.first]); });
  Svg picture(picture_width, title_height + fit_panels_height * static_cast<double>(shown.size()) + bars_room);
  picture.text_within(panel_left, 26, picture_width - panel_left - panel_right, "fits of " + problem.objective.name(),
                      "start", 15);
  double top = title_height;
  for (const auto& [row, rank] : shown) {
    const auto parameters = std::span(result.parameters).subspan(row * problem.dimensions, problem.dimensions);
    draw_fit_panels(picture, {panel_left, top, picture_width - panel_left - panel_right},
                    title_of(problem, result, row, rank),
                    std::span(problem.data).subspan(row * problem.columns, problem.columns),
                    solver::fit_curve(problem, row, parameters, precision, device));
    top += fit_panels_height;
  }
  draw_bars(picture, top, result.values);
  return picture;
}

}  // namespace clopt::apps::differential_evolution
