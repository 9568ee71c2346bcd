/// \file
/// How runs resume from checkpoints, and from which they must not.
#include <clopt/checkpoint.hpp>
#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "refusal.hpp"

namespace {

using namespace clopt;

genetic::Options options_of_run(std::uint64_t generations) {
  genetic::Options options;
  options.preset = "paper";
  options.population = 49;
  options.generations = generations;
  options.granularity = "group";
  return options;
}

// The checkpoint at the end of a run.
std::shared_ptr<const Checkpoint> checkpoint_of(const genetic::Problem& problem, genetic::Options options) {
  const test::Folder folder;
  const auto file = folder.path() / "run";
  options.checkpoint = std::make_shared<CheckpointWriter>(file);
  genetic::solve(problem, options, test::device());
  return std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
}

using test::refusal;

struct Change {
  std::function<void(genetic::Problem&, genetic::Options&)> make;
  std::string reported;
};

// A checkpoint is refused with each change of the problem and the options, which is named; without any it resumes.
void check_identity(const genetic::Problem& problem, genetic::Options options, const std::vector<Change>& changes) {
  options.generations = 2;
  options.resume = checkpoint_of(problem, options);
  options.generations = 3;
  BOOST_TEST(genetic::solve(problem, options, test::device()).generations == 3U);
  for (const auto& [make, reported] : changes) {
    auto other = problem;
    auto changed = options;
    make(other, changed);
    const auto message = refusal(other, changed);
    BOOST_TEST(message.find("its run has the " + reported) != message.npos, message << " does not tell " << reported);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_checkpoints)

BOOST_AUTO_TEST_CASE(a_run_continues_as_if_it_had_never_stopped, *boost::unit_test::label("device")) {
  const genetic::Problem problem{Objective::named("onemax"), 200, {}, {}};
  auto options = options_of_run(14);
  options.elites = 3;
  const auto whole = genetic::solve(problem, options, test::device());
  options.generations = 6;
  options.granularity = "fused";
  options.resume = checkpoint_of(problem, options);
  BOOST_TEST(options.resume->solver() == "genetic");
  options.generations = 14;
  for (const char* granularity : {"group", "gene"}) {
    options.granularity = granularity;
    const auto resumed = genetic::solve(problem, options, test::device());
    BOOST_TEST(resumed.checksum == whole.checksum);
    BOOST_TEST(resumed.generations == 14U);
    BOOST_TEST(resumed.evaluations == whole.evaluations);
  }
}

// Limits and execution may change.
BOOST_AUTO_TEST_CASE(limits_are_not_part_of_a_run) {
  const genetic::Problem problem{Objective::named("onemax"), 60, {}, {}};
  auto options = options_of_run(4);
  options.resume = checkpoint_of(problem, options);
  options.generations.reset();
  options.evaluations = 49 * 8;
  options.stagnation = 1000;
  options.target = -1;
  options.granularity = "thread";
  options.individuals_per_group = 3;
  const auto resumed = genetic::solve(problem, options, test::device());
  BOOST_TEST((resumed.ending == Ending::evaluations));
  BOOST_TEST(resumed.checksum == genetic::solve(problem, options_of_run(7), test::device()).checksum);
  options.target = 60;
  BOOST_TEST((genetic::solve(problem, options, test::device()).ending == Ending::target));
}

BOOST_AUTO_TEST_CASE(no_run_continues_from_another_one_of_bits) {
  const genetic::Problem problem{Objective::named("onemax"), 60, {}, {}};
  auto options = options_of_run(2);
  options.islands = 2;
  options.migrate_every = 5;
  options.elites = 1;
  options.selection = "tournament";
  using P = genetic::Problem;
  using O = genetic::Options;
  check_identity(
      problem, options,
      {{[](P& p, O&) { p.objective = Objective::named("hiff"); }, "`objective`"},
       {[](P& p, O&) { p.objective.set_direction(Direction::maximise); }, "`objective`"},
       {[](P& p, O&) { p.genes = 61; }, "`genes` 60, and this one has 61"},
       {[](P&, O& o) { o.precision = "double"; }, "`precision` float, and this one has double"},
       {[](P&, O& o) { o.seed = 2; }, "`seed` 1, and this one has 2"},
       {[](P&, O& o) { o.population = 50; }, "`population` 49, and this one has 50"},
       {[](P&, O& o) { o.islands = 3; }, "`islands` 2, and this one has 3"},
       {[](P&, O& o) { o.elites = 0; }, "`elites` 1, and this one has 0"},
       {[](P&, O& o) { o.migrate_every = 6; }, "`migrate_every` 5, and this one has 6"},
       {[](P&, O& o) { o.migrants = 2; }, "`migrants` 1, and this one has 2"},
       {[](P&, O& o) { o.selection = "sus"; }, "`selection` tournament, and this one has sus"},
       {[](P&, O& o) { o.tournament = 3; }, "`tournament` 2, and this one has 3"},
       {[](P&, O& o) { o.crossover_kind = "uniform"; }, "`crossover_kind` two-point, and this one has uniform"},
       {[](P&, O& o) { o.crossover = 0.7; }, "`crossover` 0.8, and this one has 0.7"},
       {[](P&, O& o) { o.mutation = 0.1; }, "`mutation` 0.0001, and this one has 0.1"}});
  options.selection = "rank";
  check_identity(problem, options, {{[](P&, O& o) { o.rank_pressure = 1.5; }, "`rank_pressure` 2"}});
}

BOOST_AUTO_TEST_CASE(no_run_continues_from_another_one_of_numbers) {
  const genetic::Problem problem{Objective::named("sphere"), 4, {-2}, {2}};
  using P = genetic::Problem;
  using O = genetic::Options;
  auto options = options_of_run(2);
  check_identity(
      problem, options,
      {{[](P& p, O&) { p.lower = {-3}; }, "`lower` -2, and this one has -3"},
       {[](P& p, O&) { p.upper = {3}; }, "`upper` 2, and this one has 3"},
       {[](P& p, O&) {
          p.lower = {-2, -2, -1, -2};
        },
        "`lower` -2"},
       {[](P& p, O&) { p.objective = Objective::from_text(p.objective.text() + "\n", "sphere"); }, "`objective`"},
       {[](P&, O& o) { o.line_extension = 0.5; }, "`line_extension` 0.25, and this one has 0.5"},
       {[](P&, O& o) { o.mutation_kind = "gaussian"; }, "`mutation_kind` step, and this one has gaussian"},
       {[](P&, O& o) { o.step = 0.01; }, "`step` none, and this one has 0.01"}});
  options.crossover_kind = "simulated-binary";
  options.mutation_kind = "polynomial";
  check_identity(problem, options,
                 {{[](P&, O& o) { o.distribution_index = 3; }, "`distribution_index` 15, and this one has 3"},
                  {[](P&, O& o) { o.mutation_index = 3; }, "`mutation_index` 20, and this one has 3"}});
}

// Functions have no text: their kinds of genes distinguish them.
BOOST_AUTO_TEST_CASE(the_kind_of_genes_is_part_of_a_run) {
  auto options = options_of_run(1);
  const genetic::Problem reals{Objective::from_real_function([](std::span<const double>) { return 1.0; }), 3, {0}, {1}};
  const genetic::Problem integers{
      Objective::from_integer_function([](std::span<const std::int32_t>) { return 1.0; }), 3, {0}, {1}};
  if (!test::device().info().launches_are_calls) return;
  options.resume = checkpoint_of(reals, options);
  const auto message = refusal(integers, options);
  BOOST_TEST(message.find("its run has the `objective`") != message.npos, message);
}

// The start population is in the checkpoint's state: it may be left out, or be the same.
BOOST_AUTO_TEST_CASE(the_start_population_may_be_left_out) {
  const genetic::Problem problem{Objective::named("onemax"), 30, {}, {}};
  auto options = options_of_run(3);
  options.initial.assign(30, 1.0);
  options.resume = checkpoint_of(problem, options);
  auto whole = options;
  whole.resume = nullptr;
  whole.generations = 5;
  const auto expected = genetic::solve(problem, whole, test::device()).checksum;
  options.generations = 5;
  BOOST_TEST(genetic::solve(problem, options, test::device()).checksum == expected);
  options.initial.clear();
  BOOST_TEST(genetic::solve(problem, options, test::device()).checksum == expected);
  // A checkpoint of the resumed run knows it, too.
  options.generations = 4;
  options.resume = checkpoint_of(problem, options);
  options.generations = 5;
  options.initial.assign(30, 0.0);
  const auto message = refusal(problem, options);
  BOOST_TEST(message.find("did not begin with these individuals of `initial`") != message.npos, message);
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_another_solver_is_refused) {
  const test::Folder folder;
  const auto file = folder.path() / "other";
  CheckpointWriter writer(file);
  Record state{RunIdentity("ecga")};
  writer.write(state);
  auto options = options_of_run(3);
  options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
  const auto message = refusal({Objective::named("onemax"), 30, {}, {}}, options);
  BOOST_TEST(message.find("a run of ecga wrote it, and genetic cannot resume it") != message.npos, message);
}

BOOST_AUTO_TEST_SUITE_END()
