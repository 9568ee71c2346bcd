/// \file
/// Orbits' graphs of shortest paths as cells of two edges, for work-items that have 32 slots each.
#include "orbit_tables.hpp"

#include <algorithm>
#include <numeric>

namespace clopt::exchange {
namespace {

/// Work-items of a replica; a hop of a path is one's, and so is a word of the receiver's slots.
constexpr std::uint32_t work_items = 32;
constexpr std::uint32_t slots_a_word = 32;

/// A cell in the making; cells are named by their place in the list.
struct Draft {
  std::uint32_t first_link;
  std::uint32_t first_from;
  std::uint32_t second_link;
  std::uint32_t second_from;
  std::uint32_t second_edge;
  std::uint32_t round;
};

class OrbitCells {
 public:
  OrbitCells(const OrbitTables& tables, std::uint32_t at_once) : tables_(tables), at_once_(at_once) {}

  /// \returns whether there are few enough.
  bool make(const SearchOrbit& orbit) {
    drafts_.assign(1, {});
    in_round_.assign(1, at_once_);
    cell_of_node_.assign(1, 0);
    const auto* const edges = tables_.edges.data() + orbit.first_edge;
    for (std::uint32_t node = 1; node < orbit.nodes; ++node) {
      const std::uint32_t first = tables_.node_first[orbit.first_node + node];
      const std::uint32_t end = tables_.node_first[orbit.first_node + node + 1];
      // A node has a cell less than it has edges, but one at least.
      if (drafts_.size() + std::max(end - first, 2U) > EXCHANGE_MOST_CELLS + 1) return false;
      if (end == first + 1) add(link_of(edges[first]), from_of(edges[first]), edges[first], first);
      for (std::uint32_t edge = first + 1; edge < end; ++edge) {
        if (edge == first + 1)
          add(link_of(edges[first]), from_of(edges[first]), edges[edge], edge);
        else
          add(tables_.shape.links, static_cast<std::uint32_t>(drafts_.size() - 1), edges[edge], edge);
      }
      cell_of_node_.push_back(static_cast<std::uint32_t>(drafts_.size() - 1));
    }
    return true;
  }

  /// Puts the cells into the tables, round after round.
  void put(OrbitTables& tables, SearchOrbit& orbit) const {
    std::vector<std::uint32_t> order(drafts_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return drafts_[a].round < drafts_[b].round; });
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    orbit.first_cell = static_cast<std::uint32_t>(tables.cells.size());
    orbit.cells = static_cast<std::uint32_t>(order.size());
    std::uint32_t end = orbit.cells;
    tables.cells.resize(tables.cells.size() + order.size());
    for (std::uint32_t i = orbit.cells; i-- > 0;) {
      const auto& draft = drafts_[order[i]];
      if (i + 1 < orbit.cells && draft.round != drafts_[order[i + 1]].round) end = i + 1;
      tables.cells[orbit.first_cell + i] = {
          draft.first_link | place[draft.first_from] << 16 | end << 24,
          draft.second_link | place[draft.second_from] << 16 | (draft.second_edge & 31U) << 24};
    }
  }

 private:
  static std::uint32_t link_of(std::uint32_t edge) { return edge & 0xffffU; }
  std::uint32_t from_of(std::uint32_t edge) const { return cell_of_node_[edge >> 16]; }

  void add(std::uint32_t first_link, std::uint32_t first_from, std::uint32_t second, std::uint32_t second_edge) {
    std::uint32_t round = 1 + std::max(drafts_[first_from].round, drafts_[from_of(second)].round);
    while (round < in_round_.size() && in_round_[round] == at_once_) ++round;
    if (round >= in_round_.size()) in_round_.resize(round + 1);
    ++in_round_[round];
    drafts_.push_back({first_link, first_from, link_of(second), from_of(second), second_edge, round});
  }

  const OrbitTables& tables_;
  std::uint32_t at_once_;
  std::vector<Draft> drafts_;
  std::vector<std::uint32_t> in_round_;      ///< how many cells
  std::vector<std::uint32_t> cell_of_node_;  ///< that with its last edge
};

}  // namespace

void add_cells(OrbitTables& tables) {
  const std::uint32_t words = 4 * tables.shape.words / slots_a_word;
  if (words > work_items || tables.shape.most_hops > work_items || tables.shape.links > EXCHANGE_MOST_NUMBERED - 1)
    return;
  OrbitCells cells(tables, work_items / words);
  std::uint32_t most = 0;
  for (auto& orbit : tables.orbits) {
    if (!cells.make(orbit)) {
      tables.cells.clear();
      return;
    }
    cells.put(tables, orbit);
    most = std::max(most, orbit.cells);
  }
  tables.shape.most_cells = most;
}

}  // namespace clopt::exchange
