/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include <shared/genetic/genetic.h>
#include <clopt/genetic.hpp>
#include <clopt/objective.hpp>
#include <support/late_runs.hpp>
#include <support/lying_device.hpp>

using namespace clopt;

BOOST_AUTO_TEST_SUITE(genetic_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere) {
  for (const char* objective : {"onemax", "rastrigin"})
    test::fail_everywhere([&](const test::SharedDevices& devices) {
      genetic::Options options;
      options.preset = "paper";
      options.population = 33;
      options.generations = 9;
      options.statistics = [](const genetic::Statistics&) {};
      return genetic::solve({Objective::named(objective), 20, {}, {}}, options, devices).checksum;
    });
}

// The value of the best, and its genes.
BOOST_AUTO_TEST_CASE(a_wrong_best_is_refused) {
  for (const char* objective : {"onemax", "rastrigin"}) {
    const auto solve = [&](std::span<const std::shared_ptr<Device>> devices) {
      genetic::Options options;
      options.preset = "paper";
      options.population = 33;
      options.generations = 9;
      const auto result = genetic::solve({Objective::named(objective), 20, {}, {}}, options, devices);
      BOOST_TEST(result.unchecked.empty());
      return result.checksum;
    };
    // Of the first gene, a float, those that change its value for sure.
    const bool has_bits = std::string(objective) == "onemax";
    test::refuse_lies("best individuals", has_bits ? 0 : 18, has_bits ? 20 : 6, solve);
    // The best cost, a float: its lowest bits too.
    test::refuse_lies("limits of costs", 32 * GENETIC_BEST, 31, solve);
  }
}

// NaN never wins.
BOOST_AUTO_TEST_CASE(no_number_is_best) {
  auto objective = Objective::from_text(
      "// clopt: reals, minimise, lower -1, upper 1\nreal objective(individual x) { return gene(x, 0) < 0 ? NAN : "
      "gene(x, "
      "0); }\n");
  genetic::Options options;
  options.preset = "paper";
  options.population = 33;
  options.generations = 9;
  const auto result = genetic::solve({objective, 2, {}, {}}, options, *open_device("openmp:0"));
  BOOST_TEST(result.fitness >= 0);
  BOOST_TEST(result.fitness == static_cast<double>(static_cast<float>(result.genes[0])));
  BOOST_TEST(result.unchecked.empty());
}

BOOST_AUTO_TEST_SUITE_END()
