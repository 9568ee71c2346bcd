/// \file
/// ECGA on traps of order 5 as the paper's baseline has it: one thread, and a model search that counts one individual
/// after the other. Only `bench` and its test use it.
#pragma once

#include <clopt/ecga.hpp>
#include <clopt/run.hpp>

#include <cstdint>
#include <vector>

namespace clopt::apps::ecga {

/// Individuals, a byte a locus.
using Individuals = std::vector<std::vector<std::uint8_t>>;

/// The greedy search (Harik 1999) with a cache of all pairs (Lobo, Sastry and Harik 2006): each count visits every
/// individual and each locus of the group.
clopt::ecga::Model original_model(const Individuals& individuals, std::uint32_t largest_group);

/// How a run went.
struct OriginalRun {
  double model_seconds = 0;
  double whole_seconds = 0;
  std::uint64_t generations = 0;
  bool converged = false;  ///< whether it ended by itself
};

/// A whole run, until all individuals are equal. \param length a multiple of 5.
OriginalRun run_original(std::uint32_t length, std::uint64_t population, std::uint64_t seed, const RunControl& control);

}  // namespace clopt::apps::ecga
