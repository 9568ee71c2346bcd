#include <clopt/clopt.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(closest_value)

BOOST_AUTO_TEST_CASE(finds_the_first_of_the_closest, *boost::unit_test::label("device")) {
  namespace solver = clopt::closest_value;
  const auto result = solver::solve({{8, 6, 2, 9}}, {.wanted = 7}, clopt::test::device());
  BOOST_TEST(result.index == 0U);
  BOOST_TEST(result.distance == 1U);
  BOOST_TEST(solver::self_test(clopt::test::device()) == "");
  BOOST_CHECK_THROW(solver::solve({}, {}, clopt::test::device()), clopt::InvalidInput);
  BOOST_CHECK_THROW(solver::solve({{8}}, {.wanted = 1'000'001}, clopt::test::device()), clopt::InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
