/// \file
/// Runs that choose their population, and double it.
#include "runs.hpp"

#include <clopt/clopt.hpp>
#include <clopt/ecga_problems.hpp>
#include <clopt/ecga_runs.hpp>
#include <clopt/ecga_sizing.hpp>
#include <device/solver_devices.hpp>
#include <support/batch_function.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using test::options_of;

/// A text of which no optimum is known; all values are equal unless \p one differs from 1.
ecga::Problem unknown(const std::string& one, std::uint32_t length) {
  auto objective =
      Objective::from_text("int objective_count(individual x, uint i) { return gene(x, i) ? " + one + " : 1; }");
  objective.set_kind(GeneKind::bits).set_direction(Direction::maximise);
  return {objective, length};
}

/// Runs that take populations of several sizes.
ecga::Options without_improvement() {
  ecga::Options options;
  options.improve = "none";
  return options;
}

/// What solve() is to do, by runs of populations that are given.
ecga::Result grown_by_hand(const ecga::Problem& problem, ecga::Options options, std::vector<ecga::Result>& runs) {
  const auto optimum = problem.objective.optimum();
  std::size_t best = 0;
  for (options.population = ecga::usual_population(problem.length);; options.population *= 2) {
    runs.push_back(ecga::solve(problem, options, test::device()));
    if (runs.back().best_fitness > runs[best].best_fitness) best = runs.size() - 1;
    if ((optimum && runs[best].best_fitness == *optimum) || runs.size() == best + 3) return runs[best];
    options.target = optimum;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(growing, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(populations_double_until_nothing_gets_better) {
  for (const auto& problem : {ecga::find_problem("nk5", 21, 8), ecga::find_problem("nk5", 25, 3), unknown("1", 7),
                              unknown("2", 33), ecga::find_problem("trap5", 10, 1)}) {
    const auto result = ecga::solve(problem, without_improvement(), test::device());
    std::vector<ecga::Result> runs;
    const auto by_hand = grown_by_hand(problem, without_improvement(), runs);
    BOOST_TEST(result.checksum == by_hand.checksum);
    BOOST_TEST(result.population == by_hand.population);
    BOOST_TEST(result.generations == by_hand.generations);
    BOOST_TEST((result.model == by_hand.model));
    BOOST_TEST((result.best_genes == by_hand.best_genes));
    BOOST_TEST_REQUIRE(result.runs.size() == runs.size());
    std::uint64_t evaluations = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      BOOST_TEST(result.runs[i].population == runs[i].population);
      BOOST_TEST(result.runs[i].value == runs[i].best_fitness);
      BOOST_TEST(result.runs[i].checksum == runs[i].checksum);
      evaluations += runs[i].evaluations;
    }
    BOOST_TEST(result.evaluations == evaluations);
  }
}

BOOST_AUTO_TEST_CASE(a_known_optimum_ends_the_first_run_as_before) {
  const auto problem = ecga::find_problem("trap5", 20, 1);
  const auto result = ecga::solve(problem, {}, test::device());
  const auto usual = ecga::solve(problem, options_of(ecga::usual_population(20)), test::device());
  BOOST_TEST(result.checksum == usual.checksum);
  BOOST_TEST(result.runs.size() == 1U);
  BOOST_TEST(result.runs[0].success);
  BOOST_TEST((result.ending == usual.ending));
  BOOST_TEST(usual.runs.empty());
}

BOOST_AUTO_TEST_CASE(limits_are_of_all_runs) {
  const auto problem = unknown("1", 12);
  const auto whole = ecga::solve(problem, {}, test::device());
  BOOST_TEST_REQUIRE(whole.runs.size() == 3U);
  const auto first = whole.runs[0];
  const auto second = whole.runs[1];
  ecga::Options options;
  for (const std::uint64_t evaluations : {first.evaluations, first.evaluations + 1, whole.evaluations - 1}) {
    options.evaluations = evaluations;
    const auto result = ecga::solve(problem, options, test::device());
    BOOST_TEST((result.ending == Ending::evaluations), result.runs.size());
    BOOST_TEST(result.evaluations <= evaluations + 4 * first.population);
    BOOST_TEST(result.checksum == whole.checksum);
  }
  options.evaluations.reset();
  // Within the first run and the second one, and at their very ends.
  for (const std::uint64_t generations :
       {first.generations - 1, first.generations, first.generations + 2, first.generations + second.generations}) {
    options.generations = generations;
    const auto result = ecga::solve(problem, options, test::device());
    BOOST_TEST((result.ending == Ending::generations), generations);
    std::uint64_t made = 0;
    for (const auto& run : result.runs) made += run.generations;
    BOOST_TEST(made == generations);
  }
  // A limit that is not reached changes nothing.
  options.generations = 100'000;
  const auto limited = ecga::solve(problem, options, test::device());
  BOOST_TEST(limited.runs.size() == 3U);
  BOOST_TEST((limited.ending == whole.ending));
  RunControl control;
  control.time_limit = -1;
  BOOST_CHECK_THROW(ecga::solve(problem, {}, test::device(), control), InvalidInput);
}

BOOST_AUTO_TEST_CASE(generations_are_counted_on) {
  const auto problem = ecga::find_problem("nk5", 21, 8);
  auto options = without_improvement();
  std::vector<ecga::Statistics> rows;
  options.statistics = [&](const ecga::Statistics& row) { rows.push_back(row); };
  const auto result = ecga::solve(problem, options, test::device());
  std::uint64_t expected = 1;
  for (const auto& run : result.runs) expected += run.generations;
  BOOST_TEST_REQUIRE(rows.size() == expected);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BOOST_TEST(rows[i].generation == i);
    BOOST_TEST((i == 0 || rows[i].evaluations > rows[i - 1].evaluations));
    BOOST_TEST((i == 0 || rows[i].best_so_far >= rows[i - 1].best_so_far));
  }
  BOOST_TEST(rows.back().evaluations == result.evaluations);
  BOOST_TEST(rows.back().best_so_far == result.best_fitness);
}

BOOST_AUTO_TEST_CASE(what_is_found_outlives_the_end) {
  const auto problem = unknown("gene(x, 0) + 1", 14);
  const auto first = ecga::solve(problem, {}, test::device()).runs.at(0).evaluations;
  RunControl control;
  control.progress_interval = 0;
  std::optional<double> shown;
  control.progress = [&](const Progress& progress) {
    BOOST_TEST((!shown || (progress.best && *progress.best >= *shown)));
    if (progress.best) shown = progress.best;
    return progress.evaluations.value_or(0) < first + 3 * ecga::usual_population(14);
  };
  const auto result = ecga::solve(problem, {}, test::device(), control);
  BOOST_TEST(result.interrupted());
  BOOST_TEST(result.runs.size() == 2U);
  BOOST_TEST(result.best_genes.size() == 14U);
  BOOST_TEST(result.best_fitness == *shown);
  // However late in a run the callback ends it, it is interrupted.
  for (int calls = 1; calls <= 40; ++calls) {
    int left = calls;
    control.progress = [&](const Progress&) { return --left > 0; };
    try {
      BOOST_TEST((left > 0 || ecga::solve(problem, {}, test::device(), control).interrupted()));
    } catch (const Cancelled&) {
      BOOST_TEST(calls <= 2);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_a_callback_throws_reaches_the_caller) {
  const auto problem = unknown("1", 12);
  const auto first = ecga::solve(problem, {}, test::device()).runs.at(0).evaluations;
  RunControl control;
  control.progress_interval = 0;
  control.progress = [&](const Progress& progress) {
    if (progress.evaluations.value_or(0) > first) throw InvalidInput("of the caller");
    return true;
  };
  BOOST_CHECK_THROW(ecga::solve(problem, {}, test::device(), control), InvalidInput);
  ecga::Options options;
  options.statistics = [&](const ecga::Statistics& row) {
    if (row.evaluations > first) throw std::bad_alloc();
  };
  BOOST_CHECK_THROW(ecga::solve(problem, options, test::device()), std::bad_alloc);
}

BOOST_AUTO_TEST_CASE(checkpoints_and_several_runs_are_of_one_population) {
  const auto problem = ecga::find_problem("nk5", 21, 8);
  const auto usual = ecga::usual_population(21);
  const test::Folder folder;
  ecga::Options options;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
  const auto alone = ecga::solve(problem, options, test::device());
  BOOST_TEST(alone.runs.empty());
  BOOST_TEST(alone.population == usual);
  // On the device that is given, and on the one that the work chooses.
  const std::shared_ptr<Device> devices[] = {non_owning(test::device())};
  const auto named = ecga::solve_runs(problem, {}, {2, {}, {}}, devices);
  const auto chosen = ecga::solve_runs(problem, {}, {2, {}, {}}, Devices::automatic());
  for (const auto* runs : {&named, &chosen})
    for (const auto& trial : runs->trials) BOOST_TEST(trial.result.population == usual);
  BOOST_TEST(named.checksum == chosen.checksum);
  BOOST_TEST(ecga::solve(problem, {}, Devices::automatic()).checksum ==
             ecga::solve(problem, {}, test::device()).checksum);
}

BOOST_AUTO_TEST_SUITE_END()

// Evaluations are the same on every device.
BOOST_AUTO_TEST_SUITE(growing_on_the_host)

BOOST_AUTO_TEST_CASE(traps_take_few_evaluations_more_than_of_the_least_population) {
  const std::shared_ptr<Device> devices[] = {test::host_of_three_threads()};
  for (const std::uint32_t length : {50U, 75U}) {
    const auto problem = ecga::find_problem("trap5", length, 1);
    ecga::Options options;
    const auto result = ecga::solve(problem, options, devices);
    BOOST_TEST(result.best_fitness == length);
    options.target = length;
    ecga::SizingOptions sizing;
    sizing.first = 1024;
    const auto least = ecga::find_population(problem, options, sizing, devices);
    BOOST_TEST_REQUIRE(least.population > 0U);
    BOOST_TEST(static_cast<double>(result.evaluations) <= 2.5 * static_cast<double>(least.last.result.evaluations));
  }
}

BOOST_AUTO_TEST_SUITE_END()
