/// \file
/// Local search of individuals, against values that are computed here.
#include "known_problems.hpp"
#include "runs.hpp"

#include <clopt/checkpoint.hpp>
#include <clopt/clopt.hpp>
#include <clopt/ecga_problems.hpp>
#include <clopt/ecga_sizing.hpp>
#include <support/batch_function.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using test::formula;
using test::Known;
using test::nk;
using test::spin_glass;

Objective text(const std::string& code, const std::string& direction = "maximise") {
  return Objective::from_text("// clopt: bits, " + direction + "\n" + code);
}

/// The ones, but that each pair of the same value costs three.
Known pairs(std::uint32_t length, const std::string& direction) {
  const auto* const code =
      "real objective_term(individual x, uint i) {\n"
      "  const int equal = i + 2u < genes(x) && gene(x, i) == gene(x, i + 2u);\n"
      "  return (real)((int)gene(x, i) - 3 * equal);\n"
      "}\n";
  return {{text(code, direction), length}, [](const test::Genes& genes) {
            double sum = 0;
            for (std::size_t i = 0; i < genes.size(); ++i)
              sum += static_cast<double>(genes[i]) - (i + 2 < genes.size() && genes[i] == genes[i + 2] ? 3 : 0);
            return sum;
          }};
}

std::vector<Known> known_problems() {
  return {nk(2, 7),
          nk(5, 49),
          nk(3, 33),
          spin_glass(2),
          spin_glass(7),
          formula(1, 0),
          formula(31, 0),
          formula(65, 500),
          pairs(1, "maximise"),
          pairs(49, "maximise"),
          pairs(32, "minimise")};
}

test::Genes genes_of(const test::RunState& state, std::size_t individuals, std::size_t i, std::uint32_t length) {
  test::Genes genes(length);
  for (std::uint32_t locus = 0; locus < length; ++locus)
    genes[locus] = test::bit(state.population, individuals, i, locus);
  return genes;
}

/// The objective as a text of the caller's, of which the solver does not know the parts.
ecga::Problem as_text(const ecga::Problem& problem) {
  const auto& name = problem.objective.name();
  std::ifstream file(std::string(CLOPT_TEST_DATA) + "/../../../kernels_cl/builtin_objectives/" + name + ".cl");
  std::string code{std::istreambuf_iterator<char>(file), {}};
  const std::string word = "table_value(";
  for (std::size_t at = 0; (at = code.find(word, at)) != std::string::npos;) code.replace(at, word.size(), "numbers(");
  return {Objective::from_text(code).table("numbers", problem.objective.table_values()), problem.length};
}

/// States after each generation up to the second, as far as there are any.
std::vector<test::RunState> first_states(const ecga::Problem& problem, ecga::Options options) {
  const test::Folder folder;
  std::vector<test::RunState> states;
  for (std::uint64_t generation = 0; generation <= 2; ++generation) {
    options.generations = generation;
    options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
    ecga::solve(problem, options, test::device());
    states.emplace_back(Checkpoint::read(folder.path() / "state", "ecga"));
  }
  return states;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ecga_improvement, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(no_flip_improves_an_individual) {
  for (const auto& known : known_problems())
    for (const std::string improve : {"flips", "blocks"})
      for (const std::size_t individuals : {std::size_t{8}, std::size_t{257}}) {
        auto options = test::options_of(individuals);
        options.improve = improve;
        options.precision = "float";
        options.stagnation = 0;
        const auto length = known.problem.length;
        const double sign = ecga::maximises(known.problem) ? 1 : -1;
        BOOST_TEST_CONTEXT(known.problem.objective.name() << " of " << length << ", " << improve << ", " << individuals)
        for (const auto& state : first_states(known.problem, options))
          for (std::size_t i = 0; i < individuals; ++i) {
            auto genes = genes_of(state, individuals, i, length);
            const auto own = sign * known.value(genes);
            BOOST_REQUIRE_CLOSE_FRACTION(own, static_cast<double>(state.fitness[i]), 1e-5);
            for (auto& gene : genes) {
              gene ^= 1;
              BOOST_REQUIRE_LE(sign * known.value(genes), own + 1e-9);
              gene ^= 1;
            }
          }
      }
}

BOOST_AUTO_TEST_CASE(parts_and_whole_individuals_come_to_the_same) {
  const auto landscape = ecga::nearest_neighbour_nk(7, 49, 7);
  const auto glass = ecga::ising(6, 2);
  for (const std::string precision : {"float", "double"}) {
    if (precision == "double" && !test::device().info().has_double) continue;
    for (const std::string improve : {"flips", "blocks"})
      for (const auto& problem : {landscape, glass}) {
        auto options = test::options_of(131);
        options.improve = improve;
        options.generations = 3;
        options.precision = precision;
        const auto by_parts = ecga::solve(problem, options, test::device());
        const auto whole = ecga::solve(as_text(problem), options, test::device());
        BOOST_TEST(by_parts.checksum == whole.checksum);
        BOOST_TEST(by_parts.evaluations == whole.evaluations);
      }
  }
}

BOOST_AUTO_TEST_CASE(states_are_those_of_every_device) {
  struct Case {
    const char* improve;
    std::uint64_t population;
    std::uint64_t checksum;
    std::uint64_t evaluations;
  };
  for (const auto& known :
       {Case{"flips", 300, 3116078269269102566U, 162792}, Case{"blocks", 301, 1553669617908562669U, 189964},
        Case{"blocks", 1300, 13958247483919410010U, 787171}}) {
    auto options = test::options_of(known.population);
    options.improve = known.improve;
    options.generations = 3;
    const auto result = ecga::solve(ecga::find_problem("nk7", 49, 1), options, test::device());
    BOOST_TEST(result.checksum == known.checksum);
    BOOST_TEST(result.evaluations == known.evaluations);
  }
}

BOOST_AUTO_TEST_CASE(tries_are_evaluations) {
  // A pass sets each locus to one, and the next one begins after the last that it has set.
  for (const std::uint32_t length : {1U, 7U, 64U}) {
    ecga::Problem problem{Objective::named("onemax"), length};
    auto options = test::options_of(33);
    options.improve = "flips";
    options.generations = 0;
    const auto result = ecga::solve(problem, options, test::device());
    BOOST_TEST(result.best_fitness == length);
    BOOST_TEST(result.converged);
    BOOST_TEST(result.evaluations >= 33U * (1 + length));
    BOOST_TEST(result.evaluations <= 33U * 2 * length);
  }
}

BOOST_AUTO_TEST_CASE(where_launches_end_does_not_matter) {
  const auto problem = ecga::find_problem("nk7", 49, 4);
  auto options = test::options_of(401);
  options.generations = 4;
  RunControl control;
  control.progress_interval = 0;
  int calls = 0;
  control.progress = [&](const Progress&) { return ++calls > 0; };
  const auto whole = ecga::solve(problem, options, test::device(), control);
  // However late a run is ended, it comes to the same once it is resumed.
  const int all_calls = calls;
  unsigned later = 0;  // than in the first search
  for (int cut_at = 1; cut_at <= 12; ++cut_at) {
    const test::Folder folder;
    auto cut = options;
    cut.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state", "", 0);
    int left = std::max(all_calls * cut_at / 13, 1);
    control.progress = [&](const Progress&) { return --left > 0; };
    later += ecga::solve(problem, cut, test::device(), control).generations > 0 ? 1 : 0;
    auto rest = options;
    rest.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "state", "ecga"));
    const auto resumed = ecga::solve(problem, rest, test::device());
    BOOST_TEST(resumed.checksum == whole.checksum);
    BOOST_TEST(resumed.evaluations == whole.evaluations);
  }
  BOOST_TEST(later > 4U);
  // The initial population, whose improvement ends at once, is improved by the run that resumes.
  const test::Folder folder;
  auto cut = options;
  cut.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state", "", 0);
  control.progress = nullptr;
  control.time_limit = 0;
  BOOST_TEST((ecga::solve(problem, cut, test::device(), control).ending == Ending::time));
  auto none = options;
  none.generations = 0;
  BOOST_TEST((ecga::solve(problem, none, test::device(), control).ending == Ending::time));
  auto rest = options;
  rest.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "state", "ecga"));
  BOOST_TEST(ecga::solve(problem, rest, test::device()).checksum == whole.checksum);
}

BOOST_AUTO_TEST_CASE(a_callback_ends_the_first_search) {
  const auto problem = ecga::find_problem("nk7", 49, 4);
  auto options = test::options_of(401);
  options.generations = 1;
  RunControl control;
  control.progress_interval = 0;
  int calls = 0;
  control.progress = [&](const Progress& progress) {
    BOOST_TEST(progress.best.has_value());
    BOOST_TEST(progress.evaluations.value_or(0) == 401U);
    ++calls;
    return false;
  };
  const auto cut = ecga::solve(problem, options, test::device(), control);
  BOOST_TEST((cut.ending == Ending::interrupted));
  BOOST_TEST(cut.generations == 0U);
  options.generations = 0;
  BOOST_TEST(cut.evaluations < ecga::solve(problem, options, test::device()).evaluations);
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(overlapping_parts_are_improved_by_default) {
  for (const auto& known : {nk(3, 33), spin_glass(4), formula(31, 0), formula(31, 500)}) {
    const auto options = ecga::complete(known.problem, {});
    BOOST_TEST(options.improve == "blocks");
    BOOST_TEST(options.population == ecga::usual_population(known.problem.length));
  }
  for (const auto& problem :
       {ecga::trap(5, 35), ecga::cyclic_trap(5, 36), ecga::hiff(32), pairs(32, "maximise").problem}) {
    const auto options = ecga::complete(problem, {});
    BOOST_TEST(options.improve == "none");
    BOOST_TEST(options.population == ecga::usual_population(problem.length));
  }
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto problem = ecga::find_problem("nk5", 50, seed);
    ecga::Options options;
    options.seed = seed;
    const auto result = ecga::solve(problem, options, test::device());
    BOOST_TEST(result.best_fitness == problem.objective.optimum().value());
    BOOST_TEST(result.runs.at(0).population == ecga::usual_population(50) / 8);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(ecga_improvement_of_functions)

BOOST_AUTO_TEST_CASE(a_function_is_called_for_each_evaluation) {
  test::BatchCalls calls;
  const auto objective =
      test::batch_function(calls, GeneKind::bits, 49, 0, [](auto genes, auto) { return test::sum_of(genes); });
  auto options = test::options_of(65);
  options.generations = 1;
  options.improve = "flips";
  const auto result = ecga::solve({objective, 49}, options, *test::host_of_three_threads());
  BOOST_TEST(std::accumulate(calls.individuals.begin(), calls.individuals.end(), std::uint64_t{0}) ==
             result.evaluations);
  BOOST_TEST(calls.have_the_right_shape);
}

BOOST_AUTO_TEST_CASE(a_search_of_a_function_ends_between_two_calls) {
  test::BatchCalls calls;
  std::size_t last = ~std::size_t{0};
  std::stop_source source;
  const auto objective = test::batch_function(
      calls, GeneKind::bits, 49, 0, [](auto genes, auto) { return test::sum_of(genes); },
      [&](std::size_t call) {
        if (call == last) source.request_stop();
      });
  const auto device = test::host_of_three_threads();
  const test::Folder folder;
  auto options = test::options_of(65);
  options.generations = 0;
  options.improve = "flips";
  const auto solve = [&](const RunControl& control = {}) {
    calls.individuals.clear();
    options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
    return ecga::solve({objective, 49}, options, *device, control);
  };
  const auto whole = solve();
  BOOST_TEST((whole.ending != Ending::evaluations));

  // What is complete is not evaluated again; what was stopped is.
  const auto resume = [&] {
    options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "state", "ecga"));
    auto result = solve();
    options.resume.reset();
    return result;
  };
  BOOST_TEST(resume().checksum == whole.checksum);
  BOOST_TEST(calls.individuals.empty());
  RunControl control;
  control.stop = source.get_token();
  last = 7;
  const auto stopped = solve(control);
  BOOST_TEST((stopped.ending == Ending::interrupted));
  BOOST_TEST(calls.individuals.size() == 8U);
  BOOST_TEST(stopped.evaluations >= 7U * 65);
  BOOST_TEST(stopped.evaluations <= 8U * 65);
  last = ~std::size_t{0};
  const auto resumed = resume();
  BOOST_TEST(resumed.checksum == whole.checksum);
  BOOST_TEST(resumed.evaluations == whole.evaluations);

  options.generations.reset();
  options.evaluations = 300;
  const auto limited = solve();
  BOOST_TEST((limited.ending == Ending::evaluations));
  BOOST_TEST(limited.evaluations >= 300U);
  BOOST_TEST(limited.evaluations < 300U + 65);
  options.evaluations.reset();
  options.target = 40;
  const auto aimed = solve();
  BOOST_TEST((aimed.ending == Ending::target));
  BOOST_TEST(aimed.best_fitness == 40);
}

BOOST_AUTO_TEST_SUITE_END()
