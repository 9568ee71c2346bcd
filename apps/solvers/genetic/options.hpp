/// \file
/// The options of `clopt genetic`.
#pragma once

#include <clopt/genetic.hpp>

#include <memory>
#include <optional>
#include <string>

#include <frame/options/objective_options.hpp>
#include <frame/options/run_options.hpp>
#include <frame/options/shard_options.hpp>

namespace clopt::apps::genetic {

/// All that the options say.
struct Run {
  CommonOptions common;
  RunOptions files;
  clopt::genetic::Problem problem;
  clopt::genetic::Options options;
  Json parameters;  ///< what a checkpoint keeps
  std::optional<SliceOrder> slice;
  std::optional<std::string> output;
  std::shared_ptr<const Checkpoint> resumed;
};

OptionParser make_parser();

/// Reads them. Nothing of the work is done, and no device opened. \throws InvalidInput.
Run read_run(const Options& given);

}  // namespace clopt::apps::genetic
