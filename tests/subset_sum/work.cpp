/// \file
/// What each method finds, how much it works for that, what it reports, and what it is predicted to take.
#include <clopt/subset_sum.hpp>
#include <cmath>
#include <string>
#include <support/device.hpp>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <subset_sum/device/cost.hpp>
#include <subset_sum/host/balsub.hpp>
#include <subset_sum/host/sum_set.hpp>
#include "oracle.hpp"

using namespace clopt::subset_sum;

namespace {

/// An answer as it has been since version 0.1.0.
struct Kept {
  const char* method;
  std::uint64_t value;
  std::uint64_t checksum;
  std::uint64_t capacities_swept;  ///< 0: it depends on the processor, or nothing is swept
};

Result solve_by(const Instance& instance, const std::string& method, const clopt::RunControl& control = {},
                bool reduce = false) {
  Options options;
  options.method = method;
  options.reduce = reduce;
  return solve(instance, options, clopt::test::device(), control);
}

void require_kept(const char* name, const std::vector<Kept>& answers) {
  const auto instance = make_instance(name, 1);
  for (const auto& kept : answers) BOOST_TEST_CONTEXT(name << " by " << kept.method) {
      const auto result = solve_by(instance, kept.method);
      BOOST_TEST(result.value == kept.value);
      BOOST_TEST(result.checksum == kept.checksum);
      if (kept.capacities_swept != 0) BOOST_TEST(result.capacities_swept == kept.capacities_swept);
    }
}

using Phases = std::vector<std::pair<std::string, double>>;

/// The phases that a run reports, each with the part of it that was done when it was reported last.
Phases phases_of(const Instance& instance, const std::string& method, bool reduce = false) {
  Phases phases;
  clopt::RunControl control;
  control.progress_interval = 0;
  control.progress = [&](const clopt::Progress& progress) {
    BOOST_TEST((progress.done >= 0 && progress.done <= 1), method << ": " << progress.phase << " " << progress.done);
    if (phases.empty() || phases.back().first != progress.phase) phases.emplace_back(progress.phase, 0);
    // The recovery repeats stretches within stretches.
    const bool may_fall = progress.phase == "recovery";
    BOOST_TEST((may_fall || progress.done >= phases.back().second),
               method << ": " << progress.phase << " falls to " << progress.done);
    phases.back().second = progress.done;
    return true;
  };
  BOOST_TEST((solve_by(instance, method, control, reduce).ending == clopt::Ending::complete));
  return phases;
}

/// A speed for each method that is a whole number, so that predictions can be computed by hand.
Speeds plain_speeds() {
  Speeds speeds;
  speeds.host = {.bellman_cells = 5,
                 .yanasse_soma_steps = 3,
                 .balsub_states = 10,
                 .balsub_state = 7,
                 .balsub_reached = 100,
                 .balsub_removal = 2,
                 .decomp_capacity = 11,
                 .decomp_capacities = 4,
                 .decomp_sums = 2,
                 .listed_sum = 13,
                 .streamed_sum = 17,
                 .streaming = 1000,
                 .fresh_byte = 0.5};
  speeds.sweeps = {{"k1", {1, 2, 3, 4}}, {"k3-32", {5, 6, 8, 2}}};
  return speeds;
}

const Prediction& prediction_of(Method method, const std::vector<Prediction>& all) {
  return *std::find_if(all.begin(), all.end(), [&](const Prediction& each) { return each.method == method; });
}

constexpr MemoryLimits much_memory{std::uint64_t{1} << 50, std::uint64_t{1} << 50};

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_work)

BOOST_AUTO_TEST_CASE(answers_and_work_are_kept) {
  require_kept("random:40:3000", {{"bellman", 28031, 0xcafd3ff725fe7262, 1'121'280},
                                  {"bbe", 28031, 0xcafd3ff725fe7262, 277'360},
                                  {"balsub", 28031, 0xcafd3ff725fe7262, 20'969},
                                  {"decomp", 28031, 0x1b67b30a3d1e0d5e, 29'253},
                                  {"yanasse-soma", 28031, 0xcafd3ff725fe7262, 175'535},
                                  {"meet-in-the-middle", 28031, 0xcafd3ff725fe7262, 0},
                                  {"k1", 28031, 0xcafd3ff725fe7262, 398'592},
                                  {"k2", 28031, 0xcafd3ff725fe7262, 0},
                                  {"k3-16", 28031, 0xcafd3ff725fe7262, 398'592},
                                  {"k3-32", 28031, 0xcafd3ff725fe7262, 398'592},
                                  {"k3-64", 28031, 0xcafd3ff725fe7262, 398'592}});
  require_kept("half-small:50", {{"bbe", 1167850, 0x8383352aa6dee14a, 21'849'315},
                                 {"balsub", 1167970, 0x8f725e7459a9e370, 3'626'771},
                                 {"decomp", 1167970, 0x2be69762c898aee8, 24'689'058},
                                 {"yanasse-soma", 1167970, 0xffbd2978cbaae1c6, 1'108'644},
                                 {"k1", 1167970, 0xffbd2978cbaae1c6, 21'853'815},
                                 {"k2", 1167970, 0xffbd2978cbaae1c6, 0},
                                 {"k3-64", 1167970, 0xffbd2978cbaae1c6, 21'853'815}});
}

BOOST_AUTO_TEST_CASE(progress_is_a_part_of_each_phase) {
  const auto instance = make_instance("half-small:50", 1);
  for (const char* method : {"bellman", "bbe", "balsub", "decomp", "yanasse-soma", "k1", "k2", "k3-64"})
    BOOST_TEST_CONTEXT(method) BOOST_TEST(!phases_of(instance, method).empty());
  BOOST_TEST(
      (phases_of(make_instance("even-odd:30:2000", 1), "meet-in-the-middle") == Phases{{"lists", 0.5}, {"search", 1}}));
  // Sums that no sweep holds are met in four lists.
  const auto four_lists = phases_of(make_instance("even-odd:30:1e12", 1), "meet-in-the-middle");
  BOOST_REQUIRE(four_lists.size() == 2U);
  BOOST_TEST(four_lists.front().first == "lists");
  BOOST_TEST((four_lists.back() == std::pair<std::string, double>{"search", 1}));
  BOOST_TEST(phases_of(make_instance("random:60:1e12", 1), "auto", true).front().first ==
             "search around the break item");
}

// The method k2 takes blocks whose size depends on the processor, and not less than the other sweeps.
BOOST_AUTO_TEST_CASE(blocks_are_counted_whole, *boost::unit_test::label("device")) {
  const auto instance = make_instance("half-small:50", 1);
  const auto swept = solve_by(instance, "k2").capacities_swept;
  BOOST_TEST(swept >= 21'853'815U);
  BOOST_TEST(swept <= 2U * 50 * 1'167'971);
}

BOOST_AUTO_TEST_CASE(lists_hold_no_more_sums_than_there_are) {
  // Each half reaches the sums 0 to 3.
  BOOST_TEST((meet_in_the_middle_need({{1, 1, 1, 1, 1, 1}, 1, 5, false}).sums == 8));
  BOOST_TEST((meet_in_the_middle_need({{1, 1, 1, 1, 1, 1}, 1, 2, false}).sums == 6));
  BOOST_TEST((meet_in_the_middle_need({{9, 9, 9, 9}, 1, 20, false}).sums == 8));
}

BOOST_AUTO_TEST_CASE(sums_are_counted_once) {
  const std::uint64_t seed = oracle::seed();
  std::mt19937_64 random(seed);
  const clopt::RunControl no_limits;
  const clopt::Watch watch(no_limits);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t limit = oracle::draw(random, 1, 400);
    for (const std::uint64_t sparse : {std::uint64_t{0}, std::uint64_t{20}, std::uint64_t{1} << 20}) {
      SumSet sums(limit, sparse);
      oracle::Weights weights;
      for (int item = 0; item < 9; ++item) {
        weights.push_back(oracle::draw(random, 1, 60));
        BOOST_REQUIRE(sums.add_item(weights.back(), watch));
        BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed)
        BOOST_REQUIRE_EQUAL(sums.count(), oracle::reachable_sums(weights, limit).size());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(predictions_follow_from_the_speeds) {
  const ReducedProblem reduced{{900, 700, 500, 300}, 1000, 1200, false};
  const auto all = predict(reduced, reduced, true, plain_speeds(), much_memory);
  const auto capacities = static_cast<double>(capacities_to_sweep(reduced));
  const auto expect = [&](Method method, double seconds, std::uint64_t bytes) {
    const auto& prediction = prediction_of(method, all);
    BOOST_TEST_CONTEXT(name_of(method)) {
      BOOST_TEST(prediction.fits);
      BOOST_TEST(prediction.seconds == seconds, boost::test_tools::tolerance(1e-12));
      BOOST_TEST((prediction.bytes == bytes));
    }
  };
  // 4 items and 1201 capacities; the divisor is 100.
  expect(Method::bellman, 5 * 1201 / 5.0 + 4 * 5 * 1201 * 0.5, 4 * 5 * 1201);
  expect(Method::yanasse_soma, capacities / 3 + 4 * 1201 * 0.5, 4 * 1201);
  // The item of 900 is before the break item of 700: 1601 states of 2 bytes, three steps.
  const double reached = 1 / 20.0 * std::log(4.0);
  expect(Method::balsub, 3 * 900 / 10.0 + 1601 * reached * (7 + 100 / 100.0) + 700 / 100.0 * 1 * 2 + 3202 * 0.5,
         3202 + 512 * 1601);
  expect(Method::decomp, 1200 * 11 + capacities / 4, 12 * 18);
  // Two lists of two items each: four sums at most.
  expect(Method::meet_in_the_middle, 8 * 13, static_cast<std::uint64_t>(meet_in_the_middle_need(reduced).bytes));
  expect(Method::k1, 1 + 4 * 2 + capacities / 4 + 4 * 1201 * 3, 4 * 1201);
  expect(Method::k3_32, 5 + 4 * 6 + capacities / 2 + 1201 * 3 / 8.0 * 8, 451);
}

BOOST_AUTO_TEST_CASE(predictions_of_four_lists_count_what_they_stream) {
  ReducedProblem reduced{{}, 1, std::uint64_t{1} << 44, false};
  for (std::uint64_t i = 0; i < 30; ++i) reduced.weights.push_back((std::uint64_t{1} << 41) - i * i);
  const auto all = predict(reduced, reduced, true, plain_speeds(), much_memory);
  const auto& meet = prediction_of(Method::meet_in_the_middle, all);
  BOOST_TEST(meet.seconds == 1000 + 2 * 32768 * 17.0);
  BOOST_TEST(!meet.canonical);
}

BOOST_AUTO_TEST_CASE(pieces_visit_a_device_only_where_the_vector_does_not_fit_it) {
  const ReducedProblem reduced{{90'000, 70'000, 50'000, 30'000}, 100'000, 120'000, false};
  const auto usual = predict(reduced, reduced, true, plain_speeds(), much_memory);
  const auto few = predict(reduced, reduced, true, plain_speeds(), {40'000, much_memory.host});
  const auto none = predict(reduced, reduced, true, plain_speeds(), {40'000, 40'000});
  BOOST_TEST(prediction_of(Method::k3_32, few).fits);
  BOOST_TEST(prediction_of(Method::k3_32, few).seconds > prediction_of(Method::k3_32, usual).seconds);
  BOOST_TEST(!prediction_of(Method::k1, few).fits);
  BOOST_TEST(!prediction_of(Method::k3_32, none).fits);
}

BOOST_AUTO_TEST_CASE(a_hit_that_is_expected_shortens_what_ends_at_it) {
  // Weights without order, dense around the capacity.
  ReducedProblem reduced{{}, 1, 20'000, false};
  for (std::uint64_t i = 0; i < 60; ++i) reduced.weights.push_back(1000 - 7 * i - i * i % 5);
  const auto hit = predict(reduced, reduced, false, plain_speeds(), much_memory);
  const auto miss = predict(reduced, reduced, true, plain_speeds(), much_memory);
  for (const Method method : {Method::balsub, Method::decomp})
    BOOST_TEST(prediction_of(method, hit).seconds < prediction_of(method, miss).seconds);
  for (const Method method : {Method::bellman, Method::yanasse_soma, Method::k1})
    BOOST_TEST(prediction_of(method, hit).seconds == prediction_of(method, miss).seconds);
  // Two sums a second, and 32 bytes each.
  const auto& decomp = prediction_of(Method::decomp, hit);
  BOOST_TEST(static_cast<double>(decomp.bytes) == std::ceil(decomp.seconds * 2 * 32));
  // 21 items are before the break item: eight steps of 39, and as many logarithms.
  const double states = 1000 + 852 + 1;
  const double left = prediction_of(Method::balsub, miss).seconds - prediction_of(Method::balsub, hit).seconds;
  BOOST_TEST(left == 31 * 1000 / 10.0 + states * (std::log(40.0) - std::log(9.0)) * (7 + 100),
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
