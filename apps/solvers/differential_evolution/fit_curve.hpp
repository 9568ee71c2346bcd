/// \file
/// The curve of a fit, which is found by the residuals alone.
#pragma once

#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <pictures/svg.hpp>

namespace clopt::apps {

/// A row of a fit as it is drawn.
struct DrawnRow {
  std::vector<Svg::Point> data;
  std::vector<Svg::Point> residuals;           ///< datum less curve, where there is one
  std::vector<std::vector<Svg::Point>> curve;  ///< its parts, from left to right
};

/// The curve at a place is the datum there that would make the residual 0, however this depends on it. Where none is
/// found, the curve has a gap. The text is evaluated on \p device again and again, between the data too where it reads
/// the abscissa. \param parameters of the row. \throws DeviceError.
DrawnRow drawn_row(const clopt::differential_evolution::Problem& problem, std::size_t row,
                   std::span<const double> parameters, const std::string& precision, Device& device);

}  // namespace clopt::apps
