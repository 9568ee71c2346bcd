/// \file
/// The options of fits, and what checkpoints keep of them.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/differential_evolution.hpp>

#include <memory>
#include <string>
#include <vector>

#include <frame/options/common_options.hpp>
#include <frame/options/options.hpp>

namespace clopt::apps::differential_evolution {

using Rows = std::vector<std::vector<double>>;

/// Adds --abscissa and --sigma.
void add_fit_options(OptionParser& parser);

/// The rows of --data, which a checkpoint keeps: the run is resumed without the file. Of a fit, what is missing is NaN.
/// \throws InvalidInput where rows are not equally long, and no fit; where they are not the checkpoint's.
Rows read_data(const Options& options, const std::shared_ptr<const Checkpoint>& resumed, bool is_fit);

/// The rows of --initial, likewise.
Rows read_start_vectors(const Options& options, const std::shared_ptr<const Checkpoint>& resumed);

/// Reads abscissas and standard deviations into a problem that has its data. \throws InvalidInput.
void read_fit(const Options& options, const std::shared_ptr<const Checkpoint>& resumed,
              clopt::differential_evolution::Problem& problem);

/// Adds to a checkpoint the data, the start vectors, and all that read_fit() reads. Problem and options must live until
/// it is written.
void keep_numbers(Record& state, const clopt::differential_evolution::Problem& problem,
                  const clopt::differential_evolution::Options& options);

}  // namespace clopt::apps::differential_evolution
