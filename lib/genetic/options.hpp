/// \file
/// The names in Options, as enumerations.
#pragma once

#include <clopt/genetic.hpp>
#include <support/names.hpp>

#include <cstdint>
#include <limits>

#include "operations.hpp"

namespace clopt::genetic {

inline constexpr std::uint32_t most_genes = std::uint32_t{1} << 26;
/// Generations are counted in 32 bits, of which the largest number stands for none.
inline constexpr std::uint64_t largest_generation = std::numeric_limits<std::uint32_t>::max() - 1;

/// The work-items that work on an individual.
enum class Granularity : std::uint8_t { automatic, thread, group, gene, subgroup, subgroups, hybrid, fused };
inline constexpr Names<Granularity, 8> granularity_names{{{{Granularity::automatic, "auto"},
                                                           {Granularity::thread, "thread"},
                                                           {Granularity::group, "group"},
                                                           {Granularity::gene, "gene"},
                                                           {Granularity::subgroup, "subgroup"},
                                                           {Granularity::subgroups, "subgroups"},
                                                           {Granularity::hybrid, "hybrid"},
                                                           {Granularity::fused, "fused"}}}};

/// The values of genetic_settings::selection.
enum class Selection : std::uint32_t {
  roulette = GENETIC_ROULETTE,
  tournament = GENETIC_TOURNAMENT,
  rank = GENETIC_RANK,
  universal = GENETIC_UNIVERSAL,
  roulette_walk = GENETIC_ROULETTE_WALK,
  automatic
};
inline constexpr Names<Selection, 6> selection_names{{{{Selection::automatic, "auto"},
                                                       {Selection::roulette, "roulette"},
                                                       {Selection::roulette_walk, "roulette-walk"},
                                                       {Selection::tournament, "tournament"},
                                                       {Selection::rank, "rank"},
                                                       {Selection::universal, "sus"}}}};

/// The values of genetic_settings::crossover_kind.
enum class CrossoverKind : std::uint32_t {
  one_point = GENETIC_ONE_POINT,
  two_point = GENETIC_TWO_POINT,
  uniform = GENETIC_UNIFORM,
  line = GENETIC_LINE,
  simulated_binary = GENETIC_SIMULATED_BINARY,
  order = GENETIC_ORDER_CROSSOVER,
  automatic
};
inline constexpr Names<CrossoverKind, 7> crossover_names{{{{CrossoverKind::automatic, "auto"},
                                                           {CrossoverKind::one_point, "one-point"},
                                                           {CrossoverKind::two_point, "two-point"},
                                                           {CrossoverKind::uniform, "uniform"},
                                                           {CrossoverKind::line, "line"},
                                                           {CrossoverKind::simulated_binary, "simulated-binary"},
                                                           {CrossoverKind::order, "order"}}}};

/// The values of genetic_settings::mutation_kind.
enum class MutationKind : std::uint32_t {
  flip = GENETIC_FLIP,
  step = GENETIC_STEP,
  gaussian = GENETIC_GAUSSIAN,
  polynomial = GENETIC_POLYNOMIAL,
  swap = GENETIC_SWAP,
  inversion = GENETIC_INVERSION,
  automatic
};
inline constexpr Names<MutationKind, 7> mutation_names{{{{MutationKind::automatic, "auto"},
                                                         {MutationKind::flip, "flip"},
                                                         {MutationKind::step, "step"},
                                                         {MutationKind::gaussian, "gaussian"},
                                                         {MutationKind::polynomial, "polynomial"},
                                                         {MutationKind::swap, "swap"},
                                                         {MutationKind::inversion, "inversion"}}}};

/// Which options are chosen where they are left out.
enum class Preset : std::uint8_t { automatic, paper };
inline constexpr Names<Preset, 2> preset_names{{{{Preset::automatic, "auto"}, {Preset::paper, "paper"}}}};

/// The local search of each individual.
enum class Improve : std::uint8_t { automatic, none, two_opt, iterated };
inline constexpr Names<Improve, 4> improve_names{{{{Improve::automatic, "auto"},
                                                   {Improve::none, "none"},
                                                   {Improve::two_opt, "two-opt"},
                                                   {Improve::iterated, "iterated"}}}};

enum class Precision : std::uint8_t { automatic, float32, float64 };
inline constexpr Names<Precision, 3> precision_names{
    {{{Precision::automatic, "auto"}, {Precision::float32, "float"}, {Precision::float64, "double"}}}};

/// As objective::why_doubles().
std::string why_doubles(const Problem& problem);

/// Whether several devices evaluate one population.
enum class OffloadChoice : std::uint8_t { automatic, always, never };
inline constexpr Names<OffloadChoice, 3> offload_names{
    {{{OffloadChoice::automatic, "auto"}, {OffloadChoice::always, "always"}, {OffloadChoice::never, "never"}}}};

}  // namespace clopt::genetic
