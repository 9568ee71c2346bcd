#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>
#include <cmath>

#include "oracle.hpp"

using namespace clopt::subset_sum;
using oracle::draw;
using oracle::Weights;

namespace {

constexpr std::uint64_t largest = 9223372036854775807U;

Result solved(const Instance& instance, const std::string& method = "auto", bool reduce = true,
              const clopt::RunControl& control = {}) {
  Options options;
  options.method = method;
  options.reduce = reduce;
  Result result = solve_with(instance, options, oracle::sweeper(), control);
  const std::string fault = check(instance, result);
  BOOST_TEST(fault.empty(), fault);
  return result;
}

/// A small instance of one of the shapes that break solvers.
Instance random_instance(std::mt19937_64& random) {
  Instance instance;
  const std::uint64_t n = draw(random, 1, 11);
  std::uint64_t heaviest = draw(random, 1, 200);
  std::uint64_t unit = 1;
  std::uint64_t base = 0;
  switch (draw(random, 0, 5)) {
    case 0: unit = draw(random, 1, 20); break;
    case 1:
      heaviest = 2;
      unit = draw(random, 1, 50);
      break;
    case 2: base = largest - 200; break;
    case 3: heaviest = std::uint64_t{1} << draw(random, 1, 40); break;
    case 4: base = largest / draw(random, 2, 12); break;
    default: break;
  }
  oracle::Uint128 total = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    instance.weights.push_back(base + unit * draw(random, 1, heaviest));
    total += instance.weights.back();
  }
  const auto limit = static_cast<std::uint64_t>(std::min<oracle::Uint128>(total + 3, largest));
  instance.capacity = random() % 8 == 0 ? draw(random, 0, limit) : draw(random, limit / 4, limit);
  return instance;
}

std::string text_of(const Instance& instance) {
  return fmt::format("capacity {}, weights {}", instance.capacity, fmt::join(instance.weights, " "));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_solver)

BOOST_AUTO_TEST_CASE(random_instances_agree_with_all_subsets) {
  const std::uint64_t seed = oracle::seed();
  BOOST_TEST_MESSAGE("CLOPT_TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  oracle::sweeps = 0;
  std::size_t by_proof[5] = {};
  for (std::size_t round = oracle::rounds(2000, 100'000); round > 0; --round) {
    const Instance instance = random_instance(random);
    const std::uint64_t expected = oracle::best_of_all_subsets(instance.weights, instance.capacity);
    BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed << ", " << text_of(instance)) {
      std::vector<std::string> methods{"auto", "meet-in-the-middle"};
      if (instance.capacity < 3000) methods.insert(methods.end(), {"bellman", "yanasse-soma", "k3-32"});
      for (const bool reduce : {true, false}) {
        std::uint64_t checksum = 0;
        for (const std::string& method : methods) {
          const Result result = solved(instance, method, reduce);
          BOOST_REQUIRE_EQUAL(result.value, expected);
          BOOST_REQUIRE(result.optimal);
          if (method != "auto") BOOST_REQUIRE_EQUAL(result.method, method);
          // Every method walks back to the same subset.
          if (checksum != 0) BOOST_REQUIRE_EQUAL(result.checksum, checksum);
          checksum = result.checksum;
          ++by_proof[static_cast<int>(result.proof)];
        }
      }
    }
  }
  // No way to prove may be left out of this test.
  BOOST_TEST(oracle::sweeps > 100U);
  for (const Proof proof : {Proof::everything_fits, Proof::capacity_reached, Proof::divisor, Proof::exhaustive}) {
    BOOST_TEST(by_proof[static_cast<int>(proof)] > 20U);
  }
}

BOOST_AUTO_TEST_CASE(hard_shapes) {
  BOOST_TEST(solved({{5}, 0}).value == 0U);
  BOOST_TEST(solved({{5}, 4}).value == 0U);
  BOOST_TEST(solved({{5}, 5}).value == 5U);
  BOOST_TEST(solved({{5}, largest}).value == 5U);
  BOOST_TEST(solved({{largest}, largest}).value == largest);
  BOOST_TEST(solved({{largest, largest, largest}, largest}).value == largest);
  BOOST_TEST(solved({{largest - 1, largest - 1, 2}, largest}).value == largest - 1);
  BOOST_TEST(solved({Weights(7, 13), 50}).value == 39U);
  BOOST_TEST(solved({Weights(49, 1'000'003), 10'000'000}).value == 9'000'027U);
  BOOST_TEST(solved({{3, 7, 7, 7, 20, 50, 100}, 13}).value == 10U);
  // Their sum passes 2^64, and modulo 2^64 would fit.
  BOOST_TEST(solved({{largest, largest, 2, 9}, 20}).value == 11U);
  BOOST_TEST(solved({Weights(40, std::uint64_t{1} << 62), largest}).value == std::uint64_t{1} << 62);
  BOOST_TEST(solved({{largest / 2, largest / 2, largest / 2 + 1, 5}, largest}).value == largest);
}

BOOST_AUTO_TEST_CASE(proofs_name_the_step) {
  BOOST_TEST((solved({{1, 2, 100}, 50}).proof == Proof::everything_fits));
  BOOST_TEST((solved({{30, 20, 7}, 50}).proof == Proof::capacity_reached));
  BOOST_TEST((solved({{30, 20, 10}, 55}).proof == Proof::divisor));
  BOOST_TEST((solved({{30, 20, 10}, 55}, "auto", false).proof == Proof::exhaustive));
  BOOST_TEST((solved({{7, 7, 8}, 13}).proof == Proof::exhaustive));
  BOOST_TEST(solved({{30, 20, 10}, 55}, "bellman", false).reason == "asked for");
  BOOST_TEST(solved({{30, 20, 7}, 50}).reason == "trivial solution");
  // 10 comes first and leaves no room; 7 + 7 is found otherwise.
  const Instance crowded{{10, 7, 7, 6, 5}, 14};
  BOOST_TEST(solved(crowded, "k3-32").reason == "interval certificate");
  BOOST_TEST(solved(crowded, "k3-32", false).reason == "asked for");
  BOOST_TEST(solved({{10, 7, 7, 6, 5}, 20}, "k3-32", false).reason == "trivial solution of the remainder");
}

BOOST_AUTO_TEST_CASE(forty_nine_items_against_a_table) {
  std::mt19937_64 random(oracle::seed());
  for (int round = 0; round < 20; ++round) {
    Instance instance;
    const std::uint64_t unit = draw(random, 1, 3);
    for (int i = 0; i < 49; ++i) instance.weights.push_back(unit * draw(random, 300, 330));
    instance.capacity = draw(random, 0, 3000);
    const std::uint64_t expected = oracle::best_sum(instance.weights, instance.capacity);
    for (const char* method : {"auto", "bellman", "k3-32", "meet-in-the-middle"}) {
      for (const bool reduce : {true, false}) BOOST_TEST(solved(instance, method, reduce).value == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_paper_s_classes_are_decided_without_a_sweep) {
  for (const char* name : {"half:1000", "half-small:1000", "p:1000", "uniform:1000", "half:10000", "half-small:10000",
                           "p:10000", "uniform:10000", "half:100"}) {
    BOOST_TEST_CONTEXT(name) {
      const Instance instance = make_instance(name, 1);
      const std::uint64_t unit = std::string_view(name).starts_with("half") ? 10 : 2;
      oracle::sweeps = 0;
      const Result result = solved(instance);
      BOOST_TEST(oracle::sweeps == 0U);
      BOOST_TEST((result.proof == Proof::divisor));
      BOOST_TEST(result.value == instance.capacity / unit * unit);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_hidden_divisor_is_decided_without_a_sweep) {
  Instance instance = make_instance("half:1000", 1);
  for (const std::size_t odd : {3U, 500U, 999U}) ++instance.weights[odd];
  instance.capacity += 2;  // 7 mod 10, out of reach with three weights of 1 mod 10
  oracle::sweeps = 0;
  const Result result = solved(instance);
  BOOST_TEST(oracle::sweeps == 0U);
  BOOST_TEST((result.proof == Proof::exhaustive));
  BOOST_TEST(result.value == instance.capacity - 4);
}

BOOST_AUTO_TEST_CASE(without_reduction_the_paper_s_work_is_done) {
  const Instance instance = make_instance("half-small:30", 1);
  oracle::sweeps = 0;
  const Result swept = solved(instance, "k3-32", false);
  BOOST_TEST(oracle::sweeps == 1U);
  BOOST_TEST((swept.proof == Proof::exhaustive));
  BOOST_TEST(swept.capacities_swept > 0U);
  BOOST_TEST(swept.value == solved(instance).value);
  for (const char* method : {"bellman", "yanasse-soma"})
    BOOST_TEST(swept.checksum == solved(instance, method, false).checksum);
}

BOOST_AUTO_TEST_CASE(limits_leave_the_best_so_far) {
  // Todd-like: nothing but a full search decides it, and 2^22 sums a half take a while.
  Instance instance;
  for (std::uint64_t i = 1; i <= 44; ++i) instance.weights.push_back((std::uint64_t{1} << 50) + i * i * 2'000'003 * 2);
  instance.capacity = (std::uint64_t{1} << 54) + 1;
  clopt::RunControl out_of_time;
  out_of_time.time_limit = 0;
  const Result late = solved(instance, "meet-in-the-middle", true, out_of_time);
  BOOST_TEST(!late.optimal);
  BOOST_TEST((late.ending == clopt::Ending::time));
  BOOST_TEST(late.value > 0U);
  std::stop_source stop;
  stop.request_stop();
  clopt::RunControl stopped;
  stopped.stop = stop.get_token();
  const Result early = solved(instance, "meet-in-the-middle", true, stopped);
  BOOST_TEST(!early.optimal);
  BOOST_TEST((early.ending == clopt::Ending::interrupted));
  const Result whole = solved(instance);
  BOOST_TEST(whole.optimal);
  BOOST_TEST(whole.method == "meet-in-the-middle");
  BOOST_TEST(whole.value >= late.value);
}

BOOST_AUTO_TEST_CASE(a_subset_is_reported_before_a_method_begins) {
  const auto seed = 5U;
  BOOST_TEST_INFO_SCOPE("seed " << seed);
  std::mt19937_64 random(seed);
  std::size_t reported = 0;
  for (int round = 0; round < 300; ++round) {
    const auto instance = random_instance(random);
    Options options;
    options.reduce = round % 2 == 0;
    std::size_t calls = 0;
    Result known;
    options.found = [&](std::int64_t value, const std::vector<std::size_t>& indices) {
      ++calls;
      known.value = static_cast<std::uint64_t>(value);
      known.indices = indices;
    };
    const Result result = solve_with(instance, options, oracle::sweeper());
    const bool needs_method = result.solved_by != "preprocessing";
    BOOST_TEST(calls <= 1U);
    if (needs_method) BOOST_TEST(calls == 1U, text_of(instance));
    if (calls == 0) continue;
    BOOST_TEST(check(instance, known) == "", text_of(instance));
    BOOST_TEST(known.value <= result.value);
    ++reported;
  }
  BOOST_TEST(reported > 50U);
}

BOOST_AUTO_TEST_CASE(no_method_is_chosen_once_the_time_is_over) {
  Instance huge;
  for (std::uint64_t i = 0; i < 100; ++i) huge.weights.push_back((std::uint64_t{1} << 55) + i * i * i * 1'234'567);
  huge.capacity = std::uint64_t{1} << 60;
  clopt::RunControl out_of_time;
  out_of_time.time_limit = 0;
  const Result late = solved(huge, "auto", true, out_of_time);
  BOOST_TEST((late.ending == clopt::Ending::time));
  BOOST_TEST(!late.optimal);
  BOOST_TEST(late.value > 0U);
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused) {
  const auto refused = [](const Instance& instance, const Options& options = {},
                          const clopt::RunControl& control = {}) {
    BOOST_CHECK_THROW(solve_with(instance, options, oracle::sweeper(), control), clopt::InvalidInput);
  };
  refused({{}, 5});
  refused({{0}, 5});
  refused({{1, 2, largest + 1}, 5});
  refused({{1}, largest + 1});
  Options unknown;
  unknown.method = "guess";
  refused({{1}, 5}, unknown);
  clopt::RunControl negative;
  negative.time_limit = -1;
  refused({{1}, 5}, {}, negative);
  negative.time_limit = std::nan("");
  refused({{1}, 5}, {}, negative);
  // Neither swept nor met: huge capacities and many items.
  Instance huge;
  for (std::uint64_t i = 0; i < 100; ++i) huge.weights.push_back((std::uint64_t{1} << 55) + i * i * i * 1'234'567);
  huge.capacity = std::uint64_t{1} << 60;
  refused(huge);
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_never_leaves) {
  const Sweeper liar{[](const ReducedProblem& reduced, Method, const clopt::Watch&) {
                       Found found;
                       found.complete = true;
                       found.sum = reduced.high;
                       for (std::uint32_t i = 0; i < reduced.size(); ++i) found.positions.push_back(i);
                       return found;
                     },
                     [] { return Resources{}; }};
  Options options;
  options.method = "k3-32";
  options.reduce = false;
  BOOST_CHECK_THROW(solve_with({{70, 70, 80, 90, 90}, 133}, options, liar), clopt::InternalError);
}

BOOST_AUTO_TEST_CASE(unknown_names_are_refused_with_the_field_and_the_names) {
  const auto says = [](const Options& options, const std::string& text) {
    BOOST_CHECK_EXCEPTION(solve_with({{3, 5}, 7}, options, oracle::sweeper()), clopt::InvalidInput,
                          [&](const auto& error) { return std::string(error.what()).find(text) != std::string::npos; });
  };
  Options options;
  options.method = "k4";
  says(options,
       "there is no `method` 'k4'; choose one of auto, bellman, bbe, balsub, decomp, yanasse-soma, "
       "meet-in-the-middle, k1, k2, k3-16, k3-32, k3-64");
  options = {};
  options.barrier = "none";
  says(options, "there is no `barrier` 'none'; choose one of xiao-feng, cyclic");
  options = {};
  options.recovery = "tables";
  says(options, "there is no `recovery` 'tables'; choose one of auto, table, checkpoints, host");
}

BOOST_AUTO_TEST_CASE(every_enumeration_has_names) {
  BOOST_TEST(name_of(Method::automatic) == "auto");
  BOOST_TEST(name_of(Method::meet_in_the_middle) == "meet-in-the-middle");
  BOOST_TEST(name_of(Method::sparse) == clopt::choices_of<Options>("method").back());
  BOOST_TEST(name_of(Barrier::xiao_feng) == "xiao-feng");
  BOOST_TEST(name_of(Barrier::cyclic) == "cyclic");
  BOOST_TEST(name_of(Recovery::automatic) == "auto");
  BOOST_TEST(name_of(Recovery::checkpoints) == "checkpoints");
  BOOST_TEST(name_of(Proof::none) == "none");
  BOOST_TEST(name_of(Proof::everything_fits) == "everything-fits");
  BOOST_TEST(name_of(Proof::exhaustive) == "exhaustive");
}

BOOST_AUTO_TEST_CASE(a_lack_of_memory_reaches_the_caller) {
  // Also where `auto` would have other methods to try.
  const auto lacking = [](const std::string& method) {
    auto sweeper = oracle::sweeper();
    sweeper.sweep = [](const ReducedProblem&, Method, const clopt::Watch&) -> Found {
      throw clopt::OutOfMemory("no memory");
    };
    Options options;
    options.method = method;
    options.reduce = false;
    return solve_with({{70, 70, 80, 90, 90}, 133}, options, sweeper);
  };
  BOOST_CHECK_THROW(lacking("k3-32"), clopt::OutOfMemory);
  BOOST_CHECK_THROW(lacking("meet-in-the-middle"), clopt::OutOfMemory);
}

BOOST_AUTO_TEST_CASE(progress_reports_the_best_value_from_the_start) {
  // Decided by the whole search alone; of these the items that are left out are searched too, for the larger capacity.
  Instance instance;
  for (std::uint64_t i = 0; i < 60; ++i) instance.weights.push_back(2 * (10'000 - 70 * i - i * i / 3));
  std::uint64_t total = 0;
  for (const std::uint64_t weight : instance.weights) total += weight;
  for (const std::uint64_t capacity : {total / 4 | 1, total / 4 * 3 | 1}) {
    instance.capacity = capacity;
    for (const char* method : {"bellman", "yanasse-soma", "k3-32"}) {
      std::vector<double> bests;
      clopt::RunControl control;
      control.progress_interval = 0;
      control.progress = [&](const clopt::Progress& progress) {
        bests.push_back(progress.best.value_or(-1));
        return true;
      };
      auto sweeper = oracle::sweeper();
      sweeper.sweep = [](const ReducedProblem& reduced, Method, const clopt::Watch& watch) {
        watch.report("sweep", 0);
        Found found = oracle::sweep(reduced, Method::k1, watch);
        watch.report("recovery", 0, static_cast<double>(found.sum));
        return found;
      };
      Options options;
      options.method = method;
      options.reduce = false;
      const Result result = solve_with(instance, options, sweeper, control);
      BOOST_TEST_CONTEXT(method << ", capacity " << capacity) {
        BOOST_REQUIRE(!bests.empty());
        // The trivial solution is at least half of the capacity.
        BOOST_TEST(bests.front() >= static_cast<double>(capacity >> 1));
        BOOST_TEST(std::is_sorted(bests.begin(), bests.end()));
        BOOST_TEST(bests.back() <= static_cast<double>(result.value));
        if (std::string_view(method) == "k3-32") BOOST_TEST(bests.back() == static_cast<double>(result.value));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
