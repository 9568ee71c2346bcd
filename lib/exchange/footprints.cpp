#include "footprints.hpp"

#include <algorithm>
#include <functional>
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

std::uint32_t elements_of(const Gene& gene, const Footprint& footprint) {
  return gene.paths * shared::exchange_elements(gene.hops, footprint.y);
}

/// Collects elements, each sequence of them once.
class ElementTable {
 public:
  /// \returns the number of the first element of \p own.
  std::uint32_t find_or_add(std::span<const std::uint64_t> own, std::uint32_t elements_a_path) {
    const std::string_view bytes(reinterpret_cast<const char*>(own.data()), own.size_bytes());
    const auto hash = std::hash<std::string_view>()(bytes);
    const auto [begin, end] = known_.equal_range(hash);
    for (auto known = begin; known != end; ++known)
      if (known->second + own.size() <= elements_.size() &&
          std::equal(own.begin(), own.end(), elements_.begin() + known->second))
        return known->second;
    // A path should not be in more pieces than it must.
    if (elements_a_path > 1)
      elements_.resize((elements_.size() + elements_a_piece - 1) / elements_a_piece * elements_a_piece);
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

/// The elements of a gene's paths. \param own_paths links.
std::vector<std::uint64_t> make_elements(const Gene& gene, std::span<const std::uint16_t> own_paths,
                                         const LinkPlaces& links, const Footprint& footprint) {
  const std::uint32_t lowest = shared::exchange_lowest_place(footprint.y);
  const std::uint32_t elements = shared::exchange_elements(gene.hops, footprint.y);
  const std::uint32_t places_each = (footprint.y & EXCHANGE_WIDE_PLACES) != 0 ? 4 : 8;
  std::vector<std::uint64_t> made(std::size_t{gene.paths} * elements);
  for (std::size_t i = 0; i < own_paths.size(); ++i) {
    const auto path = i / gene.hops;
    const auto hop = i % gene.hops;
    const std::uint64_t place = links.place[own_paths[i]] - lowest;
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
  std::vector<std::uint32_t> difference(links.size());
  std::transform(links.begin(), links.end(), difference.begin(),
                 [&](const Link& link) { return (link.to + nodes - link.from) % nodes; });
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
  Footprints made{links.places, {}, {}};
  ElementTable table;
  for (const auto& gene : genes) {
    const auto own_paths = paths.subspan(gene.first, std::size_t{gene.paths} * gene.hops);
    const auto compare = [&](std::uint16_t a, std::uint16_t b) { return links.place[a] < links.place[b]; };
    const auto [lowest, highest] = std::minmax_element(own_paths.begin(), own_paths.end(), compare);
    const bool is_wide = links.place[*highest] - links.place[*lowest] > 0xff;
    Footprint footprint{gene.hops << 24, links.place[*lowest] | (is_wide ? EXCHANGE_WIDE_PLACES : 0U)};
    if (gene.hops > most_hops || table.elements().size() + elements_of(gene, footprint) > most_elements) return {};
    footprint.x |= table.find_or_add(make_elements(gene, own_paths, links, footprint),
                                     shared::exchange_elements(gene.hops, footprint.y));
    made.genes.push_back(footprint);
  }
  made.elements = std::move(table.elements());
  return made;
}

}  // namespace clopt::exchange
