/// \file
/// Runs that must have one result, whatever they ran on.
#pragma once

#include <clopt/genetic.hpp>

#include <boost/test/unit_test.hpp>

namespace clopt::test {

inline void require_same(const genetic::Result& result, const genetic::Result& expected) {
  BOOST_TEST(result.checksum == expected.checksum);
  BOOST_TEST(result.fitness == expected.fitness);
  BOOST_TEST(result.population == expected.population);
  BOOST_TEST(result.values == expected.values);
  BOOST_TEST(result.generations == expected.generations);
  BOOST_TEST(result.evaluations == expected.evaluations);
  BOOST_TEST((result.ending == expected.ending));
}

}  // namespace clopt::test
