#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "run.hpp"

using clopt::test::run;
using clopt::test::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

Words exchange(const Words& more) {
  Words words{"exchange"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void exchange_refused(const Words& more, const std::string& naming, int status = 2) {
  std::string line;
  for (const auto& word : more) line += word + " ";
  for (const bool json : {false, true}) {
    auto words = exchange(more);
    if (json) words.push_back("--json");
    const auto outcome = run(words);
    BOOST_TEST_CONTEXT(line << outcome.error) {
      BOOST_TEST(outcome.status == status);
      if (status == 2) {
        BOOST_TEST(outcome.output.empty());
        BOOST_TEST(outcome.error_lines() >= 1U);
        BOOST_TEST(outcome.error_lines() <= 3U);
        BOOST_TEST(outcome.error.find(naming) != std::string::npos, "does not name " << naming);
      } else {
        BOOST_TEST(outcome.output.find(naming) != std::string::npos, outcome.output << " does not name " << naming);
      }
    }
  }
}

std::string write(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  auto path = (folder.path() / name).string();
  std::ofstream(path) << text;
  return path;
}

// Node 0 to 1 and back on one link.
const std::string pair_schedule =
    R"({"nodes":2,"steps":1,"topology":"ring:2","transfers":[{"from":0,"to":1,"slot":0,"path":[0,1]},)"
    R"({"from":1,"to":0,"slot":0,"path":[1,0]}]})";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_exchange)

BOOST_AUTO_TEST_CASE(a_schedule_with_its_proof) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "schedule.json").string();
  const auto picture = (folder.path() / "schedule.svg").string();
  const auto outcome = run(exchange({"--topology", "mesh:3x3", "--json", "--output", file, "--output",
                                     (folder.path() / "algorithm.xml").string(), "--output",
                                     (folder.path() / "net.anynet").string(), "--plot", picture}));
  BOOST_REQUIRE(outcome.status == 0);
  const auto result = outcome.json();
  for (const char* field :
       {"problem", "device", "method", "seed", "seconds", "checksum", "version", "nodes", "links", "transfers", "steps",
        "lower_bound", "certificate", "conflicts", "generations", "evaluations"})
    BOOST_TEST(result.contains(field), "no field " << field);
  BOOST_TEST(result["nodes"] == 9);
  BOOST_TEST(result["links"] == 24);
  BOOST_TEST(result["transfers"] == 72);
  BOOST_TEST(result["steps"] == 6);
  BOOST_TEST(result["lower_bound"] == 6);
  BOOST_TEST(result["conflicts"] == 0);
  BOOST_TEST(result["gap"]["steps"] == 0);
  BOOST_TEST(!result["certificate"]["weights"].empty());
  BOOST_TEST(run(exchange({"--verify", file})).status == 0);
  BOOST_TEST(run(exchange({"--verify", file, "--topology", "mesh:3x3", "--json"})).json()["valid"] == true);
  BOOST_TEST(std::filesystem::file_size(picture) > 1000U);
  BOOST_TEST(std::filesystem::file_size(folder.path() / "algorithm.xml") > 1000U);
  // BookSim's format: a line for each router, with its terminal and its neighbours; links of a corner and the middle.
  std::ifstream net(folder.path() / "net.anynet");
  std::vector<std::string> lines;
  for (std::string line; std::getline(net, line);) lines.push_back(line);
  BOOST_REQUIRE(lines.size() == 9U);
  BOOST_TEST(lines[0] == "router 0 node 0 router 1 router 3");
  BOOST_TEST(lines[4].starts_with("router 4 node 4"));
}

BOOST_AUTO_TEST_CASE(the_bound_alone) {
  const auto result = run(exchange({"--topology", "torus:6x6", "--bound", "--json"})).json();
  BOOST_TEST(result["lower_bound"] == 27);
  BOOST_TEST(result["certificate"]["weights"].size() == 144U);
  BOOST_TEST(
      run(exchange({"--topology", "mesh:6x6", "--without-links", "0-1", "--bound", "--json"})).json()["lower_bound"] ==
      54);
}

BOOST_AUTO_TEST_CASE(schedules_are_verified) {
  const TemporaryFolder folder;
  const auto verify = [&](const std::string& text, const std::string& naming, int status) {
    exchange_refused({"--verify", write(folder, "s.json", text)}, naming, status);
  };
  BOOST_TEST(run(exchange({"--verify", write(folder, "s.json", pair_schedule)})).status == 0);
  verify(replaced(pair_schedule, "\"to\":0,", "\"to\":1,"), "from 1 to 1", 4);
  verify(replaced(pair_schedule, "[1,0]", "[1,1,0]"), "from 1 to 1", 4);
  verify(replaced(pair_schedule, "\"slot\":0", "\"slot\":1"), "slot 1", 4);
  verify(replaced(pair_schedule, "\"nodes\":2", "\"nodes\":3"), "3 nodes", 4);
  verify(R"({"nodes":2,"steps":1,"topology":"ring:2","transfers":[]})", "from 0 to 1", 4);
  verify(replaced(pair_schedule, "\"steps\":1,", ""), "steps", 2);
  verify("nothing", "JSON", 2);
  verify(replaced(pair_schedule, "ring:2", "ring:x"), "ring:x", 2);
  exchange_refused({"--verify", (folder.path() / "none.json").string()}, "none.json");

  const auto file = (folder.path() / "ring.json").string();
  BOOST_TEST(run(exchange({"--topology", "ring:5", "--output", file})).status == 0);
  const auto ring = nlohmann::json::parse(std::ifstream(file));
  auto clash = ring;
  for (auto& transfer : clash["transfers"]) transfer["slot"] = 0;
  verify(clash.dump(), "slot 0", 4);
  auto detour = ring;
  for (auto& transfer : detour["transfers"])
    if (transfer["from"] == 0 && transfer["to"] == 1) transfer["path"] = {0, 4, 3, 2, 1};
  verify(detour.dump(), "from 0 to 1", 4);
  for (const int steps : {0, -3}) {
    auto none = ring;
    none["steps"] = steps;
    verify(none.dump(), "steps", 4);
  }
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused) {
  const TemporaryFolder folder;
  const auto apart = write(folder, "apart.txt", "nodes 4\nlink 0 1\nlink 2 3\n");
  const auto twice = write(folder, "twice.txt", "nodes 3\nlink 0 1\nlink 1 0\n");
  exchange_refused({}, "--topology");
  exchange_refused({"--topology", "mesh:0x4"}, "mesh:0x4");
  exchange_refused({"--topology", "meh:4x4"}, "mesh:AxB");
  exchange_refused({"--topology", (folder.path() / "none.txt").string()}, "none.txt");
  exchange_refused({"--topology", folder.path().string()}, "folder");
  exchange_refused({"--topology", apart}, "apart.txt:1: node 0 has a message for node 2");
  exchange_refused({"--topology", twice}, "twice.txt:3");
  for (const char* steps : {"0", "-1", "x", "3.5", ""})
    exchange_refused({"--topology", "mesh:3x3", "--steps", steps}, "--steps");
  exchange_refused({"--topology", "mesh:3x3", "--steps", "5"}, "6 steps");
  exchange_refused({"--topology", "mesh:3x3", "--optimizer", "climb"}, "climb");
  exchange_refused({"--topology", "mesh:3x3", "--optimizer", "construct"}, "construction");
  exchange_refused({"--topology", "mesh:3x3", "--offload", "device"}, "umda");
  exchange_refused({"--topology", "mesh:3x3", "--optimizer", "umda", "--population", "1"}, "--population");
  exchange_refused({"--topology", "mesh:3x3", "--optimizer", "umda", "--offload", "cloud"}, "cloud");
  exchange_refused({"--topology", "mesh:3x3", "--optimizer", "umda", "--method", "nodes"}, "nodes");
  exchange_refused({"--topology", "mesh:3x3", "--pattern", "scatter:9"}, "scatter:9");
  exchange_refused({"--topology", "mesh:3x3", "--pattern", "gossip"}, "gossip");
  exchange_refused({"--topology", "mesh:3x3", "--without-links", "0-4"}, "0-4");
  exchange_refused({"--topology", "mesh:3x3", "--without-links", "0"}, "no link");
  exchange_refused({"--topology", "mesh:3x3", "--without-links", "0-1,1-0"}, "twice");
  exchange_refused({"--topology", "mesh:3x3", "--optimizer", "pack", "--steps", "9"}, "pack");
  exchange_refused({"--topology", "mesh:3x3", "--optimizer", "pack", "--replicas", "9"}, "--replicas");
  exchange_refused({"--topology", "mesh:3x3", "--optimizer", "umda", "--searches", "2"}, "--searches");
  for (const char* number : {"0", "1025", "x"})
    exchange_refused({"--topology", "mesh:3x3", "--searches", number}, "--searches");
  exchange_refused({"--topology", "mesh:3x3", "--without-nodes", "9"}, "no node 9");
  // Parallel channels.
  const auto channels = [&](const std::string& lines) { return write(folder, "channels.txt", "nodes 3\n" + lines); };
  for (const char* count : {"0", "65", "-1", "1.5", "two", "1e1", "0x2", "99999999999999999999"})
    exchange_refused({"--topology", channels("link 0 1 " + std::string(count) + "\n")}, "channels.txt:2");
  exchange_refused({"--topology", channels("arc 0 1 2 2\n")}, "arc A B [CHANNELS]");
  exchange_refused({"--topology", channels("link 0 1 2\nlink 1 2\nlink 0 1 3\n")}, "channels.txt:4");
  exchange_refused({"--topology", channels("link 0 1\nlink 1 2\nlink 0 1 2\n")}, "first in line 2");
  exchange_refused({"--topology", channels("link 0 1 2\narc 1 0 2\n")}, "channels.txt:3");
  exchange_refused({"--topology", channels("link 0 1 2\n")}, "node 0 has a message for node 2");
  exchange_refused({"--topology", channels("link 0 1 2\nlink 1 2\n"), "--steps", "1"}, "fewer than");
  exchange_refused(
      {"--topology", channels("link 0 1 2\nlink 1 2\n"), "--output", (folder.path() / "net.anynet").string()},
      "parallel channels");
  exchange_refused({"--topology", "mesh:3x3", "--output", "schedule.txt"}, ".json");
  exchange_refused({"--topology", "mesh:3x3", "--output", "/nonexistent/schedule.json"}, "/nonexistent");
  exchange_refused({"--topology", "mesh:3x3", "--bound", "--steps", "6"}, "--bound");
  exchange_refused({"--topology", "mesh:3x3", "--time-limit", "-1"}, "--time-limit");
  exchange_refused({"--topology", "mesh:3x3", "--resume", apart}, "apart.txt");
}

BOOST_AUTO_TEST_CASE(links_of_parallel_channels) {
  const TemporaryFolder folder;
  const auto net = write(folder, "net.txt", "nodes 4\nlink 0 1 2\nlink 1 2 3\nlink 2 3\nlink 3 0\n");
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  const auto outcome = run(exchange({"--topology", net, "--json", "--output", file("schedule.json"), "--output",
                                     file("schedule.xml"), "--plot", file("schedule.svg")}));
  BOOST_REQUIRE(outcome.status == 0);
  const auto result = outcome.json();
  BOOST_TEST(result["links"] == 14);
  BOOST_TEST(result["steps"] == result["lower_bound"]);
  // A link is listed once, and counts as often as it has channels.
  std::map<std::pair<int, int>, int> weights;
  const std::map<std::pair<int, int>, int> channels{{{0, 1}, 2}, {{1, 0}, 2}, {{1, 2}, 3}, {{2, 1}, 3},
                                                    {{2, 3}, 1}, {{3, 2}, 1}, {{3, 0}, 1}, {{0, 3}, 1}};
  int sum = 0;
  for (const auto& each : result["certificate"]["weights"]) {
    const std::pair<int, int> link{each[0].get<int>(), each[1].get<int>()};
    BOOST_TEST(weights.emplace(link, each[2].get<int>()).second);
    sum += channels.at(link) * each[2].get<int>();
  }
  int total = 0;
  for (int from = 0; from < 4; ++from)
    for (const int step : {1, 3}) {
      const int next = (from + step) % 4;
      total += weights[{from, next}];
      // Nodes across are reached both ways round, and so counted for one of them.
      if (step == 1)
        total += std::min(weights[{from, next}] + weights[{next, (next + 1) % 4}],
                          weights[{from, (from + 3) % 4}] + weights[{(from + 3) % 4, (from + 2) % 4}]);
    }
  BOOST_TEST((total + sum - 1) / sum == result["lower_bound"].get<int>());
  BOOST_TEST(run(exchange({"--verify", file("schedule.json")})).status == 0);
  // Without the channels the same schedule is none.
  const auto single = write(folder, "single.txt", "nodes 4\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 0\n");
  const auto verified = run(exchange({"--verify", file("schedule.json"), "--topology", single}));
  BOOST_TEST((verified.status == 4 || result["steps"] == 2));
}

BOOST_AUTO_TEST_CASE(a_run_is_resumed_without_its_file) {
  const TemporaryFolder folder;
  const auto net =
      write(folder, "net.txt", "nodes 5\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 4\narc 4 0\narc 0 4\nlink 1 3\n");
  const auto file = (folder.path() / "run.clopt").string();
  const auto whole = run(exchange({"--topology", net, "--optimizer", "umda", "--generations", "9", "--json"})).json();
  run(exchange({"--topology", net, "--optimizer", "umda", "--generations", "4", "--checkpoint", file}));
  std::filesystem::remove(net);
  const auto resumed = run(exchange({"--resume", file, "--generations", "9", "--json"})).json();
  BOOST_TEST(resumed["checksum"] == whole["checksum"]);
  BOOST_TEST(resumed["evaluations"] == whole["evaluations"]);
  exchange_refused({"--resume", file, "--optimizer", "anneal"}, "--optimizer anneal");
}

BOOST_AUTO_TEST_SUITE_END()
