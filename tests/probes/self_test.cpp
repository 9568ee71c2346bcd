#include <device/verification/random_self_test.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(random_numbers_self_test)

BOOST_AUTO_TEST_CASE(passes_everywhere, *boost::unit_test::label("device") * boost::unit_test::label("oclgrind")) {
  BOOST_TEST(clopt::random_numbers::self_test(clopt::test::device()) == "");
}

BOOST_AUTO_TEST_SUITE_END()
