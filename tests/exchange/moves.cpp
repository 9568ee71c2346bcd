/// \file
/// The host's moves, as they are compiled for several instruction sets.
#include <exchange/anneal/orbit_tables.hpp>
#include <exchange/search.hpp>
#include <openmp/exchange/moves.hpp>

#include <boost/test/unit_test.hpp>

namespace {

using namespace clopt;
using namespace clopt::exchange;
using namespace clopt::openmp::exchange;

struct Form {
  std::string_view name;
  MakeMoves make_moves;
};

std::vector<Form> forms_of_this_processor() {
  std::vector<Form> forms;
  for (const auto set : {InstructionSet::plain, InstructionSet::avx2, InstructionSet::avx512})
    if (set <= instruction_set()) forms.push_back({name_of(set), moves_for(set)});
  for (const auto& form : forms) BOOST_TEST_MESSAGE("moves of this processor: " << form.name);
  return forms;
}

/// What moves change.
struct State {
  std::vector<std::uint32_t> slots;
  std::vector<std::uint16_t> paths;
  std::vector<std::uint32_t> stamps;
  std::vector<std::uint8_t> uses;
  std::uint32_t energy = 0;
  bool operator==(const State&) const = default;
};

/// Places all orbits, then makes moves of the heat bath, then of tabu search.
State run(const OrbitTables& tables, const Form& form, bool has_places) {
  const auto& shape = tables.shape;
  const std::size_t row = row_bytes(shape);
  State state{std::vector<std::uint32_t>(shape.orbits, EXCHANGE_NOWHERE),
              std::vector<std::uint16_t>(std::size_t{shape.orbits} * shape.most_hops),
              std::vector<std::uint32_t>(shape.orbits), std::vector<std::uint8_t>(shape.links * row)};
  std::vector<std::uint32_t> edges = tables.edges;
  if (has_places)
    for (auto& edge : edges)
      edge = static_cast<std::uint32_t>((edge >> 16) * node_bytes(row) / place_unit << 16 |
                                        (edge & 0xffffU) * row / place_unit);
  std::vector<std::uint32_t> order;
  for (std::uint32_t orbit = shape.orbits; orbit-- > 0;) order.push_back(orbit);
  struct alignas(64) Line {
    std::uint8_t bytes[64];
  };
  std::vector<Line> distances(shape.most_nodes * node_bytes(row) / sizeof(Line));
  const std::uint32_t heat_bath[EXCHANGE_LEVELS] = {1U << 30, 1U << 28, 1U << 20, 5};
  const std::uint32_t coldest[EXCHANGE_LEVELS] = {1};
  const std::uint32_t most = ~0U;
  const std::pair<const std::uint32_t*, SearchMoves> launches[] = {
      {heat_bath, {3, 0, shape.orbits, 1, 1, 0, 0, 0}},
      {heat_bath, {3, shape.orbits, 333, 0, 3, most / 5 * 4, 0, 0}},
      {coldest, {3, shape.orbits + 333, 77, 0, 64, most, 10, 0}},
  };
  for (const auto& [weights, moves] : launches) {
    const SearchTables search_tables{
        tables.orbits, tables.node_first, edges, tables.link_images, tables.slot_images, order, shape,
        moves,         has_places};
    state.energy = form.make_moves({5, weights, state.slots.data(), state.paths.data(), state.stamps.data(),
                                    state.uses.data(), distances.data()->bytes, state.energy},
                                   search_tables);
  }
  return state;
}

/// Conflicts of all orbits' images, link by link.
std::uint64_t conflicts_of(const OrbitTables& tables, const State& state) {
  const auto& shape = tables.shape;
  std::vector<std::uint32_t> uses(std::size_t{shape.links} * tables.steps);
  std::uint64_t conflicts = 0;
  for (std::size_t orbit = 0; orbit < shape.orbits; ++orbit)
    for (std::uint32_t hop = 0; hop < tables.orbits[orbit].hops; ++hop)
      for (std::uint32_t a = 0; a < shape.order; ++a) {
        const std::size_t link = tables.link_images[state.paths[orbit * shape.most_hops + hop] * shape.order + a];
        const std::size_t slot = tables.slot_images[state.slots[orbit] * shape.order + a];
        conflicts += uses[link * tables.steps + slot]++;
      }
  return conflicts;
}

struct Case {
  const char* topology;
  std::uint32_t steps;
};
// Rows of 32, 64, 96, 128 and more bytes, full ones too; nodes with one edge to many; paths of one link to many.
constexpr Case cases[] = {{"ring:7", 3},       {"mesh:3x3", 6},      {"torus:5x5", 33}, {"hypercube:5", 64},
                          {"mesh:7x7", 84},    {"ring:25", 96},      {"mesh:4x4", 128}, {"mesh:6x6", 129},
                          {"complete:5", 200}, {"mesh:2x3x4", 161},  {"ring:40", 31},   {"torus:3x3", 1},
                          {"mesh:5x5", 29},    {"random:12:3", 300}, {"mesh:1x12", 20}};

BOOST_AUTO_TEST_SUITE(moves)

BOOST_AUTO_TEST_CASE(all_forms_make_the_same_moves) {
  const auto forms = forms_of_this_processor();
  for (const auto& [topology, steps] : cases) {
    const auto problem = make_problem(make_topology(topology), "all-to-all");
    const Network network(problem.topology);
    for (auto& group : find_groups(network, problem.transfers, 4, 1)) {
      const auto tables = make_orbit_tables(network, problem.transfers, group, steps);
      if (!tables) continue;
      BOOST_TEST_CONTEXT(topology << ", " << steps << " steps, order " << tables->shape.order) {
        const State by_edges = run(*tables, forms[0], false);
        BOOST_TEST(conflicts_of(*tables, by_edges) == std::uint64_t{by_edges.energy} * tables->shape.order);
        for (const auto& form : forms) {
          BOOST_TEST((run(*tables, form, false) == by_edges), form.name);
          if (can_have_places(tables->shape))
            BOOST_TEST((run(*tables, form, true) == by_edges), form.name << ", places");
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
