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
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host.hpp"
#include "oracle.hpp"
#include "raised_sphere.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

struct Sizes {
  std::size_t dimensions;
  std::size_t population;
  std::size_t problems;
};

de::Problem problem_of(const Sizes& sizes) {
  de::Problem problem{Objective::from_text(test::raised_sphere)};
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

// An objective twice: as the library's, and as the oracle's, which is minimised.
template <class Real>
struct Function {
  std::string text = test::raised_sphere;
  std::function<Real(const std::vector<Real>&)> value = test::raised<Real>;
  Real sign = 1;  // of the library's values
};

// Two bowls, of which the deeper one is narrow.
constexpr const char* bowls =
    "real objective(individual x) {\n"
    "  real wide = 2, narrow = 0;\n"
    "  for (uint j = 0; j < genes(x); ++j) {\n"
    "    wide += (gene(x, j) + 2) * (gene(x, j) + 2);\n"
    "    narrow += (gene(x, j) - 3) * (gene(x, j) - 3);\n"
    "  }\n"
    "  narrow *= 32;\n"
    "  return narrow + 1 < wide ? narrow + 1 : wide;\n"
    "}\n";

template <class Real>
Real value_in_bowls(const std::vector<Real>& x) {
  Real wide = 2;
  Real narrow = 0;
  for (const Real each : x) {
    wide += (each + 2) * (each + 2);
    narrow += (each - 3) * (each - 3);
  }
  // Exact.
  narrow *= 32;
  return std::min(narrow + 1, wide);
}

// What the oracle makes of a problem.
template <class Real>
oracle::Outcome<Real> expected_of(const Sizes& sizes, const de::Options& options, std::size_t k,
                                  const Function<Real>& function) {
  oracle::Run run;
  run.seed = options.seed;
  run.problem = static_cast<std::uint32_t>(k);
  run.population = sizes.population;
  run.dimensions = sizes.dimensions;
  run.strategy = "currenttopbest1";
  run.adapt = options.adapt;
  run.crossover = 0.9;
  run.generations = static_cast<std::uint32_t>(options.generations.value());
  run.restarts = options.restarts.value();
  if (options.target) run.target = *options.target * static_cast<double>(function.sign);
  if (!options.initial.empty()) run.initial = {options.initial};
  run.functions = {shared::clopt_log_float, shared::clopt_sinpi_float, shared::clopt_cospi_float};
  return oracle::Evolution<Real>(run, function.value).run();
}

// Compares a run with the oracle's. Returns restarts of all problems.
template <class Real>
std::uint32_t compare(const Sizes& sizes, de::Options options, const Function<Real>& function = {}) {
  options.precision = sizeof(Real) == 4 ? "float" : "double";
  auto problem = problem_of(sizes);
  problem.objective = Objective::from_text(function.text);
  const auto result = de::solve(problem, options, test::device());
  std::uint32_t restarts = 0;
  std::uint64_t evaluations = 0;
  for (std::size_t k = 0; k < sizes.problems; ++k) {
    const auto expected = expected_of<Real>(sizes, options, k, function);
    const auto least = std::min_element(expected.values.begin(), expected.values.end());
    const bool is_kept = expected.restarts != 0 && expected.kept_value <= *least;
    const auto& vector =
        is_kept ? expected.kept_vector : expected.vectors[static_cast<std::size_t>(least - expected.values.begin())];
    const Real value = function.sign * (is_kept ? expected.kept_value : *least);
    BOOST_TEST_CONTEXT(options.method << ", " << options.adapt << ", problem " << k << " of " << sizes.dimensions
                                      << " dimensions") {
      BOOST_TEST(result.values[k] == static_cast<double>(value));
      BOOST_TEST(result.generations[k] == expected.generations);
      BOOST_TEST(result.invalid[k] == expected.invalid);
      for (std::size_t j = 0; j < sizes.dimensions; ++j)
        BOOST_TEST(result.parameters[k * sizes.dimensions + j] == static_cast<double>(vector[j]));
    }
    restarts += expected.restarts;
    evaluations += expected.evaluations;
  }
  BOOST_TEST(result.total_evaluations == evaluations);
  return restarts;
}

template <class Real>
std::uint32_t check(const Sizes& sizes, const std::string& method, const std::string& adapt) {
  auto options = options_of(sizes);
  options.method = method;
  options.adapt = adapt;
  return compare<Real>(sizes, options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(restarts, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(every_method_restarts_as_the_oracle) {
  for (const char* method : {"offloaded", "staged", "ahead", "merged", "fused"}) {
    BOOST_TEST(check<float>({1, 7, 3}, method, "shade6") >= 3);
    BOOST_TEST(check<float>({3, 20, 7}, method, "shade6") >= 3);
  }
  BOOST_TEST(check<float>({2, 49, 1}, "fused", "shade") >= 1);
  if (test::device().info().has_double) BOOST_TEST(check<double>({2, 7, 2}, "fused", "shade6") >= 1);
}

BOOST_AUTO_TEST_CASE(a_problem_that_restarted_ends_at_its_target) {
  const Sizes sizes{2, 7, 9};
  const Function<float> function{bowls, value_in_bowls<float>};
  auto options = options_of(sizes);
  options.generations = 1000;
  options.target = 1.5;
  for (const char* method : {"staged", "fused"}) {
    options.method = method;
    BOOST_TEST(compare<float>(sizes, options, function) >= 1U);
  }
  std::size_t late = 0;
  for (std::size_t k = 0; k < sizes.problems; ++k) {
    const auto expected = expected_of<float>(sizes, options, k, function);
    if (expected.restarts != 0 && expected.generations < 1000) ++late;
  }
  BOOST_TEST(late >= 1U);
}

BOOST_AUTO_TEST_CASE(what_is_maximised_restarts) {
  const Sizes sizes{2, 7, 3};
  std::string text = std::string("// clopt: reals, maximise\n") + test::raised_sphere;
  text.replace(text.find("return sum + 1"), std::string_view("return sum + 1").size(), "return -(sum + 1)");
  BOOST_TEST(compare<float>(sizes, options_of(sizes), {text, test::raised<float>, -1}) >= 1U);
}

// A population has not collapsed as long as one of its values is infinite.
BOOST_AUTO_TEST_CASE(populations_with_one_finite_value_do_not_restart) {
  const Sizes sizes{2, 7, 3};
  for (const char* worst : {"INFINITY", "NAN"}) {
    const auto text =
        std::string("real objective(individual x) {\n  return gene(x, 0) == 4 && gene(x, 1) == -3 ? 1 : ") + worst +
        ";\n}\n";
    const auto value = [&](const std::vector<float>& x) {
      if (x[0] == 4 && x[1] == -3) return 1.0F;
      return worst == std::string("NAN") ? std::numeric_limits<float>::quiet_NaN()
                                         : std::numeric_limits<float>::infinity();
    };
    auto options = options_of(sizes);
    options.initial = {4, -3};
    options.generations = 150;
    BOOST_TEST(compare<float>(sizes, options, {text, value}) == 0U);
    auto problem = problem_of(sizes);
    problem.objective = Objective::from_text(text);
    const auto result = de::solve(problem, options, test::device());
    options.restarts = false;
    BOOST_TEST(result.checksum == de::solve(problem, options, test::device()).checksum, worst);
  }
}

// Parts of the space without a value, around which populations collapse and restart.
BOOST_AUTO_TEST_CASE(restarts_beside_infinite_values_are_the_oracles) {
  const Sizes sizes{2, 7, 5};
  std::string text = test::raised_sphere;
  text.replace(text.find("return sum + 1"), std::string_view("return sum + 1").size(),
               "return gene(x, 0) < 1 ? INFINITY : sum + 1");
  const auto value = [](const std::vector<float>& x) {
    return x[0] < 1 ? std::numeric_limits<float>::infinity() : test::raised<float>(x);
  };
  BOOST_TEST(compare<float>(sizes, options_of(sizes), {text, value}) >= 1U);
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

// One that is worse than all others, and so in no later population unless it is put there.
BOOST_AUTO_TEST_CASE(start_vectors_are_of_the_first_population_alone) {
  const Sizes sizes{2, 9, 7};
  auto options = options_of(sizes);
  options.initial = {4.75, -4.5};
  std::size_t evaluated = 0;
  auto problem = problem_of(sizes);
  problem.objective = Objective::from_batch_function(
      [&](std::span<const double> genes, std::span<const double>, std::span<double> values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          if (genes[2 * i] == 4.75 && genes[2 * i + 1] == -4.5) ++evaluated;
          const std::vector own{static_cast<float>(genes[2 * i]), static_cast<float>(genes[2 * i + 1])};
          values[i] = static_cast<double>(test::raised<float>(own));
        }
      },
      GeneKind::reals, "raised");
  const auto counted = de::solve(problem, options, *test::host(1));
  BOOST_TEST(evaluated == sizes.problems);
  BOOST_TEST(counted.checksum == de::solve(problem_of(sizes), options, test::device()).checksum);
  BOOST_TEST(compare<float>(sizes, options) >= 1U);
}

// What was kept reaches a target that the populations since then do not.
BOOST_AUTO_TEST_CASE(a_problem_ends_at_once_where_its_kept_vector_reaches_the_target) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  const Sizes sizes{2, 9, 7};
  const auto problem = problem_of(sizes);
  std::size_t kept = 0;
  for (const std::uint64_t cut : {129U, 193U, 257U}) {
    auto options = options_of(sizes);
    options.generations = cut;
    options.checkpoint = std::make_shared<CheckpointWriter>(file);
    const auto begun = de::solve(problem, options, test::device());
    auto rest = options_of(sizes);
    rest.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
    rest.target = *std::max_element(begun.values.begin(), begun.values.end());
    const auto ended = de::solve(problem, rest, test::device());
    BOOST_TEST(ended.solved == sizes.problems);
    for (std::size_t k = 0; k < sizes.problems; ++k) {
      // A population that reaches it is asked after another generation.
      BOOST_TEST(ended.generations[k] <= cut + 1);
      if (ended.generations[k] != cut) continue;
      ++kept;
      BOOST_TEST(ended.values[k] == begun.values[k]);
    }
  }
  BOOST_TEST(kept >= 1U);
}

BOOST_AUTO_TEST_CASE(a_checkpoint_that_keeps_another_value_is_refused) {
  const test::Folder folder;
  const Sizes sizes{2, 9, 7};
  auto options = options_of(sizes);
  options.generations = 200;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "begun");
  de::solve(problem_of(sizes), options, test::device());
  const auto begun = Checkpoint::read(folder.path() / "begun", "");
  Record changed(begun.record().identity());
  for (const auto& [name, value] : begun.record().fields()) {
    if (name != "kept_values") {
      changed.add(name, value);
      continue;
    }
    auto values = begun.array<double>(name, sizes.problems);
    for (auto& each : values) each -= 0.5;
    changed.add(name, values);
  }
  CheckpointWriter(folder.path() / "changed").write(changed);
  options.checkpoint.reset();
  options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "changed", ""));
  BOOST_CHECK_EXCEPTION(de::solve(problem_of(sizes), options, test::device()), InvalidInput, [](const auto& error) {
    return std::string(error.what()).find("'kept_values' has the value") != std::string::npos;
  });
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
  const test::Folder folder;
  options.stagnation.reset();
  options.generations = 3;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "begun");
  de::solve(problem, options, test::device());
  options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "begun", ""));
  options.checkpoint.reset();
  options.stagnation = 9;
  BOOST_CHECK_EXCEPTION(de::check(problem, options), InvalidInput, [](const auto& error) {
    return std::string(error.what()).find("where the checkpoint's run begins it again") != std::string::npos;
  });
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
