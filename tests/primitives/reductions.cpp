#include <clopt/error.hpp>
#include <primitives/arg_min.hpp>
#include <primitives/reduce.hpp>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <support/skip.hpp>
#include "support.hpp"

namespace {

using namespace clopt;
using test::device;

using Integers = boost::mpl::list<std::uint32_t, std::uint64_t, std::int32_t, std::int64_t>;
using Floats = boost::mpl::list<float, double>;

template <class T>
bool missing() {
  if (!std::is_same_v<T, double> || device().info().has_double) return false;
  test::skip("no double precision");
  return true;
}

template <class T>
std::vector<T> random_floats(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (auto& value : values)
    value = static_cast<T>(
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 40) - 80));
  return values;
}

// The definition, by recursion: the left half is the largest power of two of values that leaves some for the right.
template <class T>
T tree(const T* values, std::size_t count) {
  if (count == 1) return values[0];
  const auto half = std::bit_ceil(count) / 2;
  return tree(values, half) + tree(values + half, count - half);
}

// A loop that keeps the first of the best.
template <class T>
std::uint64_t first_best(const std::vector<T>& values, bool largest) {
  std::uint64_t best = ~std::uint64_t{0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (best == ~std::uint64_t{0}) best = i;
    const T value = values[i];
    const T champion = values[best];
    const bool champion_is_nan = champion != champion;
    if (champion_is_nan ? value == value : (largest ? value > champion : value < champion)) best = i;
  }
  return best;
}

template <class T>
void check_arg_min(primitives::ArgMin<T>& arg_min, Queue& queue, const std::vector<T>& values) {
  const auto buffer = test::upload(queue, values);
  const auto index = device().buffer<std::uint64_t>("index", 1);
  arg_min.smallest(queue, buffer, values.size(), index);
  const auto smallest = test::download(queue, index, 1)[0];
  arg_min.largest(queue, buffer, values.size(), index);
  const auto largest = test::download(queue, index, 1)[0];
  BOOST_TEST(smallest == first_best(values, false), "smallest of " << values.size());
  BOOST_TEST(largest == first_best(values, true), "largest of " << values.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reductions, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE_TEMPLATE(integers, T, Integers) {
  using Wide = primitives::Wide<T>;
  const auto queue = device().queue();
  primitives::Reduce<T> reduce(device());
  const auto wide = device().buffer<Wide>("wide", 1);
  const auto narrow = device().buffer<T>("narrow", 1);
  for (const auto length : test::lengths) {
    const auto values = test::random_integers<T>(length, length + 1);
    std::uint64_t sum = 0;
    Wide bits = 0;
    T smallest = std::numeric_limits<T>::max();
    T largest = std::numeric_limits<T>::min();
    for (const auto value : values) {
      sum += static_cast<std::uint64_t>(value);
      for (auto rest = static_cast<std::make_unsigned_t<T>>(value); rest != 0; rest >>= 1) bits += rest & 1;
      if (value < smallest) smallest = value;
      if (value > largest) largest = value;
    }
    const auto buffer = test::upload(*queue, values);
    reduce.sum(*queue, buffer, length, wide);
    BOOST_TEST(test::download(*queue, wide, 1)[0] == static_cast<Wide>(sum), "sum of " << length);
    reduce.population_count(*queue, buffer, length, wide);
    BOOST_TEST(test::download(*queue, wide, 1)[0] == bits, "population count of " << length);
    reduce.minimum(*queue, buffer, length, narrow);
    BOOST_TEST(test::download(*queue, narrow, 1)[0] == smallest, "minimum of " << length);
    reduce.maximum(*queue, buffer, length, narrow);
    BOOST_TEST(test::download(*queue, narrow, 1)[0] == largest, "maximum of " << length);
  }
}

// Only the first `count` values count, although the buffer has more.
BOOST_AUTO_TEST_CASE(values_beyond_the_count_are_left_alone) {
  const auto queue = device().queue();
  primitives::Reduce<std::uint32_t> reduce(device());
  const std::vector<std::uint32_t> values(3000, 1);
  const auto buffer = test::upload(*queue, values);
  const auto total = device().buffer<std::uint64_t>("total", 1);
  for (const std::uint64_t count : {0U, 1U, 1023U, 1025U, 2999U}) {
    reduce.sum(*queue, buffer, count, total);
    BOOST_TEST(test::download(*queue, total, 1)[0] == count);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(arg_min_of_integers, T, Integers) {
  const auto queue = device().queue();
  primitives::ArgMin<T> arg_min(device());
  for (const auto length : test::lengths) {
    auto values = test::random_integers<T>(length, length + 2);
    check_arg_min(arg_min, *queue, values);
    // Few different values, so that many are equal, the extremes of the type among them.
    for (auto& value : values) {
      const T choices[] = {std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T{0}, T{1}};
      value = choices[static_cast<std::uint64_t>(value) % 4];
    }
    check_arg_min(arg_min, *queue, values);
    check_arg_min(arg_min, *queue, std::vector<T>(length, std::numeric_limits<T>::max()));
    check_arg_min(arg_min, *queue, std::vector<T>(length, std::numeric_limits<T>::min()));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(arg_min_of_floats, T, Floats) {
  if (missing<T>()) return;
  using Limits = std::numeric_limits<T>;
  const auto queue = device().queue();
  primitives::ArgMin<T> arg_min(device());
  for (const auto length : test::lengths) {
    auto values = random_floats<T>(length, length + 3);
    check_arg_min(arg_min, *queue, values);
    const std::vector<T> choices = {
        Limits::quiet_NaN(),  -Limits::quiet_NaN(),  Limits::infinity(), -Limits::infinity(), T{0}, -T{0},
        Limits::denorm_min(), -Limits::denorm_min(), Limits::max(),      Limits::lowest()};
    // From each choice on, so that infinities, then zeros and subnormals, then ordinary numbers are the extremes.
    for (const std::size_t first : {0U, 2U, 4U}) {
      const std::size_t last = first == 4 ? 8 : choices.size();
      for (std::size_t i = 0; i < length; ++i) values[i] = choices[first + (i * 2654435761U >> 7) % (last - first)];
      check_arg_min(arg_min, *queue, values);
    }
    for (std::size_t i = 0; i < length; ++i) values[i] = choices[i % 2];  // nothing but NaN
    check_arg_min(arg_min, *queue, values);
    for (std::size_t i = 0; i < length; ++i) values[i] = choices[4 + (i + 1) % 2];  // zeros: the first one counts
    check_arg_min(arg_min, *queue, values);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(ordered_sums, T, Floats) {
  if (missing<T>()) return;
  const auto queue = device().queue();
  primitives::OrderedSum<T> ordered(device(), test::lengths.back());
  const auto result = device().buffer<T>("sum", 1);
  for (const auto length : test::lengths) {
    for (auto values : {random_floats<T>(length, length + 4), std::vector<T>(length, -T{0})}) {
      const T expected = length == 0 ? T{0} : tree(values.data(), length);
      ordered.sum(*queue, test::upload(*queue, values), length, result);
      const auto sum = test::download(*queue, result, 1)[0];
      BOOST_TEST(std::memcmp(&sum, &expected, sizeof sum) == 0, "sum of " << length << ": " << sum << ", " << expected);
    }
  }
  BOOST_CHECK_THROW(ordered.sum(*queue, result, test::lengths.back() + 1, result), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
