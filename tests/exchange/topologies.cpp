#include "networks.hpp"

#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>
#include <map>

#include <exchange/network/paths.hpp>

using namespace clopt;
using namespace clopt::exchange;

namespace {

// What a class must be: nodes, one-way links, and the sum of all distances between terminals.
struct Known {
  const char* name;
  std::uint32_t nodes;
  std::size_t links;
  long distances;
};

template <class Action>
void refuses(Action&& action, const std::string& because) {
  BOOST_CHECK_EXCEPTION(action(), InvalidInput, [&](const InvalidInput& error) {
    const std::string what = error.what();
    const bool found = what.find(because) != std::string::npos;
    if (!found) BOOST_TEST_MESSAGE("'" << what << "' should speak of '" << because << "'");
    return found;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_topologies)

BOOST_AUTO_TEST_CASE(classes_are_what_their_names_say) {
  // Sums of distances by hand: a path of n nodes has n(n^2-1)/3, a ring n floor(n^2/4); grids add their dimensions,
  // each as often as the others' nodes squared.
  const Known known[] = {
      {"mesh:4", 4, 6, 20},
      {"mesh:3x5", 15, 44, 9 * 40 + 25 * 8},
      {"torus:3x4", 12, 48, 9 * 16 + 16 * 6},
      {"torus:2x2", 4, 8, 16},
      {"torus:4x4x4", 64, 384, 3 * 256 * 16},
      {"k-ary-n-cube:4x3", 64, 384, 3 * 256 * 16},
      {"hypercube:5", 32, 160, 32 * 80},
      {"ring:7", 7, 14, 7 * 12},
      {"ring:2", 2, 2, 2},
      {"complete:6", 6, 30, 30},
      {"spidergon:16", 16, 48, 16 * (3 * 1 + 4 * 2 + 4 * 3 + 4 * 4)},
      {"circulant:8:1,4", 8, 24, 8 * (3 * 1 + 4 * 2)},
      {"midimew:32", 32, 128, 32 * (4 + 16 + 36 + 28)},
      {"fat-tree:2x3", 20, 48, 8 * (2 + 2 * 4 + 4 * 6)},
      // As the midimew network of as many nodes; its columns are two of an untwisted one's.
      {"twisted-torus:4x8:4", 32, 128, 32 * (4 + 16 + 36 + 28)},
      {"twisted-torus:3x4:0", 12, 48, 9 * 16 + 16 * 6},
      // A router's group, the other end of its link, those of its group's links, and their groups.
      {"dragonfly:4x1", 20, 80, 20 * (4 + 2 * (3 + 3) + 3 * 9)},
      {"dragonfly:1x5", 6, 30, 30},
      // Of degree d and diameter 2; the second is Hoffman and Singleton's graph.
      {"slim-fly:3", 18, 90, 18 * (5 + 2 * 12)},
      {"slim-fly:5", 50, 350, 50 * (7 + 2 * 42)},
      {"slim-fly:7", 98, 98 * 11, 98 * (11 + 2 * 86)},
      {"slim-fly:13", 338, 338 * 19, 338 * (19 + 2 * 318)},
  };
  for (const auto& each : known) {
    BOOST_TEST_CONTEXT(each.name) {
      const auto topology = make_topology(each.name);
      BOOST_TEST(topology.nodes == each.nodes);
      BOOST_TEST(topology.links.size() == each.links);
      BOOST_TEST(std::is_sorted(topology.links.begin(), topology.links.end()));
      const auto problem = make_problem(topology, "all-to-all");
      const auto distance = test::distances_of(topology);
      long sum = 0;
      for (const auto& transfer : problem.transfers) sum += distance[transfer.from][transfer.to];
      BOOST_TEST(sum == each.distances);
    }
  }
}

BOOST_AUTO_TEST_CASE(nodes_are_numbered_as_documented) {
  const auto mesh = make_topology("mesh:2x3");
  BOOST_TEST(std::binary_search(mesh.links.begin(), mesh.links.end(), Link{1, 4}));  // down a row
  BOOST_TEST(std::binary_search(mesh.links.begin(), mesh.links.end(), Link{4, 5}));  // along it
  BOOST_TEST(!std::binary_search(mesh.links.begin(), mesh.links.end(), Link{2, 3}));
  for (const auto& link : make_topology("hypercube:4").links) {
    const auto bits = link.from ^ link.to;
    BOOST_TEST((bits & (bits - 1)) == 0U);
  }
}

BOOST_AUTO_TEST_CASE(random_networks_are_regular_and_depend_on_the_seed) {
  for (const auto& [name, degree] : std::map<std::string, std::size_t>{{"random:32:4", 4}, {"random:15:6", 6}}) {
    const auto topology = make_topology(name, 3);
    std::vector<std::size_t> degrees(topology.nodes);
    for (const auto& link : topology.links) {
      ++degrees[link.from];
      BOOST_TEST(link.from != link.to);
      BOOST_TEST(std::binary_search(topology.links.begin(), topology.links.end(), Link{link.to, link.from}));
    }
    for (const auto each : degrees) BOOST_TEST(each == degree);
    BOOST_TEST((topology.links == make_topology(name, 3).links));
    BOOST_TEST((topology.links != make_topology(name, 4).links));
  }
}

BOOST_AUTO_TEST_CASE(descriptions_without_meaning_are_refused) {
  for (const char* text : {"mesh",
                           "mesh:",
                           "mesh:0x4",
                           "mesh:4x",
                           "mesh:4x-1",
                           "mesh:4 x4",
                           "mesh:100x100",
                           "torus:3x3x",
                           "hypercube:0",
                           "hypercube:13",
                           "hypercube:3x3",
                           "ring:1",
                           "spidergon:15",
                           "circulant:8",
                           "circulant:8:8",
                           "fat-tree:1x3",
                           "fat-tree:4",
                           "twisted-torus:4x4",
                           "twisted-torus:4:1",
                           "twisted-torus:4x4:4",
                           "twisted-torus:4x4:-1",
                           "dragonfly:4",
                           "dragonfly:40x3",
                           "slim-fly:4",
                           "slim-fly:9",
                           "slim-fly:2",
                           "slim-fly:47",
                           "random:5:3",
                           "random:8:8",
                           "random:8",
                           "cube:3",
                           "mesh:99999999999999999999",
                           ":",
                           ""})
    BOOST_TEST_CONTEXT("'" << text << "'") refuses([&] { make_topology(text); }, "topology '");
}

BOOST_AUTO_TEST_CASE(descriptions_are_refused_for_what_is_wrong) {
  for (const auto& each :
       std::vector<std::pair<const char*, const char*>>{{"cube:3", "there is no such class"},
                                                        {"fat-tree:100x3", "it has more than 4096 nodes"},
                                                        {"mesh:100x100", "it has more than 4096 nodes"},
                                                        {"fat-tree:1x3", "its first size is at least 2"},
                                                        {"fat-tree:4", "it has two sizes"}})
    BOOST_TEST_CONTEXT("'" << each.first << "'") refuses([&] { make_topology(each.first); }, each.second);
}

BOOST_AUTO_TEST_CASE(files_describe_the_same_networks_as_generators) {
  const auto topology = test::topology_of(
      "# a small one\nnodes 4\n\nlink 0 1   # both ways\nlink 2 1\narc 2 3\narc 3 0\nrole 0 sender\nrole 3 receiver\n"
      "role 1 router\n");
  BOOST_TEST((topology.links == std::vector<Link>{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 0}}));
  const auto problem = make_problem(topology, "all-to-all");
  BOOST_TEST((problem.transfers == std::vector<Transfer>{{0, 2}, {0, 3}, {2, 3}}));
  for (const char* name : {"mesh:3x4", "fat-tree:2x2", "random:12:3"}) {
    const auto made = make_topology(name);
    const auto read = test::topology_of(write_topology(made));
    BOOST_TEST((made.links == read.links));
    BOOST_TEST((made.roles == read.roles));
  }
}

BOOST_AUTO_TEST_CASE(files_may_have_a_mark_and_any_ends_of_lines) {
  const std::string text = "# of four\nnodes 4\n\nlink 0 1 2 # both ways\n\tarc 2 3\nrole 0 sender\n";
  const auto expected = write_topology(test::topology_of(text));
  BOOST_TEST(expected == "nodes 4\nlink 0 1 2\narc 2 3\nrole 0 sender\n");
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const std::string mark : {"", "\xef\xbb\xbf"}) {
      auto changed = mark;
      for (const char c : text) changed += c == '\n' ? end : std::string(1, c);
      BOOST_TEST(write_topology(test::topology_of(changed)) == expected);
    }
}

BOOST_AUTO_TEST_CASE(bad_files_are_refused_with_the_line) {
  const std::pair<const char*, const char*> bad[] = {
      {"", "net.txt:1: "},
      {"link 0 1\n", "net.txt:1: "},
      {"nodes 3\nnodes 3\n", "net.txt:2: "},
      {"nodes 0\n", "net.txt:1: "},
      {"nodes -3\n", "net.txt:1: "},
      {"nodes 3 4\n", "net.txt:1: "},
      {"nodes x\n", "net.txt:1: "},
      {"nodes 99999\n", "net.txt:1: "},
      {"nodes 3\nlink 0 3\n", "net.txt:2: "},
      {"nodes 3\nlink 0\n", "net.txt:2: "},
      {"nodes 3\n\nlink 0 1.5\n", "net.txt:3: "},
      {"nodes 3\nlink 1 1\n", "itself"},
      {"nodes 3\nlink 0 1\nlink 1 0\n", "net.txt:3: "},
      {"nodes 3\nlink 0 1\narc 1 0\n", "first in line 2"},
      {"nodes 3\narc 0 1\narc 0 1\n", "twice"},
      {"nodes 3\nedge 0 1\n", "'edge'"},
      {"nodes 3\nrole 0 king\n", "'king'"},
      {"nodes 3\nrole 0 sender\nrole 0 router\n", "net.txt:3: "},
      {"nodes 3\nrole 5 sender\n", "net.txt:2: "},
      {"nodes 3\rlink 0 1\rlink 0 9\r", "net.txt:3: "},
      {"nodes 3\n\xef\xbb\xbflink 0 1\n", "net.txt:2: there is no statement '\\xef\\xbb\\xbflink'"},
      {"nodes 3\nlink 0,1\n", "net.txt:2: "},
      {"nodes 3\nlink 0 1 capacity=2\n", "net.txt:2: "},
      {"nodes 3\nlink 0 1 2 3\n", "net.txt:2: "},
      {"nodes 3\nlink 0 1 +2\nlink 0 +-2\n", "net.txt:3: "},
      {"nodes +3\nlink 0 99\n", "net.txt:2: "},
      {"nodes 3.0\n", "net.txt:1: "},
      {"nodes 0x3\n", "net.txt:1: "},
      {"\xff\xfen", "net.txt:1: there is no statement"},
  };
  for (const auto& [text, because] : bad)
    BOOST_TEST_CONTEXT(text) refuses([&text = text] { test::topology_of(text); }, because);
}

BOOST_AUTO_TEST_CASE(pairs_without_a_path_are_named) {
  refuses([] { make_problem(test::topology_of("# two parts\nnodes 4\nlink 0 1\nlink 2 3\n"), "all-to-all"); },
          "net.txt:2: node 0 has a message for node 2");
  refuses([] { make_problem(test::topology_of("nodes 3\narc 0 1\narc 1 2\n"), "all-to-all"); },
          "node 1 has a message for node 0");
  // A node that only routes needs no path of its own.
  BOOST_TEST(make_problem(test::topology_of("nodes 3\nlink 0 1\nrole 2 router\n"), "all-to-all").transfers.size() ==
             2U);
}

BOOST_AUTO_TEST_CASE(faults_remove_links_and_nodes) {
  auto mesh = make_topology("mesh:3x3");
  remove_link(mesh, 1, 0);
  BOOST_TEST(mesh.links.size() == 22U);
  refuses([&] { remove_link(mesh, 0, 1); }, "no link 0-1");
  refuses([&] { remove_node(mesh, 9); }, "no node 9");
  remove_node(mesh, 4);
  BOOST_TEST(mesh.links.size() == 14U);
  BOOST_TEST(make_problem(mesh, "all-to-all").transfers.size() == 56U);
  remove_node(mesh, 3);
  refuses([&] { make_problem(mesh, "all-to-all"); }, "node 0 has a message");
}

BOOST_AUTO_TEST_CASE(patterns_name_their_transfers) {
  const auto count = [](const char* pattern) {
    return make_problem(make_topology("mesh:3x3"), pattern).transfers.size();
  };
  BOOST_TEST(count("all-to-all") == 72U);
  BOOST_TEST(count("scatter:4") == 8U);
  BOOST_TEST(count("broadcast:0") == 8U);
  BOOST_TEST(count("all-to-one:8") == 8U);
  BOOST_TEST(count("many-to-many:0-2:2,6-8") == 11U);
  const auto gather = make_problem(make_topology("mesh:3x3"), "gather:4");
  for (const auto& transfer : gather.transfers) BOOST_TEST(transfer.to == 4U);
  for (const char* bad : {"", "all", "scatter", "scatter:", "scatter:9", "scatter:-1", "all-to-all:3", "many-to-many:1",
                          "many-to-many:1:", "many-to-many:1,1:2", "many-to-many:2-1:3", "many-to-many:1:1"})
    BOOST_TEST_CONTEXT(bad) refuses([&] { count(bad); }, "pattern '");
  auto tree = make_topology("fat-tree:2x2");
  refuses([&] { make_problem(tree, "scatter:5"); }, "node 5 may not send");
}

BOOST_AUTO_TEST_CASE(distances_and_paths_are_all_paths_in_order) {
  std::mt19937_64 random(11);
  for (std::uint32_t round = 0; round < 20; ++round) {
    BOOST_TEST_INFO("seed 11, round " << round);
    const auto topology = round == 0 ? make_topology("mesh:3x4") : test::random_network(random, 2 + round % 9);
    const auto distance = test::distances_of(topology);
    const Network network(topology);
    const Paths paths(network);
    for (std::uint32_t from = 0; from < topology.nodes; ++from)
      for (std::uint32_t to = 0; to < topology.nodes; ++to) {
        BOOST_REQUIRE(network.distance(from, to) == distance[from][to]);
        const auto all = test::all_shortest_paths(topology, distance, from, to);
        BOOST_REQUIRE(paths.count(from, to) == all.size());
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
          std::vector<std::uint32_t> links(network.distance(from, to));
          paths.unrank(from, to, rank, links.data());
          BOOST_REQUIRE(paths.nodes_of(from, links) == all[rank]);
          BOOST_REQUIRE(paths.rank(to, links) == rank);
        }
      }
  }
}

BOOST_AUTO_TEST_CASE(path_counts_saturate) {
  // A chain of squares doubles the paths at each: more than 2^64 of them.
  std::string text = "nodes 211\n";
  for (int square = 0; square < 70; ++square) {
    const int at = 3 * square;
    for (const int middle : {1, 2})
      text += "link " + std::to_string(at) + " " + std::to_string(at + middle) + "\nlink " +
              std::to_string(at + middle) + " " + std::to_string(at + 3) + "\n";
  }
  const Network network(test::topology_of(text));
  const Paths paths(network);
  BOOST_TEST(paths.count(0, 3 * 63) == std::uint64_t{1} << 63);
  BOOST_TEST(paths.count(0, 210) == ~std::uint64_t{0});
}

BOOST_AUTO_TEST_SUITE_END()
