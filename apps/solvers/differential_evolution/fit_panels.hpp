/// \file
/// A row of a fit: its data and curve, and below them its residuals.
#pragma once

#include <clopt/differential_evolution.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <pictures/svg.hpp>

namespace clopt::apps {

/// Where the panels stand; the numbers of their axes take some room on the left.
struct FitPlace {
  double left;
  double top;  ///< of the title
  double width;
};

/// Of title, panels and what stands between one row and the next.
inline constexpr double fit_panels_height = 360;

/// The rows that --plot-rows names, which counts from 1, as indices. \throws InvalidInput.
std::vector<std::size_t> plot_rows_in(const std::string& text, std::size_t rows, std::size_t most);

/// \param data of the row. Without a curve the title reports that, and the residuals are the objective's own.
void draw_fit_panels(Svg& picture, const FitPlace& place, const std::string& title, std::span<const double> data,
                     const clopt::differential_evolution::FitCurve& fit);

}  // namespace clopt::apps
