/// \file
/// Input that the program must refuse.
#pragma once

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "run.hpp"

namespace clopt::test {

/// Status 2, one to three lines of words, and nothing on standard output, with and without --json.
/// \param naming what the message must hold; \param input what stands on standard input.
inline void refused(const std::vector<std::string>& arguments, const std::string& naming = {},
                    const std::string& input = {}, int status = 2) {
  std::string line;
  for (const auto& word : arguments) line += word.substr(0, 60) + " ";
  for (const bool json : {false, true}) {
    auto words = arguments;
    if (json && words.size() > 1) words.push_back("--json");
    BOOST_TEST_CONTEXT("clopt " << line) {
      const auto outcome = run(words, input);
      BOOST_TEST_CONTEXT(outcome.error) {
        BOOST_TEST(outcome.status == status);
        BOOST_TEST(outcome.output.empty());
        BOOST_TEST(outcome.error_lines() >= 1U);
        BOOST_TEST(outcome.error_lines() <= 3U);
        BOOST_TEST(outcome.error.size() < 1000U);
        BOOST_TEST(outcome.error.find(naming) != std::string::npos, "does not name " << naming);
      }
    }
  }
}

}  // namespace clopt::test
