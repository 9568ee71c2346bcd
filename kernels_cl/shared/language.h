/* The words that make one text valid as OpenCL C 1.2 and as C++20.
 *
 * A file of this folder holds what happens to one item: functions that take and return values. It opens with
 * CLOPT_SHARED_BEGIN and closes with CLOPT_SHARED_END, which put it into namespace clopt::shared in C++ and vanish in
 * OpenCL C. Its types are OpenCL's (uint, ulong, ...); in C++ they are the fixed-width integers of the same size.
 * A function for one of several types opens with CLOPT_SHARED_TEMPLATE(type): a template in C++, while a program in
 * OpenCL C is built with the type's name defined (see Generic in lib/include/clopt/operation.hpp).
 */
#ifndef CLOPT_SHARED_LANGUAGE_H
#define CLOPT_SHARED_LANGUAGE_H

#ifdef __OPENCL_VERSION__

#define CLOPT_SHARED_BEGIN
#define CLOPT_SHARED_END
#define CLOPT_SHARED static inline
#define CLOPT_SHARED_TEMPLATE(type) static inline
#define CLOPT_SHARED_TABLE __constant
/* For a text of kernels that C++ includes too, in a struct: see kernel_text.hpp of the OpenMP backend. */
#define CLOPT_KERNEL_FUNCTION static inline

#else

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

#define CLOPT_SHARED_BEGIN namespace clopt::shared {
#define CLOPT_SHARED_END }
#define CLOPT_SHARED [[maybe_unused]] static inline
#define CLOPT_SHARED_TEMPLATE(type) template <class type> [[maybe_unused]] static inline
#define CLOPT_SHARED_TABLE [[maybe_unused]] static constexpr

namespace clopt::shared {

using uchar = std::uint8_t;
using ushort = std::uint16_t;
using uint = std::uint32_t;
using ulong = std::uint64_t;
static_assert(sizeof(long) == 8 && sizeof(ulong) == sizeof(long), "OpenCL's long has 64 bits");

CLOPT_SHARED uint as_uint(float x) { return std::bit_cast<uint>(x); }
CLOPT_SHARED ulong as_ulong(double x) { return std::bit_cast<ulong>(x); }
CLOPT_SHARED float as_float(uint x) { return std::bit_cast<float>(x); }
CLOPT_SHARED double as_double(ulong x) { return std::bit_cast<double>(x); }
CLOPT_SHARED uint as_uint(int x) { return std::bit_cast<uint>(x); }
CLOPT_SHARED int as_int(uint x) { return std::bit_cast<int>(x); }
CLOPT_SHARED ulong as_ulong(long x) { return std::bit_cast<ulong>(x); }
CLOPT_SHARED long as_long(ulong x) { return std::bit_cast<long>(x); }
template <typename T>
constexpr int convert_int(T x) {
  return static_cast<int>(x);
}
template <typename T>
constexpr uint convert_uint(T x) {
  return static_cast<uint>(x);
}
template <typename T>
constexpr long convert_long(T x) {
  return static_cast<long>(x);
}
template <typename T>
constexpr ulong convert_ulong(T x) {
  return static_cast<ulong>(x);
}
template <typename T>
constexpr float convert_float(T x) {
  return static_cast<float>(x);
}
template <typename T>
constexpr double convert_double(T x) {
  return static_cast<double>(x);
}
CLOPT_SHARED uint popcount(uint x) { return static_cast<uint>(std::popcount(x)); }
CLOPT_SHARED ulong popcount(ulong x) { return static_cast<ulong>(std::popcount(x)); }
CLOPT_SHARED uint clz(uint x) { return static_cast<uint>(std::countl_zero(x)); }
CLOPT_SHARED ulong clz(ulong x) { return static_cast<ulong>(std::countl_zero(x)); }
CLOPT_SHARED uint mul_hi(uint a, uint b) { return static_cast<uint>((static_cast<ulong>(a) * b) >> 32); }
CLOPT_SHARED ulong mul_hi(ulong a, ulong b) {
  return static_cast<ulong>((static_cast<unsigned __int128>(a) * b) >> 64);
}
/* Not those of <algorithm>, which takes compilers longer to read than a text. */
template <typename T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}
template <typename T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}
using std::ceil;
using std::fabs;
using std::floor;
using std::rint;
using std::sqrt;

}  // namespace clopt::shared

#endif
#endif
