/// \file
/// Measures the largest errors of the elementary functions against MPFR and checks their special values.
///
/// Usage: measure_elementary [arguments per function [seed]]. Prints one line a function; exits 1 when an error passes
/// 1 unit in the last place or a special value is wrong. Without arguments it takes some thousands of numbers, and a
/// million where the environment's CLOPT_TEST_LONG is 1.
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <string_view>

#include <shared/elementary/elementary.h>

namespace {

namespace shared = clopt::shared;

using Random = std::mt19937_64;

template <std::floating_point Real>
struct Bits;
template <>
struct Bits<float> {
  using Type = std::uint32_t;
  static constexpr Type nan = 0x7fc00000u;
};
template <>
struct Bits<double> {
  using Type = std::uint64_t;
  static constexpr Type nan = 0x7ff8000000000000u;
};

template <std::floating_point Real>
struct Arguments {
  Real x;
  Real y;  // only pow has a second one
};

/// A number of MPFR with the precision of all references here: three doubles.
class Reference {
 public:
  Reference() { mpfr_init2(number_, 160); }
  ~Reference() { mpfr_clear(number_); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  mpfr_ptr get() { return number_; }

 private:
  mpfr_t number_;
};

using Compute = std::function<void(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y)>;

/// The error of a result in units in the last place of the exact value. An overflow counts as 2^max_exponent, which is
/// what it would be with a wider exponent, on both sides.
template <std::floating_point Real>
double error_in_units(Real result, mpfr_ptr exact) {
  static Reference bound, difference;
  using Limits = std::numeric_limits<Real>;
  if (std::isnan(result) || mpfr_nan_p(exact)) {
    return std::isnan(result) && mpfr_nan_p(exact) ? 0.0 : std::numeric_limits<double>::infinity();
  }
  mpfr_set_ui_2exp(bound.get(), 1, Limits::max_exponent, MPFR_RNDN);
  if (mpfr_cmpabs(exact, bound.get()) > 0) mpfr_copysign(exact, bound.get(), exact, MPFR_RNDN);
  if (std::isinf(result)) {
    mpfr_copysign(difference.get(), bound.get(), exact, MPFR_RNDN);
    if (std::signbit(result) != (mpfr_signbit(exact) != 0)) return std::numeric_limits<double>::infinity();
  } else {
    mpfr_set_d(difference.get(), static_cast<double>(result), MPFR_RNDN);
  }
  mpfr_sub(difference.get(), difference.get(), exact, MPFR_RNDN);
  if (mpfr_zero_p(difference.get())) return 0.0;
  const mpfr_exp_t least = Limits::min_exponent;
  mpfr_exp_t exponent = mpfr_zero_p(exact) ? least : std::max<mpfr_exp_t>(mpfr_get_exp(exact), least);
  exponent = std::min<mpfr_exp_t>(exponent, Limits::max_exponent);
  mpfr_mul_2si(difference.get(), difference.get(), Limits::digits - exponent, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.get(), MPFR_RNDN));
}

template <std::floating_point Real>
struct Function {
  std::string name;
  std::function<Real(Real, Real)> evaluate;
  Compute reference;
  /// Arguments of the moderate range, where the function is mostly used.
  std::function<Arguments<Real>(Random&)> moderate;
};

template <std::floating_point Real>
Real uniform(Random& random, double low, double high) {
  return static_cast<Real>(std::uniform_real_distribution<double>(low, high)(random));
}

/// A number with random bits, so with any exponent; neither infinite nor NaN.
template <std::floating_point Real>
Real any_finite(Random& random) {
  for (;;) {
    const Real x = std::bit_cast<Real>(static_cast<typename Bits<Real>::Type>(random()));
    if (std::isfinite(x)) return x;
  }
}

/// Arguments of pow with results throughout its range, subnormal and barely overflowing ones included.
template <std::floating_point Real>
Arguments<Real> pow_arguments(Random& random) {
  using Limits = std::numeric_limits<Real>;
  Real x = std::fabs(any_finite<Real>(random));
  switch (random() % 4) {
    case 0: x = uniform<Real>(random, 0.0, 4.0); break;
    case 1:  // near 1, with distances of any size
      x = Real{1} +
          std::copysign(std::exp2(uniform<Real>(random, 1.0 - Limits::digits, -1.0)), uniform<Real>(random, -1.0, 1.0));
      break;
    case 2:  // an integer power, of a base of any sign
      x = uniform<Real>(random, -20.0, 20.0);
      return {x, std::rint(uniform<Real>(random, -40.0, 40.0))};
    default: break;
  }
  const double power =
      uniform<double>(random, Limits::min_exponent - Limits::digits - 2, Limits::max_exponent + 1) * std::numbers::ln2;
  return {x, static_cast<Real>(power / std::log(static_cast<double>(x)))};
}

/// Arguments of sin and cos: small ones, and those nearest to multiples of pi/2, where reduction cancels most.
template <std::floating_point Real>
Arguments<Real> angle_arguments(Random& random) {
  if (random() % 2 == 0) return {uniform<Real>(random, -100.0, 100.0), Real{0}};
  const double quadrants = std::floor(std::exp2(uniform<double>(random, 0.0, std::numeric_limits<Real>::digits)));
  return {static_cast<Real>(quadrants * (std::numbers::pi / 2)), Real{0}};
}

template <std::floating_point Real>
auto functions() {
  using Limits = std::numeric_limits<Real>;
  const auto between = [](double low, double high) {
    return [=](Random& random) { return Arguments<Real>{uniform<Real>(random, low, high), Real{0}}; };
  };
  const auto unary = [](Real (*f)(Real)) { return [f](Real x, Real) { return f(x); }; };
  const auto reference = [](int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
    return [f](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr) { f(result, x, MPFR_RNDN); };
  };
  const double least = (Limits::min_exponent - Limits::digits - 2) * std::numbers::ln2;
  const double most = (Limits::max_exponent + 1) * std::numbers::ln2;
  return std::array<Function<Real>, 5>{
      Function<Real>{"exp", unary(shared::clopt_exp), reference(mpfr_exp), between(least, most)},
      Function<Real>{"log", unary(shared::clopt_log), reference(mpfr_log), between(0.0, 4.0)},
      Function<Real>{"sin", unary(shared::clopt_sin), reference(mpfr_sin), angle_arguments<Real>},
      Function<Real>{"cos", unary(shared::clopt_cos), reference(mpfr_cos), angle_arguments<Real>},
      Function<Real>{"pow", [](Real x, Real y) { return shared::clopt_pow(x, y); },
                     [](mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y) { mpfr_pow(result, x, y, MPFR_RNDN); },
                     pow_arguments<Real>}};
}

/// Prints the worst error over random arguments; says whether all are within a unit.
template <std::floating_point Real>
bool measure(const Function<Real>& function, std::uint64_t count, Random& random) {
  Reference x, y, exact;
  double worst = 0.0;
  Arguments<Real> worst_arguments{};
  bool canonical = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    Arguments<Real> arguments{any_finite<Real>(random), any_finite<Real>(random)};
    if (i % 2 == 0) arguments = function.moderate(random);
    const Real result = function.evaluate(arguments.x, arguments.y);
    mpfr_set_d(x.get(), static_cast<double>(arguments.x), MPFR_RNDN);
    mpfr_set_d(y.get(), static_cast<double>(arguments.y), MPFR_RNDN);
    function.reference(exact.get(), x.get(), y.get());
    const double error = error_in_units(result, exact.get());
    if (error > worst) {
      worst = error;
      worst_arguments = arguments;
    }
    if (std::isnan(result)) {
      canonical = canonical && std::bit_cast<typename Bits<Real>::Type>(result) == Bits<Real>::nan;
    }
  }
  std::printf("%-6s %s: %.4f ulp at %a", sizeof(Real) == 4 ? "float" : "double", function.name.c_str(), worst,
              static_cast<double>(worst_arguments.x));
  if (function.name == "pow") std::printf(", %a", static_cast<double>(worst_arguments.y));
  std::printf("\n");
  if (!canonical) std::printf("  a NaN has other bits than the canonical one\n");
  return worst < 1.0 && canonical;
}

template <std::floating_point Real>
class SpecialValues {
 public:
  /// Compares bits, so that the sign of a zero and the payload of a NaN count.
  void expect(std::string_view what, Real result, Real expected, Real x, Real y = 0) {
    if (std::isnan(expected)) expected = std::bit_cast<Real>(Bits<Real>::nan);
    using Type = typename Bits<Real>::Type;
    if (std::bit_cast<Type>(result) == std::bit_cast<Type>(expected)) return;
    std::printf("%.*s(%a, %a) = %a, expected %a\n", static_cast<int>(what.size()), what.data(), static_cast<double>(x),
                static_cast<double>(y), static_cast<double>(result), static_cast<double>(expected));
    good_ = false;
  }
  bool good() const { return good_; }

 private:
  bool good_ = true;
};

/// The cases of C99's Annex F, F.9.
template <std::floating_point Real>
bool special_values_hold() {
  using Limits = std::numeric_limits<Real>;
  const Real inf = Limits::infinity(), nan = Limits::quiet_NaN(), zero = 0, one = 1, tiny = Limits::denorm_min();
  SpecialValues<Real> special;
  const auto unary = [&](std::string_view name, Real (*f)(Real), std::initializer_list<std::array<Real, 2>> cases) {
    for (const auto& [x, expected] : cases) special.expect(name, f(x), expected, x);
  };
  unary("exp", shared::clopt_exp,
        {{zero, one},
         {-zero, one},
         {inf, inf},
         {-inf, zero},
         {nan, nan},
         {-nan, nan},
         {tiny, one},
         {-tiny, one},
         {Limits::max(), inf},
         {Limits::lowest(), zero}});
  unary("log", shared::clopt_log,
        {{zero, -inf},
         {-zero, -inf},
         {one, zero},
         {inf, inf},
         {-inf, nan},
         {nan, nan},
         {-nan, nan},
         {-one, nan},
         {-tiny, nan}});
  unary("sin", shared::clopt_sin,
        {{zero, zero}, {-zero, -zero}, {inf, nan}, {-inf, nan}, {nan, nan}, {-nan, nan}, {tiny, tiny}, {-tiny, -tiny}});
  unary("cos", shared::clopt_cos,
        {{zero, one}, {-zero, one}, {inf, nan}, {-inf, nan}, {nan, nan}, {-nan, nan}, {tiny, one}, {-tiny, one}});

  const auto pow = [&](Real x, Real y, Real expected) {
    special.expect("pow", shared::clopt_pow(x, y), expected, x, y);
  };
  const Real half = Real{0.5}, big = Limits::max();
  for (const Real y : {Real{1}, Real{3}, Real{5}}) {  // odd
    pow(zero, -y, inf), pow(-zero, -y, -inf), pow(zero, y, zero), pow(-zero, y, -zero);
    pow(-inf, -y, -zero), pow(-inf, y, -inf), pow(-one, y, -one), pow(-one, -y, -one);
  }
  for (const Real y : {Real{2}, half, Real{2.5}, tiny, big, inf}) {  // not odd
    pow(zero, -y, inf), pow(-zero, -y, inf), pow(zero, y, zero), pow(-zero, y, zero);
    pow(-inf, -y, zero), pow(-inf, y, inf);
  }
  for (const Real y : {half, -half, Real{2.5}, tiny, -tiny}) pow(-one, y, nan), pow(-big, y, nan), pow(-tiny, y, nan);
  pow(-one, inf, one), pow(-one, -inf, one), pow(-one, big, one), pow(-one, Real{2}, one);
  for (const Real y : {zero, -zero, one, -half, big, inf, -inf, nan, -nan}) pow(one, y, one);
  for (const Real x : {zero, -zero, one, -half, big, tiny, -tiny, inf, -inf, nan, -nan})
    pow(x, zero, one), pow(x, -zero, one);
  for (const Real x : {half, -half, tiny, -tiny, zero, -zero, std::nextafter(one, zero)}) {
    pow(x, -inf, inf), pow(x, inf, zero);
  }
  for (const Real x : {Real{2}, Real{-2}, big, -big, inf, -inf, std::nextafter(one, inf)}) {
    pow(x, -inf, zero), pow(x, inf, inf);
  }
  for (const Real y : {half, -half, big, one}) pow(inf, y, y < 0 ? zero : inf);
  for (const Real x : {zero, -one, half, inf, -inf}) pow(x, nan, nan), pow(x, -nan, nan);
  for (const Real y : {one, -half, inf, -inf}) pow(nan, y, nan), pow(-nan, y, nan);
  pow(nan, nan, nan), pow(Real{2}, Real{-200000}, zero), pow(Real{-2}, Real{200001}, -inf);
  pow(Real{-2}, Real{-200001}, -zero), pow(Real{-2}, Real{3}, Real{-8}), pow(Real{2}, Real{10}, Real{1024});
  pow(tiny, one, tiny), pow(big, one, big), pow(-tiny, one, -tiny), pow(tiny, -one, inf);
  return special.good();
}

template <std::floating_point Real>
bool measure_all(std::uint64_t count, Random& random) {
  bool good = special_values_hold<Real>();
  for (const Function<Real>& function : functions<Real>()) good = measure(function, count, random) && good;
  return good;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const char* long_run = std::getenv("CLOPT_TEST_LONG");
  const std::uint64_t usual = long_run && std::string_view(long_run) == "1" ? 1'000'000 : 50'000;
  const std::uint64_t count = argument_count > 1 ? std::strtoull(arguments[1], nullptr, 10) : usual;
  const std::uint64_t seed = argument_count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  std::printf("%llu arguments a function, seed %llu\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(seed));
  Random random(seed);
  const bool floats = measure_all<float>(count, random);
  const bool doubles = measure_all<double>(count, random);
  if (!floats || !doubles) std::printf("FAILED\n");
  return floats && doubles ? EXIT_SUCCESS : EXIT_FAILURE;
}
