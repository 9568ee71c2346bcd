/// \file
/// The mean of a population's fitness, whose sums are made side by side.
#include <ecga/run/mean_fitness.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

using namespace clopt;

// Powers of two that no sum of doubles rounds.
std::vector<float> values_of(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(1U << i % 20) * (i % 3 == 0 ? -0.5F : 1.0F);
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mean)

BOOST_AUTO_TEST_CASE(is_that_of_all_values) {
  for (const std::size_t count : {1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 1000U, 1003U}) {
    const auto values = values_of(count);
    double sum = 0;
    for (const double value : values) sum += value;
    const double least = *std::min_element(values.begin(), values.end());
    BOOST_TEST(ecga::mean_and_least(values).least == least);
    BOOST_TEST_CONTEXT(count << " values")
    BOOST_TEST(ecga::mean_and_least(values).mean == sum / static_cast<double>(count));
  }
}

// Values that are lost beside a large one, unless another sum has them.
BOOST_AUTO_TEST_CASE(has_eight_sums) {
  std::vector<float> values(16, 1.0F);
  values[0] = 1e17F;
  double expected = static_cast<double>(1e17F) + 1.0;
  for (int part = 1; part < 8; ++part) expected += 2.0;
  BOOST_TEST(ecga::mean_and_least(values).mean == expected / 16);
}

BOOST_AUTO_TEST_SUITE_END()
