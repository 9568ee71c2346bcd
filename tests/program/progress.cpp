#include <boost/test/unit_test.hpp>

#include <string>

#include <frame/output/progress_bar.hpp>

using clopt::apps::progress_line;

BOOST_AUTO_TEST_SUITE(program_progress)

BOOST_AUTO_TEST_CASE(a_line_reports_best_and_time_left) {
  BOOST_TEST(progress_line({"sweep", 0.5}, 10, {}) == "sweep      [#####.....]  50 %  10 s left");
  BOOST_TEST(progress_line({"sweep", 0.5, -1.5}, 10, 3) == "sweep      [#####.....]  50 %  best -1.5  3 s left");
  BOOST_TEST(progress_line({"sweep", 0.25, 2}, 400, 9000) == "sweep      [##........]  25 %  best 2  20 min left");
  // Nothing is known at the beginning, and nothing is left at the end.
  BOOST_TEST(progress_line({"sweep", 0}, 100, {}) == "sweep      [..........]   0 %");
  BOOST_TEST(progress_line({"sweep", 0.5}, 0.01, {}) == "sweep      [#####.....]  50 %");
  BOOST_TEST(progress_line({"sweep", 1}, 100, {}) == "sweep      [##########] 100 %");
  BOOST_TEST(progress_line({"sweep", 7}, 100, {}) == "sweep      [##########] 100 %");
}

BOOST_AUTO_TEST_CASE(a_line_reports_evaluations_a_second) {
  BOOST_TEST(progress_line({"sweep", 0.5}, 10, {}, 950.4) ==
             "sweep      [#####.....]  50 %  950 evaluations/s  10 s left");
  BOOST_TEST(progress_line({"sweep", 0.5, 3}, 10, {}, 1234567) ==
             "sweep      [#####.....]  50 %  best 3  1.2 M evaluations/s  10 s left");
  BOOST_TEST(progress_line({"sweep", 0.5, 3}, 0, {}, 35e9) ==
             "sweep      [#####.....]  50 %  best 3  35 G evaluations/s");
  BOOST_TEST(progress_line({"sweep", 0.5, 3}, 0, {}, 999.7) ==
             "sweep      [#####.....]  50 %  best 3  1.0 k evaluations/s");
  // An ordinary line has room for all, and a long one leaves them out.
  BOOST_TEST(progress_line({"generations", 0.5, -1.23457}, 1e3, {}, 123e6).find("123 M evaluations/s") !=
             std::string::npos);
  for (const double best : {-1.23456789e300, 1e-300})
    for (const double rate : {1.0, 1e300})
      BOOST_TEST(progress_line({"a phase with a very long name", 0.999, best}, 1e12, 1e12, rate).size() <= 79U);
}

BOOST_AUTO_TEST_SUITE_END()
