/// \file
/// The library's models.
#include "models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace clopt::fit {
namespace {

/// What a model's text is made of. Lists have semicolons between.
struct Formula {
  std::string_view name;
  std::string_view formula;
  std::string_view parameters;
  int places;               ///< of a datum: t, or t and u
  std::string_view locals;  ///< which the value and its slopes have in common; compilers compute them once
  std::string_view value;
  std::string_view slopes;  ///< one for each parameter
};

constexpr Formula formulas[] = {
    {"cauchy_2d", "a / ((1 + ((t - m) / s)^2) (1 + ((u - n) / r)^2)) + c", "a, m, n, s, r, c", 2,
     "v = 1 / s; w = 1 / r; y = (t - m) * v; z = (u - n) * w; f = 1 / (1 + y * y); h = 1 / (1 + z * z)",
     "a * f * h + c",
     "f * h; 2 * a * h * f * f * y * v; 2 * a * f * h * h * z * w; 2 * a * h * f * f * y * y * v; "
     "2 * a * f * h * h * z * z * w; (real)1"},
    {"damped_oscillation", "a exp(-b t) cos(w t + p) + c", "a, b, w, p, c", 1, "e = exp(-b * t)",
     "a * e * cos(w * t + p) + c",
     "e * cos(w * t + p); -a * t * e * cos(w * t + p); -a * t * e * sin(w * t + p); -a * e * sin(w * t + p); "
     "(real)1"},
    {"exponential", "a exp(-b t) + c", "a, b, c", 1, "e = exp(-b * t)", "a * e + c", "e; -a * t * e; (real)1"},
    {"exponential_2", "a1 exp(-b1 t) + a2 exp(-b2 t) + c", "a1, b1, a2, b2, c", 1,
     "e1 = exp(-b1 * t); e2 = exp(-b2 * t)", "a1 * e1 + a2 * e2 + c", "e1; -a1 * t * e1; e2; -a2 * t * e2; (real)1"},
    {"exponential_3", "a1 exp(-b1 t) + a2 exp(-b2 t) + a3 exp(-b3 t) + c", "a1, b1, a2, b2, a3, b3, c", 1,
     "e1 = exp(-b1 * t); e2 = exp(-b2 * t); e3 = exp(-b3 * t)", "a1 * e1 + a2 * e2 + a3 * e3 + c",
     "e1; -a1 * t * e1; e2; -a2 * t * e2; e3; -a3 * t * e3; (real)1"},
    {"gauss", "a exp(-((t - m) / s)^2 / 2) + c", "a, m, s, c", 1, "w = 1 / s; z = (t - m) * w; e = exp(z * z / -2)",
     "a * e + c", "e; a * e * z * w; a * e * z * z * w; (real)1"},
    {"gauss_2d", "a exp(-((t - m)^2 + (u - n)^2) / (2 s^2)) + c", "a, m, n, s, c", 2,
     "w = 1 / s; y = (t - m) * w; z = (u - n) * w; e = exp((y * y + z * z) / -2)", "a * e + c",
     "e; a * e * y * w; a * e * z * w; a * e * (y * y + z * z) * w; (real)1"},
    {"gauss_2d_elliptic", "a exp(-((t - m) / s)^2 / 2 - ((u - n) / r)^2 / 2) + c", "a, m, n, s, r, c", 2,
     "v = 1 / s; w = 1 / r; y = (t - m) * v; z = (u - n) * w; e = exp((y * y + z * z) / -2)", "a * e + c",
     "e; a * e * y * v; a * e * z * w; a * e * y * y * v; a * e * z * z * w; (real)1"},
    {"gauss_2d_rotated", "gauss_2d_elliptic, turned by the angle q", "a, m, n, s, r, c, q", 2,
     "v = 1 / s; w = 1 / r; d = cos(q); h = sin(q); p = (t - m) * d + (u - n) * h; "
     "o = (u - n) * d - (t - m) * h; y = p * v; z = o * w; e = exp((y * y + z * z) / -2)",
     "a * e + c",
     "e; a * e * (y * v * d - z * w * h); a * e * (y * v * h + z * w * d); a * e * y * y * v; "
     "a * e * z * z * w; (real)1; a * e * (z * w * p - y * v * o)"},
    {"hill", "v t^n / (km^n + t^n), t > 0, km > 0", "v, km, n", 1, "f = 1 / (1 + exp(-n * log(t / km)))", "v * f",
     "f; -v * f * (1 - f) * n / km; v * f * (1 - f) * log(t / km)"},
    {"line", "a + b t", "a, b", 1, "", "a + b * t", "(real)1; t"},
    {"logistic", "a / (1 + exp(-b (t - m))) + c", "a, b, m, c", 1, "f = 1 / (1 + exp(-b * (t - m)))", "a * f + c",
     "f; a * f * (1 - f) * (t - m); -a * f * (1 - f) * b; (real)1"},
    {"lorentz", "a / (1 + ((t - m) / s)^2) + c", "a, m, s, c", 1, "w = 1 / s; z = (t - m) * w; e = 1 / (1 + z * z)",
     "a * e + c", "e; 2 * a * e * e * z * w; 2 * a * e * e * z * z * w; (real)1"},
    {"michaelis_menten", "v t / (km + t)", "v, km", 1, "", "v * t / (km + t)",
     "t / (km + t); -v * t / ((km + t) * (km + t))"},
    {"power_law", "a t^b, t > 0", "a, b", 1, "f = exp(b * log(t))", "a * f", "f; a * f * log(t)"},
    {"pseudo_voigt", "a (q / (1 + ((t - m) / s)^2) + (1 - q) exp(-ln 2 ((t - m) / s)^2)) + c", "a, m, s, q, c", 1,
     "w = 1 / s; z = (t - m) * w; l = 1 / (1 + z * z); g = exp(-0.69314718055994531 * z * z); "
     "f = 2 * (q * l * l + (1 - q) * 0.69314718055994531 * g)",
     "a * (q * l + (1 - q) * g) + c", "q * l + (1 - q) * g; a * f * z * w; a * f * z * z * w; a * (l - g); (real)1"},
    {"stretched_exponential", "a exp(-(b t)^n) + c, t > 0, b > 0", "a, b, n, c", 1,
     "f = exp(n * log(b * t)); e = exp(-f)", "a * e + c", "e; -a * e * f * n / b; -a * e * f * log(b * t); (real)1"},
};

constexpr std::string_view polynomial = R"(real model(individual x, real t) {
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
)";

std::vector<std::string_view> parts_of(std::string_view list, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const auto end = std::min(list.find(separator), list.size());
    parts.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + separator.size(), list.size()));
  }
  return parts;
}

std::string text_of(const Formula& formula) {
  std::string genes;
  unsigned index = 0;
  for (const auto name : parts_of(formula.parameters, ", "))
    genes += fmt::format("  const real {} = gene(x, {});\n", name, index++);
  std::string locals;
  for (const auto local : parts_of(formula.locals, "; ")) locals += fmt::format("  const real {};\n", local);
  const bool is_plane = formula.places == 2;
  auto text = fmt::format("real model(individual x, real t{}) {{\n{}{}  return {};\n}}\n", is_plane ? ", real u" : "",
                          genes, locals, formula.value);
  text += fmt::format("real derivative(individual x, uint j, uint k) {{\n{}{}{}", genes,
                      is_plane ? "  const real t = horizontal(x, j);\n  const real u = vertical(x, j);\n"
                               : "  const real t = abscissa(x, j);\n",
                      locals);
  const auto slopes = parts_of(formula.slopes, "; ");
  for (std::size_t k = 0; k + 1 < slopes.size(); ++k) text += fmt::format("  if (k == {}u) return {};\n", k, slopes[k]);
  return text + fmt::format("  return {};\n}}\n", slopes.back());
}

std::vector<LibraryModel> make_library() {
  std::vector<LibraryModel> models{{"polynomial", "x0 + x1 t + x2 t^2 + ...", "", std::string(polynomial)}};
  for (const auto& formula : formulas)
    models.push_back({formula.name, formula.formula, formula.parameters, text_of(formula)});
  std::sort(models.begin(), models.end(),
            [](const LibraryModel& one, const LibraryModel& other) { return one.name < other.name; });
  return models;
}

}  // namespace

std::span<const LibraryModel> library() {
  static const auto models = make_library();
  return models;
}

}  // namespace clopt::fit
