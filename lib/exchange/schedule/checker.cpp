/// \file
/// The checker: it shares no code with the search, nor its tables, so that a fault there cannot hide here.
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
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
    for (auto& each : neighbours_) std::sort(each.begin(), each.end());
    seen_.assign(problem_.transfers.size(), 0);
    for (const auto& transfer : schedule_.transfers)
      if (auto fault = check_transfer(transfer); !fault.empty()) return fault;
    if (auto fault = check_all_seen(); !fault.empty()) return fault;
    const auto slots = by_slot();
    for (const auto& [slot, transfers] : slots)
      if (auto fault = check_clashes(slot, transfers); !fault.empty()) return fault;
    return replay(slots);
  }

 private:
  std::string check_transfer(const ClaimedTransfer& transfer) {
    const auto name = fmt::format("the transfer from {} to {}", transfer.from, transfer.to);
    const std::int64_t nodes = problem_.topology.nodes;
    if (transfer.from < 0 || transfer.from >= nodes || transfer.to < 0 || transfer.to >= nodes)
      return fmt::format("{} has a node that is not there; nodes are 0 to {}", name, nodes - 1);
    const Transfer wanted{static_cast<std::uint32_t>(transfer.from), static_cast<std::uint32_t>(transfer.to)};
    const auto& all = problem_.transfers;
    const auto [first, end] = std::equal_range(all.begin(), all.end(), wanted);
    if (first == end) return fmt::format("{} is not wanted", name);
    if (seen_[static_cast<std::size_t>(first - all.begin())]++ == static_cast<std::size_t>(end - first))
      return end - first == 1 ? fmt::format("{} takes place twice", name)
                              : fmt::format("{} takes place more than {} times", name, end - first);
    if (schedule_.steps < 1) return fmt::format("{} has no slot: the schedule has {} steps", name, schedule_.steps);
    if (transfer.slot < 0 || transfer.slot >= schedule_.steps)
      return fmt::format("{} is in slot {}, and the slots are 0 to {}", name, transfer.slot, schedule_.steps - 1);
    return check_path(transfer, name);
  }

  std::string check_all_seen() const {
    const auto& all = problem_.transfers;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      while (end < all.size() && all[end] == all[begin]) ++end;
      if (seen_[begin] == end - begin) continue;
      const auto name = fmt::format("the transfer from {} to {}", all[begin].from, all[begin].to);
      if (end - begin == 1) return fmt::format("{} is missing", name);
      return fmt::format("{} takes place {} times, and is wanted {} times", name, seen_[begin], end - begin);
    }
    return {};
  }

  std::string check_path(const ClaimedTransfer& transfer, const std::string& name) {
    const auto& path = transfer.path;
    if (path.size() < 2 || path.front() != transfer.from || path.back() != transfer.to)
      return fmt::format("{} has a path that does not lead from {} to {}", name, transfer.from, transfer.to);
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop)
      if (!is_link(path[hop], path[hop + 1]))
        return fmt::format("{} takes the link from {} to {}, which is not there", name, path[hop], path[hop + 1]);
    const auto shortest = distance(static_cast<std::uint32_t>(transfer.from), static_cast<std::uint32_t>(transfer.to));
    if (path.size() - 1 != shortest)
      return fmt::format("{} takes a path of {} links, and the shortest has {}", name, path.size() - 1, shortest);
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

  std::string check_clashes(std::int64_t slot, const std::vector<const ClaimedTransfer*>& transfers) const {
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

  // Wormhole switching: a header takes a link, the tail gives it back; a link moves one flit in a cycle. The messages
  // of a slot start together, and no flit may find its link taken.
  std::string replay(const Slots& slots) {
    // Parallel channels have numbers that follow the first one's.
    for (const auto& link : problem_.topology.links) {
      numbers_.emplace(std::pair(link.from, link.to), channels_.size());
      channels_.emplace_back();
    }
    for (const auto& [slot, transfers] : slots)
      if (auto fault = replay_slot(slot, transfers); !fault.empty()) return fault;
    return {};
  }

  std::string replay_slot(std::int64_t slot, const std::vector<const ClaimedTransfer*>& transfers) {
    std::vector<std::vector<std::size_t>> links(transfers.size());
    std::map<std::size_t, std::size_t> uses;  ///< of a link in this slot, by its first channel
    std::int64_t cycles = 0;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const auto& path = transfers[i]->path;
      for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
        const auto first = numbers_.at({path[hop], path[hop + 1]});
        links[i].push_back(first + uses[first]++);
        channels_[links[i].back()] = {};
      }
      cycles = std::max(cycles, std::ssize(links[i]) + flits - 1);
    }
    for (std::int64_t cycle = 0; cycle < cycles; ++cycle)
      for (std::size_t i = 0; i < transfers.size(); ++i)
        for (auto hop = std::max<std::int64_t>(0, cycle - flits + 1); hop <= std::min(cycle, std::ssize(links[i]) - 1);
             ++hop) {
          auto& channel = channels_[links[i][static_cast<std::size_t>(hop)]];
          if ((channel.owner && channel.owner != transfers[i]) || channel.used == cycle)
            return fmt::format("in slot {} a flit of the transfer from {} to {} waits in cycle {}", slot,
                               transfers[i]->from, transfers[i]->to, cycle);
          const bool tail = cycle - hop == flits - 1;
          channel = {tail ? nullptr : transfers[i], cycle};
        }
    return {};
  }

  struct Channel {
    const ClaimedTransfer* owner = nullptr;
    std::int64_t used = -1;  ///< cycle of the last flit
  };

  const Problem& problem_;
  const ClaimedSchedule& schedule_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<std::size_t> seen_;  ///< of equal transfers, with the first one: how often they take place
  std::uint32_t distances_from_ = 0;
  std::vector<std::size_t> distances_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> numbers_;  ///< of links' first channels
  std::vector<Channel> channels_;
};

}  // namespace

std::string check(const Problem& problem, const ClaimedSchedule& schedule) {
  return Checker(problem, schedule).check();
}

}  // namespace clopt::exchange
