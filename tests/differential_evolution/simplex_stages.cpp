// The first simplex of each problem, and the first candidate, by plain loops.
#include <shared/differential_evolution/simplex.h>
#include <differential_evolution/operations.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <probes/support.hpp>

BOOST_AUTO_TEST_SUITE(simplex_stages)

namespace {

using namespace clopt;
using test::device;
using test::download;
using test::upload;
namespace operations = clopt::differential_evolution::operations;
using Numbers = std::vector<float>;

constexpr std::uint32_t problems = 7;
constexpr std::uint32_t parameters = 3;
constexpr std::uint32_t population = 9;
constexpr std::uint32_t evaluations = 50;
constexpr float lower[parameters] = {-4, -3, -5};
constexpr float upper[parameters] = {2, 4, 3};

}  // namespace

BOOST_AUTO_TEST_CASE(simplices_begin_with_the_best_individual, *boost::unit_test::label("device")) {
  const auto queue = device().queue();
  std::mt19937 random(11);
  std::uniform_real_distribution<float> number(lower[1], upper[0]);
  Numbers vectors(problems * parameters * population), values(problems * population);
  for (auto& each : vectors) each = number(random);
  for (auto& each : values) each = number(random);
  // A parameter in which the population does not spread.
  std::fill_n(vectors.begin(), population, 1.0F);
  std::vector<shared::evolution_state> states(problems);
  for (std::uint32_t p = 0; p < problems; ++p) {
    states[p].best = (4 * p + 2) % (population - 1);
    states[p].alive = population - p % 2;
    // The ends of a range are as well the first individual's as the last one's.
    auto* const own = &vectors[(p * parameters + 1) * population];
    own[p % 3 == 0 ? 0 : 1] = lower[1] - 1;
    own[p % 3 == 1 ? 0 : states[p].alive - 1] = upper[1] + 1;
  }
  const auto each = static_cast<std::uint32_t>(shared::simplex_numbers(parameters));
  const auto kernel = device().kernel<operations::BeginSimplices<float>>();
  const auto numbers = upload(*queue, Numbers(problems * each, 0.0F));
  const auto simplices = upload(*queue, std::vector<shared::simplex_state>(problems));
  const auto candidates = upload(*queue, Numbers(problems * parameters, 0.0F));
  queue->launch(kernel, Range::of_items(problems),
                {.vectors = upload(*queue, vectors),
                 .values = upload(*queue, values),
                 .states = upload(*queue, states),
                 .bounds = upload(*queue, Numbers{lower[0], lower[1], lower[2], upper[0], upper[1], upper[2]}),
                 .numbers = numbers,
                 .simplices = simplices,
                 .candidates = candidates,
                 .settings = shared::simplex_settings{problems, parameters, 0, 1, evaluations, 0},
                 .population = population});
  const auto found = download(*queue, numbers, numbers.size());
  const auto found_candidates = download(*queue, candidates, candidates.size());
  const auto found_states = download(*queue, simplices, simplices.size());
  for (std::uint32_t p = 0; p < problems; ++p) {
    const auto* const own = &found[p * each];
    const auto value = values[p * population + states[p].best];
    BOOST_TEST(own[SIMPLEX_VALUES(parameters)] == value);
    BOOST_TEST(own[SIMPLEX_BEGUN_VALUE(parameters)] == value);
    for (std::uint32_t vertex = 1; vertex <= parameters; ++vertex)
      BOOST_TEST(own[SIMPLEX_VALUES(parameters) + vertex] == std::numeric_limits<float>::infinity());
    for (std::uint32_t k = 0; k < parameters; ++k) {
      const auto* const all = &vectors[(p * parameters + k) * population];
      const auto [least, greatest] = std::minmax_element(all, all + states[p].alive);
      const auto best = all[states[p].best];
      const auto edge = std::max((*greatest - *least) / 2, (upper[k] - lower[k]) / 1024);
      BOOST_TEST(own[k] == best);
      BOOST_TEST(own[SIMPLEX_EDGES(parameters) + k] == edge);
      const auto moved = best + edge > upper[k] ? best - edge : best + edge;
      const auto expected = k == 0 ? std::clamp(moved, lower[k], upper[k]) : best;
      BOOST_TEST(own[parameters + k] == expected);
      BOOST_TEST(found_candidates[k * problems + p] == expected);
    }
    BOOST_TEST(found_states[p].phase == SIMPLEX_BEGINS);
    BOOST_TEST(found_states[p].at == 1U);
    BOOST_TEST(found_states[p].evaluations == 0U);
    BOOST_TEST(found_states[p].limited == 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
