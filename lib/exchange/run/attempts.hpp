/// \file
/// What a run tries while it lowers the number of steps, and with how much effort.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include <exchange/network/network.hpp>
#include <exchange/options.hpp>
#include <exchange/packing/packing.hpp>

namespace clopt::exchange {

/// A way to a schedule of fewer steps.
enum class Attempt : std::uint8_t {
  packing,
  bound,         ///< a search at the bound
  more_packing,  ///< with more effort
  halves         ///< a search at half of the way to the bound
};

/// The ways of each round, one after the other, then again with twice the effort. They depend on the problem, the
/// optimizer and the seed, and on nothing else.
class Attempts {
 public:
  static constexpr std::uint32_t each_round = 4;
  static constexpr std::uint32_t most_rounds = 9;

  Attempts(const Problem& problem, const Options& options, Optimizer optimizer, const Network& network)
      : problem_(problem), options_(options), optimizer_(optimizer), network_(network) {}

  /// How many steps no schedule has fewer of; before all else.
  void set_bound(std::uint32_t steps) { bound_ = steps; }
  /// \param turn numbers the ways of all rounds.
  Attempt at(std::uint32_t turn);
  /// Whether a way may find a schedule of that many steps.
  bool is_worth_trying(Attempt way, std::uint32_t target);
  /// Whether a search at the bound is worth trying, and comes next after a turn.
  bool search_follows(std::uint32_t turn) {
    return at(turn + 1) == Attempt::bound && is_worth_trying(Attempt::bound, bound_);
  }
  /// Whether a search of this network can take that many steps.
  bool can_search(std::uint32_t steps);
  /// What prevented searches, as the end of a sentence; empty where nothing did.
  const std::string& limits() const { return limits_; }
  /// Of a search.
  std::uint64_t sweeps(std::uint32_t turn);
  /// Of a packing.
  PackingEffort packing_effort(std::uint32_t turn);

 private:
  std::uint32_t most_symmetries();
  bool few_orbits();
  bool packs_before_search();
  bool is_automatic() const { return optimizer_ == Optimizer::automatic; }

  const Problem& problem_;
  const Options& options_;
  Optimizer optimizer_;
  const Network& network_;
  std::uint32_t bound_ = 0;
  std::optional<std::uint32_t> most_symmetries_;
  std::string limits_;
};

}  // namespace clopt::exchange
