/// \file
/// The picture of fits: data, curve and residuals of some rows, with their parameters.
#pragma once

#include <clopt/device.hpp>
#include <clopt/fit.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <frame/options/options.hpp>
#include <pictures/svg.hpp>

namespace clopt::apps::fit {

/// Adds --plot-rows.
void add_plot_options(OptionParser& parser);

/// The rows, from 0, that --plot shows: those of --plot-rows, or the first ones. \throws InvalidInput where they are no
/// rows, and where there is no --plot.
std::vector<std::size_t> read_plot_rows(const Options& options, const clopt::fit::Problem& problem);

/// Draws rows of a result, side by side. The model is evaluated again on \p device. \throws DeviceError.
Svg draw_fits(const clopt::fit::Problem& problem, const clopt::fit::Result& result,
              const std::vector<std::size_t>& rows, Device& device);

}  // namespace clopt::apps::fit
