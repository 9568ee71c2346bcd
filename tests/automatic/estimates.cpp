/// \file
/// Whether a run moves, by its measurements.
#include <automatic/work_rate.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>

using clopt::RestOfRun;
using clopt::WorkMeasure;
using clopt::WorkRate;

BOOST_AUTO_TEST_SUITE(automatic_estimates)

BOOST_AUTO_TEST_CASE(rates_are_of_one_phase) {
  WorkRate rate(WorkMeasure{.done_is_even = false, .phases = "anneal,umda"});
  rate.add({.phase = "packing", .evaluations = 100}, 0);
  BOOST_TEST(!rate.counts());
  rate.add({.phase = "anneal", .evaluations = 100}, 1);
  BOOST_TEST(rate.counts());
  BOOST_TEST(!rate.has_rate());
  rate.add({.phase = "anneal", .evaluations = 300}, 2);
  BOOST_TEST(rate.rate() == 200);
  BOOST_TEST(rate.step() == 200);
  // The first of several steps prepares others.
  rate.add({.phase = "anneal", .evaluations = 1300}, 3);
  rate.add({.phase = "anneal", .evaluations = 2300}, 4);
  BOOST_TEST(rate.rate() == 1000);
  rate.add({.phase = "annealing", .evaluations = 2400}, 5);
  BOOST_TEST(!rate.counts());
}

BOOST_AUTO_TEST_CASE(a_step_that_is_not_done_bounds_the_rate) {
  WorkRate rate(WorkMeasure{}, 10);
  BOOST_TEST(rate.most_rate(50, 15) == 10);
  rate.add({.phase = "generations", .evaluations = 50}, 15);
  BOOST_TEST(rate.most_rate(50, 25) == 5);
}

BOOST_AUTO_TEST_CASE(a_run_that_was_left_says_what_it_would_have_taken) {
  WorkRate rate(WorkMeasure{}, 10);
  BOOST_TEST(rate.whole_seconds(1000, 0, 15) == 0);
  // No step of 50 in 5 seconds: more than 100 for all.
  BOOST_TEST(rate.whole_seconds(1000, 50, 15) == 100);
  rate.add({.phase = "generations", .evaluations = 50}, 13);
  BOOST_TEST(rate.whole_seconds(1000, 50, 18) == 100);
  // The first step came after 3 seconds, and 100 more took one.
  rate.add({.phase = "generations", .evaluations = 150}, 14);
  BOOST_TEST(rate.whole_seconds(1000, 50, 14) == 13);
}

BOOST_AUTO_TEST_CASE(a_run_moves_where_its_rest_gains) {
  RestOfRun rest{.work_done = 0.1, .rate = 0.01, .other_rate = 0.1, .move_seconds = 1, .work_is_part = true};
  auto estimate = rest.estimate();
  BOOST_TEST(std::abs(estimate.stays - 90) < 1e-9);
  BOOST_TEST(std::abs(estimate.moves - 10) < 1e-9);
  BOOST_TEST(estimate.gains);
  rest.begins_again = true;
  BOOST_TEST(std::abs(rest.estimate().moves - 11) < 1e-9);
  // What is left is less than the move takes.
  rest.work_done = 0.995;
  BOOST_TEST(!rest.estimate().gains);
  rest.work_done = 0.1;
  rest.other_rate = 0.0105;
  BOOST_TEST(!rest.estimate().gains);
  rest.other_rate = 0;
  BOOST_TEST(!rest.estimate().gains);
}

BOOST_AUTO_TEST_CASE(a_limit_of_time_counts_how_far_a_run_comes) {
  RestOfRun rest{.work_done = 0.1, .rate = 0.01, .other_rate = 0.1, .move_seconds = 1, .work_is_part = true};
  rest.seconds_left = 10;
  BOOST_TEST(rest.estimate().gains);
  rest.seconds_left = 1.05;
  BOOST_TEST(!rest.estimate().gains);
}

BOOST_AUTO_TEST_CASE(where_the_end_is_unknown_as_much_is_expected_as_was_done) {
  RestOfRun rest{.work_done = 1000, .rate = 10, .other_rate = 100, .step = 100, .move_seconds = 1};
  BOOST_TEST(std::abs(rest.estimate().stays - 110) < 1e-9);
  BOOST_TEST(std::abs(rest.estimate().moves - 12) < 1e-9);
  rest.begins_again = true;
  BOOST_TEST(std::abs(rest.estimate().moves - 22) < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
