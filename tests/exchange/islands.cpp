/// \file
/// Islands of umda: what they are without migration, who migrates, and that devices do not matter.
#include "networks.hpp"
#include "runs.hpp"

#include <clopt/clopt.hpp>
#include <device/solver_devices.hpp>
#include <exchange/umda/islands.hpp>
#include <support/changed_record.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace clopt;
using namespace clopt::exchange;

using OpenDevices = std::vector<std::shared_ptr<Device>>;

// Of islands, as docs/designs/exchange.md states it.
constexpr std::uint64_t between_seeds = 0x9e37'79b9'7f4a'7c15;

Options islands_of(std::uint32_t islands, std::uint64_t migrate_every, std::uint64_t generations) {
  Options options;
  options.optimizer = "umda";
  options.population = 26;
  options.islands = islands;
  options.migrate_every = migrate_every;
  options.generations = generations;
  options.seed = 11;
  return options;
}

/// What Islands takes, with the population that it makes.
struct Setting {
  Problem problem;
  Network network{problem.topology};
  Paths paths{network};
  RunControl control;
  Watch watch{control};
  Options options;
  OpenDevices devices{non_owning(test::device())};
  GeneTable table = make_gene_table(problem, network, paths);
  SearchTask task;
  Population population;

  Setting(Options given, std::string_view offload, const char* name = "mesh:3x3")
      : problem(test::complete_exchange(name)),
        options(std::move(given)),
        task{problem, network, &paths, 6, options, choice_of(options, offload), devices, watch, 1000, options.seed},
        population(population_of(table, 6, options)) {}

  static ParsedOptions choice_of(Options& options, std::string_view offload) {
    options.offload = offload;
    return parse_options(options);
  }
};

// An island by itself, to a generation.
UmdaState advanced(const Setting& setting, std::size_t island, const UmdaState* from, std::uint32_t generation) {
  auto population = setting.population;
  population.seed += between_seeds * island;
  FitnessTeam team(setting.devices, setting.table, population, Method::links, population.individuals);
  const auto run = make_host_umda(team, setting.table, population);
  run->start(from);
  run->begin(generation);
  run->finish();
  return run->state();
}

// The best individual of each takes the place of the worst one of the next.
void migrate(std::vector<UmdaState>& islands) {
  const auto before = islands;
  for (std::size_t n = 0; n < islands.size(); ++n) {
    const auto& from = before[n];
    auto& to = islands[(n + 1) % islands.size()];
    const auto genes = from.genes.size() / from.fitness.size();
    std::size_t best = 0, worst = 0;
    for (std::size_t i = 1; i < from.fitness.size(); ++i) {
      if (from.fitness[i] < from.fitness[best]) best = i;
      if (before[(n + 1) % islands.size()].fitness[i] > before[(n + 1) % islands.size()].fitness[worst]) worst = i;
    }
    to.fitness[worst] = from.fitness[best];
    for (std::size_t g = 0; g < genes; ++g) to.genes[worst * genes + g] = from.genes[best * genes + g];
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(islands)

BOOST_AUTO_TEST_CASE(without_migration_each_is_a_run_of_its_own, *boost::unit_test::label("device")) {
  const auto problem = test::complete_exchange("mesh:3x3");
  for (const std::string offload : {"host", "device"}) {
    if (!test::tries_all() && offload == "host") continue;
    auto options = islands_of(3, 0, 12);
    options.offload = offload;
    const auto all = test::solve_here(problem, options);
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t evaluations = 0;
    options.islands = 1;
    for (std::size_t n = 0; n < 3; ++n, options.seed += between_seeds) {
      const auto one = test::solve_here(problem, options);
      least = std::min(least, one.conflicts);
      evaluations += one.evaluations;
    }
    BOOST_TEST(all.conflicts == least, offload);
    BOOST_TEST(all.evaluations == evaluations);
    BOOST_TEST(all.generations == 12U);
  }
}

// Whatever the size; equal numbers of conflicts are frequent at the larger ones.
BOOST_AUTO_TEST_CASE(the_best_and_the_worst_are_the_first_ones) {
  std::mt19937_64 random(5);
  for (const std::size_t individuals : {1U, 2U, 7U, 49U, 255U, 256U, 257U, 512U, 3'000U})
    for (int turn = 0; turn < 20; ++turn) {
      std::vector<std::uint64_t> fitness(individuals);
      for (auto& each : fitness) each = random() % (turn % 2 == 0 ? 40 : 4'000'000'000'000);
      const auto found = extremes_of(fitness);
      const auto least = std::min_element(fitness.begin(), fitness.end());
      const auto greatest = std::max_element(fitness.begin(), fitness.end());
      BOOST_TEST(found.least == *least);
      BOOST_TEST(found.greatest == *greatest);
      BOOST_TEST(found.best == static_cast<std::size_t>(least - fitness.begin()));
      BOOST_TEST(found.worst == static_cast<std::size_t>(greatest - fitness.begin()));
    }
}

// On both sides of a work-group, and of what its work-items load at once; genes are read in pieces of some individuals,
// of which the last one is smaller.
BOOST_AUTO_TEST_CASE(what_a_device_reports_of_a_population_is_true, *boost::unit_test::label("device")) {
  for (const auto& [individuals, network] :
       {std::pair(2U, "mesh:2x2"), std::pair(8U, "mesh:3x3"), std::pair(50U, "mesh:3x3"), std::pair(256U, "mesh:3x3"),
        std::pair(258U, "mesh:3x3"), std::pair(2'048U, "mesh:2x2"), std::pair(2'500U, "mesh:4x4"),
        std::pair(6'000U, "mesh:4x4")}) {
    if (!test::tries_all() && individuals != 8 && individuals != 258 && individuals != 2'500) continue;
    auto options = islands_of(1, 0, 1000);
    options.population = individuals;
    const Setting setting(options, "device", network);
    const auto device = make_device_umda(setting.devices.front(), setting.table, setting.population);
    FitnessTeam team(setting.devices, setting.table, setting.population, Method::links, individuals);
    const auto host = make_host_umda(team, setting.table, setting.population);
    for (Umda* const run : std::initializer_list<Umda*>{device.get(), host.get()}) {
      run->start(nullptr);
      run->begin(3);
      run->finish();
    }
    BOOST_TEST_CONTEXT(individuals << " individuals of " << network) {
      const auto expected = host->state();
      const auto found = device->state();
      BOOST_TEST(found.generation == expected.generation);
      BOOST_TEST((found.fitness == expected.fitness));
      BOOST_TEST((found.genes == expected.genes));
      const auto least = std::min_element(expected.fitness.begin(), expected.fitness.end());
      const auto greatest = std::max_element(expected.fitness.begin(), expected.fitness.end());
      BOOST_TEST(device->extremes().least == *least);
      BOOST_TEST(device->extremes().greatest == *greatest);
      BOOST_TEST(device->extremes().best == static_cast<std::size_t>(least - expected.fitness.begin()));
      BOOST_TEST(device->extremes().worst == static_cast<std::size_t>(greatest - expected.fitness.begin()));
      BOOST_TEST((device->best().genes == host->best().genes));
    }
  }
}

// What is there is that of the generation, whichever it is of those that were begun.
BOOST_AUTO_TEST_CASE(a_schedule_is_found_in_the_midst_of_a_step, *boost::unit_test::label("device")) {
  int odd = 0, even = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    auto options = islands_of(1, 0, 1000);
    options.seed = seed;
    const Setting setting(options, "device", "mesh:2x2");
    const auto device = make_device_umda(setting.devices.front(), setting.table, setting.population);
    FitnessTeam team(setting.devices, setting.table, setting.population, Method::links, 26);
    const auto host = make_host_umda(team, setting.table, setting.population);
    std::uint32_t end = 0;
    for (Umda* const run : std::initializer_list<Umda*>{device.get(), host.get()}) {
      run->start(nullptr);
      for (end = static_cast<std::uint32_t>(seed % 2); end < 200 && !run->has_found(); end += Umda::longest_step) {
        run->begin(end + Umda::longest_step);
        run->finish();
      }
    }
    BOOST_TEST_CONTEXT("seed " << seed) {
      BOOST_TEST_REQUIRE(host->has_found());
      ++((end - host->generation()) % 2 == 0 ? even : odd);
      const auto expected = host->state();
      const auto found = device->state();
      BOOST_TEST(found.generation == expected.generation);
      BOOST_TEST((found.fitness == expected.fitness));
      BOOST_TEST((found.genes == expected.genes));
      BOOST_TEST((device->best().genes == host->best().genes));
    }
  }
  BOOST_TEST(odd > 0);
  BOOST_TEST(even > 0);
}

// Every four generations, on the host and on the device, for four and for one island.
BOOST_AUTO_TEST_CASE(the_best_goes_to_the_next_island, *boost::unit_test::label("device")) {
  for (const std::uint32_t count : {4U, 1U})
    for (const char* offload : {"host", "device"}) {
      const Setting setting(islands_of(count, 4, 1000), offload);
      Islands islands(setting.task, setting.devices, setting.table, setting.population);
      islands.start({});
      while (islands.generation() < 13) islands.advance(13 - islands.generation());
      std::vector<UmdaState> expected(count);
      for (std::uint32_t end = 4; end <= 16; end += 4) {
        if (end > 4 && count > 1) migrate(expected);
        for (std::size_t n = 0; n < count; ++n)
          expected[n] = advanced(setting, n, end == 4 ? nullptr : &expected[n], std::min(end, 13U));
      }
      const auto found = islands.states();
      BOOST_REQUIRE(found.size() == count);
      for (std::size_t n = 0; n < count; ++n) BOOST_TEST_CONTEXT(offload << ", island " << n << " of " << count) {
          BOOST_TEST(found[n].generation == 13U);
          BOOST_TEST(found[n].fitness == expected[n].fitness, boost::test_tools::per_element());
          BOOST_TEST(found[n].genes == expected[n].genes, boost::test_tools::per_element());
        }
    }
}

// As far as it goes, and where one of them finds a schedule, of which six steps more have many.
BOOST_AUTO_TEST_CASE(devices_do_not_matter) {
  const auto problem = test::complete_exchange("mesh:3x3");
  for (const bool finds : {false, true})
    for (const std::uint64_t every : {0U, 3U, 20U}) {
      auto options = islands_of(5, every, finds ? 5000 : 25);
      if (finds) options.steps = 12;
      std::vector<Result> results;
      for (const char* offload : {"host", "device"})
        for (const std::size_t count : {1U, 2U, 3U, 7U}) {
          options.offload = offload;
          OpenDevices devices;
          for (std::size_t i = 0; i < count; ++i) devices.push_back(open_device("openmp:0"));
          results.push_back(solve(problem, options, devices));
          const auto& parts = results.back().devices;
          BOOST_TEST(parts.size() == (count == 1 ? 0 : count));
          const double share = std::accumulate(parts.begin(), parts.end(), 0.0,
                                               [](double sum, const auto& part) { return sum + part.share; });
          if (count != 1) BOOST_TEST(share == 1, boost::test_tools::tolerance(1e-12));
        }
      BOOST_TEST((results.front().conflicts == 0) == finds);
      for (const auto& each : results) {
        BOOST_TEST(each.checksum == results.front().checksum);
        BOOST_TEST(each.conflicts == results.front().conflicts);
        BOOST_TEST(each.generations == results.front().generations);
        BOOST_TEST(each.evaluations == results.front().evaluations);
      }
    }
}

// At a generation after which individuals migrate, before and behind it, and by other devices.
BOOST_AUTO_TEST_CASE(they_continue_from_a_checkpoint) {
  const test::Folder folder;
  const auto file = folder.path() / "run";
  const auto problem = test::complete_exchange("mesh:3x3");
  for (const char* offload : {"host", "device"})
    for (const std::uint64_t first : {9U, 10U, 11U}) {
      auto options = islands_of(3, 5, 24);
      options.offload = offload;
      const auto whole = test::solve_here(problem, options);
      options.checkpoint = std::make_shared<CheckpointWriter>(file, "", 0);
      options.generations = first;
      test::solve_here(problem, options);
      options.checkpoint = nullptr;
      options.generations = 24;
      options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, "exchange"));
      options.offload = std::string(offload) == "host" ? "device" : "host";
      const auto resumed = solve(problem, options, OpenDevices{open_device("openmp:0"), open_device("openmp:0")});
      BOOST_TEST(resumed.checksum == whole.checksum, offload << " until " << first);
      BOOST_TEST(resumed.evaluations == whole.evaluations);
      options.migrate_every = 6;
      test::refuses(problem, options, "migrate_every");
      options.migrate_every = 5;
      options.islands = 2;
      test::refuses(problem, options, "islands");
    }
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_islands_out_of_step_is_refused) {
  Setting setting(islands_of(3, 5, 1000), "device");
  setting.task.generations = 9;
  setting.task.save = [](const auto&) {};
  auto state = umda(setting.task).state;
  setting.task.resume = &state;
  setting.task.generations = 12;
  BOOST_TEST(umda(setting.task).generations == 12U);
  using Generations = std::vector<std::uint64_t>;
  BOOST_TEST_REQUIRE((state.get<Generations>("generation") == Generations{9, 9, 9}));
  state = test::with(state, "generation", Generations{9, 7, 9});
  BOOST_CHECK_EXCEPTION(umda(setting.task), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("generations 7 to 9") != std::string::npos;
  });
}

// The last launch of a device reads the population, when the search is over.
BOOST_AUTO_TEST_CASE(others_begin_anew_where_a_device_fails) {
  const auto problem = test::complete_exchange("mesh:3x3");
  const auto whole = open_device("openmp:0");
  for (const char* offload : {"host", "device"}) {
    auto options = islands_of(4, 3, 10);
    options.offload = offload;
    options.statistics = [](const Statistics&) {};
    const auto reference = solve(problem, options, OpenDevices{whole});
    const auto of_two = static_cast<int>(solve(problem, options, OpenDevices{whole, whole}).launches / 2);
    for (const int launches : {test::FailingDevice::from_the_start, 0, 3, 11, of_two - 1})
      for (const bool first : {true, false}) {
        std::uint64_t reported = 0;
        options.statistics = [&](const Statistics& row) { BOOST_TEST(row.generation == reported++); };
        const auto failing = std::make_shared<test::FailingDevice>(launches);
        const auto found = solve(problem, options, first ? OpenDevices{failing, whole} : OpenDevices{whole, failing});
        BOOST_TEST_CONTEXT(offload << ", " << launches << " launches, first " << first) {
          BOOST_TEST(found.checksum == reference.checksum);
          BOOST_TEST(reported == 11U);
          BOOST_REQUIRE(found.failures.size() == 1U);
          BOOST_TEST(found.failures.front().find("the device is gone") != std::string::npos);
        }
      }
    BOOST_CHECK_THROW(solve(problem, options, OpenDevices{std::make_shared<test::FailingDevice>(2)}), DeviceError);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_island) {
  const auto problem = test::complete_exchange("mesh:3x3");
  test::refuses(problem, islands_of(0, 5, 9), "`islands` is 0");
  test::refuses(problem, islands_of(most_islands + 1, 5, 9), "give an integer from 1 to 1024");
  auto options = islands_of(2, 5, 9);
  options.optimizer = "anneal";
  test::refuses(problem, options, "only umda");
}

BOOST_AUTO_TEST_SUITE_END()
