/// \file
/// The keyed bijections and the table of x log2 x.
#include <shared/ecga/ecga.h>
#include <ecga/model/logarithms.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace {

using namespace clopt;

std::vector<std::uint32_t> images_of(std::uint64_t seed, std::uint32_t x, std::uint32_t count) {
  const auto bijection = shared::ecga_make_bijection(seed, ECGA_PURPOSE_SAMPLING, x, 0, count);
  std::vector<std::uint32_t> images;
  for (std::uint32_t i = 0; i < count; ++i) images.push_back(shared::ecga_image(bijection, i));
  return images;
}

/// How far counts are from equal ones, in standard deviations of a chi-squared sum.
double deviation(const std::vector<double>& counts, double expected, double degrees) {
  double sum = 0;
  for (const auto count : counts) sum += (count - expected) * (count - expected) / expected;
  return (sum - degrees) / std::sqrt(2 * degrees);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bijections)

BOOST_AUTO_TEST_CASE(every_number_is_an_image_once) {
  for (std::uint32_t count = 1; count < 300; ++count) {
    std::vector<int> hits(count);
    for (const auto image : images_of(count, 5, count)) ++hits.at(image);
    for (const auto hit : hits) BOOST_REQUIRE(hit == 1);
  }
  for (const std::uint32_t count : {65535U, 65536U, 65537U, 1000003U}) {
    std::vector<char> hits(count);
    for (const auto image : images_of(1, 2, count)) hits.at(image) = 1;
    for (const auto hit : hits) BOOST_REQUIRE(hit == 1);
  }
}

BOOST_AUTO_TEST_CASE(large_counts_have_images_of_their_own) {
  const std::uint32_t count = (1U << 31) - 512;
  const auto bijection = shared::ecga_make_bijection(3, ECGA_PURPOSE_SAMPLING, 1, 1, count);
  std::set<std::uint32_t> images;
  for (std::uint32_t i = 0; i < 10000; ++i) {
    images.insert(shared::ecga_image(bijection, i));
    images.insert(shared::ecga_image(bijection, count - 1 - i));
  }
  BOOST_TEST(images.size() == 20000U);
  BOOST_TEST(*images.begin() < count / 1000);
  BOOST_TEST(*images.rbegin() > count - count / 1000);
}

BOOST_AUTO_TEST_CASE(all_places_are_as_likely) {
  constexpr std::uint32_t count = 24;
  constexpr std::uint32_t keys = 24000;
  std::vector<double> places(count * count);
  for (std::uint32_t key = 0; key < keys; ++key) {
    const auto images = images_of(99, key, count);
    for (std::uint32_t i = 0; i < count; ++i) ++places[i * count + images[i]];
  }
  BOOST_TEST(std::abs(deviation(places, keys / double{count}, (count - 1.0) * (count - 1.0))) < 5);
}

BOOST_AUTO_TEST_CASE(images_of_neighbours_do_not_hang_together) {
  constexpr std::uint32_t count = 700;
  constexpr std::uint32_t keys = 2000;
  std::vector<double> differences(count);
  for (std::uint32_t key = 0; key < keys; ++key) {
    const auto images = images_of(98, key, count);
    for (std::uint32_t i = 0; i + 1 < count; ++i) ++differences[(images[i + 1] + count - images[i]) % count];
  }
  differences.erase(differences.begin());
  BOOST_TEST(std::abs(deviation(differences, keys, count - 2.0)) < 6);
}

BOOST_AUTO_TEST_CASE(logarithms_are_rounded_to_the_nearest) {
  const ecga::Logarithms logarithms(60000);
  BOOST_TEST(logarithms.fraction == 34);
  BOOST_TEST(logarithms.table[0] == 0);
  BOOST_TEST(logarithms.table[1] == 0);
  std::size_t wrong = 0;
  for (std::uint32_t x = 2; x <= 60000; ++x) {
    const long double exact = std::ldexp(static_cast<long double>(x) * std::log2(static_cast<long double>(x)), 34);
    // The last bit of a long double is worth 2^-8 of a unit here.
    if (std::abs(static_cast<long double>(logarithms.table[x]) - exact) > 0.52L) ++wrong;
  }
  BOOST_TEST(wrong == 0U);
  for (std::uint32_t power = 1; power < 16; ++power)
    BOOST_TEST(logarithms.table[1U << power] == (static_cast<std::int64_t>(power) << (34 + power)));
}

BOOST_AUTO_TEST_CASE(large_populations_have_fewer_fraction_bits) {
  const ecga::Logarithms logarithms(5'000'000);
  BOOST_TEST(logarithms.fraction == 33);
  BOOST_TEST(logarithms.table.back() < std::int64_t{1} << 61);
}

BOOST_AUTO_TEST_SUITE_END()
