/// \file
/// Groups of one model search and the gains that are known of them.
#pragma once

#include "search.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace clopt::ecga {

/// A pair of groups that gains, in the order in which greedy takes them: larger gain, then smaller lowest locus of the
/// first group, then of the second, where the first is the one with the smaller lowest locus.
struct Candidate {
  std::int64_t gain;
  std::uint32_t first;
  std::uint32_t second;
  std::uint32_t first_locus;
  std::uint32_t second_locus;

  friend bool operator<(const Candidate& a, const Candidate& b) {  // a comes after b
    if (a.gain != b.gain) return a.gain < b.gain;
    if (a.first_locus != b.first_locus) return a.first_locus > b.first_locus;
    return a.second_locus > b.second_locus;
  }
};

/// Every group made so far: loci, unions that were merged, and unions that are only predicted.
class ModelGroups {
 public:
  struct Neighbour {
    std::uint32_t group;
    std::int64_t gain;
  };

  /// \param entropies of the loci, times the population.
  explicit ModelGroups(std::span<const std::int64_t> entropies);

  std::uint32_t size() const { return static_cast<std::uint32_t>(loci_.size()); }
  bool is_alive(std::uint32_t group) const { return alive_[group]; }
  const std::vector<std::uint32_t>& loci(std::uint32_t group) const { return loci_[group]; }
  std::uint32_t lowest(std::uint32_t group) const { return lowest_[group]; }
  const std::vector<Neighbour>& neighbours(std::uint32_t group) const { return neighbours_[group]; }
  Candidate candidate(std::uint32_t one, std::uint32_t other, std::int64_t gain) const;

  /// What a model's description costs more for the union of two groups.
  std::int64_t penalty(std::uint32_t one, std::uint32_t other, std::int64_t unit) const {
    const auto patterns = [&](std::uint32_t group) { return (std::int64_t{1} << loci_[group].size()) - 1; };
    return patterns(one) * patterns(other) * unit;
  }

  /// The union of two groups if it was made and both parts can still come; else 0, which is a locus.
  std::uint32_t find(std::uint32_t one, std::uint32_t other) const;
  /// A new group, not alive yet.
  std::uint32_t add(const Union& parts);
  void add_edges(std::span<const Edge> edges);
  /// Puts a union in the place of its parts. \param information N times the parts' mutual information.
  void take(std::uint32_t group, std::int64_t information);
  /// N times the entropy of a group that is alive.
  std::int64_t entropy(std::uint32_t group) const { return entropies_[group]; }
  /// Removes all unions from find(), or adds one of them again.
  void forget_guesses() { unions_.clear(); }
  void remember(std::uint32_t group) { unions_[key(parts_[group].first, parts_[group].second)] = group; }

 private:
  static std::uint64_t key(std::uint32_t one, std::uint32_t other);

  std::vector<std::vector<std::uint32_t>> loci_;
  std::vector<std::uint32_t> lowest_;
  std::vector<Union> parts_;
  std::vector<std::int64_t> entropies_;
  std::vector<char> alive_;
  std::vector<std::vector<Neighbour>> neighbours_;
  std::unordered_map<std::uint64_t, std::uint32_t> unions_;
};

/// Predicts greedy's next merges: those that it would make if the information between a union and another group were
/// that of the parts, less what the parts share. Known unions keep their known gains.
/// \param next the merge that comes for certain. \param most how many unions, at least 1; \param most_loci of a group.
/// \returns the unions that were not made yet, by numbers that add() will give; \param kept receives those that were.
std::vector<Union> guess_merges(const ModelGroups& groups, std::span<const std::uint32_t> alive, const Candidate& next,
                                std::size_t most, std::uint32_t most_loci, std::int64_t unit,
                                std::vector<std::uint32_t>& kept);

}  // namespace clopt::ecga
