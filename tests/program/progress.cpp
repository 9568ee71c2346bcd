#include <boost/test/unit_test.hpp>

#include <string>

#include <frame/output/progress_bar.hpp>

using clopt::apps::progress_line;

BOOST_AUTO_TEST_SUITE(program_progress)

BOOST_AUTO_TEST_CASE(a_line_reports_best_and_times) {
  BOOST_TEST(progress_line({"sweep", 0.5}, {10, 10}) == "sweep      [#####.....]  50 %  10 s  10 s left");
  BOOST_TEST(progress_line({"sweep", 0.25, 2}, {400, 500}) ==
             "sweep      [##........]  25 %  best 2  8 min  20 min left");
  // Nothing is known at the beginning, and nothing is left at the end.
  BOOST_TEST(progress_line({"sweep", 0}, {100, 100}) == "sweep      [..........]   0 %  2 min");
  BOOST_TEST(progress_line({"sweep", 0.5}, {0.01, 0.01}) == "sweep      [#####.....]  50 %  0 s");
  BOOST_TEST(progress_line({"sweep", 1}, {100, 90}) == "sweep      [##########] 100 %  90 s");
  BOOST_TEST(progress_line({"sweep", 7}, {100, 90}) == "sweep      [##########] 100 %  90 s");
}

BOOST_AUTO_TEST_CASE(a_line_reports_the_limit_that_comes_first) {
  BOOST_TEST(progress_line({"sweep", 0.5, -1.5}, {10, 27, 30}) ==
             "sweep      [#########.]  90 %  best -1.5  27 s  3 s left");
  BOOST_TEST(progress_line({"sweep", 0.5}, {10, 10, 9000}) == "sweep      [#####.....]  50 %  10 s  10 s left");
  BOOST_TEST(progress_line({"sweep", 0.01}, {10, 45, 60}) == "sweep      [#######...]  75 %  45 s  15 s left");
  BOOST_TEST(progress_line({"sweep", 0.01}, {10, 70, 60}) == "sweep      [##########] 100 %  70 s  0 s left");
  BOOST_TEST(progress_line({"sweep", 0.25}, {0, 0, 0}) == "sweep      [##........]  25 %  0 s  0 s left");
}

BOOST_AUTO_TEST_CASE(a_line_reports_evaluations_a_second) {
  BOOST_TEST(progress_line({"sweep", 0.5}, {10, 10, {}, 950.4}) ==
             "sweep      [#####.....]  50 %  950 evaluations/s  10 s  10 s left");
  BOOST_TEST(progress_line({"sweep", 0.5, 3}, {10, 10, {}, 1234567}) ==
             "sweep      [#####.....]  50 %  best 3  1.2 M evaluations/s  10 s  10 s left");
  BOOST_TEST(progress_line({"sweep", 0.5, 3}, {0, 0, {}, 35e9}) ==
             "sweep      [#####.....]  50 %  best 3  35 G evaluations/s  0 s");
  BOOST_TEST(progress_line({"sweep", 0.5, 3}, {0, 0, {}, 999.7}) ==
             "sweep      [#####.....]  50 %  best 3  1.0 k evaluations/s  0 s");
}

BOOST_AUTO_TEST_CASE(a_line_fits_the_width) {
  const clopt::apps::Pace pace{1e3, 1e3, {}, 123e6};
  const auto line = [&](std::size_t width) { return progress_line({"generations", 0.5, -1.23457}, pace, width); };
  BOOST_TEST(line(90) == "generations [#####.....]  50 %  best -1.23457  123 M evaluations/s  17 min  17 min left");
  BOOST_TEST(line(66) == "generations [#####.....]  50 %  best -1.23457  17 min  17 min left");
  BOOST_TEST(line(58) == "generations [#####.....]  50 %  best -1.23457  17 min left");
  BOOST_TEST(line(49) == "generations  50 %  best -1.23457  17 min left");
  for (const double best : {-1.23456789e300, 1e-300})
    for (const double rate : {1.0, 1e300})
      for (const std::size_t width : {39U, 49U, 79U, 119U})
        BOOST_TEST(
            progress_line({"a phase with a very long name", 0.999, best}, {1e12, 1e12, 2e12, rate}, width).size() <=
            width);
}

BOOST_AUTO_TEST_SUITE_END()
