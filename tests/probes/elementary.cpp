// The elementary functions and the arithmetic that they stand on have C++'s bits on every device.
#include <shared/elementary/elementary.h>
#include <clopt/error.hpp>
#include <generated/operations/probes.hpp>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <support/skip.hpp>
#include "support.hpp"

namespace {

using namespace clopt;
using test::device;
namespace operations = probes::operations;

constexpr std::size_t count = 1000000;

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
struct Arguments {
  std::vector<T> x = std::vector<T>(count);
  std::vector<T> y = std::vector<T>(count);
};

// Half of the pairs have random bits (any exponent, subnormals, NaN), an eighth is subnormal, the rest moderate.
template <class T>
Arguments<T> arguments() {
  std::mt19937_64 random(20111);
  std::uniform_real_distribution<double> moderate(-20, 20);
  constexpr Bits<T> exponent = std::bit_cast<Bits<T>>(std::numeric_limits<T>::infinity());
  Arguments<T> all;
  for (std::size_t i = 0; i < count; ++i) {
    auto x = static_cast<Bits<T>>(random());
    auto y = static_cast<Bits<T>>(random());
    if (i % 8 == 0) {
      x &= ~exponent;
      if (i % 16 == 0) y &= ~exponent;
    }
    const bool any = i % 8 < 5;
    all.x[i] = any ? std::bit_cast<T>(x) : static_cast<T>(moderate(random));
    all.y[i] = any ? std::bit_cast<T>(y) : static_cast<T>(moderate(random));
    if (i % 8 == 7) all.x[i] = std::fabs(all.x[i]);  // so that powers exist
  }
  return all;
}

template <class T>
struct Row {
  const char* name;
  T (*function)(T, T);
  bool nan_has_one_form;
};

template <class T>
const std::vector<Row<T>> elementary_rows = {
    {"exp", [](T x, T) { return shared::clopt_exp(x); }, true},
    {"log", [](T x, T) { return shared::clopt_log(x); }, true},
    {"sin", [](T x, T) { return shared::clopt_sin(x); }, true},
    {"cos", [](T x, T) { return shared::clopt_cos(x); }, true},
    {"pow", [](T x, T y) { return shared::clopt_pow(x, y); }, true},
};

template <class T>
const std::vector<Row<T>> arithmetic_rows = {
    {"+", [](T x, T y) { return x + y; }, false},         {"-", [](T x, T y) { return x - y; }, false},
    {"*", [](T x, T y) { return x * y; }, false},         {"/", [](T x, T y) { return x / y; }, false},
    {"sqrt", [](T x, T) { return std::sqrt(x); }, false}, {"x*y+x", [](T x, T y) { return x * y + x; }, false},
};

template <class Probe, class T>
void compare(const std::vector<Row<T>>& rows) {
  const auto kernel = device().kernel<Probe>();
  const auto all = arguments<T>();
  const auto queue = device().queue();
  const auto results = device().buffer<T>("results", rows.size() * count);
  queue->launch(
      kernel, Range::of_items(count),
      {.x = test::upload(*queue, all.x), .y = test::upload(*queue, all.y), .results = results, .count = count});
  const auto given = test::download(*queue, results, results.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::size_t different = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const T result = given[row * count + i];
      const T expected = rows[row].function(all.x[i], all.y[i]);
      if (std::bit_cast<Bits<T>>(result) == std::bit_cast<Bits<T>>(expected)) continue;
      if (!rows[row].nan_has_one_form && std::isnan(result) && std::isnan(expected)) continue;
      if (different++ == 0) first = i;
    }
    BOOST_TEST(different == 0U, rows[row].name << ": " << different << " of " << count << " differ, first of "
                                               << all.x[first] << ", " << all.y[first] << ": "
                                               << given[row * count + first]);
  }
}

// The C library's functions in a wider type err by far less than a unit of the narrower one.
template <class T, class Wider>
void compare_with_library() {
  const std::vector<Wider (*)(Wider, Wider)> references = {
      [](Wider x, Wider) { return std::exp(x); }, [](Wider x, Wider) { return std::log(x); },
      [](Wider x, Wider) { return std::sin(x); }, [](Wider x, Wider) { return std::cos(x); },
      [](Wider x, Wider y) { return std::pow(x, y); }};
  const auto all = arguments<T>();
  for (std::size_t row = 0; row < references.size(); ++row) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; i += 3) {
      const T result = elementary_rows<T>[row].function(all.x[i], all.y[i]);
      const Wider exact = references[row](all.x[i], all.y[i]);
      const T rounded = static_cast<T>(exact);
      if (std::isnan(result) != std::isnan(rounded)) ++wrong;
      if (std::isnan(result) || result == rounded) continue;
      // Neighbours, infinity after the largest number included.
      if (std::nextafter(rounded, result) != result) ++wrong;
    }
    BOOST_TEST(wrong == 0U, elementary_rows<T>[row].name << " is off in " << wrong);
  }
}

bool compiles_kernels() { return test::platform() != "openmp"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(elementary, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(functions_of_floats) {
  if (compiles_kernels())
    compare<operations::ElementaryFloat>(elementary_rows<float>);
  else
    compare_with_library<float, double>();
}

BOOST_AUTO_TEST_CASE(arithmetic_of_floats) {
  if (!compiles_kernels()) return test::skip("it is C++ itself");
  compare<operations::ArithmeticFloat>(arithmetic_rows<float>);
}

BOOST_AUTO_TEST_CASE(functions_of_doubles) {
  if (!device().info().has_double) return test::skip("no double precision");
  if (compiles_kernels())
    compare<operations::ElementaryDouble>(elementary_rows<double>);
  else
    compare_with_library<double, long double>();
}

BOOST_AUTO_TEST_CASE(arithmetic_of_doubles) {
  if (!device().info().has_double) return test::skip("no double precision");
  if (!compiles_kernels()) return test::skip("it is C++ itself");
  compare<operations::ArithmeticDouble>(arithmetic_rows<double>);
}

BOOST_AUTO_TEST_SUITE_END()
