/// \file
/// The library's models. Derivatives share subexpressions with the model, which compilers compute once.
#include "models.hpp"

#include <array>

namespace clopt::fit {
namespace {

constexpr LibraryModel all[] = {
    {"damped_oscillation", "a exp(-b t) cos(w t + p) + c", "a, b, w, p, c", R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real w = gene(x, 2);
  const real p = gene(x, 3);
  const real c = gene(x, 4);
  const real e = exp(-b * t);
  return a * e * cos(w * t + p) + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real w = gene(x, 2);
  const real p = gene(x, 3);
  const real c = gene(x, 4);
  const real t = abscissa(x, j);
  const real e = exp(-b * t);
  if (k == 0u) return e * cos(w * t + p);
  if (k == 1u) return -a * t * e * cos(w * t + p);
  if (k == 2u) return -a * t * e * sin(w * t + p);
  if (k == 3u) return -a * e * sin(w * t + p);
  return (real)1;
}
)"},
    {"exponential", "a exp(-b t) + c", "a, b, c", R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real c = gene(x, 2);
  const real e = exp(-b * t);
  return a * e + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real c = gene(x, 2);
  const real t = abscissa(x, j);
  const real e = exp(-b * t);
  if (k == 0u) return e;
  if (k == 1u) return -a * t * e;
  return (real)1;
}
)"},
    {"exponential_2", "a1 exp(-b1 t) + a2 exp(-b2 t) + c", "a1, b1, a2, b2, c", R"(real model(individual x, real t) {
  const real a1 = gene(x, 0);
  const real b1 = gene(x, 1);
  const real a2 = gene(x, 2);
  const real b2 = gene(x, 3);
  const real c = gene(x, 4);
  const real e1 = exp(-b1 * t);
  const real e2 = exp(-b2 * t);
  return a1 * e1 + a2 * e2 + c;
}
real derivative(individual x, uint j, uint k) {
  const real a1 = gene(x, 0);
  const real b1 = gene(x, 1);
  const real a2 = gene(x, 2);
  const real b2 = gene(x, 3);
  const real c = gene(x, 4);
  const real t = abscissa(x, j);
  const real e1 = exp(-b1 * t);
  const real e2 = exp(-b2 * t);
  if (k == 0u) return e1;
  if (k == 1u) return -a1 * t * e1;
  if (k == 2u) return e2;
  if (k == 3u) return -a2 * t * e2;
  return (real)1;
}
)"},
    {"exponential_3", "a1 exp(-b1 t) + a2 exp(-b2 t) + a3 exp(-b3 t) + c", "a1, b1, a2, b2, a3, b3, c",
     R"(real model(individual x, real t) {
  const real a1 = gene(x, 0);
  const real b1 = gene(x, 1);
  const real a2 = gene(x, 2);
  const real b2 = gene(x, 3);
  const real a3 = gene(x, 4);
  const real b3 = gene(x, 5);
  const real c = gene(x, 6);
  const real e1 = exp(-b1 * t);
  const real e2 = exp(-b2 * t);
  const real e3 = exp(-b3 * t);
  return a1 * e1 + a2 * e2 + a3 * e3 + c;
}
real derivative(individual x, uint j, uint k) {
  const real a1 = gene(x, 0);
  const real b1 = gene(x, 1);
  const real a2 = gene(x, 2);
  const real b2 = gene(x, 3);
  const real a3 = gene(x, 4);
  const real b3 = gene(x, 5);
  const real c = gene(x, 6);
  const real t = abscissa(x, j);
  const real e1 = exp(-b1 * t);
  const real e2 = exp(-b2 * t);
  const real e3 = exp(-b3 * t);
  if (k == 0u) return e1;
  if (k == 1u) return -a1 * t * e1;
  if (k == 2u) return e2;
  if (k == 3u) return -a2 * t * e2;
  if (k == 4u) return e3;
  if (k == 5u) return -a3 * t * e3;
  return (real)1;
}
)"},
    {"gauss", "a exp(-((t - m) / s)^2 / 2) + c", "a, m, s, c", R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real s = gene(x, 2);
  const real c = gene(x, 3);
  const real w = 1 / s;
  const real z = (t - m) * w;
  const real e = exp(z * z / -2);
  return a * e + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real s = gene(x, 2);
  const real c = gene(x, 3);
  const real t = abscissa(x, j);
  const real w = 1 / s;
  const real z = (t - m) * w;
  const real e = exp(z * z / -2);
  if (k == 0u) return e;
  if (k == 1u) return a * e * z * w;
  if (k == 2u) return a * e * z * z * w;
  return (real)1;
}
)"},
    {"gauss_2d", "a exp(-((t - m)^2 + (u - n)^2) / (2 s^2)) + c", "a, m, n, s, c",
     R"(real model(individual x, real t, real u) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real n = gene(x, 2);
  const real s = gene(x, 3);
  const real c = gene(x, 4);
  const real w = 1 / s;
  const real y = (t - m) * w;
  const real z = (u - n) * w;
  const real e = exp((y * y + z * z) / -2);
  return a * e + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real n = gene(x, 2);
  const real s = gene(x, 3);
  const real c = gene(x, 4);
  const real t = horizontal(x, j);
  const real u = vertical(x, j);
  const real w = 1 / s;
  const real y = (t - m) * w;
  const real z = (u - n) * w;
  const real e = exp((y * y + z * z) / -2);
  if (k == 0u) return e;
  if (k == 1u) return a * e * y * w;
  if (k == 2u) return a * e * z * w;
  if (k == 3u) return a * e * (y * y + z * z) * w;
  return (real)1;
}
)"},
    {"gauss_2d_elliptic", "a exp(-((t - m) / s)^2 / 2 - ((u - n) / r)^2 / 2) + c", "a, m, n, s, r, c",
     R"(real model(individual x, real t, real u) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real n = gene(x, 2);
  const real s = gene(x, 3);
  const real r = gene(x, 4);
  const real c = gene(x, 5);
  const real v = 1 / s;
  const real w = 1 / r;
  const real y = (t - m) * v;
  const real z = (u - n) * w;
  const real e = exp((y * y + z * z) / -2);
  return a * e + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real n = gene(x, 2);
  const real s = gene(x, 3);
  const real r = gene(x, 4);
  const real c = gene(x, 5);
  const real t = horizontal(x, j);
  const real u = vertical(x, j);
  const real v = 1 / s;
  const real w = 1 / r;
  const real y = (t - m) * v;
  const real z = (u - n) * w;
  const real e = exp((y * y + z * z) / -2);
  if (k == 0u) return e;
  if (k == 1u) return a * e * y * v;
  if (k == 2u) return a * e * z * w;
  if (k == 3u) return a * e * y * y * v;
  if (k == 4u) return a * e * z * z * w;
  return (real)1;
}
)"},
    {"gauss_2d_rotated", "gauss_2d_elliptic, turned by the angle q", "a, m, n, s, r, c, q",
     R"(real model(individual x, real t, real u) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real n = gene(x, 2);
  const real s = gene(x, 3);
  const real r = gene(x, 4);
  const real c = gene(x, 5);
  const real q = gene(x, 6);
  const real v = 1 / s;
  const real w = 1 / r;
  const real d = cos(q);
  const real h = sin(q);
  const real p = (t - m) * d + (u - n) * h;
  const real o = (u - n) * d - (t - m) * h;
  const real y = p * v;
  const real z = o * w;
  const real e = exp((y * y + z * z) / -2);
  return a * e + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real n = gene(x, 2);
  const real s = gene(x, 3);
  const real r = gene(x, 4);
  const real c = gene(x, 5);
  const real q = gene(x, 6);
  const real t = horizontal(x, j);
  const real u = vertical(x, j);
  const real v = 1 / s;
  const real w = 1 / r;
  const real d = cos(q);
  const real h = sin(q);
  const real p = (t - m) * d + (u - n) * h;
  const real o = (u - n) * d - (t - m) * h;
  const real y = p * v;
  const real z = o * w;
  const real e = exp((y * y + z * z) / -2);
  if (k == 0u) return e;
  if (k == 1u) return a * e * (y * v * d - z * w * h);
  if (k == 2u) return a * e * (y * v * h + z * w * d);
  if (k == 3u) return a * e * y * y * v;
  if (k == 4u) return a * e * z * z * w;
  if (k == 5u) return (real)1;
  return a * e * (z * w * p - y * v * o);
}
)"},
    {"hill", "v t^n / (km^n + t^n), t > 0, km > 0", "v, km, n", R"(real model(individual x, real t) {
  const real v = gene(x, 0);
  const real km = gene(x, 1);
  const real n = gene(x, 2);
  const real f = 1 / (1 + exp(-n * log(t / km)));
  return v * f;
}
real derivative(individual x, uint j, uint k) {
  const real v = gene(x, 0);
  const real km = gene(x, 1);
  const real n = gene(x, 2);
  const real t = abscissa(x, j);
  const real f = 1 / (1 + exp(-n * log(t / km)));
  if (k == 0u) return f;
  if (k == 1u) return -v * f * (1 - f) * n / km;
  return v * f * (1 - f) * log(t / km);
}
)"},
    {"line", "a + b t", "a, b", R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  return a + b * t;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real t = abscissa(x, j);
  if (k == 0u) return (real)1;
  return t;
}
)"},
    {"logistic", "a / (1 + exp(-b (t - m))) + c", "a, b, m, c", R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real m = gene(x, 2);
  const real c = gene(x, 3);
  const real f = 1 / (1 + exp(-b * (t - m)));
  return a * f + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real m = gene(x, 2);
  const real c = gene(x, 3);
  const real t = abscissa(x, j);
  const real f = 1 / (1 + exp(-b * (t - m)));
  if (k == 0u) return f;
  if (k == 1u) return a * f * (1 - f) * (t - m);
  if (k == 2u) return -a * f * (1 - f) * b;
  return (real)1;
}
)"},
    {"lorentz", "a / (1 + ((t - m) / s)^2) + c", "a, m, s, c", R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real s = gene(x, 2);
  const real c = gene(x, 3);
  const real w = 1 / s;
  const real z = (t - m) * w;
  const real e = 1 / (1 + z * z);
  return a * e + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real s = gene(x, 2);
  const real c = gene(x, 3);
  const real t = abscissa(x, j);
  const real w = 1 / s;
  const real z = (t - m) * w;
  const real e = 1 / (1 + z * z);
  if (k == 0u) return e;
  if (k == 1u) return 2 * a * e * e * z * w;
  if (k == 2u) return 2 * a * e * e * z * z * w;
  return (real)1;
}
)"},
    {"michaelis_menten", "v t / (km + t)", "v, km", R"(real model(individual x, real t) {
  const real v = gene(x, 0);
  const real km = gene(x, 1);
  return v * t / (km + t);
}
real derivative(individual x, uint j, uint k) {
  const real v = gene(x, 0);
  const real km = gene(x, 1);
  const real t = abscissa(x, j);
  if (k == 0u) return t / (km + t);
  return -v * t / ((km + t) * (km + t));
}
)"},
    {"polynomial", "p0 + p1 t + p2 t^2 + ...", "", R"(real model(individual x, real t) {
  real sum = 0;
  for (uint k = genes(x); k-- > 0u;) sum = sum * t + gene(x, k);
  return sum;
}
real derivative(individual x, uint j, uint k) {
  const real t = abscissa(x, j);
  real power = 1;
  for (uint n = 0; n < k; ++n) power *= t;
  return power;
}
)"},
    {"power_law", "a t^b, t > 0", "a, b", R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real f = exp(b * log(t));
  return a * f;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real t = abscissa(x, j);
  const real f = exp(b * log(t));
  if (k == 0u) return f;
  return a * f * log(t);
}
)"},
    {"pseudo_voigt", "a (q / (1 + ((t - m) / s)^2) + (1 - q) exp(-ln 2 ((t - m) / s)^2)) + c", "a, m, s, q, c",
     R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real s = gene(x, 2);
  const real q = gene(x, 3);
  const real c = gene(x, 4);
  const real w = 1 / s;
  const real z = (t - m) * w;
  const real l = 1 / (1 + z * z);
  const real g = exp(-0.69314718055994531 * z * z);
  const real f = 2 * (q * l * l + (1 - q) * 0.69314718055994531 * g);
  return a * (q * l + (1 - q) * g) + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real m = gene(x, 1);
  const real s = gene(x, 2);
  const real q = gene(x, 3);
  const real c = gene(x, 4);
  const real t = abscissa(x, j);
  const real w = 1 / s;
  const real z = (t - m) * w;
  const real l = 1 / (1 + z * z);
  const real g = exp(-0.69314718055994531 * z * z);
  const real f = 2 * (q * l * l + (1 - q) * 0.69314718055994531 * g);
  if (k == 0u) return q * l + (1 - q) * g;
  if (k == 1u) return a * f * z * w;
  if (k == 2u) return a * f * z * z * w;
  if (k == 3u) return a * (l - g);
  return (real)1;
}
)"},
    {"stretched_exponential", "a exp(-(b t)^n) + c, t > 0, b > 0", "a, b, n, c", R"(real model(individual x, real t) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real n = gene(x, 2);
  const real c = gene(x, 3);
  const real f = exp(n * log(b * t));
  const real e = exp(-f);
  return a * e + c;
}
real derivative(individual x, uint j, uint k) {
  const real a = gene(x, 0);
  const real b = gene(x, 1);
  const real n = gene(x, 2);
  const real c = gene(x, 3);
  const real t = abscissa(x, j);
  const real f = exp(n * log(b * t));
  const real e = exp(-f);
  if (k == 0u) return e;
  if (k == 1u) return -a * e * f * n / b;
  if (k == 2u) return -a * e * f * log(b * t);
  return (real)1;
}
)"},
};

}  // namespace

std::span<const LibraryModel> library() { return all; }

}  // namespace clopt::fit
