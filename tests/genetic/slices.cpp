/// \file
/// Some islands evolve as in a run of all of them, and their results make the whole run's.
#include <clopt/checkpoint.hpp>
#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <clopt/genetic_problems.hpp>
#include <support/changed_record.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using genetic::Options;
using genetic::Problem;

struct Case {
  std::string name;
  Problem problem;
  Options options;
};

Options base_options(std::uint64_t population) {
  Options options;
  options.preset = "paper";
  options.population = population;
  options.generations = 7;
  options.seed = 11;
  options.keep_population = true;
  return options;
}

// Every kind of genes, selection, crossover and mutation; odd sizes around those of units and of work-groups.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](std::string name, Problem problem, Options options) {
    all.push_back({std::move(name), std::move(problem), std::move(options)});
  };
  const Problem bits{Objective::named("onemax"), 130, {}, {}};
  auto options = base_options(21);
  options.mutation = 0.01;
  add("bits", bits, options);
  options.selection = "sus";
  options.mutation = 0.2;
  add("universal sampling", bits, options);
  options.selection = "tournament";
  options.crossover_kind = "one-point";
  options.elites = 3;
  add("tournaments with elites", bits, options);

  const Problem reals{Objective::named("rastrigin"), 17, {}, {}};
  options = base_options(22);
  options.selection = "rank";
  options.crossover_kind = "simulated-binary";
  options.mutation_kind = "gaussian";
  add("reals", reals, options);
  options.precision = "double";
  options.crossover_kind = "line";
  options.mutation_kind = "polynomial";
  add("doubles", reals, options);

  auto text = Objective::from_text(
      "// clopt: integers\nreal objective(individual x) {\n  real sum = 0;\n  for (uint i = 0; i < genes(x); ++i) sum "
      "+= "
      "gene(x, i) * gene(x, i);\n  return sum;\n}\n",
      "squares");
  add("integers", {text, 9, {-40}, {50}}, base_options(13));

  options = base_options(15);
  options.preset = "auto";
  options.restart = 0;
  options.generations = 4;
  constexpr std::uint32_t cities = 12;
  std::vector<double> distances;
  for (std::uint32_t from = 0; from < cities; ++from)
    for (std::uint32_t to = 0; to < cities; ++to)
      distances.push_back(from == to ? 0 : 1 + (7 * (from + to) + 3 * from * to) % 41);
  const auto tour = genetic::tour(distances);
  add("tours, improved", tour, options);
  options.improve = "none";
  add("permutations", tour, options);
  return all;
}

std::vector<double> rows_of(const std::vector<double>& all, std::size_t first, std::size_t count) {
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

void check_part(const genetic::Result& part, const genetic::Result& whole, const WorkRange& range, const Case& of) {
  const std::size_t each = *of.options.population;
  const std::size_t genes = of.problem.genes;
  BOOST_TEST(part.population == rows_of(whole.population, range.first * each * genes, range.count * each * genes),
             boost::test_tools::per_element());
  BOOST_TEST(part.values == rows_of(whole.values, range.first * each, range.count * each),
             boost::test_tools::per_element());
  BOOST_TEST(part.island_fitness == rows_of(whole.island_fitness, range.first, range.count),
             boost::test_tools::per_element());
  BOOST_TEST(part.evaluations * whole.island_fitness.size() == whole.evaluations * range.count);
}

void check_merged(const genetic::Result& merged, const genetic::Result& whole) {
  BOOST_TEST(merged.checksum == whole.checksum);
  BOOST_TEST(merged.fitness == whole.fitness);
  BOOST_TEST(merged.genes == whole.genes, boost::test_tools::per_element());
  BOOST_TEST(merged.island_fitness == whole.island_fitness, boost::test_tools::per_element());
  BOOST_TEST(merged.population == whole.population, boost::test_tools::per_element());
  BOOST_TEST(merged.values == whole.values, boost::test_tools::per_element());
  BOOST_TEST(merged.generations == whole.generations);
  BOOST_TEST(merged.evaluations == whole.evaluations);
  BOOST_TEST((merged.ending == whole.ending));
}

// A run of all islands against those of its slices.
void compare(const Case& given, std::uint32_t islands, const std::vector<std::uint64_t>& divisions) {
  auto of = given;
  of.options.islands = islands;
  const auto whole = genetic::solve(of.problem, of.options, test::device());
  for (const auto count : divisions)
    BOOST_TEST_CONTEXT(of.name << ", " << islands << " islands in " << count << " slices, " << of.options.granularity) {
      std::vector<genetic::Result> parts;
      for (std::uint64_t number = 1; number <= count; ++number) {
        auto options = of.options;
        options.range = range_of({number, count}, islands);
        if (options.range->count == 0) continue;
        const auto part = genetic::solve(of.problem, options, test::device());
        check_part(part, whole, *options.range, of);
        parts.push_back(genetic::unpack(genetic::pack(part), options.range->count, of.problem.genes));
      }
      check_merged(genetic::merge(std::move(parts), true), whole);
    }
}

std::string refusal_of(const Problem& problem, const Options& options) {
  try {
    genetic::identity(problem, options);
  } catch (const InvalidInput& error) {
    auto ranged = options;
    ranged.range = WorkRange{0, 1};
    BOOST_CHECK_THROW(genetic::solve(problem, ranged, test::device()), InvalidInput);
    return error.what();
  }
  return "nothing was refused";
}

void check_refused(const Problem& problem, const Options& options, const std::string& naming) {
  const auto reported = refusal_of(problem, options);
  BOOST_TEST(reported.find(naming) != std::string::npos, reported);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_slices)

BOOST_AUTO_TEST_CASE(every_granularity_evolves_slices, *boost::unit_test::label("device")) {
  for (const std::string granularity : {"thread", "group", "gene", "subgroup", "subgroups", "hybrid", "fused"}) {
    // Each granularity of each case is a program of its own, which takes a compiler long.
    if (!test::tries_all() && granularity != "subgroup") continue;
    auto each = cases().front();
    each.options.granularity = granularity;
    compare(each, 3, {2});
    if (!test::tries_all()) continue;
    each = cases()[4];
    each.options.granularity = granularity;
    compare(each, 2, {2});
  }
}

BOOST_AUTO_TEST_CASE(slices_make_the_whole, *boost::unit_test::label("device")) {
  std::size_t number = 0;
  for (auto& each : cases()) {
    if (number++ % 3 != 0 && !test::tries_all()) continue;
    if (each.options.precision == "double" && !test::device().info().has_double) continue;
    each.options.granularity = "fused";
    compare(each, 3, {2});
  }
}

BOOST_AUTO_TEST_CASE(counts_that_do_not_fit) {
  for (auto& each : cases()) {
    each.options.granularity = "group";
    compare(each, 2, {1, 2, 3});
    compare(each, 7, {2, 3});
  }
}

// The wheel has sections, and its place is drawn with the island's number.
BOOST_AUTO_TEST_CASE(large_islands, *boost::unit_test::label("device")) {
  auto options = base_options(5000);
  options.generations = 2;
  for (const char* selection : {"roulette", "roulette-walk", "sus"}) {
    options.selection = selection;
    compare({"large islands", {Objective::named("sphere"), 3, {}, {}}, options}, 3, {2});
  }
}

BOOST_AUTO_TEST_CASE(each_slice_has_its_start_individuals) {
  auto each = cases()[3];
  // Of three islands the first is given whole, and the second in part.
  for (std::size_t i = 0; i < 30 * std::size_t{each.problem.genes}; ++i)
    each.options.initial.push_back(static_cast<double>(i % 101) / 25 - 2);
  each.options.generations = 0;
  compare(each, 3, {3});
  each.options.generations = 3;
  compare(each, 3, {1, 2, 3});
}

BOOST_AUTO_TEST_CASE(a_limit_of_evaluations_is_that_of_all_islands) {
  auto each = cases().front();
  each.options.generations.reset();
  each.options.evaluations = 21 * 3 * 5 + 20;
  compare(each, 3, {2, 3});
}

BOOST_AUTO_TEST_CASE(violations_of_slices) {
  auto text = Objective::from_text(
      "// clopt: reals, maximise\nreal objective(individual x) { return gene(x, 0) + gene(x, 1); }\n"
      "real violation(individual x) { return (real)1 + fabs(gene(x, 0)); }\n",
      "impossible");
  auto options = base_options(12);
  options.preset = "auto";
  options.restart = 0;
  options.islands = 3;
  const Problem problem{text, 2, {-1}, {1}};
  const auto whole = genetic::solve(problem, options, test::device());
  std::vector<genetic::Result> parts;
  for (std::uint64_t island = 0; island < 3; ++island) {
    options.range = WorkRange{island, 1};
    parts.push_back(genetic::solve(problem, options, test::device()));
  }
  const auto merged = genetic::merge(parts, true);
  BOOST_TEST(!merged.feasible);
  BOOST_TEST(merged.violation == whole.violation);
  BOOST_TEST(merged.fitness == whole.fitness);
  BOOST_TEST(merged.checksum == whole.checksum);
  BOOST_TEST(merged.violations == whole.violations, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(slices_continue_from_checkpoints_of_their_own) {
  auto each = cases().front();
  each.options.islands = 3;
  each.options.range = WorkRange{1, 2};
  const auto expected = genetic::solve(each.problem, each.options, test::device());
  const test::Folder folder;
  auto first = each.options;
  first.generations = 3;
  first.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "run");
  genetic::solve(each.problem, first, test::device());
  each.options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "run", "genetic"));
  BOOST_TEST(genetic::solve(each.problem, each.options, test::device()).checksum == expected.checksum);
  each.options.range = WorkRange{0, 2};
  BOOST_CHECK_THROW(genetic::solve(each.problem, each.options, test::device()), InvalidInput);
  each.options.range.reset();
  BOOST_CHECK_THROW(genetic::solve(each.problem, each.options, test::device()), InvalidInput);
}

BOOST_AUTO_TEST_CASE(islands_that_meet_are_not_divided) {
  const auto [name, problem, options] = cases().front();
  auto meeting = options;
  check_refused(problem, meeting, "single population");
  meeting.islands = 3;
  BOOST_TEST(refusal_of(problem, meeting) == "nothing was refused");
  meeting.migrate_every = 5;
  check_refused(problem, meeting, "mpirun");
  meeting.migrate_every = 0;
  meeting.target = 1;
  check_refused(problem, meeting, "`target`");
  meeting.target.reset();
  meeting.stagnation = 5;
  check_refused(problem, meeting, "`stagnation`");
  meeting.stagnation = 0;
  meeting.restart = 9;
  check_refused(problem, meeting, "`restart` is 9");
  meeting.restart = 0;
  for (const auto& range : {WorkRange{0, 0}, WorkRange{2, 2}, WorkRange{3, 1}, WorkRange{~std::uint64_t{0}, 2}}) {
    meeting.range = range;
    BOOST_CHECK_THROW(genetic::solve(problem, meeting, test::device()), InvalidInput);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_part_is_refused) {
  auto each = cases().front();
  each.options.islands = 2;
  const auto whole = genetic::solve(each.problem, each.options, test::device());
  BOOST_CHECK_THROW(genetic::pack(whole), InvalidInput);
  BOOST_CHECK_THROW(genetic::merge(std::vector<genetic::Result>{}), InvalidInput);
  BOOST_CHECK_THROW(genetic::merge({whole}), InvalidInput);
  each.options.range = WorkRange{0, 1};
  const auto part = genetic::solve(each.problem, each.options, test::device());
  const auto record = genetic::pack(part);
  BOOST_CHECK_THROW(genetic::unpack(record, 2, each.problem.genes), InvalidInput);
  BOOST_CHECK_THROW(genetic::unpack(record, 1, each.problem.genes + 1), InvalidInput);
  for (const auto& [name, values] : record.fields()) {
    // Slices of version 0.1 have none.
    if (name == "restarts") continue;
    BOOST_CHECK_THROW(genetic::unpack(test::without(record, name), 1, each.problem.genes), InvalidInput);
  }
  const auto shortened = test::with(record, "population", std::vector<std::uint32_t>{1});
  BOOST_CHECK_THROW(genetic::unpack(shortened, 1, each.problem.genes), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
