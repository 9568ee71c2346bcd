#include <clopt/version.hpp>
#include <run/versions.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(versions)

// CMake's version is CLOPT_TEST_VERSION.
BOOST_AUTO_TEST_CASE(headers_library_and_build_agree) {
  BOOST_TEST(clopt::version() == CLOPT_TEST_VERSION);
  BOOST_TEST(std::string(CLOPT_VERSION_STRING) == CLOPT_TEST_VERSION);
  BOOST_TEST(std::to_string(CLOPT_VERSION_MAJOR) + "." + std::to_string(CLOPT_VERSION_MINOR) + "." +
                 std::to_string(CLOPT_VERSION_PATCH) ==
             CLOPT_TEST_VERSION);
#if CLOPT_VERSION < 100 || \
    CLOPT_VERSION != CLOPT_VERSION_MAJOR * 10000 + CLOPT_VERSION_MINOR * 100 + CLOPT_VERSION_PATCH
  BOOST_TEST(false, "the version as a number is " << CLOPT_VERSION);
#endif
}

BOOST_AUTO_TEST_CASE(files_of_the_same_first_two_numbers_and_of_listed_versions_are_read) {
  const auto release = std::to_string(CLOPT_VERSION_MAJOR) + "." + std::to_string(CLOPT_VERSION_MINOR);
  for (const auto& read : {release + ".0", release + ".1", release + ".12", std::string("0.1.0")})
    BOOST_TEST(clopt::reads_files_of(read), read);
  for (const auto& refused :
       {release, release + "0.1", release + ".1.1", release.substr(1) + ".1", std::string("0.1.1"),
        std::string("0.0.1"), std::string("1.2.0"), std::string("0.1"), std::string()})
    BOOST_TEST(!clopt::reads_files_of(refused), refused);
}

BOOST_AUTO_TEST_SUITE_END()
