/// \file
/// The names in the options of differential evolution as enumerations, and what its sizes may be.
#pragma once

#include <clopt/differential_evolution.hpp>

#include <support/names.hpp>

#include <cstddef>
#include <cstdint>

#include "operations.hpp"

namespace clopt::differential_evolution {

inline constexpr std::uint64_t most_population = std::uint64_t{1} << 24;
inline constexpr std::uint64_t most_generations = (std::uint64_t{1} << 31) - 1;

enum class Method : std::uint8_t { automatic, offloaded, staged, ahead, merged, fused };
inline constexpr Names<Method, 6> method_names{{{{Method::automatic, "auto"},
                                                 {Method::offloaded, "offloaded"},
                                                 {Method::staged, "staged"},
                                                 {Method::ahead, "ahead"},
                                                 {Method::merged, "merged"},
                                                 {Method::fused, "fused"}}}};

enum class Precision : std::uint8_t { automatic, single_precision, double_precision };
inline constexpr Names<Precision, 3> precision_names{{{{Precision::automatic, "auto"},
                                                       {Precision::single_precision, "float"},
                                                       {Precision::double_precision, "double"}}}};

/// Its values are the kernels' EVOLUTION_FIXED, ... What stands for one of the others is none of them.
enum class Adaptation : std::uint32_t {
  none = EVOLUTION_FIXED,
  jde = EVOLUTION_JDE,
  shade = EVOLUTION_SHADE,
  lshade = EVOLUTION_LSHADE,
  shade6 = EVOLUTION_SHADE_6,
  automatic
};
inline constexpr Names<Adaptation, 6> adaptation_names{{{{Adaptation::automatic, "auto"},
                                                         {Adaptation::none, "none"},
                                                         {Adaptation::jde, "jde"},
                                                         {Adaptation::shade, "shade"},
                                                         {Adaptation::lshade, "lshade"},
                                                         {Adaptation::shade6, "shade6"}}}};

/// Its values are the kernels' EVOLUTION_CLIP, ... What stands for one of the others is none of them.
enum class BoundTreatment : std::uint32_t {
  clip = EVOLUTION_CLIP,
  reflect = EVOLUTION_REFLECT,
  resample = EVOLUTION_RESAMPLE,
  none = EVOLUTION_UNBOUNDED,
  automatic
};
inline constexpr Names<BoundTreatment, 5> bound_names{{{{BoundTreatment::automatic, "auto"},
                                                        {BoundTreatment::clip, "clip"},
                                                        {BoundTreatment::reflect, "reflect"},
                                                        {BoundTreatment::resample, "resample"},
                                                        {BoundTreatment::none, "none"}}}};

/// Which vectors a mutant is made of, as the kernels' EVOLUTION_RAND_1, ..., and how it is crossed.
struct Strategy {
  std::uint32_t mutation = EVOLUTION_RAND_1;
  std::uint32_t crossover = EVOLUTION_BINOMIAL;
  friend bool operator==(const Strategy&, const Strategy&) = default;

  /// The parent, and the individuals that are drawn beside it.
  std::size_t least_population() const {
    if (mutation == EVOLUTION_RAND_2) return 6;
    return mutation == EVOLUTION_BEST_2 ? 5 : 4;
  }
};
inline constexpr Names<Strategy, 12> strategy_names{
    {{{{EVOLUTION_RAND_1, EVOLUTION_BINOMIAL}, "rand1bin"},
      {{EVOLUTION_RAND_1, EVOLUTION_EXPONENTIAL}, "rand1exp"},
      {{EVOLUTION_BEST_1, EVOLUTION_BINOMIAL}, "best1bin"},
      {{EVOLUTION_BEST_1, EVOLUTION_EXPONENTIAL}, "best1exp"},
      {{EVOLUTION_CURRENT_TO_BEST_1, EVOLUTION_BINOMIAL}, "currenttobest1bin"},
      {{EVOLUTION_CURRENT_TO_BEST_1, EVOLUTION_EXPONENTIAL}, "currenttobest1exp"},
      {{EVOLUTION_RAND_2, EVOLUTION_BINOMIAL}, "rand2bin"},
      {{EVOLUTION_RAND_2, EVOLUTION_EXPONENTIAL}, "rand2exp"},
      {{EVOLUTION_BEST_2, EVOLUTION_BINOMIAL}, "best2bin"},
      {{EVOLUTION_BEST_2, EVOLUTION_EXPONENTIAL}, "best2exp"},
      {{EVOLUTION_CURRENT_TO_PBEST_1, EVOLUTION_BINOMIAL}, "currenttopbest1bin"},
      {{EVOLUTION_CURRENT_TO_PBEST_1, EVOLUTION_EXPONENTIAL}, "currenttopbest1exp"}}}};

/// The precision of a run: the one asked for, or what `auto` stands for.
std::string precision_of(const Problem& problem, const Options& options);

/// How F and CR adapt themselves in a run: as was asked for, or what `auto` stands for: `none` where F, CR or the
/// strategy is given, `shade` for a fit, with a violation and before a local search, else `shade6`.
std::string adaptation_of(const Problem& problem, const Options& options);

/// What becomes of parameters outside in a run: as was asked for, or what `auto` stands for.
std::string bound_treatment_of(const Problem& problem, const Options& options);

/// The strategy of a run: the one asked for, or the usual one.
std::string strategy_of(const Problem& problem, const Options& options);

/// The population of a run: the one asked for, or five times the dimensions, with SHADE_6 four and a half times, at
/// least 20, with both at most 100; with a violation 50 up to ten dimensions, and else ten times the dimensions, at
/// most 150; of a fit that is polished ten times the dimensions, at least 40.
std::size_t population_of(const Problem& problem, const Options& options);

/// Whether problems restart whose populations have collapsed: as it was asked for, or where `adapt` is left to clopt,
/// and nothing ends such a problem.
bool restarts(const Problem& problem, const Options& options);

/// Whether a local search follows: as it was asked for, or as is usual.
bool is_polished(const Problem& problem, const Options& options);

}  // namespace clopt::differential_evolution
