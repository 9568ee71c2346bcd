/// \file
/// Runs that resume from checkpoints: their own, and no other.
#include "runs.hpp"

#include <clopt/clopt.hpp>
#include <clopt/ecga_sizing.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace {

using namespace clopt;
using test::options_of;
using test::problem_of;

std::shared_ptr<const Checkpoint> read(const std::filesystem::path& file) {
  return std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(checkpoints, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(models_of_before_stay_with_the_run) {
  const auto problem = problem_of("trap5", 20);
  auto options = options_of(700);
  options.keep_models = true;
  const auto whole = ecga::solve(problem, options, test::device());
  BOOST_TEST(whole.model_generation < whole.generations);
  const test::Folder folder;
  for (std::uint64_t stop = 1; stop < whole.generations; ++stop) {
    auto begun = options;
    begun.generations = stop;
    begun.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state", "", 0);
    ecga::solve(problem, begun, test::device());
    auto rest = options;
    rest.resume = read(folder.path() / "state");
    const auto resumed = ecga::solve(problem, rest, test::device());
    BOOST_TEST(resumed.checksum == whole.checksum);
    BOOST_TEST(resumed.model_generation == whole.model_generation);
    BOOST_TEST((resumed.model == whole.model));
    BOOST_TEST_REQUIRE(resumed.models.size() == whole.models.size());
    for (std::size_t i = 0; i < whole.models.size(); ++i) {
      BOOST_TEST(resumed.models[i].generation == whole.models[i].generation);
      BOOST_TEST((resumed.models[i].model == whole.models[i].model));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_run_continues_where_it_stopped) {
  const auto problem = problem_of("trap5", 35);
  const auto whole = ecga::solve(problem, options_of(500), test::device());
  const test::Folder folder;
  auto options = options_of(500);
  options.generations = 2;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state", "", 0);
  ecga::solve(problem, options, test::device());
  options = options_of(500);
  options.resume = read(folder.path() / "state");
  BOOST_TEST(options.resume->solver() == "ecga");
  BOOST_TEST(options.resume->number<std::uint64_t>("generation") == 2U);
  const auto resumed = ecga::solve(problem, options, test::device());
  BOOST_TEST(resumed.checksum == whole.checksum);
  BOOST_TEST((resumed.model == whole.model));
  BOOST_TEST((resumed.best_genes == whole.best_genes));
  BOOST_TEST(resumed.generations == whole.generations);
  BOOST_TEST(resumed.evaluations == whole.evaluations);
  // The population that 0 stands for is the one of the checkpoint's run.
  const test::Folder other;
  ecga::Options usual;
  usual.generations = 1;
  usual.checkpoint = std::make_shared<CheckpointWriter>(other.path() / "state");
  ecga::solve(problem_of("trap5", 10), usual, test::device());
  usual = {};
  usual.population = ecga::usual_population(10);
  usual.resume = read(other.path() / "state");
  BOOST_TEST(ecga::solve(problem_of("trap5", 10), usual, test::device()).best_fitness == 10);
}

// The pairs of these individuals are counted in several launches, between which a run ends. The generation that was
// left is made again.
BOOST_AUTO_TEST_CASE(a_run_ends_within_a_generation) {
  const auto problem = problem_of("trap5", 600);
  auto options = options_of(24'000);
  options.generations = 1;
  const auto whole = ecga::solve(problem, options, test::device());
  std::size_t most_calls = 0;
  for (std::size_t last = 1; last <= 4; ++last) {
    const test::Folder folder;
    auto cut = options;
    cut.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state", "", 0);
    RunControl control;
    control.progress_interval = 0;
    std::size_t calls = 0;
    control.progress = [&](const Progress& progress) {
      BOOST_TEST(progress.best_point.size() == 600U);
      return ++calls < last;
    };
    const auto result = ecga::solve(problem, cut, test::device(), control);
    BOOST_TEST((result.ending == Ending::interrupted));
    BOOST_TEST(result.generations == 0U);
    BOOST_TEST(result.best_genes.size() == 600U);
    most_calls = std::max(most_calls, calls);
    auto rest = options;
    rest.resume = read(folder.path() / "state");
    BOOST_TEST(ecga::solve(problem, rest, test::device()).checksum == whole.checksum);
  }
  BOOST_TEST(most_calls == 4U);
}

BOOST_AUTO_TEST_CASE(a_run_continues_with_other_limits_and_another_way_of_counting) {
  const auto problem = problem_of("trap5", 35);
  const auto whole = ecga::solve(problem, options_of(500), test::device());
  const test::Folder folder;
  auto options = options_of(500);
  options.generations = 1;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
  ecga::solve(problem, options, test::device());
  options = options_of(500);
  options.resume = read(folder.path() / "state");
  options.generations = 1000;
  options.evaluations = 1'000'000;
  options.stagnation = 1000;
  options.target = 1000;
  options.guesses = 3;
  options.least_shared = 7;
  options.counting = "table";
  const auto resumed = ecga::solve(problem, options, test::device());
  BOOST_TEST(resumed.checksum == whole.checksum);
  options.evaluations = 1500;
  BOOST_TEST((ecga::solve(problem, options, test::device()).ending == Ending::evaluations));
}

BOOST_AUTO_TEST_CASE(no_run_continues_from_another_one_s_state) {
  ecga::Problem problem{
      Objective::from_text("int objective_count(individual x, uint i) { return gene(x, i) ? W : 0; }"), 35};
  problem.objective.set_kind(GeneKind::bits).constant("W", 2);
  const test::Folder folder;
  auto options = options_of(500);
  options.generations = 1;
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
  ecga::solve(problem, options, test::device());
  options.checkpoint.reset();
  options.resume = read(folder.path() / "state");
  BOOST_TEST(ecga::solve(problem, options, test::device()).generations == 1U);

  const auto refuses = [&](const std::string& entry,
                           const std::function<void(ecga::Problem&, ecga::Options&)>& change) {
    auto other = problem;
    auto own = options;
    change(other, own);
    BOOST_TEST_CONTEXT(entry)
    BOOST_CHECK_EXCEPTION(ecga::solve(other, own, test::device()), InvalidInput, [&](const InvalidInput& error) {
      BOOST_TEST_MESSAGE(error.what());
      return std::string(error.what()).find("its run has the `" + entry + "` ") != std::string::npos;
    });
  };
  refuses("objective", [](auto& other, auto&) { other.objective = Objective::named("onemax"); });
  refuses("objective", [&](auto& other, auto&) {
    other.objective = Objective::from_text(problem.objective.text()).set_kind(GeneKind::bits).constant("W", 3);
  });
  refuses("direction", [](auto& other, auto&) { other.objective.set_direction(Direction::minimise); });
  refuses("length", [](auto& other, auto&) { other.length = 34; });
  refuses("population", [](auto&, auto& own) { own.population = 501; });
  refuses("population", [](auto&, auto& own) { own.population = 0; });
  refuses("seed", [](auto&, auto& own) { own.seed = 2; });
  refuses("search", [](auto&, auto& own) { own.search = "mating"; });
  refuses("tournament", [](auto&, auto& own) { own.tournament = 4; });
  refuses("crossover", [](auto&, auto& own) { own.crossover = 0.5; });
  refuses("largest_group", [](auto&, auto& own) { own.largest_group = 9; });
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_another_solver_is_refused) {
  const test::Folder folder;
  Record state(RunIdentity("genetic"));
  CheckpointWriter(folder.path() / "state").write(state);
  auto options = options_of(500);
  options.resume = read(folder.path() / "state");
  BOOST_CHECK_EXCEPTION(
      ecga::solve(problem_of("trap5", 35), options, test::device()), InvalidInput,
      [](const auto& error) { return std::string(error.what()).find("genetic") != std::string::npos; });
}

BOOST_AUTO_TEST_SUITE_END()
