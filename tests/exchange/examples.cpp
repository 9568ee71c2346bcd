/// \file
/// The machines and networks of docs/examples, with their schedules and MSCCL algorithms.
#include "msccl_interpreter.hpp"
#include "networks.hpp"
#include "runs.hpp"

#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

using namespace clopt;
using namespace clopt::exchange;

namespace {

struct Machine {
  std::string name;
  std::size_t channels;
  std::size_t transfers;
  std::uint32_t steps;
};

const Machine machines[] = {{"dgx-1", 48, 56, 3},
                            {"dgx-2", 288, 240, 3},
                            {"p4d-pod", 432, 240, 16},
                            {"fat-tree", 96, 240, 15},
                            {"dragonfly", 120, 380, 19}};

std::filesystem::path example(const Machine& machine, const std::string& ending) {
  return std::filesystem::path(CLOPT_TEST_EXAMPLES) / (machine.name + ending);
}

Problem problem_of(const Machine& machine) {
  std::ifstream file(example(machine, ".txt"));
  return make_problem(read_topology(file, machine.name), "all-to-all");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_examples)

BOOST_AUTO_TEST_CASE(schedules_are_valid_and_meet_their_bounds) {
  for (const auto& machine : machines) BOOST_TEST_CONTEXT(machine.name) {
      const auto problem = problem_of(machine);
      BOOST_TEST(problem.topology.links.size() == machine.channels);
      BOOST_TEST(problem.transfers.size() == machine.transfers);
      std::ifstream file(example(machine, ".json"));
      const auto stored = read_schedule(file, machine.name);
      BOOST_TEST(check(problem, stored) == "");
      BOOST_TEST(stored.steps == machine.steps);
      BOOST_TEST(find_bound(problem).steps == machine.steps);
      // What a run gives is what is kept here.
      const auto found = test::solve_here(problem);
      BOOST_TEST(checksum_of(claim(problem, found.schedule)) == checksum_of(stored));
    }
}

BOOST_AUTO_TEST_CASE(algorithms_deliver_every_chunk) {
  for (const auto& machine : machines) BOOST_TEST_CONTEXT(machine.name) {
      const test::MscclInterpreter interpreter(test::read_file(example(machine, ".xml")));
      BOOST_TEST(interpreter.coll() == "alltoall");
      BOOST_TEST(static_cast<std::size_t>(interpreter.ranks() * (interpreter.ranks() - 1)) == machine.transfers);
      for (const std::size_t capacity : {1U, 8U}) interpreter.run(interpreter.all_to_all(), capacity, 5);
    }
}

BOOST_AUTO_TEST_SUITE_END()
