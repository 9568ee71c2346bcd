/* What a text's conversions to whole numbers, divisions, and functions whose result for a NaN OpenCL C leaves open,
 * stand for: the same on every device. lib/objective/casts.hpp puts them into a text. Included by words.h.
 *
 * A real beyond a type's numbers becomes the nearest of them, and NaN 0. min and max are those of the language's formula
 * (y < x ? y : x): of a NaN and a number, the first. The bits of a NaN are always the same, and its sign is positive.
 * Of whole numbers, a quotient and a remainder by 0 are 0, and the least number divided by -1 is itself.
 */
#ifdef __OPENCL_VERSION__

#if defined(CLOPT_FP64) || defined(cl_khr_fp64)
#define OBJECTIVE_OF_DOUBLE(function) function
#else
#define OBJECTIVE_OF_DOUBLE(function)
#endif

#ifdef OBJECTIVE_CONVERTS
#define OBJECTIVE_OVERLOAD static inline __attribute__((overloadable))
#define OBJECTIVE_WHOLE_OF(type, from) \
  OBJECTIVE_OVERLOAD type objective_to_##type(from x) { return (type)x; }
#define OBJECTIVE_WHOLE_OF_REAL(type, from, least, most, above)                                       \
  OBJECTIVE_OVERLOAD type objective_to_##type(from x) {                                               \
    return x >= (from)above ? (type)most : x < (from)least ? (type)least : x == x ? (type)x : (type)0; \
  }
#define OBJECTIVE_WHOLE(type, least, most, above)              \
  OBJECTIVE_WHOLE_OF(type, int)                                \
  OBJECTIVE_WHOLE_OF(type, uint)                               \
  OBJECTIVE_WHOLE_OF(type, long)                               \
  OBJECTIVE_WHOLE_OF(type, ulong)                              \
  OBJECTIVE_WHOLE_OF_REAL(type, float, least, most, above)     \
  OBJECTIVE_OF_DOUBLE(OBJECTIVE_WHOLE_OF_REAL(type, double, least, most, above))
OBJECTIVE_WHOLE(char, CHAR_MIN, CHAR_MAX, 128.0f)
OBJECTIVE_WHOLE(uchar, 0, UCHAR_MAX, 256.0f)
OBJECTIVE_WHOLE(short, SHRT_MIN, SHRT_MAX, 32768.0f)
OBJECTIVE_WHOLE(ushort, 0, USHRT_MAX, 65536.0f)
OBJECTIVE_WHOLE(int, INT_MIN, INT_MAX, 2147483648.0f)
OBJECTIVE_WHOLE(uint, 0, UINT_MAX, 4294967296.0f)
OBJECTIVE_WHOLE(long, LONG_MIN, LONG_MAX, 9223372036854775808.0f)
OBJECTIVE_WHOLE(ulong, 0, ULONG_MAX, 18446744073709551616.0f)

#define OBJECTIVE_CHOOSE_WHOLE(type)                                                                             \
  OBJECTIVE_OVERLOAD type objective_min(type x, type y) { return min(x, y); }                                    \
  OBJECTIVE_OVERLOAD type objective_max(type x, type y) { return max(x, y); }                                    \
  OBJECTIVE_OVERLOAD type objective_clamp(type x, type lower, type upper) { return min(max(x, lower), upper); }
#define OBJECTIVE_CHOOSE_REAL(type)                                                     \
  OBJECTIVE_OVERLOAD type objective_min(type x, type y) { return y < x ? y : x; }       \
  OBJECTIVE_OVERLOAD type objective_max(type x, type y) { return x < y ? y : x; }       \
  OBJECTIVE_OVERLOAD type objective_clamp(type x, type lower, type upper) {             \
    return objective_min(objective_max(x, lower), upper);                               \
  }
OBJECTIVE_CHOOSE_WHOLE(int)
OBJECTIVE_CHOOSE_WHOLE(uint)
OBJECTIVE_CHOOSE_WHOLE(long)
OBJECTIVE_CHOOSE_WHOLE(ulong)
OBJECTIVE_CHOOSE_REAL(float)
OBJECTIVE_OF_DOUBLE(OBJECTIVE_CHOOSE_REAL(double))

OBJECTIVE_OVERLOAD uint objective_as_uint(float x) { return x == x ? as_uint(x) : 0x7fc00000u; }
OBJECTIVE_OVERLOAD uint objective_as_uint(int x) { return as_uint(x); }
OBJECTIVE_OVERLOAD uint objective_as_uint(uint x) { return x; }
OBJECTIVE_OVERLOAD int objective_as_int(float x) { return as_int(objective_as_uint(x)); }
OBJECTIVE_OVERLOAD int objective_as_int(uint x) { return as_int(x); }
OBJECTIVE_OVERLOAD int objective_as_int(int x) { return x; }
OBJECTIVE_OF_DOUBLE(OBJECTIVE_OVERLOAD ulong objective_as_ulong(double x) {
  return x == x ? as_ulong(x) : 0x7ff8000000000000UL;
})
OBJECTIVE_OVERLOAD ulong objective_as_ulong(long x) { return as_ulong(x); }
OBJECTIVE_OVERLOAD ulong objective_as_ulong(ulong x) { return x; }
OBJECTIVE_OF_DOUBLE(OBJECTIVE_OVERLOAD long objective_as_long(double x) { return as_long(objective_as_ulong(x)); })
OBJECTIVE_OVERLOAD long objective_as_long(ulong x) { return as_long(x); }
OBJECTIVE_OVERLOAD long objective_as_long(long x) { return x; }

/* The types of both operands, and the type in which C divides them. A device may divide for all work-items, whatever
 * they decide, so that the divisor is always one that it can divide by.
 */
#define OBJECTIVE_DIVIDE_WHOLE(left, right, type)                                              \
  OBJECTIVE_OVERLOAD type objective_quotient(left a, right b) {                                \
    const type x = (type)a;                                                                    \
    const type y = (type)b;                                                                    \
    const bool negates = (type)-1 < 0 && y == (type)-1;                                        \
    const type quotient = x / (type)(y == 0 || negates ? 1 : y);                               \
    return y == 0 ? (type)0 : negates ? (type)(0UL - (ulong)x) : quotient;                     \
  }                                                                                            \
  OBJECTIVE_OVERLOAD type objective_remainder(left a, right b) {                               \
    const type y = (type)b;                                                                    \
    return (type)a % (type)(y == 0 || ((type)-1 < 0 && y == (type)-1) ? 1 : y);                \
  }
#define OBJECTIVE_DIVIDE_REAL(left, right, type) \
  OBJECTIVE_OVERLOAD type objective_quotient(left a, right b) { return (type)a / (type)b; }
#define OBJECTIVE_DIVIDE_BY_WHOLE(left, of_int, of_uint, of_long, of_ulong) \
  OBJECTIVE_DIVIDE_WHOLE(left, int, of_int)                                 \
  OBJECTIVE_DIVIDE_WHOLE(left, uint, of_uint)                               \
  OBJECTIVE_DIVIDE_WHOLE(left, long, of_long)                               \
  OBJECTIVE_DIVIDE_WHOLE(left, ulong, of_ulong)
#define OBJECTIVE_DIVIDE_WITH_REAL(type)   \
  OBJECTIVE_DIVIDE_REAL(type, int, type)   \
  OBJECTIVE_DIVIDE_REAL(type, uint, type)  \
  OBJECTIVE_DIVIDE_REAL(type, long, type)  \
  OBJECTIVE_DIVIDE_REAL(type, ulong, type) \
  OBJECTIVE_DIVIDE_REAL(int, type, type)   \
  OBJECTIVE_DIVIDE_REAL(uint, type, type)  \
  OBJECTIVE_DIVIDE_REAL(long, type, type)  \
  OBJECTIVE_DIVIDE_REAL(ulong, type, type) \
  OBJECTIVE_DIVIDE_REAL(type, type, type)
OBJECTIVE_DIVIDE_BY_WHOLE(int, int, uint, long, ulong)
OBJECTIVE_DIVIDE_BY_WHOLE(uint, uint, uint, long, ulong)
OBJECTIVE_DIVIDE_BY_WHOLE(long, long, long, long, ulong)
OBJECTIVE_DIVIDE_BY_WHOLE(ulong, ulong, ulong, ulong, ulong)
OBJECTIVE_DIVIDE_WITH_REAL(float)
OBJECTIVE_OF_DOUBLE(OBJECTIVE_DIVIDE_WITH_REAL(double)
                    OBJECTIVE_DIVIDE_REAL(float, double, double) OBJECTIVE_DIVIDE_REAL(double, float, double))

OBJECTIVE_FUNCTION real objective_copysign(real x, real y) { return y == y ? copysign(x, y) : fabs(x); }
#endif

#else

/* Of the vectors of many individuals, the conversion operator does the same. */
template <class Whole, class Number>
OBJECTIVE_FUNCTION Whole objective_whole(Number x) {
  if constexpr (std::is_floating_point_v<Number>)
    return clopt::shared::saturated<Whole>(x);
  else
    return static_cast<Whole>(x);
}
#define OBJECTIVE_WHOLE(type)                                \
  template <class Number>                                    \
  OBJECTIVE_FUNCTION type objective_to_##type(Number x) {    \
    return objective_whole<type>(x);                         \
  }
OBJECTIVE_WHOLE(uchar)
OBJECTIVE_WHOLE(short)
OBJECTIVE_WHOLE(ushort)
OBJECTIVE_WHOLE(int)
OBJECTIVE_WHOLE(uint)
OBJECTIVE_WHOLE(long)
OBJECTIVE_WHOLE(ulong)
#undef OBJECTIVE_WHOLE
template <class Number>
OBJECTIVE_FUNCTION signed char objective_to_char(Number x) {
  return objective_whole<signed char>(x);
}

template <class Left, class Right>
OBJECTIVE_FUNCTION auto objective_quotient(Left a, Right b) {
  if constexpr (std::is_integral_v<decltype(a / b)>) {
    using Whole = decltype(a / b);
    const auto x = static_cast<Whole>(a);
    const auto y = static_cast<Whole>(b);
    if (y == 0) return Whole{};
    const bool negates = std::is_signed_v<Whole> && y == static_cast<Whole>(-1);
    return negates ? static_cast<Whole>(0UL - static_cast<ulong>(x)) : static_cast<Whole>(x / y);
  } else {
    return a / b;
  }
}
template <class Left, class Right>
OBJECTIVE_FUNCTION auto objective_remainder(Left a, Right b) {
  using Whole = decltype(a % b);
  const auto x = static_cast<Whole>(a);
  const auto y = static_cast<Whole>(b);
  const bool divides = y == 0 || (std::is_signed_v<Whole> && y == static_cast<Whole>(-1));
  return divides ? Whole{} : static_cast<Whole>(x % y);
}

template <class Number>
OBJECTIVE_FUNCTION Number objective_min(Number x, Number y) {
  return min(x, y);
}
template <class Number>
OBJECTIVE_FUNCTION Number objective_max(Number x, Number y) {
  return max(x, y);
}
template <class Number>
OBJECTIVE_FUNCTION Number objective_clamp(Number x, Number lower, Number upper) {
  return min(max(x, lower), upper);
}
#ifdef OBJECTIVE_VECTOR
/* Of a number that all individuals share, and one of each. */
OBJECTIVE_FUNCTION real objective_min(real x, real y) { return min(x, y); }
OBJECTIVE_FUNCTION real objective_max(real x, real y) { return max(x, y); }
OBJECTIVE_FUNCTION real objective_clamp(real x, real lower, real upper) { return min(max(x, lower), upper); }
#endif

OBJECTIVE_FUNCTION uint objective_as_uint(float x) { return x == x ? clopt::shared::as_uint(x) : 0x7fc00000U; }
OBJECTIVE_FUNCTION uint objective_as_uint(int x) { return clopt::shared::as_uint(x); }
OBJECTIVE_FUNCTION uint objective_as_uint(uint x) { return x; }
OBJECTIVE_FUNCTION int objective_as_int(float x) { return clopt::shared::as_int(objective_as_uint(x)); }
OBJECTIVE_FUNCTION int objective_as_int(uint x) { return clopt::shared::as_int(x); }
OBJECTIVE_FUNCTION int objective_as_int(int x) { return x; }
OBJECTIVE_FUNCTION ulong objective_as_ulong(double x) {
  return x == x ? clopt::shared::as_ulong(x) : 0x7ff8000000000000UL;
}
OBJECTIVE_FUNCTION ulong objective_as_ulong(long x) { return clopt::shared::as_ulong(x); }
OBJECTIVE_FUNCTION ulong objective_as_ulong(ulong x) { return x; }
OBJECTIVE_FUNCTION long objective_as_long(double x) { return clopt::shared::as_long(objective_as_ulong(x)); }
OBJECTIVE_FUNCTION long objective_as_long(ulong x) { return clopt::shared::as_long(x); }
OBJECTIVE_FUNCTION long objective_as_long(long x) { return x; }

OBJECTIVE_FUNCTION real objective_copysign(real x, real y) {
  return OBJECTIVE_SELECT(y == y, copysign(x, y), fabs(x));
}

#endif
