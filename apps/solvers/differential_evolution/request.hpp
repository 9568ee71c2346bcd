/// \file
/// What a run of differential evolution was asked for.
#pragma once

#include <clopt/differential_evolution.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <frame/options/common_options.hpp>
#include <frame/options/objective_options.hpp>
#include <frame/options/run_options.hpp>
#include <frame/options/shard_options.hpp>

namespace clopt::apps::differential_evolution {

inline constexpr std::string_view name = "differential-evolution";

/// Everything that the options say of a run.
struct Request {
  CommonOptions common;
  RunOptions run;
  ChosenObjective objective;
  clopt::differential_evolution::Problem problem;
  clopt::differential_evolution::Options options;
  std::optional<SliceOrder> slice;                                 ///< of the problems, the only one that is done
  std::optional<std::string> output;                               ///< of all of them
  std::vector<std::size_t> plot_rows = {};                         ///< as read_plot_rows() has them
  std::optional<std::uint64_t> resumed_generation = std::nullopt;  ///< of the checkpoint that it resumes from
};

}  // namespace clopt::apps::differential_evolution
