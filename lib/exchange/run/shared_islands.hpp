/// \file
/// Islands of umda that the ranks of a job share.
#pragma once

#include <clopt/cluster.hpp>
#include <group/team.hpp>

#include <map>
#include <optional>
#include <string>

#include <exchange/search.hpp>
#include <exchange/umda/umda.hpp>

namespace clopt::exchange {

/// Why the first rank has all islands; empty where ranks share them.
std::string why_islands_are_alone(const Options& options);
/// Whether what a rank has at the end can be sent.
bool fits_messages(const SearchTask& task, int ranks);

/// The islands of a task, at the first rank. Each rank has some of them, one at least, from the beginning to the end.
class SharedIslands {
 public:
  SharedIslands(group::Group& group, const SearchTask& task)
      : task_(task), team_(group, task.options.islands, task.watch) {}

  /// As umda(), by all ranks.
  SearchResult evolve();
  const cluster::Report& report() const { return *report_; }

 private:
  IslandsOutcome whole() const;

  const SearchTask& task_;
  group::Team team_;
  group::KeptProgress progress_;
  std::map<std::size_t, IslandsOutcome> parts_;  ///< by places
  std::optional<IslandsOutcome> own_;            ///< of the first rank, as far as it has come
  std::optional<cluster::Report> report_;
};

}  // namespace clopt::exchange
