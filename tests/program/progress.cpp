#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include <frame/output/progress_bar.hpp>
#include <support/folder.hpp>

#include "run.hpp"

using clopt::apps::progress_line;

BOOST_AUTO_TEST_SUITE(program_progress)

BOOST_AUTO_TEST_CASE(a_line_tells_best_and_time_left) {
  BOOST_TEST(progress_line({"sweep", 0.5}, 10, {}) == "sweep      [#####.....]  50 %  10 s left");
  BOOST_TEST(progress_line({"sweep", 0.5, -1.5}, 10, 3) == "sweep      [#####.....]  50 %  best -1.5  3 s left");
  BOOST_TEST(progress_line({"sweep", 0.25, 2}, 400, 9000) == "sweep      [##........]  25 %  best 2  20 min left");
  // Nothing is known at the beginning, and nothing is left at the end.
  BOOST_TEST(progress_line({"sweep", 0}, 100, {}) == "sweep      [..........]   0 %");
  BOOST_TEST(progress_line({"sweep", 0.5}, 0.01, {}) == "sweep      [#####.....]  50 %");
  BOOST_TEST(progress_line({"sweep", 1}, 100, {}) == "sweep      [##########] 100 %");
  BOOST_TEST(progress_line({"sweep", 7}, 100, {}) == "sweep      [##########] 100 %");
}

BOOST_AUTO_TEST_CASE(a_line_tells_evaluations_a_second) {
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

// `script` gives the program a terminal.
BOOST_AUTO_TEST_CASE(a_terminal_shows_evaluations_a_second) {
  const clopt::test::TemporaryFolder folder;
  const auto output = (folder.path() / "terminal").string();
#ifdef CLOPT_SANITIZED
  constexpr int seconds = 10;
#else
  constexpr int seconds = 1;
#endif
  const auto limits = fmt::format(" --generations 1000000000 --time-limit {} --device openmp:0", seconds);
  for (const char* words :
       {"de --objective rosenbrock --dimensions 30 --population 500 --adapt lshade --evaluations 60000000000",
        "ga --objective rastrigin --genes 50 --stagnation 1000000000",
        "ecga --objective onemax --length 200 --population 2000 --tournament 1 --stagnation 0",
        "exchange --topology torus:5x5 --optimizer umda --steps bound"}) {
    const auto command = fmt::format("script -qec '{} {}{}' {} >/dev/null 2>&1", CLOPT_PROGRAM, words, limits, output);
    const int status = std::system(command.c_str());
    BOOST_TEST(WIFEXITED(status));
    const auto shown = clopt::test::read_file(output);
    BOOST_TEST(shown.find(" evaluations/s") != std::string::npos, words << ": " << shown);
    BOOST_TEST(shown.find(" a second") != std::string::npos, words << ": " << shown);
  }
}

BOOST_AUTO_TEST_SUITE_END()
