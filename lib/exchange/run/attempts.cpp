#include "attempts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <exchange/anneal/symmetry.hpp>
#include <exchange/search.hpp>

namespace clopt::exchange {
namespace {

// The sweeps of the first searches without symmetries. Where a symmetry moves many transfers at once, a sweep is as
// much quicker.
constexpr std::uint64_t first_sweeps = 1000;
// Moves for each link and slot, of all partial schedules together, of the first packing and of the second one of a
// round. The second one comes before the search at the bound where that takes longer: with many transfers and no group
// of more than two symmetries, which is what any network without one-way links has.
constexpr std::uint64_t first_packing = 4;
constexpr std::uint64_t second_packing = 256;
constexpr std::uint64_t second_packing_before_search = 64;
constexpr std::size_t many_transfers = 2000;
constexpr std::uint32_t few_symmetries = 2;
// Orbits of transfers up to which searches that move all of them are worth their time.
constexpr std::size_t most_orbits = 20'000;

}  // namespace

Attempt Attempts::at(std::uint32_t turn) {
  const auto way = static_cast<Attempt>(turn % each_round);
  if (way == Attempt::packing || way == Attempt::halves || !packs_before_search()) return way;
  return way == Attempt::bound ? Attempt::more_packing : Attempt::bound;
}

bool Attempts::packs_before_search() {
  return is_automatic() && problem_.transfers.size() > many_transfers && most_symmetries() <= few_symmetries;
}

bool Attempts::is_worth_trying(Attempt way, std::uint32_t target) {
  if (way == Attempt::packing) return is_automatic() || optimizer_ == Optimizer::pack;
  if (way == Attempt::more_packing) return is_automatic() && few_orbits();
  if (optimizer_ == Optimizer::pack || (way == Attempt::halves && target == bound_)) return false;
  return can_search(target) && (!is_automatic() || few_orbits());
}

bool Attempts::can_search(std::uint32_t steps) {
  const auto obstacle = search_obstacle(network_, steps);
  if (!obstacle.empty()) limits_ = fmt::format(", since {}", obstacle);
  return obstacle.empty();
}

std::uint64_t Attempts::sweeps(std::uint32_t turn) { return first_sweeps * most_symmetries() << turn / each_round; }

PackingEffort Attempts::packing_effort(std::uint32_t turn) {
  const auto first = at(turn) == Attempt::packing ? first_packing
                     : packs_before_search()      ? second_packing_before_search
                                                  : second_packing;
  return exchange::packing_effort(network_, first << turn / each_round, options_.seed, turn);
}

// Transfers that a search moves at once, at most.
std::uint32_t Attempts::most_symmetries() {
  if (!most_symmetries_) {
    most_symmetries_ = 1;
    for (const auto& group : find_groups(network_, problem_.transfers, bound_, options_.seed))
      most_symmetries_ = std::max(*most_symmetries_, group.order());
  }
  return *most_symmetries_;
}

// Whether there are few transfers, or enough symmetries to move many at once.
bool Attempts::few_orbits() {
  return problem_.transfers.size() <= most_orbits || problem_.transfers.size() / most_symmetries() <= most_orbits;
}

}  // namespace clopt::exchange
