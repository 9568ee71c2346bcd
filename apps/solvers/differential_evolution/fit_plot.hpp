/// \file
/// The picture of a fit: data, curves and residuals of some rows, and how the values of all rows are spread.
#pragma once

#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <frame/options/options.hpp>
#include <pictures/svg.hpp>

namespace clopt::apps::differential_evolution {

/// Adds --plot-rows.
void add_fit_plot_options(OptionParser& parser);

/// The rows that --plot-rows names; empty: the best, the median and the worst. \throws InvalidInput where they are no
/// rows of a fit, and where there is no --plot.
std::vector<std::size_t> read_plot_rows(const Options& options, const clopt::differential_evolution::Problem& problem);

/// Draws a result. The text is evaluated again on \p device, as fit_curve() says. \param rows as read_plot_rows() has
/// them. \throws DeviceError.
Svg draw_fit(const clopt::differential_evolution::Problem& problem, const clopt::differential_evolution::Result& result,
             const std::string& precision, const std::vector<std::size_t>& rows, Device& device);

}  // namespace clopt::apps::differential_evolution
