#include "msccl_interpreter.hpp"
#include "networks.hpp"

#include <exchange/packing/greedy.hpp>

#include <boost/test/unit_test.hpp>

#include <regex>
#include <string>

using namespace clopt;
using namespace clopt::exchange;
using test::MscclInterpreter;
using test::WrongAlgorithm;

namespace {

std::string algorithm_of(const Problem& problem) {
  return to_msccl(problem, greedy(problem, Network(problem.topology)).schedule);
}

// Connections of one chunk show a deadlock soonest; eight are usual.
void carry_out(const std::string& text) {
  const MscclInterpreter interpreter(text);
  for (const std::size_t capacity : {1U, 8U})
    for (const std::uint64_t seed : {1U, 2U, 3U}) interpreter.run(interpreter.all_to_all(), capacity, seed);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, "no " << what);
  return text.replace(at, what.size(), by);
}

void fails(const std::string& text, const std::string& because) {
  BOOST_CHECK_EXCEPTION(carry_out(text), WrongAlgorithm, [&](const WrongAlgorithm& error) {
    BOOST_TEST(std::string(error.what()).find(because) != std::string::npos,
               "'" << error.what() << "' should speak of '" << because << "'");
    return true;
  });
}

// Rank 0 sends its chunk to rank 1 and gets one back; both keep their own.
const std::string two_ranks = R"(<algo name="two" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2"
 coll="alltoall" inplace="0" outofplace="1">
<gpu id="0" i_chunks="2" o_chunks="2" s_chunks="1">
<tb id="0" send="1" recv="-1" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb>
<tb id="1" send="-1" recv="1" chan="0">
<step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb>
<tb id="2" send="-1" recv="-1" chan="0">
<step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb>
</gpu>
<gpu id="1" i_chunks="2" o_chunks="2" s_chunks="1">
<tb id="0" send="0" recv="-1" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="1" deps="0" hasdep="0"/></tb>
<tb id="1" send="-1" recv="0" chan="0">
<step s="0" type="r" srcbuf="i" srcoff="1" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/></tb>
<tb id="2" send="-1" recv="-1" chan="0">
<step s="0" type="cpy" srcbuf="i" srcoff="1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb>
</gpu>
</algo>)";

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_msccl)

BOOST_AUTO_TEST_CASE(every_chunk_arrives) {
  for (const char* name : {"ring:2", "mesh:3x3", "ring:7", "fat-tree:2x2", "hypercube:3", "random:12:3"})
    BOOST_TEST_CONTEXT(name) {
      const auto text = algorithm_of(test::complete_exchange(name));
      BOOST_CHECK_NO_THROW(carry_out(text));
      // Readers take 0 and 1.
      for (auto at = text.find("hasdep="); at != text.npos; at = text.find("hasdep=", at + 1))
        BOOST_REQUIRE((text.compare(at, 10, "hasdep=\"0\"") == 0 || text.compare(at, 10, "hasdep=\"1\"") == 0));
      BOOST_TEST(MscclInterpreter(text).coll() == "alltoall");
      BOOST_TEST(MscclInterpreter(text).channels() == 1);
    }
}

BOOST_AUTO_TEST_CASE(parallel_channels_are_channels) {
  // Two messages of one slot from node 1 to node 2: its own and one that comes from node 0.
  const auto problem = make_problem(test::topology_of("nodes 4\nlink 0 1\nlink 1 2 2\nlink 2 3\n"), "all-to-all");
  const auto text = algorithm_of(problem);
  BOOST_CHECK_NO_THROW(carry_out(text));
  BOOST_TEST(MscclInterpreter(text).channels() == 2);
}

// RCCL's parser requires both; MSCCL's own takes 128 MiB where the second is missing.
BOOST_AUTO_TEST_CASE(any_size_of_messages_is_taken) {
  const auto text = algorithm_of(test::complete_exchange("ring:3"));
  BOOST_TEST(text.find(" minBytes=\"0\" maxBytes=\"1099511627776\">\n") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(limits_of_readers_are_named) {
  const auto limits = [](const Problem& problem) {
    return msccl_limits(problem, greedy(problem, Network(problem.topology)).schedule);
  };
  for (const char* name : {"ring:2", "ring:7", "mesh:3x3", "hypercube:3"})
    BOOST_TEST_CONTEXT(name) BOOST_TEST(limits(test::complete_exchange(name)) == "");
  // A star: the hub's channel to each of 33 leaves.
  std::string star = "nodes 34\n";
  for (int leaf = 1; leaf < 34; ++leaf) star += "link 0 " + std::to_string(leaf) + "\n";
  const auto of_star = limits(make_problem(test::topology_of(star), "all-to-all"));
  BOOST_TEST(of_star.find("33 peers on a channel, of which MSCCL takes 32 and RCCL 32") != std::string::npos, of_star);
  BOOST_TEST(of_star.find("67 thread blocks in a rank, of which MSCCL takes 216 and RCCL 64") != std::string::npos,
             of_star);
  // A ring passes half of all messages by.
  const auto of_ring = limits(test::complete_exchange("ring:30"));
  BOOST_TEST(of_ring.find("steps in a thread block, of which MSCCL takes 256 and RCCL 64") != std::string::npos,
             of_ring);
}

BOOST_AUTO_TEST_CASE(other_patterns_deliver_what_they_name) {
  const auto problem = make_problem(
      test::topology_of("nodes 5\nlink 0 1 2\nlink 1 2\nlink 2 3\nlink 1 4\nrole 1 router\n"), "many-to-many:0,2:3-4");
  // Ranks leave the router out: nodes 0, 2, 3 and 4.
  const MscclInterpreter interpreter(algorithm_of(problem));
  BOOST_TEST(interpreter.coll() == "custom");
  interpreter.run({{0, 2}, {0, 3}, {1, 2}, {1, 3}}, 1, 4);
  BOOST_CHECK_THROW(interpreter.run({{2, 0}}, 1, 4), WrongAlgorithm);
}

BOOST_AUTO_TEST_CASE(each_slot_of_a_demand_has_a_chunk) {
  const auto problem = make_problem(make_topology("mesh:2x2"), "demand", {{0, 3, 3}, {3, 0, 1}, {1, 2, 2}});
  const MscclInterpreter interpreter(algorithm_of(problem));
  BOOST_TEST(interpreter.coll() == "custom");
  const std::vector<std::pair<int, int>> wanted{{0, 3}, {0, 3}, {0, 3}, {3, 0}, {1, 2}, {1, 2}};
  interpreter.run(wanted, 1, 4, 3);
  BOOST_CHECK_THROW(interpreter.run({{3, 0}, {3, 0}}, 1, 4, 3), WrongAlgorithm);
}

BOOST_AUTO_TEST_CASE(the_interpreter_finds_each_fault) {
  BOOST_CHECK_NO_THROW(carry_out(two_ranks));
  fails("<algo", "no XML");
  fails("<gpu/>", "no element algo");
  fails(replaced(two_ranks, "ngpus=\"2\"", "ngpus=\"3\""), "ngpus");
  fails(replaced(two_ranks, "gpu id=\"1\"", "gpu id=\"2\""), "another id");
  fails(replaced(two_ranks, "tb id=\"2\"", "tb id=\"0\""), "another id");
  fails(replaced(two_ranks, "chan=\"0\"", "chan=\"1\""), "no such channel");
  fails(replaced(two_ranks, "<tb id=\"1\" send=\"-1\"", "<tb id=\"1\" send=\"1\""), "sends where another");
  fails(replaced(two_ranks, "recv=\"1\"", "recv=\"2\""), "a peer that is not there");
  fails(replaced(two_ranks, "<tb id=\"0\" send=\"1\"", "<tb id=\"0\" send=\"-1\""), "sends without a peer");
  fails(replaced(two_ranks, "type=\"cpy\"", "type=\"add\""), "unknown type");
  fails(replaced(two_ranks, " cnt=\"1\"", ""), "no attribute cnt");
  fails(replaced(two_ranks, "srcoff=\"1\"", "srcoff=\"one\""), "no number");
  fails(replaced(two_ranks, "srcoff=\"1\"", "srcoff=\"2\""), "reads beyond");
  fails(replaced(two_ranks, "dstbuf=\"o\" dstoff=\"1\"", "dstbuf=\"x\" dstoff=\"1\""), "names no buffer");
  fails(replaced(two_ranks, "s=\"0\"", "s=\"1\""), "out of order");
  fails(replaced(two_ranks, "depid=\"1\"", "depid=\"3\""), "waits for a step that is not there");
  fails(replaced(two_ranks, "hasdep=\"1\"", "hasdep=\"0\""), "does not tell");
  // What runs and gives something else.
  fails(replaced(two_ranks, "type=\"cpy\"", "type=\"nop\""), "from 0 to 0 did not arrive");
  fails(replaced(two_ranks, "srcoff=\"1\"", "srcoff=\"0\""), "from 0 to 1 is another one");
  fails(replaced(two_ranks, "srcbuf=\"i\" srcoff=\"1\"", "srcbuf=\"s\" srcoff=\"0\""), "reads what nothing");
  // Rank 1 waits for rank 0, which now waits for rank 1.
  const auto waiting =
      replaced(replaced(two_ranks, "depid=\"-1\" deps=\"-1\" hasdep=\"0\"", "depid=\"1\" deps=\"0\" hasdep=\"0\""),
               "dstoff=\"1\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"",
               "dstoff=\"1\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"1\"");
  fails(waiting, "deadlock");
}

BOOST_AUTO_TEST_CASE(a_broken_file_of_ours_fails) {
  const auto text = algorithm_of(test::complete_exchange("ring:5"));
  BOOST_CHECK_NO_THROW(carry_out(text));
  // A message that is sent on before it came, one that is never sent, and one that goes to another place.
  fails(replaced(text, "type=\"r\"", "type=\"nop\""), "");
  const auto first = text.find("type=\"s\" srcbuf=\"s\"");
  BOOST_REQUIRE(first != std::string::npos);
  const auto depends = text.find("depid=", first);
  const auto end = text.find(" hasdep", depends);
  fails(text.substr(0, depends) + "depid=\"-1\" deps=\"-1\"" + text.substr(end), "reads what nothing");
  const std::regex to_output("(type=\"r\" srcbuf=\".\" srcoff=\"\\d+\" dstbuf=)\"o\"");
  fails(std::regex_replace(text, to_output, "$1\"s\"", std::regex_constants::format_first_only), "");
}

BOOST_AUTO_TEST_SUITE_END()
