/// \file
/// Whole runs on the device under test: the same populations as the oracle's, whatever the granularity.
#include "oracle.hpp"

#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>

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

void check(const oracle::Setting& setting, std::uint32_t generations, const std::vector<std::string>& granularities,
           std::uint32_t individuals_per_group = 8) {
  oracle::Run run(setting, ones);
  for (std::uint32_t g = 1; g <= generations; ++g) run.breed(g);
  const genetic::Problem problem{Objective::named("onemax"), setting.genes, {}, {}};
  for (const auto& granularity : granularities) {
    auto options = options_of(setting, generations);
    options.granularity = granularity;
    options.individuals_per_group = individuals_per_group;
    BOOST_TEST_CONTEXT(granularity << ", population " << setting.population << ", genes " << setting.genes << ", "
                                   << setting.selection << ", " << setting.crossover_kind << ", mutation "
                                   << setting.mutation << ", seed " << setting.seed) {
      const auto result = genetic::solve(problem, options, test::device());
      BOOST_TEST(differences(run, result) == 0U);
      BOOST_TEST(result.generations == generations);
    }
  }
}

const std::vector<std::string> all = {"thread", "group", "subgroup", "hybrid", "fused"};

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_devices)

BOOST_AUTO_TEST_CASE(sizes, *boost::unit_test::label("device")) {
  oracle::Setting s;
  for (const auto& [population, genes] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 1}, {3, 7}, {7, 49}, {49, 64}, {33, 65}, {128, 200}}) {
    s.population = population;
    s.genes = genes;
    ++s.seed;
    check(s, 6, all);
  }
}

BOOST_AUTO_TEST_CASE(tiny, *boost::unit_test::label("oclgrind")) {
  oracle::Setting s;
  s.population = 5;
  s.genes = 70;
  s.mutation = 0.02;
  check(s, 2, all, 2);
}

BOOST_AUTO_TEST_SUITE_END()
