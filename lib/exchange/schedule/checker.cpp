/// \file
/// The checker: it shares no code with the search, nor its tables, so that a fault there cannot hide here.
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace clopt::exchange {
namespace {

// A message in the replay. Longer ones only keep their links longer.
constexpr std::int64_t flits = 4;

class Checker {
 public:
  Checker(const Problem& problem, const ClaimedSchedule& schedule) : problem_(problem), schedule_(schedule) {}

  std::string check() {
    if (schedule_.nodes != problem_.topology.nodes)
      return fmt::format("the schedule is for {} nodes, and the topology has {}", schedule_.nodes,
                         problem_.topology.nodes);
    neighbours_.resize(problem_.topology.nodes);
    for (const auto& link : problem_.topology.links) neighbours_[link.from].push_back(link.to);
    for (auto& each : neighbours_) {
      std::sort(each.begin(), each.end());
      first_channels_.push_back(channels_.size());
      channels_.resize(channels_.size() + each.size());
    }
    seen_.assign(problem_.transfers.size(), 0);
    for (const auto& transfer : schedule_.transfers)
      if (auto fault = check_transfer(transfer); !fault.empty()) return fault;
    if (auto fault = check_all_seen(); !fault.empty()) return fault;
    for (const auto& [slot, transfers] : by_slot())
      if (auto fault = replay(slot, transfers); !fault.empty()) return fault;
    return {};
  }

 private:
  template <class Any>
  static std::string name_of(const Any& transfer) {
    return fmt::format("the transfer from {} to {}", transfer.from, transfer.to);
  }

  std::string check_transfer(const ClaimedTransfer& transfer) {
    const std::int64_t nodes = problem_.topology.nodes;
    if (transfer.from < 0 || transfer.from >= nodes || transfer.to < 0 || transfer.to >= nodes)
      return fmt::format("{} has a node that is not there; nodes are 0 to {}", name_of(transfer), nodes - 1);
    const Transfer wanted{static_cast<std::uint32_t>(transfer.from), static_cast<std::uint32_t>(transfer.to)};
    const auto& all = problem_.transfers;
    const auto [first, end] = std::equal_range(all.begin(), all.end(), wanted);
    if (first == end) return fmt::format("{} is not wanted", name_of(transfer));
    if (seen_[static_cast<std::size_t>(first - all.begin())]++ == static_cast<std::size_t>(end - first))
      return end - first == 1 ? fmt::format("{} takes place twice", name_of(transfer))
                              : fmt::format("{} takes place more than {} times", name_of(transfer), end - first);
    if (schedule_.steps < 1)
      return fmt::format("{} has no slot: the schedule has {} steps", name_of(transfer), schedule_.steps);
    if (transfer.slot < 0 || transfer.slot >= schedule_.steps)
      return fmt::format("{} is in slot {}, and the slots are 0 to {}", name_of(transfer), transfer.slot,
                         schedule_.steps - 1);
    return check_path(transfer);
  }

  std::string check_all_seen() const {
    const auto& all = problem_.transfers;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      while (end < all.size() && all[end] == all[begin]) ++end;
      if (seen_[begin] == end - begin) continue;
      const auto name = name_of(all[begin]);
      if (end - begin == 1) return fmt::format("{} is missing", name);
      return fmt::format("{} takes place {} times, and is wanted {} times", name, seen_[begin], end - begin);
    }
    return {};
  }

  std::string check_path(const ClaimedTransfer& transfer) {
    const auto& path = transfer.path;
    if (path.size() < 2 || path.front() != transfer.from || path.back() != transfer.to)
      return fmt::format("{} has a path that does not lead from {} to {}", name_of(transfer), transfer.from,
                         transfer.to);
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop)
      if (!is_link(path[hop], path[hop + 1]))
        return fmt::format("{} takes the link from {} to {}, which is not there", name_of(transfer), path[hop],
                           path[hop + 1]);
    const auto shortest = distance(static_cast<std::uint32_t>(transfer.from), static_cast<std::uint32_t>(transfer.to));
    if (path.size() - 1 != shortest)
      return fmt::format("{} takes a path of {} links, and the shortest has {}", name_of(transfer), path.size() - 1,
                         shortest);
    return {};
  }

  bool is_link(std::int64_t from, std::int64_t to) const {
    if (from < 0 || to < 0 || from >= std::ssize(neighbours_) || to >= std::ssize(neighbours_)) return false;
    const auto& next = neighbours_[static_cast<std::size_t>(from)];
    return std::binary_search(next.begin(), next.end(), static_cast<std::uint32_t>(to));
  }

  // Breadth first from one sender, remembered since its transfers follow each other.
  std::size_t distance(std::uint32_t from, std::uint32_t to) {
    constexpr auto none = std::numeric_limits<std::size_t>::max();
    if (distances_from_ != from || distances_.empty()) {
      distances_from_ = from;
      distances_.assign(neighbours_.size(), none);
      distances_[from] = 0;
      std::vector<std::uint32_t> layer{from};
      for (std::size_t far = 1; !layer.empty(); ++far) {
        std::vector<std::uint32_t> beyond;
        for (const auto node : layer)
          for (const auto next : neighbours_[node])
            if (distances_[next] == none) {
              distances_[next] = far;
              beyond.push_back(next);
            }
        layer = std::move(beyond);
      }
    }
    return distances_[to];
  }

  using Slots = std::map<std::int64_t, std::vector<const ClaimedTransfer*>>;

  Slots by_slot() const {
    Slots slots;
    for (const auto& transfer : schedule_.transfers) slots[transfer.slot].push_back(&transfer);
    return slots;
  }

  // The first link, in the order of nodes, that too many transfers of a slot take.
  std::string clash_of(std::int64_t slot, const std::vector<const ClaimedTransfer*>& transfers) const {
    struct Use {
      std::int64_t from, to;
      std::size_t transfer;
      auto operator<=>(const Use&) const = default;
    };
    std::vector<Use> uses;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const auto& path = transfers[i]->path;
      for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) uses.push_back({path[hop], path[hop + 1], i});
    }
    std::sort(uses.begin(), uses.end());
    for (std::size_t begin = 0; begin < uses.size();) {
      const auto& use = uses[begin];
      const auto channels = channels_between(use.from, use.to);
      auto end = begin + 1;
      while (end < uses.size() && uses[end].from == use.from && uses[end].to == use.to) ++end;
      if (end - begin > channels) {
        const auto& first = *transfers[use.transfer];
        const auto& second = *transfers[uses[begin + channels].transfer];
        const auto pair = fmt::format("in slot {} the transfers from {} to {} and from {} to {}", slot, first.from,
                                      first.to, second.from, second.to);
        if (channels == 1) return fmt::format("{} both take the link from {} to {}", pair, use.from, use.to);
        return fmt::format("{} are two of {} that take the link from {} to {}, which has {} channels", pair,
                           end - begin, use.from, use.to, channels);
      }
      begin = end;
    }
    return {};
  }

  std::size_t channels_between(std::int64_t from, std::int64_t to) const {
    const auto& next = neighbours_[static_cast<std::size_t>(from)];
    return static_cast<std::size_t>(std::count(next.begin(), next.end(), static_cast<std::uint32_t>(to)));
  }

  // A channel of a link that no path of the slot has taken; none where there is no more.
  std::optional<std::size_t> take_channel(std::int64_t from, std::int64_t to, std::int64_t slot) {
    const auto& next = neighbours_[static_cast<std::size_t>(from)];
    const auto first = std::lower_bound(next.begin(), next.end(), static_cast<std::uint32_t>(to));
    const auto begin = first_channels_[static_cast<std::size_t>(from)];
    auto& link = channels_[begin + static_cast<std::size_t>(first - next.begin())];
    if (std::exchange(link.slot, slot) != slot) link.taken = 0;
    const auto channel = first + link.taken++;
    if (channel >= next.end() || *channel != *first) return std::nullopt;
    return begin + static_cast<std::size_t>(channel - next.begin());
  }

  // Wormhole switching: a header takes a link, the tail gives it back; a link moves one flit in a cycle. The messages
  // of a slot start together, and no flit may find its link taken.
  std::string replay(std::int64_t slot, const std::vector<const ClaimedTransfer*>& transfers) {
    taken_.clear();
    std::vector<std::size_t> first_taken;
    std::int64_t cycles = 0;
    for (const auto* const transfer : transfers) {
      const auto& path = transfer->path;
      first_taken.push_back(taken_.size());
      for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
        const auto channel = take_channel(path[hop], path[hop + 1], slot);
        if (!channel) return clash_of(slot, transfers);
        channels_[*channel].owner = nullptr;
        channels_[*channel].used = -1;
        taken_.push_back(*channel);
      }
      cycles = std::max(cycles, std::ssize(path) - 1 + flits - 1);
    }
    for (std::int64_t cycle = 0; cycle < cycles; ++cycle)
      for (std::size_t i = 0; i < transfers.size(); ++i)
        for (auto hop = std::max<std::int64_t>(0, cycle - flits + 1);
             hop <= std::min(cycle, std::ssize(transfers[i]->path) - 2); ++hop) {
          auto& channel = channels_[taken_[first_taken[i] + static_cast<std::size_t>(hop)]];
          if ((channel.owner && channel.owner != transfers[i]) || channel.used == cycle)
            return fmt::format("in slot {} a flit of {} waits in cycle {}", slot, name_of(*transfers[i]), cycle);
          const bool is_tail = cycle - hop == flits - 1;
          channel.owner = is_tail ? nullptr : transfers[i];
          channel.used = cycle;
        }
    return {};
  }

  struct Channel {
    std::int64_t slot = -1;    ///< of a link's first channel: the last one in which a path took the link
    std::ptrdiff_t taken = 0;  ///< likewise: how many of the link's channels that slot's paths took
    const ClaimedTransfer* owner = nullptr;
    std::int64_t used = -1;  ///< cycle of the last flit
  };

  const Problem& problem_;
  const ClaimedSchedule& schedule_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<std::size_t> seen_;  ///< of equal transfers, with the first one: how often they take place
  std::uint32_t distances_from_ = 0;
  std::vector<std::size_t> distances_;
  std::vector<std::size_t> first_channels_;  ///< of nodes
  std::vector<Channel> channels_;
  std::vector<std::size_t> taken_;  ///< channels of a slot's paths, one path after the other
};

}  // namespace

std::string check(const Problem& problem, const ClaimedSchedule& schedule) {
  return Checker(problem, schedule).check();
}

}  // namespace clopt::exchange
