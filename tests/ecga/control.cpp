/// \file
/// How runs are controlled: limits, endings, progress, statistics, direction.
#include "runs.hpp"

#include <clopt/clopt.hpp>
#include <clopt/ecga_sizing.hpp>
#include <device/solver_devices.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using test::options_of;
using test::problem_of;

/// What a run has of a population that never changes: everyone is selected once, and nothing is mixed.
ecga::Options options_without_change() {
  auto options = options_of(100);
  options.tournament = 1;
  options.crossover = 0;
  return options;
}

ecga::Problem ones_to(Direction direction, const std::string& one) {
  auto objective =
      Objective::from_text("int objective_count(individual x, uint i) { return gene(x, i) ? " + one + " : 0; }");
  objective.set_kind(GeneKind::bits).set_direction(direction);
  return {objective, 30};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(control, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(default_options_run) {
  const auto result = ecga::solve(problem_of("trap5", 10), {}, test::device());
  BOOST_TEST(result.population == ecga::usual_population(10));
  BOOST_TEST(result.best_fitness == 10);
  BOOST_TEST((result.ending == Ending::complete));
  ecga::Options options;
  options.tournament = 1000;
  options.generations = 1;
  const auto large = ecga::solve(problem_of("trap5", 10), options, test::device());
  BOOST_TEST(large.population == 1000U);
  BOOST_TEST(large.evaluations == 2000U);
}

BOOST_AUTO_TEST_CASE(limits_end_a_run) {
  const auto problem = problem_of("trap5", 35);
  auto options = options_of(500);
  options.generations = 0;
  auto result = ecga::solve(problem, options, test::device());
  BOOST_TEST((result.ending == Ending::generations));
  BOOST_TEST(result.evaluations == 500U);
  options.generations = 2;
  result = ecga::solve(problem, options, test::device());
  BOOST_TEST((result.ending == Ending::generations));
  BOOST_TEST(result.generations == 2U);

  options = options_of(500);
  for (const auto& [limit, evaluations] : {std::pair{1U, 500U}, {500U, 500U}, {501U, 1000U}, {1200U, 1500U}}) {
    options.evaluations = limit;
    result = ecga::solve(problem, options, test::device());
    BOOST_TEST((result.ending == Ending::evaluations));
    BOOST_TEST(result.evaluations == evaluations);
    BOOST_TEST(result.generations == evaluations / 500 - 1);
  }

  options = options_of(500);
  options.target = 0;
  result = ecga::solve(problem, options, test::device());
  BOOST_TEST((result.ending == Ending::target));
  BOOST_TEST(result.generations == 0U);
  // Between the best of the first generation and the optimum.
  options.target = result.best_fitness + 1;
  result = ecga::solve(problem, options, test::device());
  BOOST_TEST((result.ending == Ending::target));
  BOOST_TEST(result.generations > 0U);
  BOOST_TEST(result.best_fitness >= *options.target);

  options = options_of(500);
  RunControl control;
  control.time_limit = 0;
  result = ecga::solve(problem, options, test::device(), control);
  BOOST_TEST((result.ending == Ending::time));
  BOOST_TEST(result.generations == 0U);
  std::stop_source stop;
  stop.request_stop();
  control = {};
  control.stop = stop.get_token();
  result = ecga::solve(problem, options, test::device(), control);
  BOOST_TEST(result.interrupted());
  BOOST_TEST(result.generations == 0U);
}

BOOST_AUTO_TEST_CASE(stagnation_ends_a_run) {
  const auto problem = problem_of("onemax", 40);
  auto options = options_without_change();
  for (const std::uint64_t generations : {1U, 4U}) {
    options.stagnation = generations;
    const auto result = ecga::solve(problem, options, test::device());
    BOOST_TEST((result.ending == Ending::stagnation));
    BOOST_TEST(result.generations == generations);
  }
  options.stagnation = 0;
  options.generations = 60;
  BOOST_TEST((ecga::solve(problem, options, test::device()).ending == Ending::generations));
  options.generations.reset();
  options.stagnation = 4;
  // It is counted from the very start.
  const test::Folder folder;
  options.generations = 3;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
  BOOST_TEST((ecga::solve(problem, options, test::device()).ending == Ending::generations));
  options.generations.reset();
  options.checkpoint.reset();
  options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "state", ""));
  BOOST_TEST(ecga::solve(problem, options, test::device()).generations == 4U);
  // Selection alone makes the mean better while the best stays: that is no stagnation until the mean stays too.
  options = options_of(400);
  options.crossover = 0;
  options.stagnation = 1;
  std::vector<double> means;
  double best = 0;
  options.statistics = [&](const ecga::Statistics& row) {
    BOOST_TEST((row.generation == 0 || row.best == best));
    best = row.best;
    means.push_back(row.mean);
  };
  const auto selected = ecga::solve(problem, options, test::device());
  BOOST_TEST((selected.ending == Ending::stagnation || selected.ending == Ending::complete));
  BOOST_TEST_REQUIRE(means.size() > 2U);
  for (std::size_t i = 1; i + 1 < means.size(); ++i) BOOST_TEST(means[i] > means[i - 1]);
  if (selected.ending == Ending::stagnation) BOOST_TEST(means.back() <= means[means.size() - 2]);
}

BOOST_AUTO_TEST_CASE(statistics_have_each_generation) {
  const auto problem = problem_of("trap5", 20);
  auto options = options_of(600);
  std::vector<ecga::Statistics> rows;
  std::vector<ecga::Model> models;
  options.keep_models = true;
  options.statistics = [&](const ecga::Statistics& row) {
    BOOST_TEST(row.model.empty() == (row.generation == 0));
    if (row.generation != 0) models.emplace_back(row.model.begin(), row.model.end());
    rows.push_back(row);
  };
  const auto result = ecga::solve(problem, options, test::device());
  BOOST_TEST_REQUIRE(rows.size() == result.generations + 1);
  double best = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    best = std::max(best, rows[i].best);
    BOOST_TEST(rows[i].generation == i);
    BOOST_TEST(rows[i].evaluations == 600 * (i + 1));
    BOOST_TEST(rows[i].best_so_far == best);
    BOOST_TEST(rows[i].worst <= rows[i].mean);
    BOOST_TEST(rows[i].mean <= rows[i].best);
  }
  BOOST_TEST(best == result.best_fitness);
  // The last of those that have the fewest groups.
  std::size_t shown = 0;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (models[i].size() <= models[shown].size()) shown = i;
  BOOST_TEST(result.model_generation == shown + 1);
  BOOST_TEST((result.model == models[shown]));
  BOOST_TEST_REQUIRE(result.models.size() == models.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    BOOST_TEST(result.models[i].generation == i + 1);
    BOOST_TEST((result.models[i].model == models[i]));
  }
}

BOOST_AUTO_TEST_CASE(progress_has_the_best_so_far) {
  const auto problem = problem_of("onemax", 40);
  RunControl control;
  control.progress_interval = 0;
  double best = 0;
  std::size_t calls = 0;
  control.progress = [&](const Progress& progress) {
    ++calls;
    BOOST_TEST(progress.done >= 0.0);
    BOOST_TEST(progress.done <= 1.0);
    BOOST_TEST_REQUIRE(progress.best.has_value());
    BOOST_TEST(*progress.best >= best);
    best = *progress.best;
    BOOST_TEST(progress.best_point.size() == 40U);
    BOOST_TEST(std::count(progress.best_point.begin(), progress.best_point.end(), 1.0) == best);
    return true;
  };
  const auto result = ecga::solve(problem, options_of(200), test::device(), control);
  BOOST_TEST(best == result.best_fitness);
  BOOST_TEST(calls > result.generations);
}

BOOST_AUTO_TEST_CASE(a_progress_callback_that_returns_false_ends_the_run_as_the_stop_token_does) {
  const auto problem = problem_of("trap5", 35);
  for (const bool predicts : {true, false})
    for (const std::size_t last : {1U, 2U, 3U, 6U}) {
      auto options = options_of(500);
      if (!predicts) options.guesses = 1;
      std::size_t calls = 0;
      RunControl control;
      control.progress_interval = 0;
      control.progress = [&](const Progress&) { return ++calls < last; };
      const auto ended = ecga::solve(problem, options, test::device(), control);
      BOOST_TEST(calls == last);
      BOOST_TEST(ended.interrupted());

      std::stop_source stop;
      calls = 0;
      control.stop = stop.get_token();
      control.progress = [&](const Progress&) {
        if (++calls == last) stop.request_stop();
        return true;
      };
      const auto stopped = ecga::solve(problem, options, test::device(), control);
      BOOST_TEST(calls == last);
      BOOST_TEST(stopped.interrupted());
      BOOST_TEST(stopped.checksum == ended.checksum);
      BOOST_TEST(stopped.launches == ended.launches);
      if (last == 1) {
        options.generations = 0;
        BOOST_TEST(ecga::solve(problem, options, test::device()).launches == ended.launches);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_progress_callback_that_returns_false_ends_all_runs_of_a_sizing) {
  const auto problem = problem_of("trap5", 20);
  ecga::Options options;
  options.target = 20;
  const std::shared_ptr<Device> devices[] = {non_owning(test::device())};
  using Size = ecga::Sizing(const ecga::Problem&, const ecga::Options&, const ecga::SizingOptions&,
                            std::span<const std::shared_ptr<Device>>, const RunControl&);
  for (Size* const size : {static_cast<Size*>(ecga::find_population), static_cast<Size*>(ecga::double_population)})
    for (const std::size_t last : {1U, 4U}) {
      std::size_t calls = 0;
      std::size_t trials = 0;
      RunControl control;
      control.progress_interval = 0;
      control.progress = [&](const Progress&) { return ++calls < last; };
      ecga::SizingOptions sizing;
      sizing.trial = [&](const ecga::Trial& trial) {
        ++trials;
        BOOST_TEST(!trial.success);
      };
      const auto found = size(problem, options, sizing, std::span(devices), control);
      BOOST_TEST(calls == last);
      BOOST_TEST(found.population == 0U);
      BOOST_TEST(trials == found.runs + 1);
    }
  std::size_t calls = 0;
  RunControl control;
  control.progress = [&](const Progress&) { return ++calls < 2; };
  control.progress_interval = 0;
  BOOST_TEST(!ecga::tune(test::device(), control).has_value());
  BOOST_TEST(calls == 2U);
}

BOOST_AUTO_TEST_CASE(sizing_is_of_runs_with_a_target_and_without_checkpoints) {
  const auto problem = problem_of("trap5", 20);
  const std::shared_ptr<Device> devices[] = {non_owning(test::device())};
  const auto refuses = [&](const ecga::Options& options, const std::string& part) {
    BOOST_CHECK_EXCEPTION(ecga::find_population(problem, options, {}, devices), InvalidInput,
                          [&](const auto& error) { return std::string(error.what()).find(part) != std::string::npos; });
  };
  ecga::Options options;
  refuses(options, "`target` is missing");
  options.target = 20;
  const test::Folder folder;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
  refuses(options, "`checkpoint` belongs to one run");
}

BOOST_AUTO_TEST_CASE(an_objective_that_is_minimised_is_the_maximised_one_with_its_sign_changed) {
  const auto minimised = ones_to(Direction::minimise, "1");
  const auto maximised = ones_to(Direction::maximise, "-1");
  BOOST_TEST(!ecga::maximises(minimised));
  BOOST_TEST(ecga::maximises(maximised));
  auto options = options_of(300);
  std::vector<ecga::Statistics> rows;
  options.statistics = [&](const ecga::Statistics& row) { rows.push_back(row); };
  const auto negative = ecga::solve(maximised, options, test::device());
  const auto expected = std::move(rows);
  rows.clear();
  const auto result = ecga::solve(minimised, options, test::device());
  BOOST_TEST(result.best_fitness == 0);
  BOOST_TEST(std::count(result.best_genes.begin(), result.best_genes.end(), 0) == 30);
  BOOST_TEST(negative.best_fitness == 0);
  BOOST_TEST(result.generations == negative.generations);
  BOOST_TEST((result.model == negative.model));
  BOOST_TEST_REQUIRE(rows.size() == expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BOOST_TEST(rows[i].best == -expected[i].best);
    BOOST_TEST(rows[i].mean == -expected[i].mean);
    BOOST_TEST(rows[i].worst == -expected[i].worst);
    BOOST_TEST(rows[i].best_so_far == -expected[i].best_so_far);
  }
  options.statistics = {};
  options.target = 3;
  const auto reached = ecga::solve(minimised, options, test::device());
  BOOST_TEST((reached.ending == Ending::target));
  BOOST_TEST(reached.best_fitness <= 3);
  BOOST_TEST(reached.generations > 0U);
  // A built-in objective is maximised, whatever its own direction.
  BOOST_TEST((Objective::named("onemax").direction() == Direction::minimise));
  BOOST_TEST(ecga::maximises(problem_of("onemax", 30)));
  BOOST_TEST(ecga::solve(problem_of("onemax", 30), options_of(300), test::device()).best_fitness == 30);
}

BOOST_AUTO_TEST_SUITE_END()
