/// \file
/// Lower bounds with certificates.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <exchange/network/routing.hpp>

namespace clopt::exchange {

/// bound_of() on the problem's network, which takes most of its time to make.
std::uint64_t bound_of(const Problem& problem, std::span<const std::uint64_t> weights, const Network& network);

/// How much a bound may cost.
struct BoundEffort {
  std::size_t largest_programme = 60'000;  ///< variables of a linear programme that is tried
  double programme_seconds = 60;           ///< after which it is given up
  std::uint32_t short_ascent = 200;        ///< rounds of the dual ascent before a linear programme
  std::uint32_t long_ascent = 600;         ///< and where there is none
};

/// Looks for the best bound of a problem.
class BoundSearch {
 public:
  BoundSearch(const Problem& problem, const Network& network);

  /// The best bound that the effort allows.
  Bound run(const Watch& watch, const BoundEffort& effort);

  const Router& router() const { return router_; }
  const Bound& bound() const { return bound_; }
  /// Takes weights if they prove more than the best so far.
  void offer(std::vector<std::uint64_t> weights, std::string_view source);
  /// The same for weights that are not integers, rounded as coarsely as proves a load.
  void offer_real(const std::vector<double>& weights, double load, std::string_view source);
  /// A routing is known whose largest load is this.
  void know_load(double load);

 private:
  void try_quick_weights();

  const Problem* problem_;
  const Network* network_;
  Router router_;
  Bound bound_;
};

/// Raises a bound, and lowers the load of the best known routing, by multiplicative weights: links that are loaded more
/// than others weigh more, and transfers then go around them. O(rounds * senders * links).
void ascend(BoundSearch& search, const Watch& watch, std::uint32_t rounds);

}  // namespace clopt::exchange
