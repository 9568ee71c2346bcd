/// \file
/// Searches that the ranks of a job share.
#pragma once

#include <clopt/cluster.hpp>

#include <memory>
#include <optional>
#include <string>

#include <exchange/options.hpp>
#include <exchange/search.hpp>

namespace clopt::group {
class Group;
}

namespace clopt::exchange {

/// The ranks' part in a run of the first one.
class Ranks {
 public:
  /// \returns null outside a job. \throws InvalidInput where this rank is not the first one.
  static std::unique_ptr<Ranks> find(const Options& options, const ParsedOptions& parsed);

  Ranks(group::Group& group, std::string alone) : group_(group), alone_(std::move(alone)) {}

  /// As exchange::anneal(), by all ranks where they share the searches. \param seconds left of the run's limit of time.
  SearchResult anneal(const SearchTask& task, std::optional<double> seconds);
  /// As exchange::umda(), by all ranks where they share the islands.
  SearchResult umda(const SearchTask& task);
  /// Of all searches so far.
  std::shared_ptr<const cluster::Report> report() const;

 private:
  group::Group& group_;
  std::string alone_;  ///< why the first rank makes all searches; empty: they are shared
  std::optional<cluster::Report> report_;
};

}  // namespace clopt::exchange
