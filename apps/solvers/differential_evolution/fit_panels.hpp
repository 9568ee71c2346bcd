/// \file
/// A row of a fit: its data and curve, and below them its residuals.
#pragma once

#include <string>

#include <pictures/svg.hpp>
#include "fit_curve.hpp"

namespace clopt::apps {

/// Where the panels stand; the numbers of their axes take some room on the left.
struct FitPlace {
  double left;
  double top;  ///< of the title
  double width;
};

/// Of title, panels and what stands between one row and the next.
inline constexpr double fit_panels_height = 360;

void draw_fit_panels(Svg& picture, const FitPlace& place, const std::string& title, const DrawnRow& drawn);

}  // namespace clopt::apps
