#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>

#include <exchange/packing/construct.hpp>
#include <exchange/packing/greedy.hpp>
#include "networks.hpp"

using namespace clopt;
using namespace clopt::exchange;

namespace {

const Problem ring = test::complete_exchange("ring:4");

// Right and left by one, then over two links, by hand.
ClaimedSchedule by_hand() {
  ClaimedSchedule schedule;
  schedule.nodes = 4;
  schedule.steps = 3;
  schedule.topology = "ring:4";
  for (std::int64_t node = 0; node < 4; ++node) {
    schedule.transfers.push_back({node, (node + 1) % 4, 0, {node, (node + 1) % 4}});
    schedule.transfers.push_back({node, (node + 3) % 4, 0, {node, (node + 3) % 4}});
    schedule.transfers.push_back({node, (node + 2) % 4, 1 + node % 2, {node, (node + 1) % 4, (node + 2) % 4}});
  }
  return schedule;
}

void rejects(const ClaimedSchedule& schedule, const std::string& because) {
  const auto fault = check(ring, schedule);
  BOOST_TEST(fault.find(because) != std::string::npos, "'" << fault << "' should speak of '" << because << "'");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_checker)

BOOST_AUTO_TEST_CASE(a_valid_schedule_passes) { BOOST_TEST(check(ring, by_hand()) == ""); }

BOOST_AUTO_TEST_CASE(each_fault_is_named) {
  auto schedule = by_hand();
  schedule.transfers.pop_back();
  rejects(schedule, "from 3 to 1 is missing");
  schedule = by_hand();
  schedule.transfers.push_back(schedule.transfers.front());
  rejects(schedule, "from 0 to 1 takes place twice");
  schedule = by_hand();
  schedule.transfers[2].slot = 3;
  rejects(schedule, "from 0 to 2 is in slot 3");
  schedule.transfers[2].slot = -1;
  rejects(schedule, "is in slot -1");
  schedule = by_hand();
  schedule.transfers[2].path = {0, 2};
  rejects(schedule, "the link from 0 to 2, which is not there");
  schedule.transfers[2].path = {0, 9, 2};
  rejects(schedule, "the link from 0 to 9");
  schedule.transfers[2].path = {0, 1};
  rejects(schedule, "does not lead from 0 to 2");
  schedule.transfers[2].path = {};
  rejects(schedule, "does not lead from 0 to 2");
  schedule = by_hand();
  schedule.transfers[0].path = {0, 3, 2, 1};
  rejects(schedule, "a path of 3 links, and the shortest has 1");
  schedule = by_hand();
  schedule.transfers[0].to = 0;
  rejects(schedule, "from 0 to 0 is not wanted");
  schedule.transfers[0].to = 7;
  rejects(schedule, "has a node that is not there");
  schedule = by_hand();
  schedule.transfers[5].slot = 1;  // 1 to 3 by way of 2, beside 0 to 2 by way of 1
  rejects(schedule, "in slot 1 the transfers from 0 to 2 and from 1 to 3 both take the link from 1 to 2");
  schedule = by_hand();
  schedule.nodes = 5;
  rejects(schedule, "for 5 nodes");
}

BOOST_AUTO_TEST_CASE(conflicts_are_pairs_of_transfers_that_share_a_link) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 20; ++round) {
    BOOST_TEST_INFO("seed 8, round " << round);
    const auto problem = make_problem(test::random_network(random, 7), "all-to-all");
    const auto distance = test::distances_of(problem.topology);
    Schedule schedule{3, {}};
    for (const auto& transfer : problem.transfers) {
      const auto paths = test::all_shortest_paths(problem.topology, distance, transfer.from, transfer.to);
      schedule.placements.push_back({static_cast<std::uint32_t>(random() % 3), paths[random() % paths.size()]});
    }
    std::uint64_t conflicts = 0;
    const auto& all = schedule.placements;
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = a + 1; b < all.size(); ++b)
        for (std::size_t i = 0; all[a].slot == all[b].slot && i + 1 < all[a].path.size(); ++i)
          for (std::size_t j = 0; j + 1 < all[b].path.size(); ++j)
            conflicts += all[a].path[i] == all[b].path[j] && all[a].path[i + 1] == all[b].path[j + 1];
    BOOST_TEST(count_conflicts(problem, schedule) == conflicts);
    BOOST_TEST(check(problem, claim(problem, schedule)).empty() == (conflicts == 0));
  }
}

BOOST_AUTO_TEST_CASE(constructions_are_valid_and_meet_the_bound) {
  for (const char* name : {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:6", "fat-tree:2x1", "fat-tree:2x4",
                           "fat-tree:3x3", "fat-tree:7x2", "fat-tree:5x1", "complete:7"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto problem = test::complete_exchange(name);
      const auto construction = construct(problem, Network(problem.topology));
      BOOST_REQUIRE(construction.has_value());
      BOOST_TEST(check(problem, claim(problem, construction->schedule)) == "");
      BOOST_TEST(construction->schedule.steps == find_bound(problem).steps);
    }
  }
  BOOST_TEST(!construct(test::complete_exchange("spidergon:8"), Network(make_topology("spidergon:8"))));
}

BOOST_AUTO_TEST_CASE(a_hypercube_is_recognised_under_any_numbering) {
  std::mt19937_64 random(9);
  std::vector<std::uint32_t> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  std::shuffle(numbers.begin(), numbers.end(), random);
  auto topology = make_topology("hypercube:4");
  for (auto& link : topology.links) link = {numbers[link.from], numbers[link.to]};
  std::sort(topology.links.begin(), topology.links.end());
  const auto problem = make_problem(topology, "all-to-all");
  const auto construction = construct(problem, Network(topology));
  BOOST_REQUIRE(construction.has_value());
  BOOST_TEST(check(problem, claim(problem, construction->schedule)) == "");
  BOOST_TEST(construction->schedule.steps == 8U);
  // As many nodes and links, and no hypercube.
  BOOST_TEST(!construct(test::complete_exchange("random:16:4"), Network(make_topology("random:16:4"))));
  BOOST_TEST(!construct(test::complete_exchange("circulant:16:1,4"), Network(make_topology("circulant:16:1,4"))));
}

BOOST_AUTO_TEST_CASE(one_sender_or_receiver_meets_the_bound) {
  std::mt19937_64 random(10);
  for (int round = 0; round < 40; ++round) {
    BOOST_TEST_INFO("seed 10, round " << round);
    const auto topology = round < 2 ? make_topology(round ? "mesh:4x5" : "torus:5x5")
                                    : test::random_network(random, static_cast<std::uint32_t>(3 + round));
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

BOOST_AUTO_TEST_CASE(the_first_schedule_is_valid) {
  std::mt19937_64 random(12);
  for (const std::uint32_t nodes : {2U, 3U, 7U, 25U}) {
    const auto problem = make_problem(test::random_network(random, nodes), "all-to-all");
    const auto schedule = greedy(problem, Network(problem.topology)).schedule;
    BOOST_TEST(check(problem, claim(problem, schedule)) == "");
  }
}

BOOST_AUTO_TEST_CASE(files_hold_what_was_written) {
  const auto claimed = by_hand();
  std::istringstream text(to_json(claimed));
  const auto read = read_schedule(text, "schedule.json");
  BOOST_TEST(check(ring, read) == "");
  BOOST_TEST(checksum_of(read) == checksum_of(claimed));
  for (const char* bad :
       {"", "{", "[]", "3", R"({"nodes":4})", R"({"nodes":4,"steps":"3","topology":"ring:4","transfers":[]})",
        R"({"nodes":4,"steps":3,"topology":"ring:4","transfers":[7]})",
        R"({"nodes":4,"steps":3,"topology":"ring:4","transfers":[{"from":0,"to":1,"slot":0}]})",
        R"({"nodes":4,"steps":3,"topology":"ring:4","transfers":[{"from":0,"to":1,"slot":0,"path":[0.5]}]})",
        R"({"nodes":4.5,"steps":3,"topology":"ring:4","transfers":[]})"}) {
    std::istringstream broken(bad);
    BOOST_TEST_CONTEXT(bad) BOOST_CHECK_THROW(read_schedule(broken, "bad.json"), InvalidInput);
  }
}

BOOST_AUTO_TEST_CASE(nothing_of_a_file_is_dropped) {
  const auto text = to_json(by_hand());
  const auto with = [&](const std::string& what, const std::string& by) {
    auto changed = text;
    const auto at = changed.find(what);
    BOOST_REQUIRE_MESSAGE(at != std::string::npos, "no " << what);
    return changed.replace(at, what.size(), by);
  };
  const auto read = [](const std::string& changed) {
    std::istringstream stream(changed);
    return read_schedule(stream, "file.json");
  };
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const std::string mark : {"", "\xef\xbb\xbf"})
      BOOST_TEST(checksum_of(read(mark + with(",\"steps\"", "," + end + "\"steps\"") + end)) == checksum_of(by_hand()));
  for (const auto& [changed, part] : std::vector<std::pair<std::string, std::string>>{
           {text + text, "it is not JSON in line 2"},
           {text + "7", "it is not JSON"},
           {with("\"steps\"", "\n\n\"steps\""), ""},
           {with("\"steps\":", "\n\n\"steps\":x"), "it is not JSON in line 3"},
           {with("{\"nodes\"", "{\"nodes\":9,\"nodes\""), "an object has 'nodes' twice"},
           {with("\"slot\"", "\"slot\":0,\"slot\""), "an object has 'slot' twice"},
           {with("{\"nodes\"", "{\"patern\":\"ring\",\"nodes\""), "the member 'patern' is not understood"},
           {with("\"slot\"", "\"capacity\":2,\"slot\""), "the member 'capacity' is not understood"},
           {with("{\"nodes\"", "{\"without_link\":[],\"nodes\""), "'without_link' is not understood"},
           {with("\"seed\":1", "\"seed\":1.5"), "'seed' is not an integer"},
           {std::string("\xff\xfe{\0", 4), "the text is in UTF-16"}})
    BOOST_TEST_CONTEXT(changed) {
      try {
        read(changed);
        BOOST_TEST(part.empty());
      } catch (const InvalidInput& error) {
        BOOST_TEST(!part.empty(), error.what());
        BOOST_TEST(std::string(error.what()).find(part) != std::string::npos, error.what());
      }
    }
}

BOOST_AUTO_TEST_CASE(files_hold_where_a_schedule_comes_from) {
  auto schedule = by_hand();
  BOOST_TEST(to_json(schedule).find("without") == std::string::npos);
  schedule.pattern = "all-to-all";
  schedule.seed = 77;
  schedule.without_links = {{3, 1}};
  schedule.without_nodes = {2, 9};
  std::istringstream text(to_json(schedule));
  const auto read = read_schedule(text, "schedule.json");
  BOOST_TEST(read.nodes == 4);
  BOOST_TEST(read.steps == 3);
  BOOST_TEST(read.topology == "ring:4");
  BOOST_TEST(read.pattern == "all-to-all");
  BOOST_TEST(read.seed == 77U);
  BOOST_TEST((read.without_links == schedule.without_links));
  BOOST_TEST(read.without_nodes == schedule.without_nodes, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(anynet_names_each_link_once) {
  BOOST_TEST(to_anynet(make_topology("ring:3")) ==
             "router 0 node 0 router 1 router 2\nrouter 1 node 1 router 2\nrouter 2 node 2\n");
  BOOST_TEST(to_anynet(make_topology("fat-tree:2x1")) == "router 0 node 0 router 2\nrouter 1 node 1 router 2\n");
  BOOST_CHECK_THROW(to_anynet(test::topology_of("nodes 2\narc 0 1\n")), InvalidInput);
  BOOST_CHECK_THROW(to_anynet(test::topology_of("nodes 2\nlink 0 1 2\n")), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
