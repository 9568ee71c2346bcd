// The intervals of progress that a caller may give.
#include <clopt/run.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>

using clopt::RunControl;
using clopt::Watch;

namespace {

int calls(double interval) {
  int count = 0;
  RunControl control;
  control.progress_interval = interval;
  control.progress = [&](const clopt::Progress&) {
    ++count;
    return true;
  };
  const Watch watch(control);
  for (int i = 0; i < 50; ++i) watch.report("work", 0);
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(watch)

BOOST_AUTO_TEST_CASE(an_interval_may_be_any_number) {
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  for (const double interval : {1e4, 1e9, 1e10, 1e300, infinity}) BOOST_TEST(calls(interval) == 1, interval);
  for (const double interval : {0.0, -1.0, -infinity, std::numeric_limits<double>::quiet_NaN()})
    BOOST_TEST(calls(interval) == 50, interval);
}

BOOST_AUTO_TEST_SUITE_END()
