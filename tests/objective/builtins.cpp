// The built-in objectives against their formulas in double precision, written here anew.
#include <clopt/error.hpp>
#include <clopt/objective.hpp>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <support/skip.hpp>
#include "evaluation.hpp"

namespace {

using namespace clopt;
using test::device;
using test::Layout;

using Formula = std::function<double(const std::vector<double>&)>;

const double two_pi = 2 * std::acos(-1.0);

const std::map<std::string, Formula> formulas = {
    {"sphere",
     [](const auto& x) {
       double sum = 0;
       for (const double g : x) sum += g * g;
       return sum;
     }},
    {"rastrigin",
     [](const auto& x) {
       double sum = 10 * static_cast<double>(x.size());
       for (const double g : x) sum += g * g - 10 * std::cos(two_pi * g);
       return sum;
     }},
    {"rosenbrock",
     [](const auto& x) {
       double sum = 0;
       for (std::size_t i = 0; i + 1 < x.size(); ++i)
         sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
       return sum;
     }},
    {"ackley",
     [](const auto& x) {
       double squares = 0, waves = 0;
       for (const double g : x) squares += g * g, waves += std::cos(two_pi * g);
       const auto n = static_cast<double>(x.size());
       return -20 * std::exp(-0.2 * std::sqrt(squares / n)) - std::exp(waves / n) + 20 + std::exp(1.0);
     }},
    {"griewank",
     [](const auto& x) {
       double squares = 0, product = 1;
       for (std::size_t i = 0; i < x.size(); ++i) {
         squares += x[i] * x[i];
         product *= std::cos(x[i] / std::sqrt(static_cast<double>(i + 1)));
       }
       return 1 + squares / 4000 - product;
     }},
    {"schwefel",
     [](const auto& x) {
       double sum = 418.9828872724338 * static_cast<double>(x.size());
       for (const double g : x) sum -= g * std::sin(std::sqrt(std::abs(g)));
       return sum;
     }},
};

// Where the value is least.
double best_gene(const std::string& name) {
  return name == "schwefel" ? 420.968746359982 : name == "rosenbrock" ? 1.0 : 0.0;
}

// Individuals within the usual bounds; the first is the best one.
template <class Real>
std::vector<std::vector<Real>> individuals(const std::string& name, std::size_t genes, std::size_t count,
                                           std::mt19937_64& random) {
  const auto bounds = Objective::named(name).usual_bounds().value();
  std::uniform_real_distribution<double> gene(bounds.lower, bounds.upper);
  std::vector<std::vector<Real>> all(count, std::vector<Real>(genes));
  for (auto& each : all)
    for (auto& g : each) g = static_cast<Real>(gene(random));
  for (auto& g : all[0]) g = static_cast<Real>(best_gene(name));
  return all;
}

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](Real x, Real y) {
           return std::bit_cast<std::array<char, sizeof(Real)>>(x) == std::bit_cast<std::array<char, sizeof(Real)>>(y);
         });
}

// What rounding may do to a value, given how large the terms are that cancel in it.
template <class Real>
double allowed(double value, std::size_t genes, const GeneBounds& bounds) {
  const double terms = std::abs(value) + static_cast<double>(genes) * std::max(40.0, bounds.upper);
  return 40 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * terms;
}

template <class Real>
void check_all() {
  const std::uint64_t seed = 20240;
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  for (const auto& [name, formula] : formulas) {
    const auto objective = Objective::named(name);
    for (const std::uint32_t genes : {1U, 2U, 7U, 8U, 9U, 49U, 130U}) {
      const auto all = individuals<Real>(name, genes, 67, random);
      const auto values = test::evaluate<Real>(objective, all, genes, Layout::one_by_one);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const double expected = formula({all[i].begin(), all[i].end()});
        const double off = std::abs(static_cast<double>(values[i]) - expected);
        BOOST_TEST(off <= allowed<Real>(expected, genes, *objective.usual_bounds()),
                   name << " of " << genes << " genes is " << values[i] << ", expected " << expected);
      }
      BOOST_TEST(same_bits(values, test::evaluate<Real>(objective, all, genes, Layout::side_by_side)),
                 name << " of " << genes << " genes, side by side");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(builtin_objectives)

BOOST_AUTO_TEST_CASE(have_their_formulas_in_floats, *boost::unit_test::label("device")) { check_all<float>(); }

BOOST_AUTO_TEST_CASE(have_their_formulas_in_doubles, *boost::unit_test::label("device")) {
  if (!device().info().has_double) return test::skip("no double precision");
  check_all<double>();
}

BOOST_AUTO_TEST_SUITE_END()
