#include "plot.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <solvers/differential_evolution/fit_panels.hpp>

namespace clopt::apps::fit {
namespace {

namespace solver = clopt::fit;

constexpr std::size_t most_plot_rows = 12;
constexpr std::size_t usual_plot_rows = 6;
constexpr std::size_t cells_a_line = 2;
constexpr double cell_width = 620;
constexpr double axis_room = 84;
constexpr double legend_room = 190;
constexpr double title_room = 40;
constexpr double line_height = 17;
constexpr std::size_t most_legend_parameters = 14;

std::string value_with_error(double value, double error) {
  if (std::isnan(error)) return fmt::format("{:.6g}", value);
  if (error == 0) return fmt::format("{:.6g} (fixed)", value);
  if (!std::isfinite(error) || value == 0) return fmt::format("{:.6g} ± {:.2g}", value, error);
  // As many digits as the error has two of.
  const double digits = std::floor(std::log10(std::abs(value))) - std::floor(std::log10(error)) + 2;
  return fmt::format("{:.{}g} ± {:.2g}", value, static_cast<int>(std::clamp(digits, 2.0, 10.0)), error);
}

/// What stands beside the panels of a row.
std::vector<std::string> legend_of(const solver::Problem& problem, const solver::Result& result, std::size_t row) {
  std::vector<std::string> lines;
  const auto names = solver::names_of_parameters(problem);
  const auto n = problem.parameters;
  for (std::size_t k = 0; k < n; ++k) {
    const double error = result.errors.empty() ? std::nan("") : result.errors[row * n + k];
    lines.push_back(fmt::format("{} = {}", names[k], value_with_error(result.parameters[row * n + k], error)));
  }
  if (n > most_legend_parameters) {
    lines.resize(most_legend_parameters - 1);
    lines.push_back(fmt::format("and {} more", n + 1 - most_legend_parameters));
  }
  lines.push_back(fmt::format("χ² = {:.5g}", result.chi_squared[row]));
  lines.push_back(fmt::format("{} degrees of freedom", result.degrees_of_freedom[row]));
  return lines;
}

void draw_cell(Svg& picture, double left, double top, const solver::Problem& problem, const solver::Result& result,
               std::size_t row, Device& device) {
  const FitPlace place{left + axis_room, top, cell_width - axis_room - legend_room};
  const auto title = fmt::format("row {}: {}", row + 1, solver::name_of(result.statuses[row]));
  const auto parameters = std::span(result.parameters).subspan(row * problem.parameters, problem.parameters);
  draw_fit_panels(picture, place, title, problem.data.doubles(row * problem.columns, problem.columns),
                  solver::fit_curve(problem, row, parameters, result.precision, device));
  if (!std::isfinite(result.chi_squared[row])) return;
  double y = top + 40;
  for (const auto& line : legend_of(problem, result, row)) {
    picture.text_within(place.left + place.width + 14, y, legend_room - 18, line);
    y += line_height;
  }
}

}  // namespace

void add_plot_options(OptionParser& parser) {
  parser.group("Files").value("plot-rows", "N[,N...]",
                              fmt::format("the rows that --plot shows, from 1, at most {} (default the first {})",
                                          most_plot_rows, usual_plot_rows));
}

std::vector<std::size_t> read_plot_rows(const Options& options, const solver::Problem& problem) {
  const auto text = options.text("plot-rows");
  if (!text) {
    std::vector<std::size_t> rows(options.has("plot") ? std::min(problem.rows(), usual_plot_rows) : 0);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }
  if (!options.has("plot"))
    throw InvalidInput("--plot-rows says which rows --plot shows; give --plot FILE.svg too, or leave it out");
  return plot_rows_in(*text, problem.rows(), most_plot_rows);
}

Svg draw_fits(const solver::Problem& problem, const solver::Result& result, const std::vector<std::size_t>& rows,
              Device& device) {
  const auto columns = std::min(rows.size(), cells_a_line);
  const auto lines = (rows.size() + cells_a_line - 1) / cells_a_line;
  Svg picture(cell_width * static_cast<double>(columns), title_room + fit_panels_height * static_cast<double>(lines));
  const auto title =
      fmt::format("fits of {}, {} of {} rows", problem.model.residuals.name(), rows.size(), problem.rows());
  picture.text_within(axis_room, 26, picture.width() - axis_room, title, "start", 15);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto line = i / cells_a_line;
    draw_cell(picture, cell_width * static_cast<double>(i % cells_a_line),
              title_room + fit_panels_height * static_cast<double>(line), problem, result, rows[i], device);
  }
  return picture;
}

}  // namespace clopt::apps::fit
