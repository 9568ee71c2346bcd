/// \file
/// Values that no individual passes, against all individuals, and runs that reach them.
#include "known_problems.hpp"
#include "runs.hpp"

#include <clopt/checkpoint.hpp>
#include <clopt/ecga_runs.hpp>
#include <device/solver_devices.hpp>
#include <ecga/problems/upper_bound.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace clopt;
using test::Known;
using test::satisfiable;

ecga::Problem with_table(const char* objective, std::vector<double> table, std::uint32_t length) {
  ecga::Problem problem{Objective::named(objective), length};
  problem.objective.set_table_values(std::move(table));
  return problem;
}

/// A ring of spins with couplings of 1 and, on the first ones, -1: an odd number of these cannot be satisfied together.
Known ring_of_spins(std::uint32_t length, std::uint32_t negative, double coupling = 1) {
  std::vector<double> table{static_cast<double>(length)};
  for (std::uint32_t spin = 0; spin < length; ++spin)
    table.insert(table.end(), {static_cast<double>(spin), static_cast<double>((spin + 1) % length),
                               spin < negative ? -coupling : coupling});
  return {with_table("ising", table, length), [=](const test::Genes& genes) {
            double sum = 0;
            for (std::size_t spin = 0; spin < length; ++spin)
              sum += (genes[spin] == genes[(spin + 1) % length]) == (spin >= negative) ? coupling : -coupling;
            return sum;
          }};
}

/// A ring of NK whose values are whole numbers of a unit, up to 2^30 of them.
Known fine_ring_of_nk(std::uint32_t neighbours, std::uint32_t length, double unit) {
  auto table = test::nk(neighbours, length).problem.objective.table_values();
  test::Draws draws(neighbours + length);
  const std::size_t stride = neighbours + (2U << neighbours);
  for (std::size_t at = 0; at + 1 < table.size(); ++at)
    if (at % stride >= neighbours)
      table[at + 1] = unit * (draws.below(1U << 15) * 0x1p15 + draws.below(1U << 15)) * (draws.below(2) != 0 ? 1 : -1);
  return test::ring_of_nk(with_table("nk", table, length));
}

double best_of_all(const Known& known) {
  double best = -std::numeric_limits<double>::infinity();
  test::Genes genes(known.problem.length);
  for (std::uint32_t number = 0; number < 1U << genes.size(); ++number) {
    for (std::size_t i = 0; i < genes.size(); ++i) genes[i] = number >> i & 1;
    best = std::max(best, known.value(genes));
  }
  return best;
}

/// Clauses of one literal each, of weights.
ecga::Problem one_literal_clauses(const std::vector<double>& weights) {
  std::vector<double> table{static_cast<double>(weights.size())};
  for (const double weight : weights) table.insert(table.end(), {weight, 1, 1});
  return with_table("weighted_maxsat", table, 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ecga_upper_bound, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(no_individual_passes_a_bound_and_what_reaches_it_is_optimal) {
  unsigned reached = 0;
  unsigned missed = 0;
  for (const auto& known :
       {test::nk(0, 7), test::nk(2, 7), test::nk(6, 9), test::spin_glass(2), test::spin_glass(3), test::formula(1, 0),
        test::formula(7, 0), test::formula(9, 500), ring_of_spins(7, 2), ring_of_spins(7, 3), satisfiable(7, 33)}) {
    const auto best = best_of_all(known);
    const auto bound = ecga::upper_bound(known.problem, false).value();
    BOOST_TEST_CONTEXT(known.problem.objective.name() << " of " << known.problem.length) {
      BOOST_TEST(bound >= best);
      if (known.problem.objective.name() == "nk") BOOST_TEST(bound == best);
      for (const std::string improve : {"none", "blocks"}) {
        auto options = test::options_of(200);
        options.improve = improve;
        const auto result = ecga::solve(known.problem, options, test::device());
        BOOST_TEST(result.best_fitness == best);
        BOOST_TEST(result.optimal == (best == bound));
        BOOST_TEST((result.ending == Ending::complete || !result.optimal));
        (result.optimal ? reached : missed) += 1;
      }
    }
  }
  BOOST_TEST(reached >= 10U);
  BOOST_TEST(missed >= 4U);
}

BOOST_AUTO_TEST_CASE(values_of_more_bits_than_floats_have_are_bounded_with_doubles) {
  std::vector<double> pairs{0};
  for (int locus = 0; locus < 7; ++locus) pairs.insert(pairs.end(), {0x1p24, 0x1p24 + 1});
  for (const auto& known : {test::ring_of_nk(with_table("nk", pairs, 7)), fine_ring_of_nk(0, 1, 1),
                            fine_ring_of_nk(2, 7, 1), fine_ring_of_nk(2, 7, 0x1p-12), fine_ring_of_nk(6, 9, 0x1p-12)}) {
    const auto best = best_of_all(known);
    BOOST_TEST(!ecga::upper_bound(known.problem, false).has_value());
    BOOST_TEST(ecga::upper_bound(known.problem, true).value() == best);
    if (!test::device().info().has_double) continue;
    auto options = test::options_of(20);
    options.improve = "none";
    options.precision = "double";
    for (options.seed = 1; options.seed <= 7; ++options.seed) {
      const auto result = ecga::solve(known.problem, options, test::device());
      BOOST_TEST(result.optimal == (known.value({result.best_genes.begin(), result.best_genes.end()}) == best));
    }
  }
}

BOOST_AUTO_TEST_CASE(long_rings_prove_nothing) {
  // The best value is that of ones alone.
  const auto ring = [](std::uint32_t neighbours, std::uint32_t length) {
    auto problem = ecga::nearest_neighbour_nk(neighbours, length, 1);
    auto table = problem.objective.table_values();
    const std::size_t stride = neighbours + (2U << neighbours);
    for (std::size_t at = 0; at + 1 < table.size(); ++at)
      if (at % stride >= neighbours) table[at + 1] = at % stride + 1 == stride ? 1 : 0;
    return with_table("nk", table, length);
  };
  for (const auto& [neighbours, longest] : {std::pair(6U, 1024U), std::pair(5U, 4096U)}) {
    BOOST_TEST(ecga::upper_bound(ring(neighbours, longest), true).value() == longest);
    BOOST_TEST(!ecga::upper_bound(ring(neighbours, longest + 1), true).has_value());
  }
}

BOOST_AUTO_TEST_CASE(numbers_behind_the_last_part_count_for_nothing) {
  for (const auto& known : {ring_of_spins(7, 2), satisfiable(7, 33), test::formula(7, 500)}) {
    auto table = known.problem.objective.table_values();
    table.insert(table.end(), {1, 1, 1, 1});
    const auto longer = with_table(known.problem.objective.name().c_str(), table, 7);
    BOOST_TEST(ecga::upper_bound(longer, false).value() == ecga::upper_bound(known.problem, false).value());
  }
}

BOOST_AUTO_TEST_CASE(a_first_search_that_is_cut_is_not_complete) {
  const auto problem = satisfiable(49, 20).problem;
  auto options = test::options_of(401);
  RunControl control;
  control.time_limit = 0;
  const auto cut = ecga::solve(problem, options, test::device(), control);
  BOOST_TEST(cut.optimal);
  BOOST_TEST((cut.ending == Ending::time));
  control.time_limit.reset();
  control.progress_interval = 0;
  control.progress = [](const Progress&) { return false; };
  BOOST_TEST((ecga::solve(problem, options, test::device(), control).ending == Ending::interrupted));
  options.target = 20;
  BOOST_TEST((ecga::solve(problem, options, test::device(), control).ending == Ending::target));
}

BOOST_AUTO_TEST_CASE(rounded_values_prove_nothing) {
  BOOST_TEST(!ecga::upper_bound(ring_of_spins(7, 2, 0.1).problem, false).has_value());
  BOOST_TEST(!ecga::upper_bound(test::problem_of("onemax", 7), false).has_value());
  BOOST_TEST(!ecga::upper_bound(test::problem_of("trap5", 10), false).has_value());
  const auto sum = one_literal_clauses({0x1p24, 1, -3});
  BOOST_TEST(!ecga::upper_bound(sum, false).has_value());
  BOOST_TEST(ecga::upper_bound(sum, true).value() == 0x1p24 + 1);
  BOOST_TEST(ecga::upper_bound(one_literal_clauses({0x1p24 - 3, -3}), false).value() == 0x1p24 - 3);

  const auto landscape = test::nk(2, 49).problem;
  BOOST_TEST(ecga::upper_bound(landscape, false).value() == landscape.objective.optimum().value());
  BOOST_TEST(!ecga::upper_bound(ecga::nearest_neighbour_nk(7, 49, 1), false).has_value());
  for (const std::size_t place : {1U, 3U}) {  // another neighbour, and another value
    auto table = landscape.objective.table_values();
    table[place] += 0.5;
    BOOST_TEST(ecga::upper_bound(with_table("nk", table, 49), false).has_value() == (place == 3));
    table[place] -= 0.3;
    BOOST_TEST(!ecga::upper_bound(with_table("nk", table, 49), false).has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_run_ends_once_all_clauses_hold) {
  const auto known = satisfiable(49, 205);
  const auto result = ecga::solve(known.problem, {}, test::device());
  BOOST_TEST(known.value({result.best_genes.begin(), result.best_genes.end()}) == 205);
  BOOST_TEST((result.ending == Ending::complete));
  BOOST_TEST(result.optimal);
  BOOST_TEST(!result.converged);
  BOOST_TEST(result.runs.size() == 1U);
  BOOST_TEST(result.runs.at(0).success);
  // On every device.
  BOOST_TEST(result.checksum == 4568484095890304051U);
  BOOST_TEST(result.evaluations == 49050U);

  // A target that is reached is one; one that cannot be is missed.
  ecga::Options options;
  options.target = 205;
  BOOST_TEST((ecga::solve(known.problem, options, test::device()).ending == Ending::target));
  options.target = 206;
  const auto missed = ecga::solve(known.problem, options, test::device());
  BOOST_TEST((missed.ending == Ending::complete));
  BOOST_TEST(missed.runs.size() == 1U);
  BOOST_TEST(!ecga::succeeded(known.problem, options, missed));
}

BOOST_AUTO_TEST_CASE(limits_end_a_run_before_and_a_resumed_one_ends_at_once) {
  const auto problem = satisfiable(49, 205).problem;
  auto options = test::options_of(64);
  options.improve = "none";
  options.generations = 2;
  const auto limited = ecga::solve(problem, options, test::device());
  BOOST_TEST((limited.ending == Ending::generations));
  BOOST_TEST(!limited.optimal);

  const test::Folder folder;
  options.improve = "blocks";
  options.generations.reset();
  options.checkpoint = std::make_shared<CheckpointWriter>(folder.path() / "state");
  const auto whole = ecga::solve(problem, options, test::device());
  BOOST_TEST_REQUIRE(whole.optimal);
  options.checkpoint.reset();
  options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(folder.path() / "state", "ecga"));
  const auto resumed = ecga::solve(problem, options, test::device());
  BOOST_TEST(resumed.optimal);
  BOOST_TEST((resumed.ending == Ending::complete));
  BOOST_TEST(resumed.checksum == whole.checksum);
}

BOOST_AUTO_TEST_CASE(slices_keep_what_is_proven) {
  const auto problem = satisfiable(31, 130).problem;
  const auto device = non_owning(test::device());
  const auto runs = ecga::solve_runs(problem, test::options_of(200), {2, {}, {}}, {&device, 1});
  const auto kept = ecga::unpack_runs(ecga::pack(runs), 2, 31);
  for (std::size_t i = 0; i < 2; ++i) {
    BOOST_TEST(runs.trials.at(i).result.optimal);
    BOOST_TEST(kept.trials.at(i).result.optimal);
  }
}

BOOST_AUTO_TEST_SUITE_END()
