#include <clopt/program.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>

BOOST_AUTO_TEST_SUITE(defines)

BOOST_AUTO_TEST_CASE(literals_keep_type_and_value) {
  clopt::Defines defines;
  defines.set("A", std::numeric_limits<std::int32_t>::min())
      .set("B", std::numeric_limits<std::uint64_t>::max())
      .set("C", 0.1F)
      .set("D", -1.0)
      .set("E", true);
  defines.set_type<std::uint64_t>("F");
  BOOST_TEST(defines.find("A") == "(-2147483647-1)");
  BOOST_TEST(defines.find("B") == "18446744073709551615UL");
  BOOST_TEST(defines.find("C") == "(0x1.99999ap-4f)");
  BOOST_TEST(defines.find("D") == "(-0x1p+0)");
  BOOST_TEST(defines.find("E") == "1");
  BOOST_TEST(defines.find("F") == "ulong");
  BOOST_TEST(defines.find("G").empty());
}

BOOST_AUTO_TEST_SUITE_END()
