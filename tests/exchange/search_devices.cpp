/// \file
/// The search's operations and the optimisers on the device under test.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <exchange/fitness.hpp>
#include <exchange/repair.hpp>
#include <exchange/replicas.hpp>
#include <exchange/search.hpp>
#include <support/device.hpp>
#include <support/skip.hpp>

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <tuple>

namespace clopt::exchange {
std::string self_test(Device& device);
}

namespace {

using namespace clopt;
using namespace clopt::exchange;

std::shared_ptr<Device> shared_device() { return test::device().shared_from_this(); }

/// Conflicts as the paper defines them (equations 11 to 14), by sets of links of each pair of transfers.
std::uint64_t conflicts_by_definition(const Schedule& schedule) {
  std::uint64_t conflicts = 0;
  for (std::size_t a = 0; a < schedule.placements.size(); ++a)
    for (std::size_t b = a + 1; b < schedule.placements.size(); ++b) {
      const auto& one = schedule.placements[a];
      const auto& other = schedule.placements[b];
      if (one.slot != other.slot) continue;
      for (std::size_t i = 0; i + 1 < one.path.size(); ++i)
        for (std::size_t k = 0; k + 1 < other.path.size(); ++k)
          conflicts += one.path[i] == other.path[k] && one.path[i + 1] == other.path[k + 1];
    }
  return conflicts;
}

/// The same by the uses of each link in each slot, for many transfers.
std::uint64_t conflicts_by_uses(const Schedule& schedule) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> uses;
  std::uint64_t conflicts = 0;
  for (const auto& [slot, path] : schedule.placements)
    for (std::size_t i = 0; i + 1 < path.size(); ++i) conflicts += uses[{slot, path[i], path[i + 1]}]++;
  return conflicts;
}

/// Everything that a search needs besides its problem.
struct Setting {
  explicit Setting(Problem given) : problem(std::move(given)), network(problem.topology), paths(network) {}
  SearchTask task(std::uint32_t steps, std::uint64_t generations) {
    return {problem, network, &paths,      steps,        options,          devices,
            control, watch,   generations, options.seed, options.optimizer};
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
std::uint32_t check_fitness(const Problem& problem, std::uint32_t slots, std::uint32_t individuals,
                            const std::string& method, std::uint64_t seed) {
  Setting setting(problem);
  const auto table = make_gene_table(setting.problem, setting.network, setting.paths);
  const Population population{
      seed, static_cast<std::uint32_t>(table.genes.size()), slots, table.links, individuals, 0, table.hops};
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
    const auto expected = table.genes.size() > 4096 ? conflicts_by_uses(schedule) : conflicts_by_definition(schedule);
    BOOST_TEST(fitness[i] == expected, problem.topology.name << ", " << method << ", seed " << seed);
  }
  return table.footprints.places == 0 ? 0 : table.footprints.places_an_element;
}

std::uint32_t check_fitness(const std::string& topology, std::uint32_t slots, std::uint32_t individuals,
                            const std::string& method, std::uint64_t seed) {
  return check_fitness(test::complete_exchange(topology), slots, individuals, method, seed);
}

std::uint64_t checksum_of(const ReplicaState& state) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211U; };
  for (const auto slot : state.slots) add(slot);
  for (const auto link : state.paths) add(link);
  for (const auto energy : state.energies) add(energy);
  return hash;
}

/// Runs replicas and checks that what they say of themselves is true of their schedules.
std::uint64_t run_replicas(const Problem& problem, SymmetryGroup group, std::uint32_t steps, int launches,
                           std::uint64_t seed, std::uint32_t count = 5, SlotForm form = SlotForm::best) {
  const Network network(problem.topology);
  const auto plan = make_search_plan(network, problem.transfers, std::move(group), steps);
  BOOST_REQUIRE(plan.has_value());
  Replicas replicas(test::device(), *plan, count, seed, Rule::heat_bath, form);
  if (form == SlotForm::planes) BOOST_REQUIRE(replicas.has_planes());
  for (int i = 0; i < launches; ++i) replicas.advance();
  const auto state = replicas.state();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto slots = std::span(state.slots).subspan(i * plan->shape.orbits, plan->shape.orbits);
    const auto hops = std::size_t{plan->shape.orbits} * plan->shape.most_hops;
    const auto schedule =
        expand(*plan, network, problem.transfers, slots, std::span(state.paths).subspan(i * hops, hops));
    BOOST_TEST(conflicts_by_definition(schedule) == std::uint64_t{state.energies[i]} * plan->shape.order);
    for (std::size_t t = 0; t < problem.transfers.size(); ++t) {
      const auto& path = schedule.placements[t].path;
      BOOST_REQUIRE(path.front() == problem.transfers[t].from);
      BOOST_REQUIRE(path.back() == problem.transfers[t].to);
      BOOST_REQUIRE(path.size() == network.distance(path.front(), path.back()) + 1U);
    }
  }
  return checksum_of(state);
}

BOOST_AUTO_TEST_SUITE(search_devices, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(fitness_is_the_paper_s_definition, *boost::unit_test::label("oclgrind")) {
  check_fitness("ring:5", 3, 3, "links", 1);
  check_fitness("mesh:3x2", 1, 2, "links", 2);
}

BOOST_AUTO_TEST_CASE(fitness_of_larger_networks_and_crowded_slots) {
  for (const std::string method : {"links", "pairs"}) {
    check_fitness("ring:5", 3, 3, method, 1);
    check_fitness("mesh:3x2", 1, 2, method, 2);
    check_fitness("mesh:4x4", 16, 7, method, 3);
    check_fitness("hypercube:4", 8, 5, method, 4);
  }
  // A link of a ring of 49 nodes carries 300 messages: more than a byte counts.
  check_fitness("ring:49", 1, 2, "links", 5);
  check_fitness("ring:49", 301, 3, "links", 6);
}

BOOST_AUTO_TEST_CASE(fitness_of_all_forms_of_footprints) {
  BOOST_TEST(check_fitness("mesh:3x3", 6, 3, "links", 7) == 8U);
  // Places of 16 bits; in paths of several elements too.
  BOOST_TEST(check_fitness("random:70:4", 40, 3, "links", 8) == 4U);
  BOOST_TEST(check_fitness("mesh:2x50", 625, 2, "links", 9) == 4U);
  // Paths of 300 links have no footprints.
  const auto scatter = make_problem(make_topology("ring:600"), "scatter:0");
  BOOST_TEST(check_fitness(scatter, 300, 2, "links", 10) == 0U);
}

BOOST_AUTO_TEST_CASE(fitness_of_slots_beyond_15_bits) { check_fitness("mesh:4x4", 40'000, 3, "links", 11); }

BOOST_AUTO_TEST_CASE(replicas_know_their_conflicts, *boost::unit_test::label("oclgrind")) {
  const auto problem = test::complete_exchange("ring:4");
  run_replicas(problem, trivial_group(4), 2, 1, 1, 2);
}

bool has_own_subgroups() { return test::device().info().subgroup.provider != SubgroupProvider::emulated; }

/// One launch after the placing by planes, where sub-groups are the device's own, and by bytes, which are the same.
/// \returns how many launches of the former were ended by bytes.
std::uint64_t compare_forms(const Problem& problem, const SymmetryGroup& group, std::uint32_t steps, Rule rule) {
  const Network network(problem.topology);
  const auto plan = make_search_plan(network, problem.transfers, group, steps);
  BOOST_REQUIRE(plan.has_value());
  // At any width: the best form is by planes only where it is the one that sub-groups were tried at.
  Replicas planes(test::device(), *plan, 3, steps, rule, has_own_subgroups() ? SlotForm::planes : SlotForm::best);
  Replicas bytes(test::device(), *plan, 3, steps, rule, SlotForm::bytes);
  for (auto* const replicas : {&planes, &bytes})
    for (bool was_placed = false; !was_placed;) {
      was_placed = replicas->is_placed();
      replicas->advance();
    }
  BOOST_TEST(planes.has_planes() == (has_own_subgroups() && plan->shape.most_cells > 0));
  BOOST_TEST(!bytes.has_planes());
  BOOST_TEST(checksum_of(planes.state()) == checksum_of(bytes.state()),
             problem.topology.name << ", order " << group.order() << ", " << steps << " steps");
  return planes.ended_by_bytes();
}

std::uint64_t compare_forms(const std::string& topology, std::uint32_t steps, Rule rule = Rule::heat_bath) {
  const auto problem = test::complete_exchange(topology);
  return compare_forms(problem, trivial_group(problem.topology.nodes), steps, rule);
}

BOOST_AUTO_TEST_CASE(planes_and_bytes_make_the_same_moves) {
  // Slots around whole words; nodes with one edge to four, and chains of cells that take several rounds; more than 32
  // cells, and up to the most; paths of up to 25 hops.
  for (const auto& [topology, steps] : std::vector<std::pair<std::string, std::uint32_t>>{{"mesh:4x3", 12},
                                                                                          {"mesh:4x4", 31},
                                                                                          {"torus:4x4", 32},
                                                                                          {"hypercube:4", 33},
                                                                                          {"mesh:3x3x2", 97},
                                                                                          {"ring:9", 300},
                                                                                          {"mesh:3x3", 1024},
                                                                                          {"mesh:3x3", 1025},
                                                                                          {"fat-tree:2x3", 8},
                                                                                          {"mesh:6x6", 54},
                                                                                          {"mesh:8x8", 128},
                                                                                          {"ring:50", 313}})
    BOOST_TEST(compare_forms(topology, steps) == 0U);
  compare_forms("mesh:4x4", 18, Rule::tabu);
}

BOOST_AUTO_TEST_CASE(planes_and_bytes_move_orbits_of_groups_alike) {
  for (const auto& [topology, steps] :
       std::vector<std::pair<std::string, std::uint32_t>>{{"torus:4x4", 33}, {"mesh:3x2x2", 33}, {"ring:7", 33}}) {
    const auto problem = test::complete_exchange(topology);
    const auto groups = find_groups(Network(problem.topology), problem.transfers, steps, 1);
    BOOST_REQUIRE(groups.back().order() > 1U);
    compare_forms(problem, groups.back(), steps, Rule::heat_bath);
  }
}

BOOST_AUTO_TEST_CASE(bytes_end_what_planes_cannot) {
  // So many uses of a link that they are not told apart: from the start, and once the first orbits are placed.
  const std::uint64_t all = compare_forms("mesh:4x4", 1) + compare_forms("mesh:5x4", 3);
  if (has_own_subgroups()) BOOST_TEST(all > 0U);
}

BOOST_AUTO_TEST_CASE(replicas_of_groups_know_their_conflicts) {
  for (const std::string topology : {"mesh:3x3", "torus:4x4", "ring:7", "midimew:10", "mesh:3x2x2"}) {
    const auto problem = test::complete_exchange(topology);
    const Network network(problem.topology);
    for (const std::uint32_t steps : {5U, 33U}) {
      const auto groups = find_groups(network, problem.transfers, steps, 1);
      for (const auto index : {std::size_t{0}, groups.size() / 2, groups.size() - 1}) {
        BOOST_TEST_CONTEXT(topology << ", " << steps << " steps, order " << groups[index].order()) {
          if (make_search_plan(network, problem.transfers, groups[index], steps))
            run_replicas(problem, groups[index], steps, 2, steps + index);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(replicas_move_alike_everywhere) {
  // What the OpenMP device gave, whose schedules the case above checks.
  const auto problem = test::complete_exchange("mesh:5x5");
  BOOST_TEST(run_replicas(problem, trivial_group(25), 31, 3, 7) == 17968771706709780748U);
}

BOOST_AUTO_TEST_CASE(the_device_proves_itself) { BOOST_TEST(exchange::self_test(test::device()) == ""); }

BOOST_AUTO_TEST_CASE(annealing_meets_the_bound) {
  const std::map<std::string, std::uint32_t> bounds{
      {"mesh:3x3", 6}, {"mesh:4x4", 16}, {"torus:4x4", 8}, {"torus:5x5", 15}};
  for (const auto& [topology, steps] : bounds) {
    Setting setting(test::complete_exchange(topology));
    auto found = anneal(setting.task(steps, 100'000));
    BOOST_TEST(found.conflicts == 0U, topology);
    BOOST_TEST(conflicts_by_definition(found.schedule) == 0U);
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_replicas_is_chosen) {
  for (const std::uint32_t replicas : {2U, 7U, 33U}) {
    Setting setting(test::complete_exchange("mesh:3x3"));
    setting.options.replicas = replicas;
    const auto found = anneal(setting.task(7, 10'000));
    BOOST_TEST(found.conflicts == 0U);
    BOOST_TEST(found.evaluations % replicas == 0U);
  }
}

BOOST_AUTO_TEST_CASE(tabu_search_finds_schedules_with_slack) {
  Setting setting(test::complete_exchange("mesh:4x4"));
  setting.options.optimizer = "tabu";
  const auto found = anneal(setting.task(18, 100'000));
  BOOST_TEST(found.conflicts == 0U);
}

BOOST_AUTO_TEST_CASE(annealing_goes_on_from_its_state) {
  // Limits that end a search early, in the middle of its competition.
  Setting whole(test::complete_exchange("mesh:4x4"));
  whole.options.seed = 3;
  const auto reference = anneal(whole.task(14, 400));
  Setting part(test::complete_exchange("mesh:4x4"));
  part.options.seed = 3;
  SearchState state;
  auto task = part.task(14, 400);
  std::stop_source stop;
  part.control.stop = stop.get_token();
  int looks = 0;
  task.save = [&](const std::function<SearchState()>& make) {
    if (++looks != 5) return;
    state = make();
    stop.request_stop();
  };
  anneal(task);
  BOOST_REQUIRE(!state.empty());
  Setting rest(test::complete_exchange("mesh:4x4"));
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
    Setting setting(test::complete_exchange("mesh:4x4"));
    const auto found = umda(setting.task(steps, 0));
    const auto valid = without_conflicts(setting.problem, setting.network, found.schedule);
    BOOST_TEST(conflicts_by_definition(valid) == 0U);
    BOOST_TEST(check(setting.problem, claim(setting.problem, valid)) == "");
    BOOST_TEST(valid.steps >= 16U);
  }
}

BOOST_AUTO_TEST_CASE(umda_is_one_algorithm_wherever_it_runs) {
  std::vector<std::uint64_t> checksums;
  std::vector<std::uint64_t> conflicts;
  for (const std::string offload : {"host", "device"})
    for (const std::string method : {"links", "pairs"}) {
      if (offload == "device" && method == "pairs") continue;
      Setting setting(test::complete_exchange("mesh:3x3"));
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
    Setting setting(test::complete_exchange("mesh:3x3"));
    setting.options.queues = 1;
    setting.options.population = 33;
    checksums.push_back(umda(setting.task(6, 41)).checksum);
  }
  BOOST_TEST(std::count(checksums.begin(), checksums.end(), checksums.front()) == std::ssize(checksums));
  Setting setting(test::complete_exchange("mesh:3x3"));
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
      Setting setting(problem);
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
    Setting setting(test::complete_exchange("ring:4"));
    setting.options.offload = offload;
    const auto found = umda(setting.task(2, 5000));
    BOOST_TEST(found.conflicts == 0U);
    BOOST_TEST(found.generations < 5000U);
  }
}

BOOST_AUTO_TEST_CASE(umda_goes_on_from_its_state) {
  for (const std::string offload : {"host", "device"}) {
    Setting whole(test::complete_exchange("mesh:3x3"));
    whole.options.offload = offload;
    whole.options.population = 20;
    const auto reference = umda(whole.task(6, 30));
    auto first = whole.task(6, 13);
    first.save = [](const std::function<SearchState()>&) {};
    const auto half_way = umda(first);
    auto second = whole.task(6, 30);
    second.resume = &half_way.state;
    BOOST_TEST(umda(second).checksum == reference.checksum);
  }
}

BOOST_AUTO_TEST_CASE(umda_refuses_genes_of_another_meaning) {
  Setting setting(test::complete_exchange("mesh:3x3"));
  setting.options.population = 20;
  auto task = setting.task(6, 3);
  task.save = [](const std::function<SearchState()>&) {};
  const auto state = umda(task).state;
  const auto refuses = [&](const SearchState& changed, const std::string& reason) {
    auto resumed = setting.task(6, 5);
    resumed.resume = &changed;
    BOOST_CHECK_EXCEPTION(umda(resumed), InvalidInput, [&](const InvalidInput& error) {
      return std::string(error.what()).find(reason) != std::string::npos;
    });
  };
  for (const std::string name : {"order of genes", "sampling"}) {
    const auto is_it = [&](const auto& entry) { return entry.first == name; };
    BOOST_REQUIRE(std::count_if(state.begin(), state.end(), is_it) == 1);
    SearchState other = state;
    ++std::find_if(other.begin(), other.end(), is_it)->second[0];
    refuses(other, "its " + name + " is ");
    SearchState without = state;
    std::erase_if(without, is_it);
    refuses(without, "its " + name + " is none");
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Not for each platform: emulated sub-groups take minutes to compile for planes.
BOOST_AUTO_TEST_SUITE(search_planes, *boost::unit_test::label("oclgrind"))

BOOST_AUTO_TEST_CASE(planes_know_their_conflicts) {
  if (test::device().info().local_memory_bytes == 0) return test::skip("it has no local memory");
  const auto problem = test::complete_exchange("ring:4");
  for (const std::uint32_t steps : {1U, 2U, 33U}) {
    const auto by_planes = run_replicas(problem, trivial_group(4), steps, 1, 1, 2, SlotForm::planes);
    BOOST_TEST(by_planes == run_replicas(problem, trivial_group(4), steps, 1, 1, 2, SlotForm::bytes));
  }
  const Network network(problem.topology);
  const auto groups = find_groups(network, problem.transfers, 4, 1);
  BOOST_REQUIRE(groups.back().order() > 1U);
  const auto by_planes = run_replicas(problem, groups.back(), 4, 1, 1, 1, SlotForm::planes);
  BOOST_TEST(by_planes == run_replicas(problem, groups.back(), 4, 1, 1, 1, SlotForm::bytes));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
