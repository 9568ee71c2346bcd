#include <clopt/device.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

#include <support/device.hpp>

namespace clopt::primitives {
std::string self_test(Device& device);
}

BOOST_AUTO_TEST_SUITE(primitives_self_test)

BOOST_AUTO_TEST_CASE(passes_everywhere, *boost::unit_test::label("device") * boost::unit_test::label("oclgrind")) {
  BOOST_TEST(clopt::primitives::self_test(clopt::test::device()) == "");
}

// A device is tested when it is opened for the first time, so that this is waited for: its time is told, not judged.
BOOST_AUTO_TEST_CASE(passes_again_once_kernels_are_built,
                     *boost::unit_test::label("device") * boost::unit_test::label("alone")) {
  BOOST_TEST(clopt::primitives::self_test(clopt::test::device()) == "");
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST(clopt::primitives::self_test(clopt::test::device()) == "");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  BOOST_TEST_MESSAGE("the self-test takes " << time.count() << " s");
}

BOOST_AUTO_TEST_SUITE_END()
