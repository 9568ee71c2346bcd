/// \file
/// Statistics of generations that a launch carries together: those of runs that end with each of them.
#include <clopt/genetic.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace clopt;
namespace utf = boost::unit_test;

namespace {

constexpr std::uint64_t generations = 33;

void require_row(const genetic::Statistics& row, const std::vector<double>& values) {
  double sum = 0;
  for (const auto value : values) sum += value;
  BOOST_TEST(row.mean == sum / static_cast<double>(values.size()));
  BOOST_TEST(row.distinct == std::set<double>(values.begin(), values.end()).size());
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  BOOST_TEST(row.best == *least);
  BOOST_TEST(row.worst == *greatest);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(are_those_of_each_generation, *utf::label("device")) {
  for (const std::string name : {"onemax", "rastrigin"})
    for (const std::string granularity : {"thread", "group", "gene", "fused"})
      for (const std::uint32_t islands : {1U, 3U}) {
        if (!test::tries_all() &&
            ((name == "onemax") != (islands == 3) || granularity != (name == "onemax" ? "fused" : "group")))
          continue;
        BOOST_TEST_CONTEXT(name << ", " << granularity << ", " << islands << " islands") {
          const genetic::Problem problem{Objective::named(name), 49, {}, {}};
          genetic::Options options;
          options.preset = "paper";
          options.granularity = granularity;
          options.population = 20;
          options.islands = islands;
          options.seed = 7;
          options.generations = generations;
          std::vector<genetic::Statistics> rows;
          options.statistics = [&](const genetic::Statistics& row) { rows.push_back(row); };
          genetic::solve(problem, options, test::device());
          BOOST_REQUIRE(rows.size() == (generations + 1) * islands);
          options.statistics = nullptr;
          options.keep_population = true;
          for (const std::uint64_t n : {1U, 2U, 7U, 32U, 33U}) {
            options.generations = n;
            const auto result = genetic::solve(problem, options, test::device());
            BOOST_REQUIRE(result.values.size() == 20 * islands);
            for (std::uint32_t island = 0; island < islands; ++island) {
              const auto& row = rows[n * islands + island];
              BOOST_TEST(row.generation == n);
              BOOST_TEST(row.island == island);
              BOOST_TEST(row.best_so_far == result.island_fitness[island]);
              const auto begin = result.values.begin() + std::ptrdiff_t{20} * island;
              require_row(row, {begin, begin + 20});
            }
          }
        }
      }
}

BOOST_AUTO_TEST_CASE(share_launches, *utf::label("device")) {
  const genetic::Problem problem{Objective::named("onemax"), 49, {}, {}};
  genetic::Options options;
  options.preset = "paper";
  options.granularity = "fused";
  options.population = 20;
  options.generations = 200;
  std::uint64_t rows = 0;
  options.statistics = [&](const genetic::Statistics&) { ++rows; };
  // How many generations a launch has follows the time that one takes; never is it one each.
  BOOST_TEST(genetic::solve(problem, options, test::device()).launches < 100U);
  BOOST_TEST(rows == 201U);
}

BOOST_AUTO_TEST_SUITE_END()
