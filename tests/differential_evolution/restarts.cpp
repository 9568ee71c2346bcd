/// \file
/// Restarts of problems whose populations have collapsed, against the oracle and against themselves.
#include <clopt/checkpoint.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <shared/elementary/float.h>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "host.hpp"
#include "oracle.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

// Not zero at its least, so that values come to lie within a part of their size.
constexpr const char* raised_sphere =
    "real objective(individual x) {\n"
    "  real sum = 0;\n"
    "  for (uint j = 0; j < genes(x); ++j) sum += gene(x, j) * gene(x, j);\n"
    "  return sum + 1;\n"
    "}\n";

template <class Real>
Real raised(const std::vector<Real>& x) {
  return oracle::sphere<Real>(x) + 1;
}

struct Sizes {
  std::size_t dimensions;
  std::size_t population;
  std::size_t problems;
};

de::Problem problem_of(const Sizes& sizes) {
  de::Problem problem{Objective::from_text(raised_sphere)};
  problem.dimensions = sizes.dimensions;
  problem.problems = sizes.problems;
  problem.lower = {-5};
  problem.upper = {5};
  return problem;
}

de::Options options_of(const Sizes& sizes) {
  de::Options options;
  options.population = sizes.population;
  options.generations = 400;
  options.restarts = true;
  options.adapt = "shade6";
  options.precision = "float";
  return options;
}

template <class Real>
std::uint32_t check(const Sizes& sizes, const std::string& method, const std::string& adapt) {
  auto options = options_of(sizes);
  options.method = method;
  options.adapt = adapt;
  options.precision = sizeof(Real) == 4 ? "float" : "double";
  const auto result = de::solve(problem_of(sizes), options, test::device());
  std::uint32_t restarts = 0;
  std::uint64_t evaluations = 0;
  for (std::size_t k = 0; k < sizes.problems; ++k) {
    oracle::Run run;
    run.seed = options.seed;
    run.problem = static_cast<std::uint32_t>(k);
    run.population = sizes.population;
    run.dimensions = sizes.dimensions;
    run.strategy = "currenttopbest1";
    run.adapt = adapt;
    run.crossover = 0.9;
    run.generations = 400;
    run.restarts = true;
    run.functions = {shared::clopt_log_float, shared::clopt_sinpi_float, shared::clopt_cospi_float};
    const auto expected = oracle::Evolution<Real>(run, raised<Real>).run();
    const auto least = std::min_element(expected.values.begin(), expected.values.end());
    const bool is_kept = expected.kept_value < *least;
    const auto& vector =
        is_kept ? expected.kept_vector : expected.vectors[static_cast<std::size_t>(least - expected.values.begin())];
    BOOST_TEST_CONTEXT(method << ", " << adapt << ", problem " << k << " of " << sizes.dimensions << " dimensions") {
      BOOST_TEST(result.values[k] == static_cast<double>(std::min(expected.kept_value, *least)));
      for (std::size_t j = 0; j < sizes.dimensions; ++j)
        BOOST_TEST(result.parameters[k * sizes.dimensions + j] == static_cast<double>(vector[j]));
    }
    restarts += expected.restarts;
    evaluations += expected.evaluations;
  }
  BOOST_TEST(result.total_evaluations == evaluations);
  return restarts;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(restarts, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(every_method_restarts_as_the_oracle) {
  for (const char* method : {"staged", "merged", "fused"}) {
    BOOST_TEST(check<float>({1, 7, 3}, method, "shade6") >= 3);
    BOOST_TEST(check<float>({3, 20, 7}, method, "shade6") >= 3);
  }
  BOOST_TEST(check<float>({2, 49, 1}, "fused", "shade") >= 1);
  if (test::device().info().has_double) BOOST_TEST(check<double>({2, 7, 2}, "fused", "shade6") >= 1);
}

BOOST_AUTO_TEST_CASE(statistics_keep_the_best_ever) {
  const Sizes sizes{2, 9, 7};
  const auto problem = problem_of(sizes);
  auto options = options_of(sizes);
  const auto whole = de::solve(problem, options, test::device());
  auto watched = options;
  double last = std::numeric_limits<double>::infinity();
  std::uint64_t evaluations = 0;
  watched.statistics = [&](const de::Statistics& row) {
    BOOST_TEST(row.best <= last);
    last = row.best;
    evaluations = row.evaluations;
  };
  const auto seen = de::solve(problem, watched, test::device());
  BOOST_TEST(seen.checksum == whole.checksum);
  BOOST_TEST(last == whole.values[whole.best]);
  BOOST_TEST(evaluations == whole.total_evaluations);
}

// Before the question is asked, where problems restart, and after that; by another method than the run began with.
BOOST_AUTO_TEST_CASE(bits_do_not_depend_on_where_a_run_is_cut) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  const Sizes sizes{2, 9, 7};
  const auto problem = problem_of(sizes);
  const auto whole = de::solve(problem, options_of(sizes), test::device());
  for (const std::uint64_t cut : {63U, 64U, 127U, 128U, 129U, 192U, 193U, 300U}) {
    auto begun = options_of(sizes);
    begun.generations = cut;
    begun.checkpoint = std::make_shared<CheckpointWriter>(file);
    de::solve(problem, begun, test::device());
    auto rest = options_of(sizes);
    rest.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
    rest.method = cut % 2 == 0 ? "merged" : "staged";
    const auto resumed = de::solve(problem, rest, test::device());
    BOOST_TEST_CONTEXT("cut at " << cut) {
      BOOST_TEST(resumed.checksum == whole.checksum);
      BOOST_TEST(resumed.values == whole.values, boost::test_tools::per_element());
      BOOST_TEST(resumed.parameters == whole.parameters, boost::test_tools::per_element());
      BOOST_TEST(resumed.total_evaluations == whole.total_evaluations);
    }
  }
}

BOOST_AUTO_TEST_CASE(devices_share_problems_that_restart) {
  const Sizes sizes{2, 9, 7};
  const auto problem = problem_of(sizes);
  const auto one = de::solve(problem, options_of(sizes), *test::host(1));
  const std::vector devices{test::host(1), test::host(1), test::host(2)};
  const auto shared = de::solve(problem, options_of(sizes), devices);
  BOOST_TEST(shared.checksum == one.checksum);
  BOOST_TEST(shared.values == one.values, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(start_vectors_are_of_the_first_population_alone) {
  const Sizes sizes{2, 9, 2};
  auto options = options_of(sizes);
  options.initial = {0, 0};
  const auto result = de::solve(problem_of(sizes), options, test::device());
  BOOST_TEST(result.values == std::vector<double>(2, 1.0), boost::test_tools::per_element());
  options.target = 1.0;
  const auto ended = de::solve(problem_of(sizes), options, test::device());
  BOOST_TEST(ended.solved == 2U);
  BOOST_TEST(ended.generations.front() == 0U);
}

BOOST_AUTO_TEST_CASE(restarts_can_be_left_out) {
  const Sizes sizes{2, 9, 3};
  auto options = options_of(sizes);
  const auto with = de::solve(problem_of(sizes), options, test::device());
  options.restarts = false;
  const auto without = de::solve(problem_of(sizes), options, test::device());
  BOOST_TEST(with.checksum != without.checksum);
  BOOST_TEST(with.total_evaluations == without.total_evaluations);
  for (std::size_t k = 0; k < sizes.problems; ++k) BOOST_TEST(with.values[k] <= without.values[k]);
}

BOOST_AUTO_TEST_CASE(what_contradicts_restarts_is_refused) {
  const Sizes sizes{2, 9, 1};
  const auto problem = problem_of(sizes);
  for (const char* adapt : {"none", "jde", "lshade"}) {
    auto options = options_of(sizes);
    options.adapt = adapt;
    BOOST_CHECK_THROW(de::check(problem, options), InvalidInput);
  }
  auto options = options_of(sizes);
  options.stagnation = 9;
  BOOST_CHECK_THROW(de::check(problem, options), InvalidInput);
  options = options_of(sizes);
  options.polish = true;
  BOOST_CHECK_THROW(de::check(problem, options), InvalidInput);
}

// Only where nothing else is said.
BOOST_AUTO_TEST_CASE(problems_restart_by_default) {
  const auto restarts = [](const auto& change) {
    de::Options options;
    change(options);
    return de::complete(problem_of({3, 0, 1}), options).restarts.value();
  };
  BOOST_TEST(restarts([](auto&) {}));
  BOOST_TEST(!restarts([](auto& options) { options.adapt = "shade6"; }));
  BOOST_TEST(!restarts([](auto& options) { options.strategy = "rand1bin"; }));
  BOOST_TEST(!restarts([](auto& options) { options.polish = true; }));
  BOOST_TEST(!restarts([](auto& options) { options.spread = 0; }));
  BOOST_TEST(!restarts([](auto& options) { options.stagnation = 5; }));
  BOOST_TEST(restarts([](auto& options) { options.population = 33; }));
}

BOOST_AUTO_TEST_SUITE_END()
