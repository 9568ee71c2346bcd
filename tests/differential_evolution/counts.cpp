/// \file
/// How often and how soon rand/1/bin succeeds, against figures of programs that are known to be right: donors that may
/// equal each other or the parent, or a biased crossover, show here.
#include <clopt/differential_evolution.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

constexpr double two_sided_99 = 2.576;

// All methods end with the same bits, as other tests show; a long run counts with each of them all the same.
std::vector<std::string> counted_methods() {
  if (test::long_run()) return {"offloaded", "staged", "ahead", "merged", "fused"};
  return {"auto"};
}

template <class Function>
void for_methods(const Function& function) {
  for (const auto& method : counted_methods()) BOOST_TEST_CONTEXT(method) function(method);
}

struct Setting {
  const char* objective;
  double bound;
  double weight;
  double crossover;
  std::uint64_t generations;
  std::size_t problems;
};

de::Result solve(const Setting& setting, bool has_target, const std::string& method) {
  de::Problem problem{Objective::named(setting.objective)};
  problem.dimensions = 10;
  problem.problems = setting.problems;
  problem.lower = {-setting.bound};
  problem.upper = {setting.bound};
  de::Options options;
  options.method = method;
  options.population = 50;
  options.precision = "double";
  options.weight = setting.weight;
  options.crossover = setting.crossover;
  options.generations = setting.generations;
  // As the reference did: clipping takes 2 % more.
  options.bounds = "resample";
  if (has_target) options.target = 1e-8;
  return de::solve(problem, options, test::device());
}

/// Every problem is solved, after as many evaluations as in the reference.
void check_evaluations(const Setting& setting, double reference, std::size_t reference_runs,
                       const std::string& method) {
  const auto result = solve(setting, true, method);
  BOOST_TEST_CONTEXT(setting.objective << ", F " << setting.weight << ", CR " << setting.crossover) {
    BOOST_TEST(result.solved == setting.problems);
    std::vector<double> evaluations;
    for (const auto generations : result.generations)
      evaluations.push_back(50.0 * (static_cast<double>(generations) + 1));
    const auto n = static_cast<double>(evaluations.size());
    const double mean = std::accumulate(evaluations.begin(), evaluations.end(), 0.0) / n;
    double squares = 0;
    for (const double each : evaluations) squares += (each - mean) * (each - mean);
    const double deviation = std::sqrt(squares / (n - 1));
    // Whether the initial vectors count is a matter of taste.
    const double allowed = two_sided_99 * deviation * std::sqrt(1 / n + 1 / static_cast<double>(reference_runs)) + 50;
    BOOST_TEST_MESSAGE(method << ", " << setting.objective << ": mean " << mean << ", deviation " << deviation);
    BOOST_TEST(std::fabs(mean - reference) < allowed);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(counts, *boost::unit_test::label("slow"))

BOOST_AUTO_TEST_CASE(median_of_rastrigin_after_1000_generations) {
  for_methods([](const std::string& method) {
    auto values = solve({"rastrigin", 5.12, 0.5, 0.9, 1000, 400}, false, method).values;
    std::sort(values.begin(), values.end());
    const double median = values[200];
    // Order statistics 174 and 226 bound the median of 400 with 99 %.
    const double allowed = (values[226] - values[174]) / 2;
    BOOST_TEST_MESSAGE(method << ": median " << median);
    BOOST_TEST(median > 10.8 - allowed);
    BOOST_TEST(median < 11.1 + allowed);
  });
}

BOOST_AUTO_TEST_CASE(share_of_rastrigin_after_4000_generations) {
  constexpr double reference = 0.44;
  constexpr double n = 400;
  for_methods([](const std::string& method) {
    const auto result = solve({"rastrigin", 5.12, 0.5, 0.9, 4000, 400}, true, method);
    const auto solved = static_cast<double>(result.solved) / n;
    BOOST_TEST_MESSAGE(method << ": share " << solved);
    BOOST_TEST(std::fabs(solved - reference) <
               two_sided_99 * std::sqrt(reference * (1 - reference) * (1 / n + 1 / 8000.0)));
  });
}

BOOST_AUTO_TEST_CASE(evaluations_until_solved) {
  for_methods([](const std::string& method) {
    check_evaluations({"rastrigin", 5.12, 0.5, 0.1, 1000, 300}, 18'490, 1000, method);
    check_evaluations({"sphere", 5.12, 0.5, 0.9, 1000, 300}, 10'754, 1000, method);
    check_evaluations({"ackley", 32, 0.5, 0.9, 1000, 300}, 22'188, 1000, method);
    check_evaluations({"rosenbrock", 5, 0.7, 0.9, 4000, 100}, 53'938, 300, method);
  });
}

BOOST_AUTO_TEST_CASE(rosenbrock_is_too_hard_for_a_small_weight) {
  // None of 1000 in the reference.
  for_methods([](const std::string& method) {
    BOOST_TEST(solve({"rosenbrock", 5, 0.5, 0.9, 4000, 100}, true, method).solved <= 1U);
  });
}

BOOST_AUTO_TEST_SUITE_END()
