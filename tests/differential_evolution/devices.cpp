/// \file
/// Runs on the device under test, against the oracle.
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/device.hpp>
#include <support/skip.hpp>

#include <shared/elementary/float.h>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <optional>
#include <random>
#include <utility>

#include <support/pretended.hpp>
#include "oracle.hpp"
#include "raised_sphere.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

// Where building a kernel takes longer than running it, cases that do not compare methods have one.
std::vector<const char*> some_methods() {
  if (test::tries_all()) return {"offloaded", "staged", "ahead", "merged", "fused"};
  return {"fused"};
}

// A text, so that the general form and a device's row are used: the sphere around the row.
constexpr const char* shifted_sphere =
    "real objective_term(individual x, uint i) { const real d = gene(x, i) - row(x, 0); return d * d; }\n";

struct Case {
  oracle::Run run;
  std::size_t problems = 1;
};

template <class Real>
de::Result solve(const Case& wanted, const std::string& method, const de::Problem& problem,
                 Device& device = test::device()) {
  de::Options options;
  options.method = method;
  options.precision = sizeof(Real) == 4 ? "float" : "double";
  options.strategy = wanted.run.strategy + (wanted.run.exponential ? "exp" : "bin");
  options.unforced = wanted.run.unforced;
  options.adapt = wanted.run.adapt;
  options.bounds = wanted.run.bounds;
  options.restarts = wanted.run.restarts;
  options.population = wanted.run.population;
  options.weight = wanted.run.weight;
  options.crossover = wanted.run.crossover;
  options.seed = wanted.run.seed;
  options.generations = wanted.run.generations;
  if (wanted.run.target > 0) options.target = wanted.run.target;
  if (wanted.run.spread >= 0) options.spread = wanted.run.spread;
  if (wanted.run.evaluations != 0) options.evaluations = wanted.run.evaluations;
  return de::solve(problem, options, device);
}

de::Problem problem_of(const Case& wanted, Objective objective) {
  de::Problem problem{std::move(objective)};
  problem.dimensions = wanted.run.dimensions;
  problem.problems = wanted.problems;
  problem.lower = {wanted.run.lower};
  problem.upper = {wanted.run.upper};
  return problem;
}

/// Compares each method's result with the oracle's, bit by bit. \returns the oracle's restarts.
template <class Real>
std::uint32_t check(const Case& wanted,
                    const std::vector<const char*>& methods = {"offloaded", "staged", "ahead", "merged", "fused"},
                    Device& device = test::device()) {
  auto problem =
      problem_of(wanted, wanted.run.restarts ? Objective::from_text(test::raised_sphere) : Objective::named("sphere"));
  std::uint64_t checksum = 0;
  std::uint32_t restarts = 0;
  for (const auto* method : methods) {
    BOOST_TEST_CONTEXT(method << ", " << wanted.run.strategy << (wanted.run.exponential ? "exp" : "bin") << ", "
                              << (wanted.run.unforced ? ", unforced, " : ", ") << wanted.run.adapt << ", "
                              << wanted.run.bounds << ", population " << wanted.run.population << ", dimensions "
                              << wanted.run.dimensions << ", seed " << wanted.run.seed) {
      const auto result = solve<Real>(wanted, method, problem, device);
      std::uint64_t evaluations = 0;
      if (checksum == 0) checksum = result.checksum;
      BOOST_TEST(result.checksum == checksum);
      for (std::size_t k = 0; k < wanted.problems; ++k) {
        auto run = wanted.run;
        run.problem = static_cast<std::uint32_t>(k);
        run.functions = {shared::clopt_log_float, shared::clopt_sinpi_float, shared::clopt_cospi_float};
        auto expected = oracle::Evolution<Real>(run, run.restarts ? test::raised<Real> : oracle::sphere<Real>).run();
        std::size_t best = 0;
        for (std::size_t i = 1; i < expected.values.size(); ++i)
          if (expected.values[i] < expected.values[best]) best = i;
        if (expected.restarts != 0 && expected.kept_value <= expected.values[best]) {
          expected.values[best] = expected.kept_value;
          expected.vectors[best] = expected.kept_vector;
        }
        BOOST_TEST(result.values[k] == static_cast<double>(expected.values[best]));
        BOOST_TEST(result.generations[k] == expected.generations);
        evaluations += expected.evaluations;
        restarts += expected.restarts;
        for (std::size_t j = 0; j < run.dimensions; ++j)
          BOOST_TEST(result.parameters[k * run.dimensions + j] == static_cast<double>(expected.vectors[best][j]));
      }
      BOOST_TEST(result.total_evaluations == evaluations);
    }
  }
  return restarts;
}

template <class Real>
Case random_case(std::mt19937_64& random) {
  Case wanted;
  auto& run = wanted.run;
  constexpr const char* strategies[] = {"rand1", "best1", "currenttobest1", "rand2", "best2", "currenttopbest1"};
  constexpr const char* adaptations[] = {"none", "none", "jde", "shade", "lshade", "shade6"};
  constexpr const char* bounds[] = {"clip", "reflect", "resample", "none"};
  run.strategy = strategies[random() % std::size(strategies)];
  run.bounds = bounds[random() % 4];
  run.exponential = random() % 3 == 0;
  run.adapt = adaptations[random() % std::size(adaptations)];
  run.population = 6 + random() % 60;
  run.dimensions = 1 + random() % 34;
  run.weight = static_cast<double>(random() % 9) / 8;
  run.crossover = static_cast<double>(random() % 11) / 10;
  run.lower = -3.3;
  run.upper = 1 + static_cast<double>(random() % 3);
  run.generations = 1 + static_cast<std::uint32_t>(random() % 9);
  run.seed = random();
  if (random() % 4 == 0) run.spread = 2;
  if (random() % 4 == 0) run.evaluations = run.population * (1 + random() % 9) + random() % run.population;
  run.unforced = !run.exponential && random() % 3 == 0;
  wanted.problems = 1 + random() % 3;
  run.restarts = (run.adapt == "shade" || run.adapt == "shade6") && random() % 2 == 0;
  if (!run.restarts) return wanted;
  // Long enough for some of them to restart.
  run.generations = 129 + static_cast<std::uint32_t>(random() % 200);
  run.population = 6 + random() % 9;
  run.dimensions = 1 + random() % 3;
  if (run.evaluations != 0) run.evaluations *= 20;
  return wanted;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(devices, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(every_method_is_the_oracle, *boost::unit_test::label("oclgrind")) {
  // Oclgrind reports values of the other methods as uninitialised although their bits are the oracle's; why is not
  // known.
  const auto methods = test::platform() == "oclgrind"
                           ? std::vector<const char*>{"staged"}
                           : std::vector<const char*>{"offloaded", "staged", "ahead", "merged", "fused"};
  Case wanted;
  wanted.problems = 2;
  wanted.run.population = 7;
  wanted.run.generations = 4;
  check<float>(wanted, methods);
  wanted.run.strategy = "currenttobest1";
  wanted.run.exponential = true;
  wanted.run.adapt = "jde";
  check<float>(wanted, methods);
}

// Memory for what comes to the host is of three kinds, by its size.
BOOST_AUTO_TEST_CASE(results_of_few_and_of_many_problems_are_the_same) {
  de::Problem problem{Objective::named("rastrigin")};
  problem.dimensions = 3;
  de::Options options;
  options.population = 5;
  options.generations = 3;
  options.seed = 7;
  std::vector<de::Result> results;
  for (const std::size_t problems : {std::size_t{3}, std::size_t{2'001}, std::size_t{70'001}}) {
    problem.problems = problems;
    results.push_back(de::solve(problem, options, test::device()));
    const auto& first = results.front();
    const auto& own = results.back();
    BOOST_TEST(own.values.size() == problems);
    for (std::size_t k = 0; k < first.values.size(); ++k) BOOST_TEST(own.values[k] == first.values[k]);
    for (std::size_t i = 0; i < first.parameters.size(); ++i) BOOST_TEST(own.parameters[i] == first.parameters[i]);
  }
  BOOST_TEST(results[2].values[2'000] == results[1].values[2'000]);
}

BOOST_AUTO_TEST_CASE(random_runs_of_floats) {
  const auto seed = 20;
  std::mt19937_64 random(seed);
  std::uint32_t restarts = 0;
  for (int round = 0; round < test::rounds(40, 1); ++round) {
    BOOST_TEST_INFO("seed " << seed << ", round " << round);
    restarts += check<float>(random_case<float>(random));
  }
  BOOST_TEST((restarts != 0 || !test::tries_all()));
}

BOOST_AUTO_TEST_CASE(random_runs_of_doubles) {
  if (!test::device().info().has_double) return test::skip("no double precision");
  const auto seed = 21;
  std::mt19937_64 random(seed);
  std::uint32_t restarts = 0;
  for (int round = 0; round < test::rounds(40, 1); ++round) {
    BOOST_TEST_INFO("seed " << seed << ", round " << round);
    restarts += check<double>(random_case<double>(random));
  }
  BOOST_TEST((restarts != 0 || !test::tries_all()));
}

// Long enough for an archive that is full, and for a population that has shrunk to its least.
// A device that cuts long loops would give wrong answers by the fused method, without a word.
BOOST_AUTO_TEST_CASE(fused_loops_fit_the_device) {
  Case wanted;
  wanted.run.population = 1000;
  wanted.run.dimensions = 60;
  wanted.run.generations = 2;
  if (test::device().has_long_loops()) return void(check<float>(wanted, {"fused"}));
  check<float>(wanted, {"merged"});
  BOOST_CHECK_THROW(check<float>(wanted, {"fused"}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(populations_that_shade_renews) {
  Case wanted;
  wanted.problems = 2;
  auto& run = wanted.run;
  run.strategy = "currenttopbest1";
  run.adapt = "lshade";
  run.population = 37;
  run.generations = 60;
  run.evaluations = 1100;
  check<float>(wanted);
  run.adapt = "shade";
  run.population = 23;
  run.evaluations = 0;
  check<float>(wanted, some_methods());
  run.adapt = "lshade";
  run.dimensions = 1;
  check<float>(wanted, {"staged", "fused"});
  if (!test::tries_all()) return;
  run.dimensions = 3;
  check<float>(wanted);
  // CR of 0 only: none is of use again.
  run.dimensions = 40;
  run.population = 300;
  run.generations = 45;
  check<float>(wanted);
}

// Threads make all trials of a generation together, in whole vectors of individuals and of parameters.
BOOST_AUTO_TEST_CASE(populations_of_shade_around_whole_vectors, *boost::unit_test::label("long")) {
  if (!test::tries_all()) return;
  Case wanted;
  auto& run = wanted.run;
  run.strategy = "currenttopbest1";
  run.generations = 25;
  for (const char* adapt : {"shade", "lshade", "shade6"})
    for (const std::size_t population : {6U, 15U, 16U, 17U, 48U, 49U, 64U, 256U, 257U, 530U}) {
      run.adapt = adapt;
      run.population = population;
      run.dimensions = population % 2 == 0 ? 33 : 16;
      run.bounds = population % 3 == 0 ? "resample" : "clip";
      run.evaluations = population % 5 == 1 ? 12 * population + 3 : 0;
      check<float>(wanted, {"merged", "fused"});
      if (test::device().info().has_double) check<double>(wanted, {"fused"});
    }
}

BOOST_AUTO_TEST_CASE(populations_around_and_above_the_work_group) {
  Case wanted;
  wanted.run.generations = 3;
  wanted.run.dimensions = 5;
  // Where building a kernel takes longer than running it, the sizes that matter most.
  const bool quick = test::tries_all();
  const auto populations =
      quick ? std::vector<std::size_t>{4, 31, 32, 33, 255, 257, 1025, 2500} : std::vector<std::size_t>{33, 1025};
  for (const auto population : populations) {
    wanted.run.population = population;
    check<float>(wanted, some_methods());
  }
  // Too many for a CPU's registers, and for local memory.
  wanted.run.dimensions = 101;
  wanted.run.population = 77;
  check<float>(wanted, some_methods());
}

// Which forms of the fused kernel a GPU takes depends on its local memory and on how many compute units want work.
BOOST_AUTO_TEST_CASE(every_form_for_gpus_is_the_oracle, *boost::unit_test::label("oclgrind")) {
  auto info = test::device().info();
  info.kind = DeviceKind::gpu;
  info.compute_units = 1;
  const auto short_vectors = std::make_shared<test::Pretended>(test::device(), info);
  info.local_memory_bytes = 2048;
  const auto little_memory = std::make_shared<test::Pretended>(test::device(), info);
  const bool is_slow = test::platform() == "oclgrind";
  Case wanted;
  wanted.problems = 5;
  wanted.run.generations = is_slow ? 2 : 9;
  wanted.run.population = 11;  // three side by side
  wanted.run.target = 2;
  check<float>(wanted, {"fused"}, *short_vectors);
  if (is_slow) return;
  wanted.run.unforced = true;
  check<float>(wanted, {"fused"}, *short_vectors);
  wanted.run.population = 70;
  wanted.run.dimensions = 16;
  wanted.run.adapt = "jde";
  wanted.run.bounds = "resample";
  check<float>(wanted, {"fused"}, *short_vectors);
  wanted.run.population = 23;  // rows
  wanted.run.dimensions = 37;
  wanted.run.target = 70;
  check<float>(wanted, {"fused"}, *little_memory);
  if (!test::tries_all()) return;
  wanted.run.unforced = false;
  wanted.run.exponential = true;
  wanted.run.strategy = "rand2";
  check<float>(wanted, {"fused"}, *little_memory);
}

// Where the population is known to the compiler, so are the places of those that gain, word by word of 32.
BOOST_AUTO_TEST_CASE(populations_of_shade_that_gpus_know_are_the_oracles) {
  auto info = test::device().info();
  info.kind = DeviceKind::gpu;
  test::Pretended device(test::device(), info);
  Case wanted;
  wanted.run.strategy = "currenttopbest1";
  wanted.problems = 2;
  wanted.run.generations = 30;
  // Each has a kernel of its own.
  const auto populations =
      test::tries_all() ? std::vector<std::size_t>{7, 31, 32, 33, 49, 64, 65} : std::vector<std::size_t>{33};
  for (const char* adapt : {"shade", "lshade", "shade6"})
    for (const auto population : populations) {
      wanted.run.adapt = adapt;
      wanted.run.population = population;
      wanted.run.dimensions = population % 2 == 0 ? 3 : 10;
      check<float>(wanted, {"fused"}, device);
    }
}

BOOST_AUTO_TEST_CASE(a_problem_ends_with_the_generation_that_reaches_its_target) {
  Case wanted;
  wanted.problems = 5;
  wanted.run.population = 20;
  wanted.run.generations = 200;
  wanted.run.target = 1e-3;
  check<float>(wanted, some_methods());
}

BOOST_AUTO_TEST_CASE(each_problem_reads_its_own_row) {
  Case wanted;
  wanted.problems = 6;
  wanted.run.population = 30;
  wanted.run.generations = 150;
  auto problem = problem_of(wanted, Objective::from_text(shifted_sphere));
  problem.columns = 1;
  problem.data = {-4, -2.5, 0, 1, 2, 4.5};
  for (const auto* method : some_methods()) {
    const auto result = solve<float>(wanted, method, problem);
    for (std::size_t k = 0; k < wanted.problems; ++k)
      for (std::size_t j = 0; j < wanted.run.dimensions; ++j)
        BOOST_TEST(std::abs(result.parameters[k * wanted.run.dimensions + j] - problem.data[k]) < 1e-3);
  }
}

// Equation (2) of the paper as it is written, where threads draw for many individuals and by all forms of the
// method; without CR every trial is its vector.
BOOST_AUTO_TEST_CASE(a_trial_may_be_the_vector_itself) {
  Case wanted;
  auto& run = wanted.run;
  run.unforced = true;
  run.generations = 9;
  for (const double crossover : {0.0, 0.1, 1.0}) {
    run.crossover = crossover;
    run.population = 49;
    run.dimensions = crossover == 0.1 ? 49 : 7;
    check<float>(wanted, some_methods());
    if (!test::tries_all()) continue;
    run.adapt = "shade";
    check<float>(wanted);
    run.adapt = "none";
    run.population = 300;
    check<float>(wanted);
  }
  run.crossover = 0;
  const auto problem = problem_of(wanted, Objective::named("sphere"));
  const auto after = [&](bool unforced, std::uint32_t generations) {
    wanted.run.unforced = unforced;
    wanted.run.generations = generations;
    return solve<float>(wanted, "fused", problem).values[0];
  };
  BOOST_TEST(after(true, 9) == after(true, 0));
  BOOST_TEST(after(false, 9) < after(false, 0));
  wanted.run.unforced = wanted.run.exponential = true;
  BOOST_CHECK_EXCEPTION(solve<float>(wanted, "fused", problem), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("`unforced` is for binomial crossover") != std::string::npos;
  });
}

// Draws of more generations than a launch of P has at once, and of more than one block of crossover.
BOOST_AUTO_TEST_CASE(draws_ahead_are_those_of_their_generations) {
  Case wanted;
  wanted.problems = 3;
  wanted.run.generations = 131;
  wanted.run.population = 7;
  wanted.run.target = 20;
  for (const std::size_t dimensions : {1U, 16U, 17U, 49U}) {
    if (!test::tries_all() && dimensions != 49) continue;
    wanted.run.dimensions = dimensions;
    check<float>(wanted, {"ahead"});
  }
  // 64 generations draw 86016 bytes.
  auto info = test::device().info();
  info.max_allocation_bytes = 16384;
  test::Pretended little_memory(test::device(), info);
  check<float>(wanted, {"ahead"}, little_memory);
}

// What a device must come to before it is trusted (lib/differential_evolution/device/self_test.cpp).
BOOST_AUTO_TEST_CASE(the_known_answer_is_the_oracles) {
  Case wanted;
  wanted.problems = 5;
  wanted.run.population = 7;
  wanted.run.generations = 20;
  wanted.run.lower = -5.12;
  wanted.run.upper = 5.12;
  check<float>(wanted, {"fused", "merged"});
  const auto problem = problem_of(wanted, Objective::named("sphere"));
  BOOST_TEST(solve<float>(wanted, "fused", problem).checksum == 0xe0ac679a3030ac14U);
}

BOOST_AUTO_TEST_CASE(what_lies_past_the_end_is_0) {
  Case wanted;
  wanted.run.generations = 3;
  const auto checksum_of = [&](const char* method, const std::string& more) {
    auto problem =
        problem_of(wanted, Objective::from_text("real objective(individual x) { return gene(x, 0u)" + more + "; }\n"));
    problem.columns = 2;
    problem.data = {1, 2};
    return solve<float>(wanted, method, problem).checksum;
  };
  for (const auto* method : some_methods())
    BOOST_TEST(checksum_of(method, " + row(x, 2u) + row(x, 2000000000u) + gene(x, 2000000000u) + gene(x, genes(x))") ==
               checksum_of(method, " + 0 * row(x, 0u)"));
}

BOOST_AUTO_TEST_CASE(values_that_are_no_numbers_are_the_worst_and_are_counted) {
  Case wanted;
  wanted.run.population = 25;
  wanted.run.generations = 20;
  const auto problem = problem_of(
      wanted, Objective::from_text(
                  "real objective(individual x) { return gene(x, 0) < 0 ? sqrt(gene(x, 0)) : gene(x, 0); }\n"));
  const auto expected = oracle::Evolution<float>(wanted.run, [](const std::vector<float>& x) {
                          return x[0] < 0 ? std::numeric_limits<float>::quiet_NaN() : x[0];
                        }).run();
  for (const auto* method : some_methods()) {
    const auto result = solve<float>(wanted, method, problem);
    BOOST_TEST(result.invalid[0] == expected.invalid);
    BOOST_TEST(result.values[0] >= 0);
    BOOST_TEST(result.values[0] < 0.1);
  }
}

// The same run in both directions: to maximise is to minimise the negative.
BOOST_AUTO_TEST_CASE(an_objective_that_is_maximised_is_the_negative_minimised) {
  const auto problem = [](bool maximises) {
    const std::string sign = maximises ? "-" : "";
    de::Problem problem{Objective::from_text(std::string("// clopt: reals, ") + (maximises ? "maximise" : "minimise") +
                                             ", lower -1, upper 3\nreal objective(individual x) {\n"
                                             "  return gene(x, 0) < -0.5 ? sqrt(gene(x, 0))\n"
                                             "    : " +
                                             sign + "(gene(x, 0) * gene(x, 0) + gene(x, 1) - 7);\n}\n")};
    problem.dimensions = 2;
    problem.problems = 3;
    return problem;
  };
  de::Options options;
  options.generations = 25;
  options.spread = 0.01;
  for (const auto* method : some_methods())
    for (const bool has_statistics : {false, true}) {
      if (!test::tries_all() && !has_statistics) continue;
      std::vector<de::Statistics> rows;
      options.method = method;
      options.target = -7.99;
      if (has_statistics) options.statistics = [&](const de::Statistics& row) { rows.push_back(row); };
      const auto least = de::solve(problem(false), options, test::device());
      const auto least_rows = std::exchange(rows, {});
      options.target = 7.99;
      std::optional<double> reported;
      RunControl control;
      control.progress_interval = 0;
      control.progress = [&](const Progress& progress) {
        if (progress.best) reported = progress.best;
        return true;
      };
      const auto greatest = de::solve(problem(true), options, test::device(), control);
      options.statistics = {};
      BOOST_TEST(least.solved > 0U);
      BOOST_TEST(greatest.solved == least.solved);
      BOOST_TEST(greatest.best == least.best);
      BOOST_TEST(greatest.checksum == least.checksum);
      BOOST_TEST(greatest.invalid == least.invalid, boost::test_tools::per_element());
      BOOST_TEST(least.invalid[0] > 0U);
      BOOST_TEST(greatest.parameters == least.parameters, boost::test_tools::per_element());
      for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(greatest.values[k] == -least.values[k]);
      BOOST_TEST((reported == greatest.values[greatest.best]));
      BOOST_REQUIRE(rows.size() == least_rows.size());
      for (std::size_t n = 0; n < rows.size(); ++n) {
        BOOST_TEST(rows[n].best == -least_rows[n].best);
        BOOST_TEST(rows[n].mean == -least_rows[n].mean);
        BOOST_TEST(rows[n].worst == -least_rows[n].worst);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
