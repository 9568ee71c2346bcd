/// \file
/// The parts that a thread's time is divided into. A sleep takes at least its time, and nothing here at most some.
#include <clopt/detail/run_times.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <thread>

namespace {

using clopt::RunSeconds;
using clopt::RunTimes;
using clopt::TimedPart;
using clopt::TimePart;

constexpr double slept = 0.01;

void sleep() { std::this_thread::sleep_for(std::chrono::duration<double>(slept)); }

void require_sum(const RunSeconds& seconds) {
  for (const double part : {seconds.open, seconds.build, seconds.compute, seconds.other}) BOOST_TEST(part >= 0);
  BOOST_TEST(seconds.total == seconds.open + seconds.build + seconds.compute + seconds.other);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run_times)

BOOST_AUTO_TEST_CASE(each_part_gets_its_own) {
  const RunTimes times;
  sleep();
  for (const auto part : {TimePart::compute, TimePart::build, TimePart::open}) {
    const TimedPart timed(part);
    sleep();
  }
  const auto seconds = times.seconds();
  require_sum(seconds);
  for (const double part : {seconds.open, seconds.build, seconds.compute, seconds.other}) BOOST_TEST(part >= slept);
}

BOOST_AUTO_TEST_CASE(within_computing_the_wait_for_a_program_or_driver_counts_as_that) {
  const RunTimes times;
  const TimedPart computing(TimePart::compute);
  {
    const TimedPart building(TimePart::build);
    const TimedPart opening(TimePart::open);
    sleep();
    // A self-test computes for what is built.
    const TimedPart tested(TimePart::compute);
    sleep();
  }
  const auto seconds = times.seconds();
  require_sum(seconds);
  BOOST_TEST(seconds.open >= 2 * slept);
}

BOOST_AUTO_TEST_CASE(parts_end_in_any_order) {
  const RunTimes times;
  std::optional<TimedPart> one(TimePart::build), other(TimePart::build);
  one.reset();
  sleep();
  other->end();
  other->end();
  other.reset();
  const double built = times.seconds().build;
  BOOST_TEST(built >= slept);
  sleep();
  BOOST_TEST(times.seconds().build == built);
  require_sum(times.seconds());
}

BOOST_AUTO_TEST_CASE(runs_within_a_run_have_times_of_their_own) {
  const RunTimes outer;
  sleep();
  const RunTimes inner;
  {
    const TimedPart computing(TimePart::compute);
    sleep();
  }
  const auto own = inner.seconds();
  const auto all = outer.seconds();
  require_sum(own);
  require_sum(all);
  BOOST_TEST(own.compute == all.compute);
  BOOST_TEST(all.other >= own.other + slept);
}

BOOST_AUTO_TEST_CASE(what_is_known_later_is_counted_again) {
  const RunTimes times;
  {
    const TimedPart computing(TimePart::compute);
    sleep();
    RunTimes::recount(TimePart::build, slept);
    const TimedPart opening(TimePart::open);
    // It counts as what comes before already.
    RunTimes::recount(TimePart::build, slept);
  }
  auto seconds = times.seconds();
  require_sum(seconds);
  BOOST_TEST(seconds.build == slept, boost::test_tools::tolerance(1e-9));
  RunTimes::move(TimePart::build, TimePart::compute, slept / 2);
  const auto moved = times.seconds();
  require_sum(moved);
  BOOST_TEST(moved.build == slept / 2, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(moved.compute == seconds.compute + slept / 2, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(other_threads_count_as_what_is_waited_for_them_in) {
  const RunTimes times;
  const TimedPart computing(TimePart::compute);
  std::thread([] {
    const TimedPart building(TimePart::build);
    sleep();
  }).join();
  const auto seconds = times.seconds();
  BOOST_TEST(seconds.compute >= slept);
  BOOST_TEST(seconds.build == 0);
}

BOOST_AUTO_TEST_SUITE_END()
