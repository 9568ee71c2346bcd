#include "construct.hpp"

#include <algorithm>
#include <bit>

namespace clopt::exchange {
namespace {

bool is_complete_exchange(const Problem& problem, std::uint32_t terminals) {
  const auto& all = problem.transfers;
  return all.size() == std::size_t{terminals} * (terminals - 1) &&
         std::adjacent_find(all.begin(), all.end()) == all.end() &&
         std::all_of(all.begin(), all.end(),
                     [&](const Transfer& transfer) { return transfer.from < terminals && transfer.to < terminals; });
}

std::optional<Construction> one_slot(const Problem& problem, const Network& network) {
  Construction construction{{1, {}}, "every wanted path is one link"};
  std::uint32_t copies = 0;
  for (std::size_t i = 0; i < problem.transfers.size(); ++i) {
    const auto& [from, to] = problem.transfers[i];
    copies = i > 0 && problem.transfers[i - 1] == problem.transfers[i] ? copies + 1 : 1;
    if (network.distance(from, to) != 1 || copies > network.channels_between(from, to)) return std::nullopt;
    construction.schedule.placements.push_back({0, {from, to}});
  }
  return construction;
}

// The address of each node in a hypercube: nodes are numbered so already where make_topology() made it, but a file may
// number them otherwise. An address is fixed by the neighbours of one node; each other node has the union of those of
// its neighbours that are nearer to that node.
std::optional<std::vector<std::uint32_t>> hypercube_addresses(const Network& network) {
  const auto nodes = network.nodes();
  const auto dimensions = static_cast<std::uint32_t>(std::countr_zero(nodes));
  if (!std::has_single_bit(nodes) || nodes < 2 || network.links().size() != std::size_t{nodes} * dimensions ||
      network.has_parallel_channels())
    return std::nullopt;
  std::vector<std::uint32_t> order(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) order[node] = node;
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return network.distance(0, a) < network.distance(0, b); });
  std::vector<std::uint32_t> addresses(nodes, 0);
  std::uint32_t next_bit = 0;
  for (const auto node : order) {
    if (network.distance(0, node) == 1) addresses[node] = 1U << next_bit++;
    if (network.distance(0, node) >= 2)
      for (const auto link : network.in_links(node)) {
        const auto before = network.links()[link].from;
        if (network.distance(0, before) < network.distance(0, node)) addresses[node] |= addresses[before];
      }
    if (next_bit > dimensions) return std::nullopt;
  }
  auto sorted = addresses;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() || sorted.back() >= nodes) return std::nullopt;
  for (const auto& link : network.links())
    if (!std::has_single_bit(addresses[link.from] ^ addresses[link.to])) return std::nullopt;
  return addresses;
}

std::optional<Construction> in_hypercube(const Problem& problem, const Network& network) {
  const auto nodes = network.nodes();
  if (!is_complete_exchange(problem, nodes)) return std::nullopt;
  const auto addresses = hypercube_addresses(network);
  if (!addresses) return std::nullopt;
  std::vector<std::uint32_t> node_at(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) node_at[(*addresses)[node]] = node;
  Construction construction{{std::max(1U, nodes / 2), {}}, "masks m and not-m of a hypercube share a slot"};
  for (const auto& [from, to] : problem.transfers) {
    const auto mask = (*addresses)[from] ^ (*addresses)[to];
    // All transfers of a mask together use each link of the mask's dimensions once, and its complement the others. Slot
    // 0 holds the mask of all ones alone.
    Placement placement{std::min(mask, ~mask & (nodes - 1)), {from}};
    auto at = (*addresses)[from];
    for (auto rest = mask; rest != 0; rest &= rest - 1) {
      at ^= rest & (0U - rest);
      placement.path.push_back(node_at[at]);
    }
    construction.schedule.placements.push_back(std::move(placement));
  }
  return construction;
}

/// The K-ary N-tree as make_topology() numbers it.
struct FatTree {
  std::uint32_t arity, levels, terminals, switches;

  std::uint32_t switch_at(std::uint32_t level, std::uint32_t each) const { return terminals + level * switches + each; }
  std::uint32_t digit(std::uint32_t number, std::uint32_t level) const {
    for (; level > 0; --level) number /= arity;
    return number % arity;
  }
  // Up to the lowest common switches, taking at each level the switch whose digit is the receiver's, so that messages
  // for different receivers of a shift permutation never share a link (destination modulo k: Zahavi et al., J. Parallel
  // Distrib. Comput. 72(11), 2012); then down, where there is one way only.
  std::vector<std::uint32_t> path(std::uint32_t from, std::uint32_t to) const {
    std::vector<std::uint32_t> path{from};
    auto each = from / arity;
    const auto goal = to / arity;
    path.push_back(switch_at(0, each));
    std::uint32_t level = 0;
    std::uint32_t place = 1;
    const auto same_above = [&] { return each / place == goal / place; };
    for (; !same_above(); ++level, place *= arity) {
      each += (digit(to, level) - digit(each, level)) * place;
      path.push_back(switch_at(level + 1, each));
    }
    while (level > 0) {
      --level;
      place /= arity;
      each += (digit(goal, level) - digit(each, level)) * place;
      path.push_back(switch_at(level, each));
    }
    path.push_back(to);
    return path;
  }
};

std::optional<FatTree> recognise_fat_tree(const Problem& problem) {
  const auto& roles = problem.topology.roles;
  const auto terminals = static_cast<std::uint32_t>(std::count(roles.begin(), roles.end(), Role::both));
  for (std::uint32_t arity = 2; arity <= terminals; ++arity) {
    std::uint32_t levels = 0;
    std::uint32_t power = 1;
    while (power < terminals) {
      power *= arity;
      ++levels;
    }
    if (power != terminals || terminals + levels * (terminals / arity) != roles.size()) continue;
    const auto tree = make_topology("fat-tree:" + std::to_string(arity) + "x" + std::to_string(levels));
    if (tree.links == problem.topology.links && tree.roles == roles)
      return FatTree{arity, levels, terminals, terminals / arity};
  }
  return std::nullopt;
}

std::optional<Construction> in_fat_tree(const Problem& problem) {
  const auto tree = recognise_fat_tree(problem);
  if (!tree || !is_complete_exchange(problem, tree->terminals)) return std::nullopt;
  Construction construction{{tree->terminals - 1, {}}, "shift permutations of a fat tree"};
  for (const auto& [from, to] : problem.transfers)
    construction.schedule.placements.push_back(
        {(to + tree->terminals - from) % tree->terminals - 1, tree->path(from, to)});
  return construction;
}

}  // namespace

std::optional<Construction> construct(const Problem& problem, const Network& network, const HasExpired& has_expired) {
  if (auto found = one_slot(problem, network)) return found;
  if (auto found = single_root(problem, network, has_expired)) return found;
  if (auto found = in_hypercube(problem, network)) return found;
  if (auto found = in_fat_tree(problem)) return found;
  if (!is_complete_exchange(problem, network.nodes())) return std::nullopt;
  return in_grid(problem, network, has_expired);
}

}  // namespace clopt::exchange
