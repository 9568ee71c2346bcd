#include "footprints.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace clopt::exchange {
namespace {

constexpr std::uint32_t most_hops = 255;
constexpr std::uint32_t most_places = 1 << 16;
constexpr std::size_t most_elements = std::size_t{1} << 24;
/// Elements in the smallest piece that comes from memory at once.
constexpr std::size_t elements_a_piece = 4;

/// Collects elements, each sequence of them once.
class ElementTable {
 public:
  /// \param are_long whether paths take several elements each. \returns the number of the first element of \p own.
  std::uint32_t find_or_add(std::span<const std::uint64_t> own, bool are_long) {
    const std::string_view bytes(reinterpret_cast<const char*>(own.data()), own.size_bytes());
    const auto hash = std::hash<std::string_view>()(bytes);
    const auto [begin, end] = known_.equal_range(hash);
    for (auto known = begin; known != end; ++known)
      if (known->second + own.size() <= elements_.size() &&
          std::equal(own.begin(), own.end(), elements_.begin() + known->second))
        return known->second;
    // A path should not be in more pieces than it must.
    if (are_long) elements_.resize((elements_.size() + elements_a_piece - 1) / elements_a_piece * elements_a_piece);
    const auto first = static_cast<std::uint32_t>(elements_.size());
    elements_.insert(elements_.end(), own.begin(), own.end());
    known_.emplace(hash, first);
    return first;
  }
  std::vector<std::uint64_t>& elements() { return elements_; }

 private:
  std::vector<std::uint64_t> elements_;
  std::unordered_multimap<std::size_t, std::uint32_t> known_;
};

/// A gene's paths, and the lowest and the highest of their places.
struct PathsOfGene {
  PathsOfGene(const Gene& gene, std::span<const std::uint16_t> paths, const LinkPlaces& links)
      : hops(gene.hops), paths_of_all(paths.subspan(gene.first, std::size_t{gene.paths} * gene.hops)) {
    for (const auto link : paths_of_all) {
      lowest = std::min(lowest, links.place[link]);
      highest = std::max(highest, links.place[link]);
    }
  }
  std::uint32_t hops;
  std::span<const std::uint16_t> paths_of_all;
  std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t highest = 0;
};

std::vector<std::uint64_t> make_elements(const PathsOfGene& gene, const LinkPlaces& links, std::uint32_t places_each) {
  const std::uint32_t elements = (gene.hops + places_each - 1) / places_each;
  std::vector<std::uint64_t> made(gene.paths_of_all.size() / gene.hops * elements);
  for (std::size_t i = 0; i < gene.paths_of_all.size(); ++i) {
    const auto path = i / gene.hops;
    const auto hop = i % gene.hops;
    const std::uint64_t place = links.place[gene.paths_of_all[i]] - gene.lowest;
    made[path * elements + hop / places_each] |= place << 64 / places_each * (hop % places_each);
  }
  return made;
}

}  // namespace

LinkPlaces place_links(const Network& network) {
  const auto& links = network.links();
  const auto nodes = network.nodes();
  LinkPlaces made{static_cast<std::uint32_t>(links.size()), std::vector<std::uint32_t>(links.size())};
  std::iota(made.place.begin(), made.place.end(), 0U);
  // Parallel channels are of different kinds, so that each has a place of its own.
  std::vector<std::uint32_t> difference(links.size());
  std::uint32_t channel = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    channel = i > 0 && links[i] == links[i - 1] ? channel + 1 : 0;
    difference[i] = channel * nodes + (links[i].to + nodes - links[i].from) % nodes;
  }
  std::vector<std::uint32_t> kinds = difference;
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  if (2 * kinds.size() * nodes > 3 * links.size()) return made;
  made.places = static_cast<std::uint32_t>(kinds.size() * nodes);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto kind = std::lower_bound(kinds.begin(), kinds.end(), difference[i]) - kinds.begin();
    made.place[i] = static_cast<std::uint32_t>(kind) * nodes + links[i].from;
  }
  return made;
}

Footprints make_footprints(const Network& network, std::span<const Gene> genes, std::span<const std::uint16_t> paths) {
  const LinkPlaces links = place_links(network);
  if (links.places > most_places) return {};
  std::vector<PathsOfGene> own;
  bool is_wide = false;
  for (const auto& gene : genes) {
    if (gene.hops > most_hops) return {};
    own.emplace_back(gene, paths, links);
    is_wide |= own.back().highest - own.back().lowest > 0xff;
  }
  Footprints made{links.places, is_wide ? 4U : 8U, {}, {}};
  ElementTable table;
  for (const auto& gene : own) {
    const auto elements = make_elements(gene, links, made.places_an_element);
    if (table.elements().size() + elements_a_piece + elements.size() > most_elements) return {};
    const auto first = table.find_or_add(elements, gene.hops > made.places_an_element);
    made.genes.push_back({gene.hops << 24 | first, gene.lowest});
  }
  made.elements = std::move(table.elements());
  return made;
}

}  // namespace clopt::exchange
