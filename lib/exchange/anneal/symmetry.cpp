#include "symmetry.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>

namespace clopt::exchange {
namespace {

/// Effort: symmetries asked for, nodes tried for each, groups made.
constexpr std::uint32_t most_samples = 768;
constexpr std::uint32_t tries_a_node = 24;
constexpr std::size_t most_free = 400;
constexpr int group_attempts = 160;
constexpr std::uint64_t most_images = 100'000'000;  ///< of nodes, when symmetries are multiplied
constexpr int refusals_a_group = 24;
constexpr std::size_t groups_an_order = 6;
/// Orders of symmetries among whose powers involutions are looked for, however small their groups are to be.
constexpr std::uint32_t most_order_of_powers = 64;

/// Numbers below n from a generator whose sequence the standard fixes, unlike its distributions.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::mt19937_64 random_;
};

/// Finds symmetries: a node after the other is mapped to a neighbour of its neighbour's image at the right distances
/// from all images before.
class Finder {
 public:
  Finder(const Network& network, std::span<const Transfer> transfers, RandomNumbers& random)
      : network_(network),
        random_numbers_(random),
        nodes_(network.nodes()),
        has_parallel_channels_(network.has_parallel_channels()),
        wanted_(std::size_t{nodes_} * nodes_) {
    for (const auto& transfer : transfers) ++wanted_[std::size_t{transfer.from} * nodes_ + transfer.to];
    neighbours_.resize(nodes_);
    for (const auto& link : network.links()) {
      neighbours_[link.from].push_back(link.to);
      neighbours_[link.to].push_back(link.from);
    }
    for (auto& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    order_nodes();
  }

  /// How many transfers lead from a node to another.
  std::uint16_t wanted(std::uint32_t from, std::uint32_t to) const { return wanted_[std::size_t{from} * nodes_ + to]; }

  /// A symmetry that takes the first node to a node, if the effort suffices.
  std::optional<Symmetry> find(std::uint32_t first_image, bool reverses) {
    symmetry_ = {std::vector<std::uint32_t>(nodes_), reverses};
    used_.assign(nodes_, false);
    tries_ = std::uint64_t{tries_a_node} * nodes_;
    first_image_ = first_image;
    if (!extend(0)) return std::nullopt;
    return symmetry_;
  }

  /// Whether a symmetry leaves a wanted transfer where it is.
  bool fixes_a_transfer(const Symmetry& symmetry) const {
    std::vector<std::uint32_t> fixed;
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      const auto image = symmetry.image[node];
      if (symmetry.reverses) {
        if (symmetry.image[image] == node && wanted(node, image) > 0) return true;
      } else if (image == node) {
        fixed.push_back(node);
      }
    }
    for (const auto from : fixed)
      for (const auto to : fixed)
        if (wanted(from, to) > 0) return true;
    return false;
  }

 private:
  // Nodes by search in breadth, so that each has a neighbour before it, but for the first of each component.
  void order_nodes() {
    std::vector<bool> seen(nodes_);
    for (std::uint32_t root = 0; root < nodes_; ++root) {
      if (seen[root]) continue;
      seen[root] = true;
      order_.push_back(root);
      parent_.push_back(nodes_);
      for (std::size_t head = order_.size() - 1; head < order_.size(); ++head)
        for (const auto next : neighbours_[order_[head]]) {
          if (seen[next]) continue;
          seen[next] = true;
          order_.push_back(next);
          parent_.push_back(order_[head]);
        }
    }
  }

  bool fits(std::size_t place, std::uint32_t image) const {
    const auto node = order_[place];
    if (neighbours_[node].size() != neighbours_[image].size()) return false;
    for (std::size_t i = place; i-- > 0;) {
      auto from = order_[i];
      auto to = node;
      for (int way = 0; way < 2; ++way, std::swap(from, to)) {
        auto image_from = way == 0 ? symmetry_.image[order_[i]] : image;
        auto image_to = way == 0 ? image : symmetry_.image[order_[i]];
        if (symmetry_.reverses) std::swap(image_from, image_to);
        if (network_.distance(from, to) != network_.distance(image_from, image_to) ||
            wanted(from, to) != wanted(image_from, image_to))
          return false;
        if (has_parallel_channels_ &&
            network_.channels_between(from, to) != network_.channels_between(image_from, image_to))
          return false;
      }
    }
    return true;
  }

  bool extend(std::size_t place) {
    if (place == nodes_) return true;
    std::vector<std::uint32_t> candidates;
    if (place == 0) {
      candidates = {first_image_};
    } else if (parent_[place] == nodes_) {
      candidates.resize(nodes_);
      std::iota(candidates.begin(), candidates.end(), 0U);
    } else {
      candidates = neighbours_[symmetry_.image[parent_[place]]];
    }
    random_numbers_.shuffle(candidates);
    for (const auto image : candidates) {
      if (used_[image] || tries_ == 0) continue;
      --tries_;
      if (!fits(place, image)) continue;
      used_[image] = true;
      symmetry_.image[order_[place]] = image;
      if (extend(place + 1)) return true;
      used_[image] = false;
    }
    return false;
  }

  const Network& network_;
  RandomNumbers& random_numbers_;
  std::uint32_t nodes_;
  bool has_parallel_channels_;
  std::vector<std::uint16_t> wanted_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<std::uint32_t> order_, parent_;
  Symmetry symmetry_;
  std::vector<bool> used_;
  std::uint64_t tries_ = 0;
  std::uint32_t first_image_ = 0;
};

/// Symmetries that act freely, as do all their powers; each once.
std::vector<Symmetry> find_free(Finder& finder, std::uint32_t nodes, bool undirected, std::uint32_t most_order,
                                RandomNumbers& random) {
  std::set<Symmetry> found;
  std::vector<std::uint32_t> images(nodes);
  std::iota(images.begin(), images.end(), 0U);
  random.shuffle(images);
  // Large networks are slow to search, and a few symmetries are enough.
  const std::uint32_t samples = std::clamp(20'000'000U / (nodes * nodes), 64U, most_samples);
  for (std::uint32_t i = 0; i < samples && found.size() < most_free; ++i) {
    const bool reverses = undirected ? i % 3 == 2 : i % 2 == 1;
    const auto symmetry = finder.find(images[i % nodes], reverses);
    if (!symmetry) continue;
    std::vector<Symmetry> powers;
    Symmetry power = *symmetry;
    while (!power.is_identity() && powers.size() < most_order) {
      powers.push_back(power);
      power = after(*symmetry, power);
    }
    if (!power.is_identity()) continue;
    // The powers of a power are powers too.
    const std::size_t order = powers.size() + 1;
    std::vector<bool> fixes(order);
    for (std::size_t k = 1; k < order; ++k) fixes[k] = finder.fixes_a_transfer(powers[k - 1]);
    for (std::size_t k = 1; k < order; ++k) {
      bool free = true;
      for (std::size_t j = k; j % order != 0 && free; j += k) free = !fixes[j % order];
      if (free) found.insert(powers[k - 1]);
    }
  }
  return {found.begin(), found.end()};
}

/// The elements that some symmetries generate, if they act freely and are not too many.
std::optional<std::set<Symmetry>> generate(const std::vector<Symmetry>& generators, const Finder& finder,
                                           std::uint32_t most_order, std::uint64_t& images) {
  std::set<Symmetry> elements(generators.begin(), generators.end());
  std::vector<Symmetry> next(generators);
  while (!next.empty()) {
    const Symmetry element = std::move(next.back());
    next.pop_back();
    for (const auto& generator : generators) {
      Symmetry product = after(generator, element);
      images += product.image.size();
      if (!elements.insert(product).second) continue;
      if (elements.size() > most_order || (!product.is_identity() && finder.fixes_a_transfer(product)))
        return std::nullopt;
      next.push_back(std::move(product));
    }
  }
  return elements;
}

SymmetryGroup make_group(const std::set<Symmetry>& elements) {
  SymmetryGroup group;
  group.elements.assign(elements.begin(), elements.end());
  const auto identity = std::find_if(group.elements.begin(), group.elements.end(),
                                     [](const Symmetry& element) { return element.is_identity(); });
  std::iter_swap(group.elements.begin(), identity);
  return group;
}

}  // namespace

bool Symmetry::is_identity() const {
  if (reverses) return false;
  for (std::uint32_t i = 0; i < image.size(); ++i)
    if (image[i] != i) return false;
  return true;
}

Symmetry after(const Symmetry& second, const Symmetry& first) {
  Symmetry both{first.image, first.reverses != second.reverses};
  for (auto& node : both.image) node = second.image[node];
  return both;
}

bool SymmetryGroup::reverses() const {
  return std::any_of(elements.begin(), elements.end(), [](const Symmetry& element) { return element.reverses; });
}

std::vector<std::uint32_t> SymmetryGroup::products() const {
  std::map<Symmetry, std::uint32_t> place;
  for (std::uint32_t i = 0; i < order(); ++i) place[elements[i]] = i;
  std::vector<std::uint32_t> products;
  for (const auto& a : elements)
    for (const auto& b : elements) products.push_back(place.at(after(a, b)));
  return products;
}

SymmetryGroup trivial_group(std::uint32_t nodes) {
  SymmetryGroup group{{Symmetry{std::vector<std::uint32_t>(nodes), false}}};
  std::iota(group.elements[0].image.begin(), group.elements[0].image.end(), 0U);
  return group;
}

std::vector<SymmetryGroup> find_groups(const Network& network, std::span<const Transfer> transfers,
                                       std::uint32_t most_order, std::uint64_t seed, GroupKind kind) {
  RandomNumbers random(seed);
  Finder finder(network, transfers, random);
  const auto& links = network.links();
  const bool undirected = std::all_of(links.begin(), links.end(), [&](const Link& link) {
    return network.link_between(link.to, link.from) < links.size();
  });
  const bool are_involutions = kind == GroupKind::involutions;
  auto free = find_free(finder, network.nodes(), undirected,
                        are_involutions ? std::max(most_order, most_order_of_powers) : most_order, random);
  if (are_involutions)
    std::erase_if(free, [](const Symmetry& symmetry) { return !after(symmetry, symmetry).is_identity(); });
  std::map<std::size_t, std::set<std::set<Symmetry>>> by_order;
  std::uint64_t images = 0;
  for (int attempt = 0; attempt < group_attempts && !free.empty() && images < most_images; ++attempt) {
    // Generators that commute give large groups; any others may give groups of other kinds.
    const bool commuting = attempt % 4 != 3 || are_involutions;
    std::vector<Symmetry> generators;
    for (int refused = 0; refused < refusals_a_group && images < most_images;) {
      const auto& symmetry = free[random.below(free.size())];
      const bool fits = !commuting || std::all_of(generators.begin(), generators.end(), [&](const Symmetry& other) {
        return after(symmetry, other) == after(other, symmetry);
      });
      if (!fits) {
        ++refused;
        continue;
      }
      generators.push_back(symmetry);
      auto elements = generate(generators, finder, most_order, images);
      if (!elements) {
        generators.pop_back();
        ++refused;
        continue;
      }
      auto& known = by_order[elements->size()];
      if (!known.insert(std::move(*elements)).second) ++refused;
    }
  }
  std::vector<SymmetryGroup> groups{trivial_group(network.nodes())};
  for (const auto& [order, sets] : by_order) {
    std::size_t taken = 0;
    for (const auto& elements : sets) {
      if (taken++ == groups_an_order) break;
      groups.push_back(make_group(elements));
    }
  }
  return groups;
}

}  // namespace clopt::exchange
