/// \file
/// A row of a fit: its data and curve, and below them its residuals.
#pragma once

#include <clopt/differential_evolution.hpp>

#include <span>
#include <string>

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

/// \param data of the row. Without a curve the title reports that, and the residuals are the objective's own.
void draw_fit_panels(Svg& picture, const FitPlace& place, const std::string& title, std::span<const double> data,
                     const clopt::differential_evolution::FitCurve& fit);

}  // namespace clopt::apps
