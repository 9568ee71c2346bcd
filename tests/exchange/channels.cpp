/// \file
/// Links with parallel channels.
#include "networks.hpp"
#include "runs.hpp"

#include <device/solver_devices.hpp>
#include <exchange/anneal/symmetry.hpp>
#include <exchange/packing/construct.hpp>
#include <exchange/packing/greedy.hpp>
#include <exchange/umda/fitness.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <tuple>

using namespace clopt;
using namespace clopt::exchange;
using test::solve_here;

namespace {

// Two bits of a random number say how many channels a link has: 1, 1, 2 or 3.
Topology with_parallel_channels(Topology topology, std::mt19937_64& random) {
  const auto single = topology.links;
  for (const auto& link : single)
    for (auto more = random() % 4; more > 1; --more) topology.links.push_back(link);
  std::sort(topology.links.begin(), topology.links.end());
  return topology;
}

std::map<Link, std::uint64_t> channels_of(const Topology& topology) {
  std::map<Link, std::uint64_t> channels;
  for (const auto& link : topology.links) ++channels[link];
  return channels;
}

// The fewest pairs that share a channel where `uses` transfers are shared out, by trying all sizes of one channel.
std::uint64_t fewest_pairs(std::uint64_t uses, std::uint64_t channels) {
  if (channels == 1) return uses * (uses - 1) / 2;
  std::uint64_t fewest = ~std::uint64_t{0};
  for (std::uint64_t first = 0; first <= uses; ++first)
    fewest = std::min(fewest, (first * first - first) / 2 + fewest_pairs(uses - first, channels - 1));
  return fewest;
}

std::uint64_t fewest_conflicts(const Problem& problem, const Schedule& schedule) {
  auto channels = channels_of(problem.topology);
  std::map<std::pair<std::uint32_t, Link>, std::uint64_t> uses;
  for (const auto& [slot, path] : schedule.placements)
    for (std::size_t i = 0; i + 1 < path.size(); ++i) ++uses[{slot, Link{path[i], path[i + 1]}}];
  std::uint64_t conflicts = 0;
  for (const auto& [where, count] : uses) conflicts += count == 0 ? 0 : fewest_pairs(count, channels.at(where.second));
  return conflicts;
}

// A cube-mesh as of eight GPUs with six links each, some of them double.
Topology cube_mesh() {
  return test::topology_of(
      "nodes 8\nlink 0 1\nlink 0 2\nlink 0 3 2\nlink 0 4 2\nlink 1 2 2\nlink 1 3\nlink 1 5 2\nlink 2 3 2\nlink 2 6\n"
      "link 3 7\nlink 4 5\nlink 4 6\nlink 4 7 2\nlink 5 6 2\nlink 5 7\nlink 6 7 2\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_channels)

BOOST_AUTO_TEST_CASE(a_third_number_is_read_and_written) {
  const auto topology = test::topology_of("nodes 4\nlink 0 1 2\narc 1 2 3\narc 2 3 1\narc 2 1\narc 3 0 64\n");
  auto channels = channels_of(topology);
  BOOST_TEST(channels.at({0, 1}) == 2U);
  BOOST_TEST(channels.at({1, 0}) == 2U);
  BOOST_TEST(channels.at({1, 2}) == 3U);
  BOOST_TEST(channels.at({2, 1}) == 1U);
  BOOST_TEST(channels.at({2, 3}) == 1U);
  BOOST_TEST(channels.at({3, 0}) == 64U);
  BOOST_TEST(topology.links.size() == 73U);
  BOOST_TEST(std::is_sorted(topology.links.begin(), topology.links.end()));
  const auto text = write_topology(topology);
  BOOST_TEST(text.find("link 0 1 2\n") != std::string::npos, text);
  BOOST_TEST((test::topology_of(text).links == topology.links));
  std::mt19937_64 random(21);
  for (std::uint32_t nodes = 2; nodes < 12; ++nodes) {
    const auto drawn = with_parallel_channels(test::random_network(random, nodes), random);
    BOOST_TEST((test::topology_of(write_topology(drawn)).links == drawn.links), "seed 21, " << nodes << " nodes");
  }
  auto broken = topology;
  remove_link(broken, 1, 2);
  BOOST_TEST(channels_of(broken).count({1, 2}) == 0U);
  BOOST_TEST(channels_of(broken).count({2, 1}) == 0U);
}

BOOST_AUTO_TEST_CASE(bad_numbers_of_channels_are_refused_with_the_line) {
  const std::pair<const char*, const char*> bad[] = {
      {"nodes 3\nlink 0 1 0\n", "net.txt:2: '0' is not a number of parallel channels; give 1 to 64"},
      {"nodes 3\nlink 0 1 65\n", "net.txt:2: '65'"},
      {"nodes 3\nlink 0 1 -1\n", "net.txt:2: '-1'"},
      {"nodes 3\narc 0 1 1.5\n", "net.txt:2: '1.5'"},
      {"nodes 3\narc 0 1 x\n", "net.txt:2: 'x'"},
      {"nodes 3\narc 0 1 99999999999999999999\n", "net.txt:2: '9"},
      {"nodes 3\nlink 0 1 2 3\n", "write `link A B [CHANNELS]`"},
      {"nodes 3\nlink 0 1 2\nlink 0 1 2\n", "net.txt:3: the link from 0 to 1 is given twice, first in line 2"},
      {"nodes 3\nlink 0 1\nlink 1 0 3\n", "net.txt:3: the link from 1 to 0 is given twice, first in line 2"},
      {"nodes 3\narc 0 1 2\n\nlink 1 0\n", "net.txt:4: the link from 0 to 1 is given twice, first in line 2"},
      {"nodes 3\nrole 0 sender 2\n", "net.txt:2: "},
      {"nodes 3 2\n", "net.txt:1: "},
  };
  for (const auto& [text, because] : bad)
    BOOST_CHECK_EXCEPTION(test::topology_of(text), InvalidInput, [&because = because](const InvalidInput& error) {
      BOOST_TEST(std::string(error.what()).find(because) != std::string::npos, error.what() << ", not: " << because);
      return true;
    });
}

BOOST_AUTO_TEST_CASE(conflicts_are_those_of_the_best_use_of_channels) {
  std::mt19937_64 random(22);
  for (int round = 0; round < 20; ++round) {
    BOOST_TEST_INFO("seed 22, round " << round);
    const auto problem = make_problem(with_parallel_channels(test::random_network(random, 7), random), "all-to-all");
    const auto distance = test::distances_of(problem.topology);
    Schedule schedule{4, {}};
    for (const auto& transfer : problem.transfers) {
      const auto paths = test::all_shortest_paths(problem.topology, distance, transfer.from, transfer.to);
      schedule.placements.push_back({static_cast<std::uint32_t>(random() % 4), paths[random() % paths.size()]});
    }
    const auto conflicts = fewest_conflicts(problem, schedule);
    BOOST_TEST(count_conflicts(problem, schedule) == conflicts);
    BOOST_TEST(check(problem, claim(problem, schedule)).empty() == (conflicts == 0));
  }
}

BOOST_AUTO_TEST_CASE(the_checker_counts_channels) {
  const auto problem =
      make_problem(test::topology_of("nodes 4\nlink 0 1 2\nlink 1 2 2\nlink 2 3\n"), "many-to-many:0-1:2-3");
  // Nodes 0 and 1 send to 2 in slot 0; to 3 in two slots.
  ClaimedSchedule schedule;
  schedule.nodes = 4;
  schedule.steps = 3;
  schedule.transfers = {{0, 2, 0, {0, 1, 2}}, {1, 2, 0, {1, 2}}, {0, 3, 1, {0, 1, 2, 3}}, {1, 3, 2, {1, 2, 3}}};
  BOOST_TEST(check(problem, schedule) == "");
  schedule.transfers[2].slot = 0;
  BOOST_TEST(check(problem, schedule) ==
             "in slot 0 the transfers from 0 to 2 and from 0 to 3 are two of 3 that take the link from 1 to 2, which "
             "has 2 channels");
  schedule.transfers[2].slot = 2;
  BOOST_TEST(check(problem, schedule) ==
             "in slot 2 the transfers from 0 to 3 and from 1 to 3 both take the link from 2 to 3");
}

BOOST_AUTO_TEST_CASE(twice_the_channels_halve_the_load) {
  std::mt19937_64 random(23);
  for (int round = 0; round < 12; ++round) {
    BOOST_TEST_INFO("seed 23, round " << round);
    auto topology = round == 0 ? make_topology("mesh:4x4") : test::random_network(random, 8);
    const auto single = find_bound(make_problem(topology, "all-to-all"));
    const auto links = topology.links;
    topology.links.insert(topology.links.end(), links.begin(), links.end());
    std::sort(topology.links.begin(), topology.links.end());
    const auto problem = make_problem(topology, "all-to-all");
    const auto bound = find_bound(problem);
    BOOST_TEST(bound.steps <= single.steps);
    BOOST_TEST(2 * bound.steps >= single.steps);
    // The routing load is that of the best fractional routing where the bound is exact: half of it.
    if (bound.exact() && single.exact())
      BOOST_TEST(bound.routing_load <= single.routing_load / 2 + 1, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(bound_of(problem, bound.weights) == bound.steps);
    for (std::size_t link = 1; link < topology.links.size(); ++link)
      if (topology.links[link] == topology.links[link - 1]) BOOST_TEST(bound.weights[link] == bound.weights[link - 1]);
  }
}

BOOST_AUTO_TEST_CASE(symmetries_keep_channels) {
  const auto problem = make_problem(cube_mesh(), "all-to-all");
  const Network network(problem.topology);
  BOOST_TEST(network.has_parallel_channels());
  BOOST_TEST(network.channels_between(0, 3) == 2U);
  BOOST_TEST(network.channels_between(0, 6) == 0U);
  const auto groups = find_groups(network, problem.transfers, 8, 1);
  BOOST_TEST(groups.size() > 1U);
  for (const auto& group : groups)
    for (const auto& element : group.elements)
      for (std::uint32_t a = 0; a < 8; ++a)
        for (std::uint32_t b = 0; b < 8; ++b)
          BOOST_TEST(network.channels_between(a, b) == network.channels_between(element.image[a], element.image[b]));
  // A ring turns, unless a link of it is double.
  const auto ring =
      make_problem(test::topology_of("nodes 5\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 4\nlink 4 0 2\n"), "all-to-all");
  for (const auto& group : find_groups(Network(ring.topology), ring.transfers, 8, 1)) BOOST_TEST(group.order() <= 2U);
}

BOOST_AUTO_TEST_CASE(constructions_know_channels) {
  // Six messages leave node 0, over four channels.
  const auto star = make_problem(
      test::topology_of("nodes 7\nlink 0 1 3\nlink 0 2\nlink 1 3\nlink 1 4\nlink 1 5\nlink 2 6\n"), "scatter:0");
  const auto scattered = construct(star, Network(star.topology));
  BOOST_REQUIRE(scattered.has_value());
  BOOST_TEST(check(star, claim(star, scattered->schedule)) == "");
  BOOST_TEST(scattered->schedule.steps == 2U);
  BOOST_TEST(find_bound(star).steps == 2U);
  // Four nodes and eight channels, and no square of single links.
  const auto path = make_problem(test::topology_of("nodes 4\nlink 0 1 2\nlink 1 2\nlink 2 3\n"), "all-to-all");
  BOOST_TEST(!construct(path, Network(path.topology)));
  std::mt19937_64 random(24);
  for (int round = 0; round < 30; ++round) {
    BOOST_TEST_INFO("seed 24, round " << round);
    const auto topology =
        with_parallel_channels(test::random_network(random, static_cast<std::uint32_t>(3 + round % 20)), random);
    const auto root = std::to_string(random() % topology.nodes);
    for (const char* pattern : {"scatter:", "gather:"}) {
      const auto problem = make_problem(topology, pattern + root);
      const auto construction = construct(problem, Network(topology));
      BOOST_REQUIRE(construction.has_value());
      BOOST_TEST(check(problem, claim(problem, construction->schedule)) == "");
      BOOST_TEST(construction->schedule.steps == find_bound(problem).steps);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_optimiser_finds_valid_schedules, *boost::unit_test::label("device")) {
  std::mt19937_64 random(25);
  for (int round = 0; round < 3; ++round) {
    const auto topology =
        round == 0
            ? cube_mesh()
            : with_parallel_channels(test::random_network(random, 5 + 2 * static_cast<std::uint32_t>(round)), random);
    const auto problem = make_problem(topology, "all-to-all");
    for (const char* optimizer : {"auto", "anneal", "tabu", "pack", "umda", "umda device", "umda pairs"}) {
      BOOST_TEST_CONTEXT("seed 25, round " << round << ", " << optimizer) {
        Options options;
        const std::string name = optimizer;
        options.optimizer = name.substr(0, name.find(' '));
        if (name == "umda device") options.offload = "device";
        if (name == "umda pairs") options.method = "pairs";
        options.generations = options.optimizer == "umda" ? 200 : 2000;
        const auto result = solve_here(problem, options);
        // Population-based searches of so few generations may leave conflicts, which solve_here() has counted.
        if (options.optimizer != "umda") BOOST_TEST(result.conflicts == 0U);
        if (round == 0 && name == "auto") BOOST_TEST(result.schedule.steps == result.bound.steps);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(devices_count_conflicts_by_channel, *boost::unit_test::label("device")) {
  std::mt19937_64 random(26);
  for (const auto method : {Method::links, Method::pairs})
    for (const std::uint32_t nodes : {5U, 9U}) {
      auto topology =
          with_parallel_channels(nodes == 9 ? make_topology("mesh:3x3") : test::random_network(random, nodes), random);
      const auto problem = make_problem(std::move(topology), "all-to-all");
      const Network network(problem.topology);
      const auto table = make_gene_table(problem, network, Paths(network));
      constexpr std::uint32_t slots = 3;
      constexpr std::uint32_t individuals = 7;
      Options sizes;
      sizes.population = individuals;
      const auto population = population_of(table, slots, sizes);
      std::vector<std::vector<std::uint32_t>> made(individuals);
      for (auto& genes : made)
        for (const auto& gene : table.genes)
          genes.push_back(static_cast<std::uint32_t>(random() % slots << 16 | random() % gene.paths));
      const std::vector<std::shared_ptr<Device>> devices{non_owning(test::device())};
      FitnessTeam team(devices, table, population, method, individuals);
      std::vector<std::uint64_t> fitness(individuals);
      team.evaluate(
          individuals,
          [&](std::uint32_t first, std::uint32_t end, std::uint32_t* genes) {
            for (std::uint32_t i = first; i < end; ++i) genes = std::copy(made[i].begin(), made[i].end(), genes);
          },
          fitness);
      for (std::uint32_t i = 0; i < individuals; ++i) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> uses;
        std::uint64_t conflicts = 0;
        for (std::size_t g = 0; g < table.genes.size(); ++g)
          for (std::uint32_t hop = 0; hop < table.genes[g].hops; ++hop)
            conflicts +=
                uses[{made[i][g] >> 16,
                      table.paths[table.genes[g].first + (made[i][g] & 0xffffU) * table.genes[g].hops + hop]}]++;
        BOOST_TEST(fitness[i] == conflicts, "seed 26, " << nodes << " nodes, " << name_of(method));
        // Paths that share a channel here may be parted on parallel ones.
        const auto schedule = decode(table, problem, network, slots, made[i]);
        BOOST_TEST(count_conflicts(problem, schedule) <= conflicts);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
