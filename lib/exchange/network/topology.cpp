#include <clopt/exchange.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include <shared/random.h>
#include "text.hpp"

namespace clopt::exchange {
namespace {

using Numbers = std::vector<std::uint32_t>;

// What random numbers of this file are for; the searches have their own purposes.
constexpr std::uint32_t purpose_topology = 0x746f706f;

// Collects links; a link that is already there, as in a ring of two nodes, is one link.
class Builder {
 public:
  explicit Builder(std::uint64_t nodes) {
    topology_.nodes = static_cast<std::uint32_t>(nodes);
    topology_.roles.assign(nodes, Role::both);
  }
  void join(std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    topology_.links.push_back({a, b});
    topology_.links.push_back({b, a});
  }
  void only_routes(std::uint32_t node) { topology_.roles[node] = Role::router; }
  Topology finish() {
    auto& links = topology_.links;
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return std::move(topology_);
  }

 private:
  Topology topology_;
};

Topology grid(const Numbers& sizes, bool wraps) {
  std::uint32_t nodes = 1;
  for (const auto size : sizes) nodes *= size;
  Builder builder(nodes);
  std::uint32_t stride = nodes;
  for (const auto size : sizes) {
    stride /= size;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const auto at = node / stride % size;
      if (at + 1 < size)
        builder.join(node, node + stride);
      else if (wraps)
        builder.join(node, node - at * stride);
    }
  }
  return builder.finish();
}

Topology circulant(std::uint32_t nodes, const Numbers& jumps) {
  Builder builder(nodes);
  for (const auto jump : jumps)
    for (std::uint32_t node = 0; node < nodes; ++node) builder.join(node, (node + jump) % nodes);
  return builder.finish();
}

Topology hypercube(std::uint32_t dimensions) {
  Builder builder(std::uint64_t{1} << dimensions);
  for (std::uint32_t node = 0; node < 1U << dimensions; ++node)
    for (std::uint32_t bit = 0; bit < dimensions; ++bit) builder.join(node, node ^ 1U << bit);
  return builder.finish();
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0 && result <= most_nodes; --exponent) result *= base;
  return result;
}

// Terminal p hangs on switch p / arity of level 0. A switch of level l is joined to those of level l+1 whose number
// agrees with its own in all digits but digit l, to the base of the arity.
Topology fat_tree(std::uint32_t arity, std::uint32_t levels) {
  const auto terminals = static_cast<std::uint32_t>(power(arity, levels));
  const auto switches = terminals / arity;
  Builder builder(terminals + std::uint64_t{switches} * levels);
  for (std::uint32_t terminal = 0; terminal < terminals; ++terminal)
    builder.join(terminal, terminals + terminal / arity);
  std::uint32_t digit = 1;
  for (std::uint32_t level = 0; level < levels; ++level, digit *= arity)
    for (std::uint32_t each = 0; each < switches; ++each) {
      const auto node = terminals + level * switches + each;
      builder.only_routes(node);
      if (level + 1 == levels) continue;
      const auto cleared = each - each / digit % arity * digit;
      for (std::uint32_t value = 0; value < arity; ++value)
        builder.join(node, terminals + (level + 1) * switches + cleared + value * digit);
    }
  return builder.finish();
}

// A torus whose columns end in the row where they begin some columns further on (Camara et al., Twisted torus
// topologies for enhanced interconnection networks, IEEE Trans. Parallel Distrib. Syst. 21(12), 2010).
Topology twisted_torus(std::uint32_t rows, std::uint32_t columns, std::uint32_t twist) {
  Builder builder(std::uint64_t{rows} * columns);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column) {
      const auto node = row * columns + column;
      builder.join(node, row * columns + (column + 1) % columns);
      builder.join(node, row + 1 < rows ? node + columns : (column + twist) % columns);
    }
  return builder.finish();
}

// Groups of nodes that are all joined; a link between each two groups, those of a group shared out among its nodes
// (Kim, Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008).
Topology dragonfly(std::uint32_t size, std::uint32_t links) {
  const auto others = size * links;
  Builder builder(std::uint64_t{others + 1} * size);
  for (std::uint32_t group = 0; group <= others; ++group) {
    for (std::uint32_t a = 0; a < size; ++a)
      for (std::uint32_t b = 0; b < a; ++b) builder.join(group * size + a, group * size + b);
    for (std::uint32_t k = 0; k < others; ++k)
      builder.join(group * size + k / links, (group + k + 1) % (others + 1) * size + (others - 1 - k) / links);
  }
  return builder.finish();
}

// An element whose powers are all numbers below a prime but 0.
std::uint32_t primitive_element(std::uint32_t prime) {
  for (std::uint32_t element = 2;; ++element) {
    std::uint32_t order = 1;
    for (auto power = element; power != 1; power = power * element % prime) ++order;
    if (order == prime - 1) return element;
  }
}

// McKay, Miller and Siran's graphs of diameter 2, for a prime q = 4w + 1 or 4w - 1 (Besta and Hoefler, Slim Fly: a cost
// effective low-diameter network topology, SC 2014, section II-B). Nodes (0,x,y) come before nodes (1,m,c).
Topology slim_fly(std::uint32_t q) {
  // Differences that join nodes of one kind, and of the other: even and odd powers with their negatives.
  std::vector<bool> differences[2] = {std::vector<bool>(q), std::vector<bool>(q)};
  const auto element = primitive_element(q);
  std::uint32_t power = 1;
  for (std::uint32_t i = 0; i < (q + 1) / 4 * 2; ++i, power = power * element % q)
    differences[i % 2][power] = differences[i % 2][q - power] = true;
  Builder builder(std::uint64_t{2} * q * q);
  for (std::uint32_t x = 0; x < q; ++x)
    for (std::uint32_t y = 0; y < q; ++y) {
      for (const std::uint32_t kind : {0U, 1U})
        for (std::uint32_t other = 0; other < y; ++other)
          if (differences[kind][y - other]) builder.join((kind * q + x) * q + y, (kind * q + x) * q + other);
      // y = m x + c
      for (std::uint32_t m = 0; m < q; ++m) builder.join(x * q + y, (q + m) * q + (y + q * q - m * x) % q);
    }
  return builder.finish();
}

// Pairs the nodes' ends at random, then removes self loops and double links by exchanging ends with links drawn at
// random (Steger and Wormald's remedy would start again, which takes long for large degrees).
Topology random_regular(std::uint32_t nodes, std::uint32_t degree, std::uint64_t seed) {
  std::vector<std::uint32_t> ends(std::size_t{nodes} * degree);
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = static_cast<std::uint32_t>(i / degree);
  std::uint64_t drawn = 0;
  const auto draw = [&](std::uint64_t below) {
    return shared::uniform_at(seed, purpose_topology, drawn++, static_cast<std::uint32_t>(below));
  };
  for (auto i = ends.size(); i > 1; --i) std::swap(ends[i - 1], ends[draw(i)]);
  const auto pairs = ends.size() / 2;
  const auto link_of = [&](std::size_t pair) {
    const auto [a, b] = std::minmax(ends[2 * pair], ends[2 * pair + 1]);
    return std::size_t{a} * nodes + b;
  };
  std::vector<std::uint16_t> uses(std::size_t{nodes} * nodes);
  for (std::size_t pair = 0; pair < pairs; ++pair) ++uses[link_of(pair)];
  const auto is_bad = [&](std::size_t pair) { return ends[2 * pair] == ends[2 * pair + 1] || uses[link_of(pair)] > 1; };
  for (bool again = true; again;) {
    again = false;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      if (!is_bad(pair)) continue;
      again = true;
      const auto other = draw(pairs);
      --uses[link_of(pair)];
      --uses[link_of(other)];
      std::swap(ends[2 * pair + 1], ends[2 * other + draw(2)]);
      ++uses[link_of(pair)];
      ++uses[link_of(other)];
    }
  }
  Builder builder(nodes);
  for (std::size_t pair = 0; pair < pairs; ++pair) builder.join(ends[2 * pair], ends[2 * pair + 1]);
  return builder.finish();
}

/// A class of topologies and how its sizes are read.
class Description {
 public:
  explicit Description(std::string_view text) : text_(text) {}

  [[noreturn]] void refuse(std::string_view why) const {
    throw InvalidInput(fmt::format("topology '{}': {}; give one of {}, or a file", printable(text_), why,
                                   fmt::join(topology_classes(), ", ")));
  }
  Numbers numbers(std::string_view text, char separator, std::uint64_t least = 1) const {
    Numbers numbers;
    for (const auto part : split(text, separator)) {
      const auto number = number_in<std::uint64_t>(part);
      if (!number || *number < least || *number > most_nodes)
        refuse(fmt::format("'{}' is not an integer from {} to {}", printable(part), least, most_nodes));
      numbers.push_back(static_cast<std::uint32_t>(*number));
    }
    return numbers;
  }
  std::uint32_t number(std::string_view text, std::uint64_t least) const {
    const auto found = numbers(text, 'x', least);
    if (found.size() != 1) refuse("it has one size");
    return found.front();
  }
  void require_nodes(std::uint64_t nodes) const {
    if (nodes > most_nodes) refuse(fmt::format("it has more than {} nodes", most_nodes));
  }
  Numbers grid_sizes(std::string_view text) const {
    auto sizes = numbers(text, 'x');
    std::uint64_t nodes = 1;
    for (const auto size : sizes) require_nodes(nodes *= size);
    return sizes;
  }
  // Two numbers, BASExEXPONENT, whose power is limited.
  std::pair<std::uint32_t, std::uint32_t> powers(std::string_view text, std::uint64_t least_base) const {
    const auto sizes = numbers(text, 'x');
    if (sizes.size() != 2) refuse("it has two sizes");
    if (sizes[0] < least_base) refuse(fmt::format("its first size is at least {}", least_base));
    require_nodes(power(sizes[0], sizes[1]));
    return {sizes[0], sizes[1]};
  }

 private:
  std::string_view text_;
};

// The midimew network of N nodes is the circulant with the jumps b-1 and b, b = ceil(sqrt(N/2)) (Beivide et al., 1991).
Topology midimew(std::uint32_t nodes) {
  std::uint32_t b = 1;
  while (2 * b * b < nodes) ++b;
  return circulant(nodes, b > 1 ? Numbers{b - 1, b} : Numbers{b});
}

Topology fat_tree(const Description& description, std::string_view sizes) {
  const auto [arity, levels] = description.powers(sizes, 2);
  description.require_nodes(power(arity, levels) + levels * power(arity, levels - 1));
  return fat_tree(arity, levels);
}

Topology circulant(const Description& description, std::string_view sizes) {
  const auto colon = sizes.find(':');
  if (colon == std::string_view::npos) description.refuse("it has no jumps");
  const auto nodes = description.number(sizes.substr(0, colon), 2);
  auto jumps = description.numbers(sizes.substr(colon + 1), ',');
  std::sort(jumps.begin(), jumps.end());
  jumps.erase(std::unique(jumps.begin(), jumps.end()), jumps.end());
  for (const auto jump : jumps)
    if (jump >= nodes) description.refuse(fmt::format("the jump {} is not below the {} nodes", jump, nodes));
  return circulant(nodes, jumps);
}

Topology random_regular(const Description& description, std::string_view sizes, std::uint64_t seed) {
  const auto numbers = description.numbers(sizes, ':');
  if (numbers.size() != 2) description.refuse("it has a number of nodes and a degree");
  if (numbers[1] >= numbers[0]) description.refuse("the degree must be below the number of nodes");
  if (numbers[0] % 2 == 1 && numbers[1] % 2 == 1) description.refuse("nodes times degree must be even");
  if (numbers[1] > numbers[0] / 2) description.refuse("the degree must be at most half of the number of nodes");
  return random_regular(numbers[0], numbers[1], seed);
}

Topology twisted_torus(const Description& description, std::string_view sizes) {
  const auto colon = sizes.find(':');
  const auto grid = description.grid_sizes(sizes.substr(0, colon));
  if (colon == std::string_view::npos || grid.size() != 2) description.refuse("it has two sizes, a colon and a twist");
  const auto twist = number_in<std::uint32_t>(sizes.substr(colon + 1));
  if (!twist || *twist >= grid[1]) description.refuse(fmt::format("its twist is an integer from 0 to {}", grid[1] - 1));
  return twisted_torus(grid[0], grid[1], *twist);
}

Topology dragonfly(const Description& description, std::string_view sizes) {
  const auto numbers = description.numbers(sizes, 'x');
  if (numbers.size() != 2)
    description.refuse("it has two sizes, the nodes of a group and the links of each to other groups");
  description.require_nodes(std::uint64_t{numbers[0]} * (std::uint64_t{numbers[0]} * numbers[1] + 1));
  return dragonfly(numbers[0], numbers[1]);
}

Topology slim_fly(const Description& description, std::string_view sizes) {
  const auto q = description.number(sizes, 3);
  bool is_odd_prime = q % 2 == 1;
  for (std::uint32_t factor = 3; factor * factor <= q; factor += 2) is_odd_prime = is_odd_prime && q % factor != 0;
  if (!is_odd_prime || 2 * q * q > most_nodes) description.refuse("its size is a prime from 3 to 43");
  return slim_fly(q);
}

Topology make(const Description& description, std::string_view kind, std::string_view sizes, std::uint64_t seed) {
  if (kind == "mesh") return grid(description.grid_sizes(sizes), false);
  if (kind == "torus") return grid(description.grid_sizes(sizes), true);
  if (kind == "k-ary-n-cube") {
    const auto [base, dimensions] = description.powers(sizes, 2);
    return grid(Numbers(dimensions, base), true);
  }
  if (kind == "hypercube") {
    const auto dimensions = description.number(sizes, 1);
    description.require_nodes(power(2, dimensions));
    return hypercube(dimensions);
  }
  if (kind == "ring") return circulant(description.number(sizes, 2), {1});
  if (kind == "complete") {
    const auto nodes = description.number(sizes, 2);
    Numbers jumps(nodes / 2);
    std::iota(jumps.begin(), jumps.end(), 1U);
    return circulant(nodes, jumps);
  }
  if (kind == "spidergon") {
    const auto nodes = description.number(sizes, 2);
    if (nodes % 2 == 1) description.refuse("it has an even number of nodes");
    return circulant(nodes, {1, nodes / 2});
  }
  if (kind == "midimew") return midimew(description.number(sizes, 2));
  if (kind == "circulant") return circulant(description, sizes);
  if (kind == "fat-tree") return fat_tree(description, sizes);
  if (kind == "twisted-torus") return twisted_torus(description, sizes);
  if (kind == "dragonfly") return dragonfly(description, sizes);
  if (kind == "slim-fly") return slim_fly(description, sizes);
  if (kind == "random") return random_regular(description, sizes, seed);
  description.refuse("there is no such class");
}

}  // namespace

const std::vector<std::string>& topology_classes() {
  static const std::vector<std::string> classes{
      "mesh:AxB[x...]", "torus:AxB[x...]", "twisted-torus:AxB:T", "k-ary-n-cube:KxN",       "hypercube:D",
      "ring:N",         "spidergon:N",     "midimew:N",           "circulant:N:JUMP[,...]", "complete:N",
      "fat-tree:KxN",   "dragonfly:AxH",   "slim-fly:Q",          "random:N:DEGREE"};
  return classes;
}

Topology make_topology(std::string_view text, std::uint64_t seed) {
  const Description description(text);
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) description.refuse("it has no sizes");
  auto topology = make(description, text.substr(0, colon), text.substr(colon + 1), seed);
  topology.name = text;
  return topology;
}

void remove_link(Topology& topology, std::uint32_t a, std::uint32_t b) {
  const auto removed = std::erase_if(topology.links, [&](const Link& link) {
    return (link.from == a && link.to == b) || (link.from == b && link.to == a);
  });
  if (removed == 0) throw InvalidInput(fmt::format("topology '{}' has no link {}-{}", printable(topology.name), a, b));
}

void remove_node(Topology& topology, std::uint32_t node) {
  if (node >= topology.nodes)
    throw InvalidInput(fmt::format("topology '{}' has no node {}; its nodes are 0 to {}", printable(topology.name),
                                   node, topology.nodes - 1));
  std::erase_if(topology.links, [&](const Link& link) { return link.from == node || link.to == node; });
  topology.roles[node] = Role::router;
}

}  // namespace clopt::exchange
