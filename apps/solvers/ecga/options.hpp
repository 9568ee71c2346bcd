/// \file
/// The options of `clopt ecga`.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/ecga_sizing.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <frame/options/run_options.hpp>
#include <frame/options/shard_options.hpp>

namespace clopt::apps::ecga {

/// How the population is chosen.
enum class Sizing { given, bisection, doubling };

/// All that the options say.
struct Run {
  CommonOptions common;
  RunOptions files;
  std::string objective;  ///< as it was named
  clopt::ecga::Problem problem;
  clopt::ecga::Options options;
  Sizing sizing = Sizing::given;
  std::uint32_t runs = 1;
  std::optional<SliceOrder> slice;    ///< of the runs, the only one that is made
  std::vector<std::string> models;    ///< files for all models
  std::optional<std::string> output;  ///< the file for the best individual
  Json parameters;                    ///< what a checkpoint keeps
  std::shared_ptr<const Checkpoint> resumed;
};

OptionParser make_parser();

/// Reads them. Nothing of the work is done, and no device opened. \throws InvalidInput.
Run read_run(const Options& given);

}  // namespace clopt::apps::ecga
