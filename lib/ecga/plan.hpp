/// \file
/// A run's problem and options, checked, with enumerations in place of names.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/ecga.hpp>

#include <support/names.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace clopt::ecga {

/// How a model is searched.
enum class SearchMethod : std::uint8_t { greedy, mating };
inline constexpr Names<SearchMethod, 2> search_names{
    {{{SearchMethod::greedy, "greedy"}, {SearchMethod::mating, "mating"}}}};
std::string_view name_of(SearchMethod search);

/// How pairs are counted. `automatic` and `table` are what may be asked for; a device uses one of the others.
enum class Counting : std::uint8_t { automatic, popcount, table, table_8, table_16, matrix, histogram };
inline constexpr Names<Counting, 7> counting_names{{{{Counting::automatic, "auto"},
                                                     {Counting::popcount, "popcount"},
                                                     {Counting::table, "table"},
                                                     {Counting::table_8, "table-8"},
                                                     {Counting::table_16, "table-16"},
                                                     {Counting::matrix, "matrix"},
                                                     {Counting::histogram, "histogram"}}}};
std::string_view name_of(Counting counting);

/// What local search tries. `automatic` is what may be asked for; a run has one of the others.
enum class Improve : std::uint8_t { automatic, none, flips, blocks };
inline constexpr Names<Improve, 4> improve_names{
    {{{Improve::automatic, "auto"}, {Improve::none, "none"}, {Improve::flips, "flips"}, {Improve::blocks, "blocks"}}}};

/// What a run goes by. The problem must outlive it.
struct Plan {
  const Problem& problem;
  Options options;  ///< with a population that is never 0, and without choices that are left to the run
  SearchMethod search = SearchMethod::greedy;
  Counting counting = Counting::automatic;  ///< the one asked for
  Improve improve = Improve::none;
  bool minimises = false;  ///< whether smaller values are better
  bool is_double = false;  ///< the precision of values

  /// The objective's value that a fitness stands for: fitness is maximised.
  double value_of(double fitness) const { return minimises ? 0.0 - fitness : fitness; }
  /// Whether a value reaches the target.
  bool reaches_target(double value) const {
    return options.target && (minimises ? value <= *options.target : value >= *options.target);
  }
  /// Everything that a run's result depends on.
  RunIdentity identity() const;
};

/// The precisions that the option may name.
enum class Precision : std::uint8_t { automatic, float32, float64 };
inline constexpr Names<Precision, 3> precision_names{
    {{{Precision::automatic, "auto"}, {Precision::float32, "float"}, {Precision::float64, "double"}}}};

/// As objective::why_doubles().
std::string why_doubles(const Problem& problem);

/// \throws InvalidInput for what is out of range or contradicts itself, naming the field.
Plan make_plan(const Problem& problem, const Options& options);

}  // namespace clopt::ecga
