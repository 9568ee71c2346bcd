/// \file
/// Objectives with a violation: every granularity, kinds of genes, functions, and the result.
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace clopt;
namespace ga = clopt::genetic;

namespace {

// A knapsack: the 40 things weigh 1 to 7 each and are worth as much and 3 more; what is above 50 is a violation.
constexpr const char* knapsack =
    "// clopt: bits, maximise\n"
    "int objective_count(individual x, uint i) { return gene(x, i) * (3 + 1 + i % 7); }\n"
    "real violation(individual x) {\n"
    "  int weight = 0;\n"
    "  for (uint i = 0; i < genes(x); ++i) weight += gene(x, i) * (1 + i % 7);\n"
    "  return weight - 50;\n"
    "}\n";

int weight_of(const std::vector<double>& genes) {
  int weight = 0;
  for (std::size_t i = 0; i < genes.size(); ++i) weight += static_cast<int>(genes[i]) * (1 + static_cast<int>(i % 7));
  return weight;
}

// By how many things may be taken at each weight: the best value of all.
int best_of_knapsack() {
  std::vector<int> best(51, 0);
  for (int i = 0; i < 40; ++i)
    for (int weight = 50; weight >= 1 + i % 7; --weight) {
      const auto left = static_cast<std::size_t>(weight - 1 - i % 7);
      best[static_cast<std::size_t>(weight)] = std::max(best[static_cast<std::size_t>(weight)], best[left] + 4 + i % 7);
    }
  return best.back();
}

ga::Options options_with(const std::string& granularity) {
  ga::Options options;
  options.selection = "tournament";
  options.granularity = granularity;
  options.elites = 2;
  options.mutation = 0.02;
  options.generations = 150;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(constraints)

BOOST_AUTO_TEST_CASE(every_granularity_finds_the_same, *boost::unit_test::label("device")) {
  if (!test::device().info().has_double) return test::skip("no double precision");
  const ga::Problem problem{Objective::from_text(knapsack, "knapsack.cl"), 40, {}, {}};
  std::uint64_t checksum = 0;
  const bool quick = test::tries_all();
  for (const auto& granularity :
       quick ? choices_of<ga::Options>("granularity") : std::vector<std::string>{"thread", "fused"})
    BOOST_TEST_CONTEXT(granularity) {
      const auto result = ga::solve(problem, options_with(granularity), test::device());
      BOOST_TEST(result.feasible);
      BOOST_TEST(result.violation == 0.0);
      BOOST_TEST(weight_of(result.genes) <= 50);
      BOOST_TEST(result.fitness == best_of_knapsack());
      if (checksum == 0) checksum = result.checksum;
      BOOST_TEST(result.checksum == checksum);
    }
}

BOOST_AUTO_TEST_CASE(functions_have_violations_too) {
  const auto value = [](std::span<const std::uint32_t> words, std::size_t genes) {
    double sum = 0;
    for (std::size_t i = 0; i < genes; ++i) sum += (words[i / 32] >> i % 32 & 1U) * (4.0 + static_cast<double>(i % 7));
    return sum;
  };
  const auto violation = [](std::span<const std::uint32_t> words, std::size_t genes) {
    double weight = 0;
    for (std::size_t i = 0; i < genes; ++i)
      weight += (words[i / 32] >> i % 32 & 1U) * (1.0 + static_cast<double>(i % 7));
    return weight - 50;
  };
  auto objective = Objective::from_bit_function(value, "knapsack").set_direction(Direction::maximise);
  objective.set_violation(violation);
  const auto host = open_device("openmp:0");
  const auto by_function = ga::solve({objective, 40, {}, {}}, options_with("auto"), *host);
  const auto by_text =
      ga::solve({Objective::from_text(knapsack, "knapsack.cl"), 40, {}, {}}, options_with("auto"), *host);
  BOOST_TEST(by_function.checksum == by_text.checksum);
  auto batch = Objective::from_batch_function(
      [&](std::span<const double> genes, std::span<const double>, std::span<double> values) {
        for (std::size_t k = 0; k < values.size(); ++k) {
          values[k] = 0;
          for (std::size_t i = 0; i < 40; ++i) values[k] += genes[40 * k + i] * (4.0 + static_cast<double>(i % 7));
        }
      },
      GeneKind::bits, "knapsack");
  batch.set_direction(Direction::maximise);
  auto mixed = batch;
  batch.set_violation([](std::span<const double> genes, std::span<const double>, std::span<double> violations) {
    for (std::size_t k = 0; k < violations.size(); ++k) {
      violations[k] = -50;
      for (std::size_t i = 0; i < 40; ++i) violations[k] += genes[40 * k + i] * (1.0 + static_cast<double>(i % 7));
    }
  });
  BOOST_TEST(ga::solve({batch, 40, {}, {}}, options_with("auto"), *host).checksum == by_text.checksum);
  // The function and its violation each have a layout of their own.
  mixed.set_violation(
      [](std::span<const double> genes, std::span<const double>, std::span<double> violations) {
        const auto size = violations.size();
        std::fill(violations.begin(), violations.end(), -50.0);
        for (std::size_t i = 0; i < 40; ++i)
          for (std::size_t k = 0; k < size; ++k)
            violations[k] += genes[size * i + k] * (1.0 + static_cast<double>(i % 7));
      },
      Objective::BatchLayout::genes);
  BOOST_TEST(ga::solve({mixed, 40, {}, {}}, options_with("auto"), *host).checksum == by_text.checksum);
  BOOST_CHECK_THROW(batch.set_violation(violation), InvalidInput);
  BOOST_CHECK_THROW(Objective::named("onemax").set_violation(violation), InvalidInput);
}

BOOST_AUTO_TEST_CASE(infeasible_individuals_are_reported) {
  const std::string impossible =
      "// clopt: integers, minimise, lower 0, upper 9\n"
      "int objective_count(individual x, uint i) { return gene(x, i); }\n"
      "real violation(individual x) { return 100 - gene(x, 0); }\n";
  const auto host = open_device("openmp:0");
  auto options = options_with("auto");
  std::uint64_t feasible = 1;
  options.statistics = [&](const ga::Statistics& row) { feasible = row.feasible; };
  const auto result = ga::solve({Objective::from_text(impossible, "impossible.cl"), 3, {}, {}}, options, *host);
  BOOST_TEST(!result.feasible);
  BOOST_TEST(result.violation == 91.0);
  BOOST_TEST(result.genes[0] == 9.0);
  BOOST_TEST(result.fitness == result.genes[0] + result.genes[1] + result.genes[2]);
  BOOST_TEST(feasible == 0U);
  // They go by values.
  for (const char* selection : {"roulette", "roulette-walk", "sus"}) {
    options.selection = selection;
    BOOST_CHECK_THROW(ga::solve({Objective::from_text(impossible, "impossible.cl"), 3, {}, {}}, options, *host),
                      InvalidInput);
  }
}

BOOST_AUTO_TEST_SUITE_END()
