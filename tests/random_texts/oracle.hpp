// What a text of an objective means, without vectors, short forms or rewriting: a class of numbers whose conversions
// are those of docs/objectives.md. It shares the elementary functions alone with clopt.
#include <shared/elementary/elementary.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#ifndef ORACLE_SCALAR
#define ORACLE_SCALAR float
#endif
typedef ORACLE_SCALAR scalar;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define constant static const

struct real {
  scalar v;
  real() = default;
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  real(Number number) : v(static_cast<scalar>(number)) {}
  explicit operator bool() const { return v != 0; }
  template <class Whole, class = std::enable_if_t<std::is_integral_v<Whole> && !std::is_same_v<Whole, bool>>>
  explicit operator Whole() const {
    using Limits = std::numeric_limits<Whole>;
    if (std::isnan(v)) return 0;
    const long double wide = std::trunc(static_cast<long double>(v));
    if (wide > static_cast<long double>(Limits::max())) return Limits::max();
    if (wide < static_cast<long double>(Limits::min())) return Limits::min();
    return static_cast<Whole>(wide);
  }
  real operator-() const { return real(-v); }
  real operator+() const { return *this; }
  friend real operator+(real a, real b) { return real(a.v + b.v); }
  friend real operator-(real a, real b) { return real(a.v - b.v); }
  friend real operator*(real a, real b) { return real(a.v * b.v); }
  friend real operator/(real a, real b) { return real(a.v / b.v); }
  real& operator+=(real b) { return *this = *this + b; }
  real& operator-=(real b) { return *this = *this - b; }
  real& operator*=(real b) { return *this = *this * b; }
  real& operator/=(real b) { return *this = *this / b; }
  friend bool operator<(real a, real b) { return a.v < b.v; }
  friend bool operator<=(real a, real b) { return a.v <= b.v; }
  friend bool operator>(real a, real b) { return a.v > b.v; }
  friend bool operator>=(real a, real b) { return a.v >= b.v; }
  friend bool operator==(real a, real b) { return a.v == b.v; }
  friend bool operator!=(real a, real b) { return a.v != b.v; }
};

struct individual {
  const std::vector<real>* all;
};
inline uint genes(individual x) { return static_cast<uint>(x.all->size()); }
inline real gene(individual x, uint i) { return i < x.all->size() ? (*x.all)[i] : real(0); }
#define SCALE (real(static_cast<scalar>(0.3)))
constexpr uint tab_size = 7;
inline real tab(individual, uint i) {
  constexpr scalar values[] = {3, 1, 4, static_cast<scalar>(1.5), -9, 2, 6};
  return i < tab_size ? real(values[i]) : real(0);
}

inline scalar root_of(scalar x) { return std::sqrt(x); }
inline scalar floor_of(scalar x) { return std::floor(x); }
inline scalar trunc_of(scalar x) { return std::trunc(x); }
// The names are taken by functions of C.
#undef sin
#define sin oracle_sin
#undef cos
#define cos oracle_cos
#undef exp
#define exp oracle_exp
#undef log
#define log oracle_log
#undef pow
#define pow oracle_pow
#undef sqrt
#define sqrt oracle_sqrt
#undef fabs
#define fabs oracle_fabs
#undef floor
#define floor oracle_floor
#undef trunc
#define trunc oracle_trunc
#undef copysign
#define copysign oracle_copysign
#undef isfinite
#define isfinite oracle_isfinite
#undef isnan
#define isnan oracle_isnan
#undef fmin
#define fmin oracle_fmin
#undef fmax
#define fmax oracle_fmax
inline real sin(real x) { return clopt::shared::clopt_sin(x.v); }
inline real cos(real x) { return clopt::shared::clopt_cos(x.v); }
inline real exp(real x) { return clopt::shared::clopt_exp(x.v); }
inline real log(real x) { return clopt::shared::clopt_log(x.v); }
inline real pow(real x, real y) { return clopt::shared::clopt_pow(x.v, y.v); }
inline real sqrt(real x) { return root_of(x.v); }
inline real fabs(real x) { return std::abs(x.v); }
inline real floor(real x) { return floor_of(x.v); }
inline real trunc(real x) { return trunc_of(x.v); }
inline real copysign(real x, real y) {
  return y.v != y.v ? std::abs(x.v) : std::signbit(y.v) ? -std::abs(x.v) : std::abs(x.v);
}
inline bool isfinite(real x) { return x.v - x.v == 0; }
inline bool isnan(real x) { return x.v != x.v; }
inline real fmin(real x, real y) { return isnan(x) ? y : isnan(y) ? x : y < x ? y : x; }
inline real fmax(real x, real y) { return isnan(x) ? y : isnan(y) ? x : x < y ? y : x; }
inline real min(real x, real y) { return y < x ? y : x; }
inline real max(real x, real y) { return x < y ? y : x; }
inline int min(int x, int y) { return y < x ? y : x; }
inline int max(int x, int y) { return x < y ? y : x; }
inline real clamp(real x, real lower, real upper) { return min(max(x, lower), upper); }
inline int clamp(int x, int lower, int upper) { return min(max(x, lower), upper); }
#define convert_int(x) ((int)(x))
#define convert_uchar(x) ((uchar)(x))

inline void print_values(const char* name, real (*value)(individual)) {
  std::ifstream stream(std::string(name) + ".genes");
  std::printf("%s values", name);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::vector<real> all;
    for (std::string word; words >> word;) all.emplace_back(std::stod(word));
    const double found = value({&all}).v;
    found != found ? std::printf(" nan") : std::printf(" %a", found);
  }
  std::printf("\n");
}

// The terms in the order of a binary tree over neighbours.
template <class Term>
real sum_of_terms(Term term, uint begin, uint end) {
  if (end - begin == 1) return term(begin);
  uint half = 1;
  while (2 * half < end - begin) half *= 2;
  return sum_of_terms(term, begin, begin + half) + sum_of_terms(term, begin + half, end);
}
