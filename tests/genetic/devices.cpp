/// \file
/// Whole runs on the device under test: the same populations as the oracle's, whatever the granularity.
#include "oracle.hpp"

#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>
#include <support/pretended.hpp>

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

namespace {

using namespace clopt;

double ones(const oracle::Run::Individual& individual) {
  return static_cast<double>(std::count(individual.begin(), individual.end(), 1));
}

genetic::Options options_of(const oracle::Setting& s, std::uint64_t generations) {
  genetic::Options options;
  options.preset = "paper";
  options.seed = s.seed;
  options.population = s.population;
  options.islands = s.islands;
  options.elites = s.elites;
  options.migrate_every = s.migrate_every;
  options.migrants = s.migrants;
  options.selection = s.selection;
  options.tournament = s.tournament;
  options.rank_pressure = s.rank_pressure;
  options.crossover_kind = s.crossover_kind;
  options.crossover = s.crossover;
  options.mutation = s.mutation;
  options.generations = generations;
  options.keep_population = true;
  return options;
}

// How many genes and values differ from the oracle's.
std::size_t differences(const oracle::Run& run, const genetic::Result& result) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < run.population.size(); ++i) {
    if (result.values[i] != run.costs[i]) ++wrong;
    for (std::size_t gene = 0; gene < run.s.genes; ++gene)
      if (result.population[i * run.s.genes + gene] != run.population[i][gene]) ++wrong;
  }
  if (result.fitness != run.best_cost) ++wrong;
  for (std::size_t gene = 0; gene < run.s.genes; ++gene)
    if (result.genes[gene] != run.best[gene]) ++wrong;
  return wrong;
}

void compare(const oracle::Run& run, const genetic::Problem& problem, const std::vector<double>& initial,
             std::uint32_t generations, const std::vector<std::string>& granularities,
             std::uint32_t individuals_per_group = 8, bool measure_stages = false) {
  const auto& setting = run.s;
  for (const auto& granularity : granularities) {
    auto options = options_of(setting, generations);
    options.granularity = granularity;
    options.individuals_per_group = individuals_per_group;
    options.measure_stages = measure_stages;
    options.initial = initial;
    BOOST_TEST_CONTEXT(granularity << ", population " << setting.population << ", genes " << setting.genes << ", "
                                   << setting.selection << ", " << setting.crossover_kind << ", mutation "
                                   << setting.mutation << ", seed " << setting.seed) {
      const auto result = genetic::solve(problem, options, test::device());
      BOOST_TEST(differences(run, result) == 0U);
      BOOST_TEST(result.generations == generations);
    }
  }
}

void check(const oracle::Setting& setting, std::uint32_t generations, const std::vector<std::string>& granularities,
           std::uint32_t individuals_per_group = 8, bool measure_stages = false) {
  oracle::Run run(setting, ones);
  for (std::uint32_t g = 1; g <= generations; ++g) run.breed(g);
  const genetic::Problem problem{Objective::named("onemax"), setting.genes, {}, {}};
  compare(run, problem, {}, generations, granularities, individuals_per_group, measure_stages);
}
const std::vector<std::string> all = {"thread", "group", "gene", "subgroup", "subgroups", "hybrid", "fused"};

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_devices)

BOOST_AUTO_TEST_CASE(sizes, *boost::unit_test::label("device")) {
  oracle::Setting s;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shapes = {{49, 200}};
  // Each shape has other work-groups, for which some platforms compile anew.
  if (test::tries_all())
    shapes.insert(shapes.end(), {{3, 7}, {2, 1}, {7, 49}, {49, 64}, {33, 65}, {128, 1024}, {1000, 100}});
  for (const auto& [population, genes] : shapes) {
    s.population = population;
    s.genes = genes;
    ++s.seed;
    check(s, 6, all);
  }
}

BOOST_AUTO_TEST_CASE(operators, *boost::unit_test::label("device")) {
  oracle::Setting s;
  s.population = 49;
  s.genes = 200;
  const std::vector<std::string> some = {"group", "fused"};
  for (const char* selection : {"tournament", "rank", "sus"}) {
    s.selection = selection;
    s.tournament = 3;
    s.rank_pressure = 1.7;
    s.crossover_kind = selection[0] == 't' ? "one-point" : "uniform";
    s.mutation = selection[0] == 'r' ? 0.2 : 0.003;
    ++s.seed;
    check(s, 4, some);
  }
}

// A walk along the wheel: in one work-group an island up to 1024 individuals where stages have launches of their own,
// by sections else. Sizes around those of work-groups.
BOOST_AUTO_TEST_CASE(walk_along_the_wheel, *boost::unit_test::label("device")) {
  oracle::Setting s;
  s.selection = "roulette-walk";
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shapes = {{49, 65}};
  if (test::tries_all())
    shapes.insert(shapes.end(), {{2, 1}, {3, 7}, {7, 49}, {1023, 20}, {1024, 20}, {1025, 20}, {2100, 65}});
  for (const auto& [population, genes] : shapes) {
    s.population = population;
    s.genes = genes;
    ++s.seed;
    check(s, 3, all);
    check(s, 3, test::tries_all() ? all : std::vector<std::string>{"gene", "subgroup"}, 8, true);
  }
  s.population = 21;
  s.islands = 3;
  check(s, 3, {"gene", "fused"});
}

// Genes of an element each are packed, and unpacked where individuals come from elsewhere.
BOOST_AUTO_TEST_CASE(genes_that_are_not_packed, *boost::unit_test::label("device")) {
  oracle::Setting s;
  s.population = 49;
  s.genes = 100;
  s.islands = 3;
  s.elites = 2;
  s.migrate_every = 2;
  s.migrants = 3;
  check(s, 5, {"gene"}, 3);
  s.selection = "tournament";
  s.crossover_kind = "uniform";
  s.mutation = 0.2;
  s.genes = 64;
  check(s, 3, {"gene"}, 32);
}

// Of 300 genes an individual has several sub-groups, whose sums have the order of the tree.
BOOST_AUTO_TEST_CASE(work_groups_of_any_size, *boost::unit_test::label("device")) {
  for (const std::string objective : {"rastrigin", "onemax"})
    for (const std::string granularity : {"subgroups", "gene"}) {
      if (!test::tries_all() && (objective == "onemax") != (granularity == "gene")) continue;
      const genetic::Problem problem{Objective::named(objective), 300, {}, {}};
      genetic::Options options;
      options.preset = "paper";
      options.selection = "roulette-walk";
      options.population = 7;
      options.generations = 2;
      options.granularity = "thread";
      const auto checksum = genetic::solve(problem, options, *open_device("openmp:0")).checksum;
      options.granularity = granularity;
      for (const std::uint32_t per_group : {1U, 3U, 8U})
        for (const std::uint32_t group_size : {0U, 1U, 100U, 1024U}) {
          if (!test::tries_all() && per_group * 100 != group_size) continue;
          options.individuals_per_group = per_group;
          options.group_size = group_size;
          BOOST_TEST_CONTEXT(objective << ", " << granularity << ", " << per_group << " individuals a work-group of "
                                       << group_size)
          BOOST_TEST(genetic::solve(problem, options, test::device()).checksum == checksum);
        }
    }
}

BOOST_AUTO_TEST_CASE(elites_and_islands, *boost::unit_test::label("device")) {
  oracle::Setting s;
  s.population = 49;
  s.genes = 200;
  s.islands = 3;
  check(s, 4, {"group", "fused"});
  s.elites = 2;
  s.migrate_every = 2;
  s.migrants = 3;
  check(s, 5, {"group", "fused"});
}

// What the simulator runs: an island in local memory, and in global memory by pairs and by teams.
BOOST_AUTO_TEST_CASE(tiny, *boost::unit_test::label("oclgrind")) {
  oracle::Setting s;
  s.population = 5;
  s.genes = 70;
  check(s, 2, {"fused", "group", "subgroup"});
  s.elites = 1;
  check(s, 2, {"fused"});
}

// One individual has all the weight, so that hardly any try is accepted and the wheel itself is turned; a second parent
// has none. With sections of the wheel and without.
BOOST_AUTO_TEST_CASE(needle, *boost::unit_test::label("device")) {
  for (const std::uint32_t population : {5000U, 300U}) {
    if (population == 300 && !test::tries_all()) continue;
    oracle::Setting s;
    s.population = population;
    s.genes = 40;
    s.mutation = 0;
    oracle::Run run(s, [](const oracle::Run::Individual& x) {
      return std::count(x.begin(), x.begin() + 32, 1) == 32 ? -7.0 : 0.0;
    });
    std::vector<double> initial;
    for (std::uint32_t i = 0; i < 4; ++i)
      for (std::uint32_t gene = 0; gene < s.genes; ++gene) {
        run.population[i][gene] = i == 3 || gene % (i + 2) == 0;
        initial.push_back(run.population[i][gene]);
      }
    run.best_cost = std::numeric_limits<double>::infinity();
    run.evaluate();
    run.breed(1);
    run.breed(2);
    const genetic::Problem problem{
        Objective::from_text("int objective_word(individual x, uint w) {\n"
                             "  return w == 0 && gene_word(x, w) == 0xffffffffu ? -7 : 0;\n}\n"),
        s.genes,
        {},
        {}};
    compare(run, problem, initial, 2, {"fused"});
  }
}

// Numbers and permutations: one checksum for all granularities, and genes that are allowed. Genes past the end are 0.
BOOST_AUTO_TEST_CASE(other_genes, *boost::unit_test::label("device")) {
  struct Case {
    std::string objective;
    std::string crossover;
    std::string mutation;
    std::string precision;
  };
  std::vector<Case> cases = {{"ackley", "simulated-binary", "polynomial", "float"},
                             {"// clopt: integers, lower -9, upper 12\nint objective_count(individual x, uint i) "
                              "{ return gene(x, i) * gene(x, i) + gene(x, i + 33); }",
                              "uniform", "step", "float"},
                             {"// clopt: permutation\nreal objective_term(individual x, uint i) "
                              "{ return (real)gene(x, i) * (real)(i % 7u) + gene(x, i + 33); }",
                              "order", "swap", "float"}};
  if (test::tries_all()) {
    cases.push_back({"rosenbrock", "line", "gaussian", "float"});
    if (test::device().info().has_double) cases.push_back({"rastrigin", "line", "step", "double"});
  }
  for (const auto& each : cases) {
    const auto objective = each.objective.find('(') == each.objective.npos ? Objective::named(each.objective)
                                                                           : Objective::from_text(each.objective);
    const genetic::Problem problem{objective, 33, {}, {}};
    genetic::Options options;
    options.preset = "paper";
    options.population = 19;
    options.generations = 5;
    options.crossover_kind = each.crossover;
    options.mutation_kind = each.mutation;
    options.mutation = 0.05;
    options.precision = each.precision;
    options.keep_population = true;
    options.granularity = "thread";
    const auto checksum = genetic::solve(problem, options, *open_device("openmp:0")).checksum;
    // Emulated sub-groups take a compiler long: elsewhere these cases take turns.
    const bool is_even = (&each - cases.data()) % 2 == 0;
    for (const std::string granularity : {"hybrid", "group", "gene", "subgroups", "fused"}) {
      if (!test::tries_all() && granularity != (is_even ? "fused" : "group")) continue;
      BOOST_TEST_CONTEXT(each.crossover << " " << each.mutation << " " << granularity) {
        options.granularity = granularity;
        const auto result = genetic::solve(problem, options, test::device());
        BOOST_TEST(result.checksum == checksum);
        std::size_t outside = 0;
        for (std::size_t i = 0; i < options.population; ++i) {
          std::vector<bool> seen(33);
          for (std::size_t gene = 0; gene < 33; ++gene) {
            const double value = result.population[i * 33 + gene];
            if (objective.kind() == GeneKind::permutation) {
              if (!(value >= 0 && value < 33) || seen[static_cast<std::size_t>(value)]) ++outside;
              if (value >= 0 && value < 33) seen[static_cast<std::size_t>(value)] = true;
            } else if (!(value >= objective.usual_bounds()->lower && value <= objective.usual_bounds()->upper)) {
              ++outside;
            }
          }
        }
        BOOST_TEST(outside == 0U);
      }
    }
  }
}

// What a device must come to before it is trusted (lib/genetic/device/self_test.cpp).
BOOST_AUTO_TEST_CASE(known_answer) {
  oracle::Setting s;
  s.seed = 5;
  s.population = 9;
  s.genes = 70;
  check(s, 4, {"fused"});
  const auto result = genetic::solve({Objective::named("onemax"), 70, {}, {}}, options_of(s, 4), test::device());
  BOOST_TEST(result.checksum == 0x81b4b1af4e212e3fU);
}

// A GPU hashes a large population itself; others read it.
BOOST_AUTO_TEST_CASE(a_large_population_stays_on_a_gpu, *boost::unit_test::label("long")) {
  if (test::platform() == "oclgrind") return;
  auto info = test::device().info();
  info.kind = DeviceKind::gpu;
  test::Pretended gpu(test::device(), info);
  const genetic::Problem problem{Objective::named("onemax"), 1024, {}, {}};
  genetic::Options options;
  // Of 32 MiB, and a few individuals more, which end within a block.
  options.population = (std::uint64_t{1} << 18) + 7;
  options.generations = 1;
  const auto right = genetic::solve(problem, options, test::device());
  const auto hashed = genetic::solve(problem, options, gpu);
  BOOST_TEST(hashed.checksum == right.checksum);
  BOOST_TEST(hashed.fitness == right.fitness);
  BOOST_TEST(hashed.genes == right.genes, boost::test_tools::per_element());
  options.keep_population = true;
  const auto kept = genetic::solve(problem, options, gpu);
  BOOST_TEST(kept.checksum == right.checksum);
  BOOST_TEST(hashed.launches == kept.launches + 1);
}

// A GPU's first launch does not wait for the start population, so that the end of a run may be asked for before that is
// known.
BOOST_AUTO_TEST_CASE(a_start_population_that_reaches_the_target_ends_the_run) {
  auto info = test::device().info();
  info.kind = DeviceKind::gpu;
  test::Pretended gpu(test::device(), info);
  const genetic::Problem problem{Objective::named("onemax"), 3, {}, {}};
  genetic::Options options;
  options.population = 64;
  options.generations = 5;
  options.target = 0;
  std::stop_source stopped;
  stopped.request_stop();
  for (auto* const device : {static_cast<Device*>(&gpu), &test::device()}) {
    for (const auto& control : {RunControl{}, RunControl{.time_limit = 0.0}, RunControl{.stop = stopped.get_token()}}) {
      const auto result = genetic::solve(problem, options, *device, control);
      BOOST_TEST((result.ending == Ending::target));
      BOOST_TEST(result.generations == 0U);
      BOOST_TEST(result.fitness == 0.0);
    }
    // One that does not, on the other hand, is reported as it is.
    options.target = -1;
    BOOST_TEST((genetic::solve(problem, options, *device, {.time_limit = 0.0}).ending == Ending::time));
    options.target = 0;
  }
}

BOOST_AUTO_TEST_SUITE_END()
