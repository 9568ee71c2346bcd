/// \file
/// How large a population a problem needs.
#pragma once

#include <clopt/export.hpp>

#include <clopt/ecga.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace clopt::ecga {

/// One of the runs by which a population is tried.
struct Trial {
  std::uint64_t population = 0;
  std::uint64_t seed = 0;
  bool success = false;
  Result result;
};

/// How populations are tried.
struct SizingOptions {
  std::uint64_t first = 0;                  ///< the first population; 0: 16, or the tournament if that is more
  std::uint32_t runs = 10;                  ///< that must all succeed
  double width = 0.05;                      ///< of the interval that is left, as a part of its lower end
  std::uint64_t most = 1U << 26;            ///< where the search gives up
  std::function<void(const Trial&)> trial;  ///< called after each run
};

/// The result of the search.
struct Sizing {
  std::uint64_t population = 0;  ///< 0: none up to SizingOptions::most, or the search was ended
  std::uint64_t failed = 0;      ///< the largest population that was seen to fail
  std::uint64_t runs = 0;        ///< in all
  std::uint64_t evaluations = 0;
  Trial last;  ///< the last successful run, of the population that was found
};

/// The population with which all runs reach the target: doubled until they do, then found by bisection between the last
/// two (Sastry 2001). The run i of a population has the seed options.seed + i.
/// \param options its target says what success is; its population is not used. It has no checkpoint.
/// \param control of all runs together: a progress callback that returns false ends the search, within one launch.
/// \throws InvalidInput without a target, or with a checkpoint; else as solve().
CLOPT_API Sizing find_population(const Problem& problem, const Options& options, const SizingOptions& sizing,
                                 std::span<const std::shared_ptr<Device>> devices, const RunControl& control = {});
CLOPT_API Sizing find_population(const Problem& problem, const Options& options, const SizingOptions& sizing,
                                 const Devices& devices, const RunControl& control = {});

/// Doubles the population until one run reaches the target. \throws as find_population().
CLOPT_API Sizing double_population(const Problem& problem, const Options& options, const SizingOptions& sizing,
                                   std::span<const std::shared_ptr<Device>> devices, const RunControl& control = {});
CLOPT_API Sizing double_population(const Problem& problem, const Options& options, const SizingOptions& sizing,
                                   const Devices& devices, const RunControl& control = {});

/// One and a half times the population with which the paper's runs solve m - 1 of m traps of order 5, for any length:
/// a power law through the paper's table 5. What Options::population 0 stands for; a run that grows and improves
/// individuals begins with an eighth.
CLOPT_API std::uint64_t usual_population(std::uint32_t length);

}  // namespace clopt::ecga
