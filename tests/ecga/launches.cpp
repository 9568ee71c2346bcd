/// \file
/// Local search in launches of few steps.
#include "known_problems.hpp"
#include "runs.hpp"

#include <clopt/device.hpp>
#include <ecga/operations.hpp>
#include <ecga/problems/parts.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace {

using namespace clopt;

constexpr std::uint64_t search_seed = 1;
constexpr std::uint32_t search_generation = 0;

struct SearchedPopulation {
  std::vector<std::uint32_t> population;
  std::uint64_t tries = 0;
  unsigned launches = 0;
};

/// Searches a population, whose values donors have, too. \param most steps of a launch.
SearchedPopulation search_in_launches(const ecga::Problem& problem, const std::vector<std::uint32_t>& start,
                                      std::uint32_t individuals, const ecga::Model& model, std::uint32_t most) {
  auto& device = test::device();
  const auto queue = device.queue();
  const auto row_words = (individuals + 31) / 32;
  std::vector<std::uint32_t> rows(std::size_t{problem.length} * row_words);
  for (std::uint32_t locus = 0; locus < problem.length; ++locus)
    for (std::uint32_t i = 0; i < individuals; ++i)
      rows[locus * row_words + i / 32] |= test::bit(start, individuals, i, locus) << i % 32;
  std::vector<std::uint32_t> lists{0};
  for (const auto& group : model) lists.push_back(lists.back() + static_cast<std::uint32_t>(group.size()));
  for (const auto& group : model) lists.insert(lists.end(), group.begin(), group.end());
  const auto& numbers = problem.objective.table_values();
  const std::vector<float> table(numbers.begin(), numbers.end());
  const auto parts = ecga::parts_of_loci(problem.objective, problem.length);

  const auto upload = [&](const char* name, const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    auto buffer = device.buffer<T>(name, values.size());
    queue->write(buffer, std::span<const T>(values));
    return buffer;
  };
  const auto population = upload("population", start);
  const auto searches =
      upload("searches", std::vector<std::uint32_t>(std::size_t{ECGA_SEARCH_WORDS} * individuals, 99));
  const auto unfinished = upload("unfinished", std::vector<std::uint32_t>{0});
  const auto donors = upload("rows", rows);
  const auto tables = upload("table", table);
  const auto places = upload("parts", parts);
  const auto blocks = upload("lists", lists);
  const ecga::ImprovementSettings settings{.seed = search_seed,
                                           .generation = search_generation,
                                           .individuals = individuals,
                                           .stride = individuals,
                                           .words = (problem.length + 31) / 32,
                                           .row_words = row_words,
                                           .length = problem.length,
                                           .blocks = static_cast<std::uint32_t>(model.size()),
                                           .kind = ecga::parts_kind(problem.objective).value()};
  auto kernel = device.kernel<ecga::operations::Improve<float>>();
  SearchedPopulation found;
  do {
    queue->fill(unfinished, 0U);
    queue->launch(kernel, Range::of_items(individuals),
                  {.population = population,
                   .rows = donors,
                   .tables = tables,
                   .parts = places,
                   .lists = blocks,
                   .searches = searches,
                   .unfinished = unfinished,
                   .run = settings,
                   .begins = found.launches == 0 ? 1U : 0U,
                   .most = most});
    ++found.launches;
  } while (queue->read_all(unfinished).front() != 0 && found.launches < 100'000);
  found.population = queue->read_all(population);
  const auto words = queue->read_all(searches);
  found.tries = std::accumulate(words.begin() + std::ptrdiff_t{ECGA_TRIES} * individuals,
                                words.begin() + std::ptrdiff_t{ECGA_TRIES + 1} * individuals, std::uint64_t{0});
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ecga_launches, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(launches_of_one_step_come_to_the_same) {
  const ecga::Model none;
  const ecga::Model model{{0, 3, 5}, {2, 4}, {1, 6}};
  for (const auto& known : {test::nk(2, 7), test::nk(5, 49), test::spin_glass(7), test::formula(49, 0),
                            test::formula(31, 500), test::formula(1, 0)})
    for (const std::uint32_t individuals : {1U, 7U, 49U}) {
      auto options = test::options_of(individuals);
      options.tournament = 1;
      options.improve = "none";
      options.generations = 0;
      const auto start = test::states_of(known.problem, options).at(0).population;
      BOOST_TEST_CONTEXT(known.problem.objective.name() << " of " << known.problem.length << ", " << individuals)
      for (const auto* groups : {&none, known.problem.length < 7 ? &none : &model}) {
        const auto whole = search_in_launches(known.problem, start, individuals, *groups, 1U << 30);
        BOOST_TEST(whole.launches == 1U);
        BOOST_TEST(whole.tries >= std::uint64_t{individuals} * known.problem.length);
        for (const std::uint32_t most : {1U, 3U}) {
          const auto cut = search_in_launches(known.problem, start, individuals, *groups, most);
          BOOST_TEST((cut.population == whole.population));
          BOOST_TEST(cut.tries == whole.tries);
          BOOST_TEST(std::uint64_t{most} * cut.launches * individuals >= cut.tries);
        }
        if (!groups->empty()) continue;
        // A run, which paces its launches, too.
        options.improve = "flips";
        BOOST_TEST((test::states_of(known.problem, options).at(0).population == whole.population));
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
