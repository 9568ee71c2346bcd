/// \file
/// The search's operations and the optimisers on the device under test.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <device/solver_devices.hpp>
#include <exchange/packing/repair.hpp>
#include <exchange/search.hpp>
#include <exchange/umda/fitness.hpp>
#include <support/changed_record.hpp>
#include <support/device.hpp>

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <tuple>

namespace {

using namespace clopt;
using namespace clopt::exchange;
using test::conflicts_by_definition;

std::shared_ptr<Device> shared_device() { return non_owning(test::device()); }

/// Conflicts by the uses of each link in each slot, for many long paths.
std::uint64_t conflicts_by_uses(const Schedule& schedule) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> uses;
  std::uint64_t conflicts = 0;
  for (const auto& [slot, path] : schedule.placements)
    for (std::size_t i = 0; i + 1 < path.size(); ++i) conflicts += uses[{slot, path[i], path[i + 1]}]++;
  return conflicts;
}

/// Everything that a search needs besides its problem.
struct SearchSetting {
  explicit SearchSetting(Problem given) : problem(std::move(given)), network(problem.topology), paths(network) {}
  SearchTask task(std::uint32_t steps, std::uint64_t generations) {
    return {problem, network, &paths,      steps,       options, parse_options(options),
            devices, watch,   generations, options.seed};
  }
  Problem problem;
  Network network;
  Paths paths;
  Options options;
  std::vector<std::shared_ptr<Device>> devices{shared_device()};
  RunControl control;
  Watch watch{control};
};

/// Fitness of random individuals, of which some crowd into one slot. \returns how many places an element of a footprint
/// holds, 0 where there are no footprints.
std::uint32_t check_fitness(const Problem& problem, std::uint32_t slots, std::uint32_t individuals, Method method,
                            std::uint64_t seed) {
  SearchSetting setting(problem);
  const auto table = make_gene_table(setting.problem, setting.network, setting.paths);
  setting.options.seed = seed;
  setting.options.population = individuals;
  const auto population = population_of(table, slots, setting.options);
  std::mt19937_64 random(seed);
  FitnessTeam team(setting.devices, table, population, method, individuals);
  std::vector<std::vector<std::uint32_t>> made(individuals);
  for (auto& genes : made) {
    const bool crowded = random() % 2 == 0;
    for (const auto& gene : table.genes)
      genes.push_back(static_cast<std::uint32_t>((crowded ? 0 : random() % slots) << 16 | random() % gene.paths));
  }
  std::vector<std::uint64_t> fitness(individuals);
  team.evaluate(
      individuals,
      [&](std::uint32_t first, std::uint32_t end, std::uint32_t* genes) {
        for (std::uint32_t i = first; i < end; ++i) genes = std::copy(made[i].begin(), made[i].end(), genes);
      },
      fitness);
  for (std::uint32_t i = 0; i < individuals; ++i) {
    const auto schedule = decode(table, setting.problem, setting.network, slots, made[i]);
    const auto expected = table.hops > 1 << 15 ? conflicts_by_uses(schedule) : conflicts_by_definition(schedule);
    BOOST_TEST(fitness[i] == expected, problem.topology.name << ", " << name_of(method) << ", seed " << seed);
  }
  return table.footprints.places == 0 ? 0 : table.footprints.places_an_element;
}

std::uint32_t check_fitness(const std::string& topology, std::uint32_t slots, std::uint32_t individuals, Method method,
                            std::uint64_t seed) {
  return check_fitness(test::complete_exchange(topology), slots, individuals, method, seed);
}

BOOST_AUTO_TEST_SUITE(search_devices, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(fitness_agrees_with_the_definition, *boost::unit_test::label("oclgrind")) {
  check_fitness("ring:5", 3, 3, Method::links, 1);
  check_fitness("mesh:3x2", 1, 2, Method::links, 2);
}

BOOST_AUTO_TEST_CASE(fitness_of_larger_networks_and_crowded_slots) {
  for (const auto method : {Method::links, Method::pairs}) {
    check_fitness("ring:5", 3, 3, method, 1);
    check_fitness("mesh:3x2", 1, 2, method, 2);
    check_fitness("mesh:4x4", 16, 7, method, 3);
    check_fitness("hypercube:4", 8, 5, method, 4);
  }
  // A link of a ring of 49 nodes carries 300 messages: more than a byte counts.
  check_fitness("ring:49", 1, 2, Method::links, 5);
  check_fitness("ring:49", 301, 3, Method::links, 6);
}

BOOST_AUTO_TEST_CASE(fitness_of_all_forms_of_footprints) {
  BOOST_TEST(check_fitness("mesh:3x3", 6, 3, Method::links, 7) == 8U);
  // Places of 16 bits.
  BOOST_TEST(check_fitness("random:70:4", 40, 3, Method::links, 8) == 4U);
  // Paths of many elements, of either kind; with so few links that they are counted by footprints on a GPU too.
  // Counting that many links takes a work-item more steps than some drivers let it make.
  if (test::device().has_long_loops()) BOOST_TEST(check_fitness("mesh:2x50", 625, 2, Method::links, 9) == 8U);
  const auto problem_of = [](const std::string& topology, const std::string& pattern) {
    return make_problem(make_topology(topology), pattern);
  };
  BOOST_TEST(check_fitness(problem_of("mesh:2x50", "scatter:0"), 16, 3, Method::links, 10) == 8U);
  BOOST_TEST(check_fitness(problem_of("mesh:2x70", "scatter:69"), 16, 3, Method::links, 11) == 4U);
  // Paths of 300 links have no footprints.
  BOOST_TEST(check_fitness(problem_of("ring:600", "scatter:0"), 300, 2, Method::links, 12) == 0U);
}

BOOST_AUTO_TEST_CASE(fitness_of_slots_beyond_15_bits) { check_fitness("mesh:4x4", 40'000, 3, Method::links, 13); }

BOOST_AUTO_TEST_CASE(self_test_passes) { BOOST_TEST(exchange::self_test(test::device()) == ""); }

BOOST_AUTO_TEST_CASE(annealing_meets_the_bound) {
  const std::map<std::string, std::uint32_t> bounds{
      {"mesh:3x3", 6}, {"mesh:4x4", 16}, {"torus:4x4", 8}, {"torus:5x5", 15}};
  for (const auto& [topology, steps] : bounds) {
    SearchSetting setting(test::complete_exchange(topology));
    auto found = anneal(setting.task(steps, 100'000));
    BOOST_TEST(found.conflicts == 0U, topology);
    BOOST_TEST(conflicts_by_definition(found.schedule) == 0U);
  }
}

BOOST_AUTO_TEST_CASE(number_of_replicas_is_an_option) {
  for (const std::uint32_t replicas : {2U, 7U, 33U}) {
    SearchSetting setting(test::complete_exchange("mesh:3x3"));
    setting.options.replicas = replicas;
    const auto found = anneal(setting.task(7, 10'000));
    BOOST_TEST(found.conflicts == 0U);
    BOOST_TEST(found.evaluations % replicas == 0U);
  }
}

BOOST_AUTO_TEST_CASE(tabu_search_finds_schedules_with_slack) {
  SearchSetting setting(test::complete_exchange("mesh:4x4"));
  setting.options.optimizer = "tabu";
  const auto found = anneal(setting.task(18, 100'000));
  BOOST_TEST(found.conflicts == 0U);
}

BOOST_AUTO_TEST_CASE(annealing_continues_from_its_state) {
  // Limits that end a search early, in the middle of its competition.
  SearchSetting whole(test::complete_exchange("mesh:4x4"));
  whole.options.seed = 3;
  const auto reference = anneal(whole.task(14, 400));
  SearchSetting part(test::complete_exchange("mesh:4x4"));
  part.options.seed = 3;
  Record state;
  auto task = part.task(14, 400);
  std::stop_source stop;
  part.control.stop = stop.get_token();
  int calls = 0;
  task.save = [&](const std::function<Record()>& make) {
    if (++calls != 5) return;
    state = make();
    stop.request_stop();
  };
  anneal(task);
  BOOST_REQUIRE(!state.empty());
  SearchSetting rest(test::complete_exchange("mesh:4x4"));
  rest.options.seed = 3;
  auto resumed = rest.task(14, 400);
  resumed.resume = &state;
  const auto found = anneal(resumed);
  BOOST_TEST(found.conflicts == reference.conflicts);
  BOOST_TEST(exchange::checksum_of(claim(rest.problem, found.schedule)) ==
             exchange::checksum_of(claim(whole.problem, reference.schedule)));
  BOOST_TEST(found.generations == reference.generations);
  BOOST_TEST(found.evaluations == reference.evaluations);
}

BOOST_AUTO_TEST_CASE(any_schedule_can_be_made_valid) {
  for (const std::uint32_t steps : {1U, 5U, 15U}) {
    SearchSetting setting(test::complete_exchange("mesh:4x4"));
    const auto found = umda(setting.task(steps, 0));
    const auto valid = without_conflicts(setting.problem, setting.network, found.schedule);
    BOOST_TEST(conflicts_by_definition(valid) == 0U);
    BOOST_TEST(check(setting.problem, claim(setting.problem, valid)) == "");
    BOOST_TEST(valid.steps >= 16U);
  }
}

BOOST_AUTO_TEST_CASE(umda_gives_the_same_population_on_host_and_device) {
  std::vector<std::uint64_t> checksums;
  std::vector<std::uint64_t> conflicts;
  for (const std::string offload : {"host", "device"})
    for (const std::string method : {"links", "pairs"}) {
      if (offload == "device" && method == "pairs") continue;
      SearchSetting setting(test::complete_exchange("mesh:3x3"));
      setting.options.offload = offload;
      setting.options.method = method;
      setting.options.population = 33;
      const auto found = umda(setting.task(6, 41));
      BOOST_TEST(found.generations == 41U);
      BOOST_TEST(found.evaluations == 33U + 41 * 16);
      BOOST_TEST(found.conflicts == conflicts_by_definition(found.schedule));
      checksums.push_back(found.checksum);
      conflicts.push_back(found.conflicts);
    }
  {
    SearchSetting setting(test::complete_exchange("mesh:3x3"));
    setting.options.queues = 1;
    setting.options.population = 33;
    checksums.push_back(umda(setting.task(6, 41)).checksum);
  }
  BOOST_TEST(std::count(checksums.begin(), checksums.end(), checksums.front()) == std::ssize(checksums));
  SearchSetting setting(test::complete_exchange("mesh:3x3"));
  setting.options.population = 33;
  const auto at_first = umda(setting.task(6, 0));
  BOOST_TEST(conflicts.front() < at_first.conflicts);
}

BOOST_AUTO_TEST_CASE(umda_has_many_slots_and_paths) {
  // Nine diamonds in a row: more than 256 paths from end to end, fewer between most nodes.
  std::string diamonds = "nodes 28\n";
  for (int i = 0; i < 9; ++i)
    for (const int between : {3 * i + 1, 3 * i + 2})
      diamonds += fmt::format("link {} {}\nlink {} {}\n", 3 * i, between, between, 3 * i + 3);
  const auto chain = make_problem(test::topology_of(diamonds), "all-to-all");
  const auto mesh = test::complete_exchange("mesh:3x3");
  // The smallest populations, and those that end within a chunk.
  for (const auto& [problem, steps, population] :
       {std::tuple(chain, 200U, 4U), std::tuple(mesh, 300U, 35U), std::tuple(mesh, 300U, 2U), std::tuple(mesh, 6U, 3U),
        std::tuple(mesh, 300U, 17U)}) {
    std::vector<std::uint64_t> checksums;
    for (const std::string offload : {"host", "device"}) {
      SearchSetting setting(problem);
      setting.options.offload = offload;
      setting.options.population = population;
      const auto found = umda(setting.task(steps, 3));
      BOOST_TEST(found.conflicts == conflicts_by_definition(found.schedule));
      checksums.push_back(found.checksum);
    }
    BOOST_TEST(checksums[0] == checksums[1]);
  }
}

BOOST_AUTO_TEST_CASE(umda_solves_a_small_network_and_stops) {
  for (const std::string offload : {"host", "device"}) {
    SearchSetting setting(test::complete_exchange("ring:4"));
    setting.options.offload = offload;
    const auto found = umda(setting.task(2, 5000));
    BOOST_TEST(found.conflicts == 0U);
    BOOST_TEST(found.generations < 5000U);
  }
}

BOOST_AUTO_TEST_CASE(umda_continues_from_its_state) {
  for (const std::string offload : {"host", "device"}) {
    SearchSetting whole(test::complete_exchange("mesh:3x3"));
    whole.options.offload = offload;
    whole.options.population = 20;
    const auto reference = umda(whole.task(6, 30));
    auto first = whole.task(6, 13);
    first.save = [](const std::function<Record()>&) {};
    const auto half_way = umda(first);
    auto second = whole.task(6, 30);
    second.resume = &half_way.state;
    BOOST_TEST(umda(second).checksum == reference.checksum);
  }
}

BOOST_AUTO_TEST_CASE(umda_refuses_genes_of_another_meaning) {
  SearchSetting setting(test::complete_exchange("mesh:3x3"));
  setting.options.population = 20;
  auto task = setting.task(6, 3);
  task.save = [](const std::function<Record()>&) {};
  const auto state = umda(task).state;
  const auto refuses = [&](const Record& changed, const std::string& reason) {
    auto resumed = setting.task(6, 5);
    resumed.resume = &changed;
    BOOST_CHECK_EXCEPTION(umda(resumed), InvalidInput, [&](const InvalidInput& error) {
      return std::string(error.what()).find(reason) != std::string::npos;
    });
  };
  for (const std::string name : {"order of genes", "sampling"}) {
    BOOST_REQUIRE(state.has(name));
    const std::vector<std::uint64_t> other{state.get<std::uint64_t>(name) + 1};
    refuses(test::with(state, name, other), "its " + name + " is ");
    refuses(test::without(state, name), "its " + name + " is none");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
