// Stages of a round of fits, each alone: what it writes for every fit that it takes, and that it leaves out the others.
#include <differential_evolution/operations.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <probes/support.hpp>

BOOST_AUTO_TEST_SUITE(fit_stages)

namespace {

using namespace clopt;
using test::device;
using test::download;
using test::upload;
namespace operations = clopt::differential_evolution::operations;
using State = shared::evolution_state;
using FitState = shared::fit_state;
using Numbers = std::vector<float>;

constexpr std::uint32_t starts = 3;
constexpr std::uint32_t problem_count = 5;
constexpr std::uint32_t fits = starts * problem_count;
constexpr std::uint32_t parameters = 4;
constexpr std::uint32_t data = 7;
constexpr std::uint32_t individual_count = 11;
constexpr std::uint32_t trials = FIT_TRIALS;
constexpr float untouched = -1;

shared::fit_settings settings() { return {fits, starts, parameters, data, data, 0}; }

Numbers random_numbers(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> number(1, 2);
  Numbers numbers(count);
  std::generate(numbers.begin(), numbers.end(), [&] { return number(random); });
  return numbers;
}

// Every other fit has converged.
std::vector<FitState> states_by_turns() {
  std::vector<FitState> states(fits);
  for (std::uint32_t fit = 0; fit < fits; ++fit)
    states[fit] = {fit % 2 == 0 ? (fit % 4 == 0 ? FIT_MOVED : FIT_STAYED) : FIT_CONVERGED, 100 + fit};
  return states;
}

}  // namespace

BOOST_AUTO_TEST_CASE(starts_are_the_best_individual_and_others_evenly_apart, *boost::unit_test::label("device")) {
  const auto queue = device().queue();
  const auto vectors = random_numbers(problem_count * parameters * individual_count, 1);
  const auto values = random_numbers(problem_count * individual_count, 2);
  std::vector<State> states(problem_count);
  for (std::uint32_t k = 0; k < problem_count; ++k) {
    states[k].best = (3 * k + 1) % individual_count;
    states[k].alive = individual_count - k % 2;
  }
  Numbers begun(fits * parameters + 1, untouched), begun_values(fits + 1, untouched);
  auto expected = begun;
  auto expected_values = begun_values;
  for (std::uint32_t fit = 0; fit < fits; ++fit) {
    const auto& state = states[fit / starts];
    const auto i = (state.best + fit % starts * state.alive / starts) % state.alive;
    expected_values[fit] = values[fit / starts * individual_count + i];
    for (std::uint32_t k = 0; k < parameters; ++k)
      expected[fit * parameters + k] = vectors[(fit / starts * parameters + k) * individual_count + i];
  }
  const auto to = upload(*queue, begun);
  const auto values_to = upload(*queue, begun_values);
  const auto kernel = device().kernel<operations::ChooseStarts<float>>();
  queue->launch(kernel, Range::of_items(fits),
                {.vectors = upload(*queue, vectors),
                 .values = upload(*queue, values),
                 .states = upload(*queue, states),
                 .starts = to,
                 .start_values = values_to,
                 .settings = settings(),
                 .population = individual_count});
  BOOST_TEST(download(*queue, to, to.size()) == expected, boost::test_tools::per_element());
  BOOST_TEST(download(*queue, values_to, values_to.size()) == expected_values, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(squares_are_added_up_for_fits_that_continue, *boost::unit_test::label("device")) {
  const auto queue = device().queue();
  const auto residuals = random_numbers(fits * trials * data, 3);
  const auto states = states_by_turns();
  for (const auto taken : {FIT_TAKES_RUNNING, FIT_TAKES_MOVED}) {
    Numbers expected(fits * trials + 1, untouched);
    const auto values = upload(*queue, expected);
    for (std::uint32_t id = 0; id < fits * trials; ++id) {
      const auto phase = states[id / trials].phase;
      if (phase != FIT_MOVED && (phase != FIT_STAYED || taken == FIT_TAKES_MOVED)) continue;
      float sum = 0;
      for (std::uint32_t j = 0; j < data; ++j) sum += residuals[id * data + j] * residuals[id * data + j];
      expected[id] = sum;
    }
    const auto kernel = device().kernel<operations::AddSquares<float>>();
    queue->launch(kernel, Range::of_items(fits * trials),
                  {.residuals = upload(*queue, residuals),
                   .states = upload(*queue, states),
                   .values = values,
                   .settings = settings(),
                   .each = trials,
                   .taken = taken});
    BOOST_TEST(download(*queue, values, values.size()) == expected, boost::test_tools::per_element());
  }
}

// The damping of the trial that was best, of which there is none for every third fit.
BOOST_AUTO_TEST_CASE(steps_go_to_the_best_trial, *boost::unit_test::label("device")) {
  const auto queue = device().queue();
  const auto all_trials = random_numbers(fits * trials * parameters, 4);
  const auto states = states_by_turns();
  Numbers lengths(fits * trials, 1.0F);
  auto gains = lengths;
  // A trial that promises less than nothing is no step.
  for (std::uint32_t id = 0; id < gains.size(); id += 4) gains[id] = -1;
  // The longest step of no length ends a fit.
  const auto has_no_length = [](std::uint32_t fit) { return fit % 8 == 2; };
  for (std::uint32_t fit = 0; fit < fits; ++fit)
    if (has_no_length(fit)) lengths[fit * trials] = 0;
  const auto trial_values = random_numbers(fits * trials, 5);
  auto values = random_numbers(fits + 1, 6);
  auto vectors = random_numbers(fits * parameters + 1, 7);
  Numbers dampings(fits + 1, 1.0F);
  for (std::uint32_t fit = 0; fit < fits; fit += 3) dampings[fit] = 0.5F;
  const auto vectors_to = upload(*queue, vectors);
  const auto dampings_to = upload(*queue, dampings);
  const auto states_to = upload(*queue, states);
  auto expected_states = states;
  for (std::uint32_t fit = 0; fit < fits; ++fit) values[fit] = fit % 3 == 0 ? 0.5F : 3.0F;
  const auto values_to = upload(*queue, values);
  for (std::uint32_t fit = 0; fit < fits; ++fit) {
    if (states[fit].phase == FIT_CONVERGED) continue;
    auto best = trials;
    float least = values[fit];
    for (std::uint32_t t = 0; t < trials; ++t)
      if (const auto id = fit * trials + t; gains[id] >= 0 && trial_values[id] < least) {
        best = t;
        least = trial_values[id];
      }
    const bool is_better = best != trials;
    expected_states[fit].evaluations += trials + (states[fit].phase == FIT_MOVED ? 2 * parameters + 1 : 0);
    const bool ends = has_no_length(fit) && gains[fit * trials] >= 0;
    expected_states[fit].phase = ends ? FIT_CONVERGED : is_better ? FIT_MOVED : FIT_STAYED;
    dampings[fit] *= is_better ? (best == 0 ? 0.0625F : best == 1 ? 1.0F : 16.0F) : ends ? 1.0F : 256.0F;
    if (!is_better) continue;
    values[fit] = least;
    std::copy_n(all_trials.begin() + (fit * trials + best) * parameters, parameters,
                vectors.begin() + fit * parameters);
  }
  const auto kernel = device().kernel<operations::TakeSteps<float>>();
  queue->launch(kernel, Range::of_items(fits),
                {.trials = upload(*queue, all_trials),
                 .trial_values = upload(*queue, trial_values),
                 .gains = upload(*queue, gains),
                 .lengths = upload(*queue, lengths),
                 .vectors = vectors_to,
                 .values = values_to,
                 .dampings = dampings_to,
                 .states = states_to,
                 .settings = settings(),
                 .taken = FIT_TAKES_RUNNING});
  BOOST_TEST(download(*queue, vectors_to, vectors_to.size()) == vectors, boost::test_tools::per_element());
  BOOST_TEST(download(*queue, values_to, values_to.size()) == values, boost::test_tools::per_element());
  BOOST_TEST(download(*queue, dampings_to, dampings_to.size()) == dampings, boost::test_tools::per_element());
  const auto found = download(*queue, states_to, states_to.size());
  for (std::uint32_t fit = 0; fit < fits; ++fit) {
    BOOST_TEST(found[fit].phase == expected_states[fit].phase, "fit " << fit);
    BOOST_TEST(found[fit].evaluations == expected_states[fit].evaluations, "fit " << fit);
  }
}

BOOST_AUTO_TEST_SUITE_END()
