#include <clopt/detail/probe.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <filesystem>
#include <string>

using clopt::ProbeEnd;

BOOST_AUTO_TEST_SUITE(probe)

// What threads say at the same time spoils neither what others say nor the answer.
BOOST_AUTO_TEST_CASE(threads_may_report_steps_at_the_same_time) {
  // 100 times "while ", 1 to 8 letters, and the end of the line, by 8 threads.
  const std::string bytes = std::to_string(100 * (8 * 7 + 36));
  const clopt::test::Variable path("CLOPT_BACKEND_PATH",
                                   (std::filesystem::path(CLOPT_TEST_MODULES) / "talkative").string());
  const std::array<clopt::ProbeQuestion, 4> questions{
      {{"talkative", {}}, {"talkative", {}}, {"talkative", {}}, {"talkative", {}}}};
  for (int round = 0; round < 5; ++round)
    for (const auto& answer : clopt::ask_apart(questions, 60)) {
      BOOST_TEST((answer.end == ProbeEnd::answered));
      BOOST_TEST(answer.text == bytes);
      BOOST_TEST(answer.fault == "");
    }
}

BOOST_AUTO_TEST_SUITE_END()
