#include "orbit_tables.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include <exchange/schedule/schedule.hpp>
#include <exchange/search.hpp>

namespace clopt::exchange {
namespace {

/// Costs are handled for this many words of four slots at a time.
constexpr std::uint32_t words_at_once = 8;

/// Moves slots as the group multiplies: a ring of slots for the cosets of a subgroup, of the trivial one while enough
/// slots are left, then of the smallest one whose cosets still fit.
class SlotRings {
 public:
  SlotRings(const SymmetryGroup& group, std::uint32_t steps) : products_(group.products()), order_(group.order()) {
    images_.resize(std::size_t{steps} * order_);
    for (; next_ + order_ <= steps; next_ += order_)
      for (std::uint32_t h = 0; h < order_; ++h)
        for (std::uint32_t a = 0; a < order_; ++a) image(next_ + h, a) = next_ + product(a, h);
    free_ = next_;
    staying_.resize(order_);
    while (next_ < steps) add_ring(largest_index(steps - next_));
  }

  /// Slots below this one are left in place by the identity alone.
  std::uint32_t free_slots() const { return free_; }
  /// Elements that leave some slot in place.
  const std::vector<bool>& staying() const { return staying_; }
  const std::vector<std::uint16_t>& images() const { return images_; }

 private:
  std::uint32_t product(std::uint32_t a, std::uint32_t b) const { return products_[a * order_ + b]; }
  struct SlotImage {
    std::uint16_t& place;
    void operator=(std::uint32_t slot) const { place = static_cast<std::uint16_t>(slot); }
  };
  SlotImage image(std::uint32_t slot, std::uint32_t element) { return {images_[std::size_t{slot} * order_ + element]}; }

  std::vector<std::uint32_t> generated(std::uint32_t a, std::uint32_t b) const {
    std::vector<bool> in(order_);
    std::vector<std::uint32_t> elements{0};
    in[0] = true;
    for (std::size_t head = 0; head < elements.size(); ++head)
      for (const auto by : {a, b}) {
        const auto next = product(elements[head], by);
        if (in[next]) continue;
        in[next] = true;
        elements.push_back(next);
      }
    return elements;
  }

  // The subgroup, of those with two generators, with the most cosets that fit; the whole group has one.
  std::vector<std::uint32_t> largest_index(std::uint32_t room) const {
    std::vector<std::uint32_t> best(order_);
    std::iota(best.begin(), best.end(), 0U);
    for (std::uint32_t a = 0; a < order_; ++a)
      for (std::uint32_t b = order_ > 128 ? a : 0; b <= a; ++b) {
        auto elements = generated(a, b);
        if (order_ / elements.size() <= room && elements.size() < best.size()) best = std::move(elements);
      }
    return best;
  }

  void add_ring(const std::vector<std::uint32_t>& subgroup) {
    std::vector<std::uint32_t> coset(order_, order_);
    std::vector<std::uint32_t> first;
    for (std::uint32_t h = 0; h < order_; ++h) {
      if (coset[h] != order_) continue;
      for (const auto k : subgroup) coset[product(h, k)] = static_cast<std::uint32_t>(first.size());
      first.push_back(h);
    }
    for (std::uint32_t c = 0; c < first.size(); ++c)
      for (std::uint32_t a = 0; a < order_; ++a) {
        const auto moved = coset[product(a, first[c])];
        image(next_ + c, a) = next_ + moved;
        if (moved == c && a != 0) staying_[a] = true;
      }
    next_ += static_cast<std::uint32_t>(first.size());
  }

  std::vector<std::uint32_t> products_;
  std::uint32_t order_;
  std::uint32_t next_ = 0;
  std::uint32_t free_ = 0;
  std::vector<bool> staying_;
  std::vector<std::uint16_t> images_;
};

/// Adds orbits' graphs of shortest paths to an orbit's tables.
class Graphs {
 public:
  Graphs(const Network& network, OrbitTables& tables) : network_(network), tables_(tables), place_(network.nodes()) {}

  /// The links of the graph stand in links() until the next call.
  SearchOrbit add(const Transfer& transfer) {
    const auto hops = network_.distance(transfer.from, transfer.to);
    SearchOrbit orbit{};
    orbit.first_edge = static_cast<std::uint32_t>(tables_.edges.size());
    orbit.first_node = static_cast<std::uint32_t>(tables_.node_first.size());
    orbit.hops = hops;
    std::vector<std::uint32_t> nodes{transfer.from};
    place_[transfer.from] = 0;
    links_.clear();
    tables_.node_first.push_back(0);
    for (std::size_t head = 0; head < nodes.size(); ++head) {
      if (head > 0) add_edges(transfer, nodes[head]);
      for (auto link = network_.first_out(nodes[head]); link < network_.first_out(nodes[head] + 1); ++link) {
        const auto to = network_.links()[link].to;
        if (!network_.is_on_shortest_path(transfer, network_.links()[link])) continue;
        // Nodes join in the order of their distance; one that has joined is found by its place.
        if (place_[to] < nodes.size() && nodes[place_[to]] == to) continue;
        place_[to] = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back(to);
      }
      tables_.node_first.push_back(count(tables_.edges.size() - orbit.first_edge));
    }
    orbit.nodes = static_cast<std::uint32_t>(nodes.size());
    orbit.edges = static_cast<std::uint32_t>(tables_.edges.size()) - orbit.first_edge;
    return orbit;
  }
  const std::vector<std::uint32_t>& links() const { return links_; }

 private:
  std::uint16_t count(std::size_t edges) const {
    if (edges > EXCHANGE_MOST_NUMBERED)
      throw InvalidInput(fmt::format("exchange: {} links on the shortest paths of one transfer; the search takes {}",
                                     edges, EXCHANGE_MOST_NUMBERED));
    return static_cast<std::uint16_t>(edges);
  }
  void add_edges(const Transfer& transfer, std::uint32_t node) {
    for (const auto link : network_.in_links(node)) {
      const auto& ends = network_.links()[link];
      if (!network_.is_on_shortest_path(transfer, ends)) continue;
      tables_.edges.push_back(place_[ends.from] << 16 | link);
      links_.push_back(link);
    }
  }

  const Network& network_;
  OrbitTables& tables_;
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> links_;
};

}  // namespace

std::string search_obstacle(const Network& network, std::uint32_t steps) {
  const auto links = network.links().size();
  if (links > EXCHANGE_MOST_NUMBERED)
    return fmt::format("there are {} links and the search takes at most {}", links, EXCHANGE_MOST_NUMBERED);
  if (steps > EXCHANGE_MOST_NUMBERED)
    return fmt::format("{} steps are more than the {} that the search takes", steps, EXCHANGE_MOST_NUMBERED);
  return {};
}

std::uint64_t OrbitTables::bytes() const {
  return orbits.size() * sizeof(SearchOrbit) + cells.size() * sizeof(SearchCell) + node_first.size() * 2 +
         edges.size() * 4 + link_images.size() * 2 + slot_images.size() * 2;
}

std::optional<OrbitTables> make_orbit_tables(const Network& network, std::span<const Transfer> transfers,
                                             SymmetryGroup group, std::uint32_t steps) {
  if (const auto obstacle = search_obstacle(network, steps); !obstacle.empty())
    throw InvalidInput(fmt::format("exchange: {}; leave `steps` out, with the `optimizer` auto or pack", obstacle));
  OrbitTables tables;
  const std::uint32_t order = group.order();
  const auto links = static_cast<std::uint32_t>(network.links().size());
  const SlotRings rings(group, steps);
  tables.steps = steps;
  tables.slot_images = rings.images();
  tables.link_images.reserve(std::size_t{links} * order);
  std::uint32_t channel = 0;
  for (std::uint32_t number = 0; number < links; ++number) {
    // A symmetry keeps the order of parallel channels.
    const auto& link = network.links()[number];
    channel = number > 0 && network.links()[number - 1] == link ? channel + 1 : 0;
    for (const auto& element : group.elements) {
      const Link image = element(link);
      tables.link_images.push_back(static_cast<std::uint16_t>(network.link_between(image.from, image.to) + channel));
    }
  }
  std::vector<std::uint16_t> done(std::size_t{network.nodes()} * network.nodes());
  std::vector<bool> on_path(links);
  Graphs graphs(network, tables);
  std::uint16_t copy = 0;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const auto& transfer = transfers[i];
    copy = i > 0 && transfers[i - 1] == transfer ? copy + 1 : 0;
    if (done[std::size_t{transfer.from} * network.nodes() + transfer.to] > copy) continue;
    // Images are wanted as often as the transfer, so that each of its copies has an orbit of its own.
    for (const auto& element : group.elements) {
      const Transfer image = element(transfer);
      ++done[std::size_t{image.from} * network.nodes() + image.to];
    }
    SearchOrbit orbit = graphs.add(transfer);
    // Where an element leaves slots in place, a path and its image must have no link in common.
    orbit.slots = steps;
    for (const auto link : graphs.links()) on_path[link] = true;
    for (const auto link : graphs.links())
      for (std::uint32_t a = 1; a < order; ++a)
        if (rings.staying()[a] && on_path[tables.link_images[std::size_t{link} * order + a]])
          orbit.slots = rings.free_slots();
    for (const auto link : graphs.links()) on_path[link] = false;
    if (orbit.slots == 0) return std::nullopt;
    tables.shape.most_hops = std::max(tables.shape.most_hops, orbit.hops);
    tables.shape.most_nodes = std::max(tables.shape.most_nodes, orbit.nodes);
    tables.orbits.push_back(orbit);
    tables.representatives.push_back(transfer);
  }
  tables.shape.orbits = static_cast<std::uint32_t>(tables.orbits.size());
  tables.shape.links = links;
  tables.shape.words = (steps + 4 * words_at_once - 1) / (4 * words_at_once) * words_at_once;
  tables.shape.order = order;
  add_cells(tables);
  tables.group = std::move(group);
  return tables;
}

bool is_placement(const OrbitTables& tables, const Network& network, std::size_t orbit, std::uint32_t slot,
                  std::span<const std::uint16_t> path) {
  const auto& transfer = tables.representatives[orbit];
  auto at = transfer.from;
  for (const auto number : path.first(tables.orbits[orbit].hops)) {
    if (number >= network.links().size() || network.links()[number].from != at) return false;
    at = network.links()[number].to;
  }
  return at == transfer.to && slot < tables.orbits[orbit].slots;
}

Schedule expand(const OrbitTables& tables, const Network& network, std::span<const Transfer> transfers,
                std::span<const std::uint32_t> slots, std::span<const std::uint16_t> paths) {
  Schedule schedule{tables.steps, std::vector<Placement>(transfers.size())};
  const std::uint32_t order = tables.shape.order;
  for (std::uint32_t orbit = 0; orbit < tables.shape.orbits; ++orbit) {
    const auto path = paths.subspan(std::size_t{orbit} * tables.shape.most_hops, tables.orbits[orbit].hops);
    for (std::uint32_t a = 0; a < order; ++a) {
      const auto& element = tables.group.elements[a];
      const Transfer image = element(tables.representatives[orbit]);
      auto& placement = schedule.placements[free_place(transfers, image, schedule)];
      placement.slot = tables.slot_images[std::size_t{slots[orbit]} * order + a];
      placement.path.assign(1, tables.representatives[orbit].from);
      for (const auto link : path) placement.path.push_back(network.links()[link].to);
      for (auto& node : placement.path) node = element.image[node];
      if (element.reverses) std::reverse(placement.path.begin(), placement.path.end());
    }
  }
  return schedule;
}

}  // namespace clopt::exchange
