/// \file
/// The fitness for an optimiser of one's own, on the device under test.
#include <clopt/error.hpp>
#include <clopt/exchange_fitness.hpp>
#include <device/solver_devices.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>
#include "networks.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using namespace clopt::exchange;

/// Slots and paths of some schedules, at random.
struct Drawn {
  Drawn(const Fitness& fitness, std::size_t schedules, std::mt19937_64& random) {
    for (std::size_t i = 0; i < schedules; ++i)
      for (const auto paths : fitness.paths()) {
        slots.push_back(static_cast<std::uint32_t>(random() % fitness.slots()));
        numbers.push_back(static_cast<std::uint32_t>(random() % paths));
      }
  }
  std::vector<std::uint32_t> slots, numbers;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(own_fitness, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(counts_are_those_of_the_definition) {
  std::mt19937_64 random(31);
  for (const std::string topology : {"ring:5", "mesh:3x3", "hypercube:3", "spidergon:8", "fat-tree:2x2"})
    for (const std::string pattern : {"all-to-all", "scatter:0"})
      for (const std::size_t schedules : {1U, 7U, 49U}) {
        const auto problem = make_problem(make_topology(topology), pattern);
        Fitness fitness(problem, 3, test::device(), schedules == 7 ? "pairs" : "links");
        const auto transfers = problem.transfers.size();
        const Drawn drawn(fitness, schedules, random);
        std::vector<std::uint64_t> conflicts(schedules);
        fitness.count(drawn.slots, drawn.numbers, conflicts);
        for (std::size_t i = 0; i < schedules; ++i) {
          const auto own = fitness.schedule(std::span(drawn.slots).subspan(i * transfers, transfers),
                                            std::span(drawn.numbers).subspan(i * transfers, transfers));
          BOOST_TEST(conflicts[i] == test::conflicts_by_definition(own), "seed 31, " << topology << ' ' << pattern);
        }
      }
}

BOOST_AUTO_TEST_CASE(paths_are_all_shortest_ones) {
  const auto problem = make_problem(make_topology("mesh:3x3"), "all-to-all");
  const Fitness fitness(problem, 1, test::device());
  for (std::size_t i = 0; i < problem.transfers.size(); ++i) {
    const auto [from, to] = problem.transfers[i];
    const auto rows = from / 3 > to / 3 ? from / 3 - to / 3 : to / 3 - from / 3;
    const auto columns = from % 3 > to % 3 ? from % 3 - to % 3 : to % 3 - from % 3;
    // Of all its hops those that go along a row, chosen in each way.
    constexpr std::uint32_t chosen[3][3] = {{1, 1, 1}, {1, 2, 3}, {1, 3, 6}};
    BOOST_TEST(fitness.paths()[i] == chosen[rows][columns]);
    std::vector<std::vector<std::uint32_t>> seen;
    for (std::uint32_t number = 0; number < fitness.paths()[i]; ++number) {
      const auto path = fitness.path(i, number);
      BOOST_TEST(path.front() == from);
      BOOST_TEST(path.back() == to);
      BOOST_TEST(path.size() == rows + columns + 1);
      BOOST_TEST((std::find(seen.begin(), seen.end(), path) == seen.end()));
      seen.push_back(path);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_leaves_its_batches) {
  const auto problem = make_problem(make_topology("mesh:3x3"), "all-to-all");
  std::mt19937_64 random(5);
  Fitness sound(problem, 4, test::device());
  const Drawn drawn(sound, 300, random);
  std::vector<std::uint64_t> expected(300), conflicts(300);
  sound.count(drawn.slots, drawn.numbers, expected);
  const std::vector<std::shared_ptr<Device>> devices{
      std::make_shared<test::FailingDevice>(test::FailingDevice::from_the_start), non_owning(test::device())};
  Fitness fitness(problem, 4, devices);
  for (int call = 0; call < 3; ++call) {
    std::fill(conflicts.begin(), conflicts.end(), 0);
    fitness.count(drawn.slots, drawn.numbers, conflicts);
    BOOST_TEST(conflicts == expected, boost::test_tools::per_element());
  }
  BOOST_TEST(fitness.failures().size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const auto problem = make_problem(make_topology("ring:5"), "all-to-all");
  const auto refuses = [](const auto& call, const std::string& text) {
    BOOST_CHECK_EXCEPTION(call(), InvalidInput, [&](const InvalidInput& error) {
      return std::string(error.what()).find(text) != std::string::npos;
    });
  };
  refuses([&] { Fitness(problem, 0, test::device()); }, "0 slots");
  refuses([&] { Fitness(problem, 65'536, test::device()); }, "65536 slots");
  refuses([&] { Fitness(problem, 3, test::device(), "other"); }, "other");
  refuses([&] { Fitness(problem, 3, std::span<const std::shared_ptr<Device>>()); }, "devices");
  auto made = problem;
  made.transfers = {{0, 5}};
  refuses([&] { Fitness(made, 3, test::device()); }, "0-5");
  made.transfers = {{2, 2}};
  refuses([&] { Fitness(made, 3, test::device()); }, "2-2");
  made.transfers.clear();
  refuses([&] { Fitness(made, 3, test::device()); }, "no transfers");
  Fitness fitness(problem, 3, test::device());
  std::vector<std::uint32_t> slots(40), numbers(40);
  std::vector<std::uint64_t> conflicts(2);
  fitness.count(slots, numbers, conflicts);
  slots[21] = 3;
  refuses([&] { fitness.count(slots, numbers, conflicts); }, "schedule 1 has transfer 1 in slot 3");
  slots[21] = 0;
  numbers[5] = 1;
  refuses([&] { fitness.count(slots, numbers, conflicts); }, "schedule 0 has transfer 5");
  numbers.pop_back();
  refuses([&] { fitness.count(slots, numbers, conflicts); }, "40 slots and 39 paths");
  refuses([&] { fitness.path(20, 0); }, "20 transfers");
  refuses([&] { fitness.path(0, 7); }, "no number 7");
  // None is counted at once.
  fitness.count({}, {}, {});
}

BOOST_AUTO_TEST_SUITE_END()
