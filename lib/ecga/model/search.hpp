/// \file
/// The search for a marginal product model. It is independent of the way of counting.
#pragma once

#include <clopt/ecga.hpp>
#include <ecga/operations.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace clopt::ecga {

/// A union of two groups, by their numbers. Loci come first; each group asked for gets the next number.
struct Union {
  std::uint32_t first;
  std::uint32_t second;
};

/// Computes gains of pairs of groups, exactly.
class PairCounter {
 public:
  virtual ~PairCounter() = default;
  /// Pairs of loci with a gain, among those given, ascending.
  virtual void count_loci(std::span<const std::uint32_t> loci, std::vector<Edge>& edges) = 0;
  /// Makes new groups and lists which pairs of a new group and one of `partners`, or another new one, have a gain.
  /// Pairs that share loci are left out. \param unions their parts are loci, groups made before, or earlier ones of
  /// this list. \param others groups and loci that share no locus, or one of which contains the other.
  virtual void count_unions(std::span<const Union> unions, std::span<const std::uint32_t> partners,
                            std::vector<Edge>& edges) = 0;
  /// How many of some unions may be made without using up what later merges need; at least 1.
  virtual std::size_t affordable(std::span<const Union> unions) const = 0;
  /// Notes that the search has made a union, so that its rows are no longer predicted ones.
  virtual void take(std::uint32_t group) = 0;
};

/// What a search starts from and keeps to.
struct SearchParameters {
  bool mating = false;                       ///< the paper's GM search in place of the greedy one
  std::vector<std::int64_t> entropies;       ///< of all loci, times the population, in the units of gains
  std::vector<std::uint32_t> active;         ///< loci that may merge at all, ascending
  std::uint32_t guesses = 0;                 ///< merges predicted in a pass, at most; the model does not depend on it
  std::uint32_t most_loci = ECGA_MOST_LOCI;  ///< of a group
  std::int64_t unit = 0;                     ///< Logarithms::unit
};

/// A model and what it took.
struct Found {
  std::vector<std::vector<std::uint32_t>> groups;  ///< in any order
  std::uint32_t merges = 0;
  std::uint32_t passes = 0;
  std::int64_t gain = 0;  ///< of all merges
};

/// Searches a model. \param expired asked before each pass; true ends the search without a model.
std::optional<Found> search_model(const SearchParameters& parameters, PairCounter& counter,
                                  const std::function<bool()>& expired);

}  // namespace clopt::ecga
