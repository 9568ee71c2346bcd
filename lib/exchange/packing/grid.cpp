#include <algorithm>
#include <bit>
#include <utility>

#include "construct.hpp"

// The sides of a mesh or torus are lines, open or closed. Opposite nodes of a line are a point: x and x + n/2 for even
// n; x and x + (n+1)/2 for odd n, whose middle node is a point by itself. All messages between two points of a ring, in
// one direction, go round it once: they use every channel of that direction and are a permutation of the points' nodes.
// So do those of an open line, whose two ways round use every channel both ways. Within a point, one of two kinds goes
// round too and the other, from a node to itself, uses no channel.
//
// A complete graph of points is divided into factors, sets of pairs without a point in common. Messages that have the
// same factors on all sides, the same sum of their pairs' numbers in these and the same directions share a slot: the
// points of all but one side fix that side's, so each line is gone round once. On rings, all opposite directions share
// the slot. This meets the bound for even sides of which the largest is a multiple of four, and for odd squares of
// sides 3, 7, 11 and so on. On the bound of tori of equal even sides: B. Beauquier, "All-to-all communication for some
// wavelength-routed all-optical networks", Networks 33(3), 1999.

namespace clopt::exchange {
namespace {

struct Side {
  std::uint32_t size, stride;
  bool is_ring;

  bool is_odd() const { return size % 2 == 1; }
  std::uint32_t points() const { return (size + 1) / 2; }
  std::uint32_t point_of(std::uint32_t place) const { return place < points() ? place : place - points(); }
  // Of pairs of different points, and of an even line's points.
  std::uint32_t factors() const { return is_odd() && points() % 2 == 0 ? points() - 1 : points(); }
  // Of a factor, a point alone being a pair where it has messages of its own; of such a factor of all points, half.
  std::uint32_t pairs() const { return is_odd() ? points() / 2 : (points() + 1) / 2; }
};

// What a message does on a side.
struct Part {
  std::uint32_t factor, pair;
  bool bit;  ///< its way round
  bool is_upward;
};

Part part_of(const Side& side, std::uint32_t from, std::uint32_t to) {
  const auto points = side.points();
  const auto offset = (to + side.size - from) % side.size;
  const bool is_forward = 2 * offset < side.size;
  auto one = side.point_of(from);
  auto other = side.point_of(to);
  if (side.is_odd() && one == other) other = points - 1;
  const auto modulus = points % 2 == 1 ? points : points - 1;
  if (one == other && points % 2 == 0) {
    // The points by themselves, of which two have a number.
    const bool is_second = one >= points / 2;
    const bool moves = from != to;
    return {modulus, one % (points / 2), moves != (is_second && !side.is_ring), side.is_ring ? !is_second : from < to};
  }
  const bool is_alone = one == other;
  // A round robin: pairs with the same sum, numbered by how far they are from half of it.
  if (one >= modulus) one = other;
  if (other >= modulus) other = one;
  const auto factor = (one + other) % modulus;
  const auto middle = (factor % 2 == 0 ? factor : factor + modulus) / 2;
  const auto away = (one + modulus - middle % modulus) % modulus;
  const auto pair = std::min(away, modulus - away) % modulus;
  return {factor, side.is_odd() && points % 2 == 1 ? pair - 1 : pair, is_alone ? from != to : is_forward,
          side.is_ring ? is_forward || is_alone : from < to};
}

// Sides of a network whose nodes are numbered row by row, the last side first.
std::optional<std::vector<Side>> sides_of(const Network& network) {
  const auto are_joined = [&](std::uint32_t from, std::uint32_t to) {
    return network.channels_between(from, to) == 1 && network.channels_between(to, from) == 1;
  };
  const auto nodes = network.nodes();
  std::vector<Side> sides;
  std::size_t links = 0;
  for (std::uint32_t stride = 1; stride < nodes;) {
    std::uint32_t size = 1;
    while (size < nodes / stride && are_joined((size - 1) * stride, size * stride)) ++size;
    if (size == 1 || nodes % (stride * size) != 0) return std::nullopt;
    const Side side{size, stride, size > 2 && are_joined(0, (size - 1) * stride)};
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const auto at = node / stride % size;
      if (at + 1 < size ? !are_joined(node, node + stride) : side.is_ring && !are_joined(node, node - at * stride))
        return std::nullopt;
      links += at + 1 < size || side.is_ring ? 2 : 0;
    }
    sides.push_back(side);
    stride *= size;
  }
  if (links != network.links().size()) return std::nullopt;
  return sides;
}

class Grid {
 public:
  explicit Grid(std::vector<Side> sides) : sides_(std::move(sides)), ranges_(std::size_t{1} << sides_.size()) {
    are_rings_ =
        std::all_of(sides_.begin(), sides_.end(), [](const Side& side) { return side.is_ring || side.size == 2; });
    std::vector<std::uint32_t> sets;
    for (std::uint32_t moving = 1; moving < ranges_.size(); ++moving) {
      const auto may_rest = [&](std::size_t i) { return (moving >> i & 1) != 0 || sides_[i].is_odd(); };
      bool is_met = true;
      for (std::size_t i = 0; i < sides_.size(); ++i) is_met = is_met && may_rest(i);
      if (is_met) sets.push_back(moving);
    }
    std::stable_sort(sets.begin(), sets.end(), [](auto a, auto b) { return std::popcount(a) > std::popcount(b); });
    // Messages that move on other sides than others do share slots with these.
    std::vector<std::uint32_t> ends(sides_.size());
    for (const auto moving : sets) {
      auto& range = ranges_[moving];
      std::uint32_t slots = 1U << (static_cast<std::uint32_t>(std::popcount(moving)) - (are_rings_ ? 1 : 0));
      for_each(moving, [&](std::size_t i) {
        slots *= sides_[i].factors();
        range.sums = std::max(range.sums, sides_[i].pairs());
        range.first = std::max(range.first, ends[i]);
      });
      for_each(moving, [&](std::size_t i) { ends[i] = range.first + slots * range.sums; });
      steps_ = std::max(steps_, range.first + slots * range.sums);
    }
  }

  std::uint32_t steps() const { return steps_; }

  Placement place(const Transfer& transfer, std::size_t hops) const {
    Placement placement;
    placement.path.reserve(hops + 1);
    placement.path.push_back(transfer.from);
    std::uint32_t moving = 0;
    std::uint32_t bits = 0;
    std::uint32_t sum = 0;
    std::uint32_t blocks = 0;
    auto at = transfer.from;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const auto& side = sides_[i];
      const auto from = transfer.from / side.stride % side.size;
      const auto to = transfer.to / side.stride % side.size;
      if (side.is_odd() && from == to) continue;
      const auto part = part_of(side, from, to);
      moving |= 1U << i;
      bits = bits << 1 | (part.bit ? 1U : 0U);
      sum += part.pair;
      blocks = blocks * side.factors() + part.factor;
      for (auto place = from; place != to;) {
        const auto next = (place + (part.is_upward ? 1 : side.size - 1)) % side.size;
        at = at + next * side.stride - place * side.stride;
        placement.path.push_back(at);
        place = next;
      }
    }
    auto directions = static_cast<std::uint32_t>(std::popcount(moving));
    if (are_rings_) {
      --directions;
      const auto all = (1U << directions) - 1;
      bits = (bits >> directions & 1) != 0 ? ~bits & all : bits;
    }
    const auto& range = ranges_[moving];
    placement.slot = range.first + ((blocks * range.sums + sum % range.sums) << directions | bits);
    return placement;
  }

 private:
  // Slots of the messages that move on some sides, or whose side is even.
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t sums = 1;
  };

  template <class Use>
  void for_each(std::uint32_t moving, const Use& use) const {
    for (std::size_t i = 0; i < sides_.size(); ++i)
      if ((moving >> i & 1) != 0) use(i);
  }

  std::vector<Side> sides_;
  bool are_rings_ = false;
  std::vector<Range> ranges_;
  std::uint32_t steps_ = 0;
};

}  // namespace

std::optional<Construction> in_grid(const Problem& problem, const Network& network, const HasExpired& has_expired) {
  auto sides = sides_of(network);
  if (!sides) return std::nullopt;
  const Grid grid(std::move(*sides));
  Construction construction{{grid.steps(), {}}, "rounds of the lines of a mesh or torus"};
  construction.schedule.placements.reserve(problem.transfers.size());
  for (const auto& transfer : problem.transfers) {
    if (has_expired && transfer.to == 0 && has_expired()) return std::nullopt;
    construction.schedule.placements.push_back(grid.place(transfer, network.distance(transfer.from, transfer.to)));
  }
  return construction;
}

}  // namespace clopt::exchange
