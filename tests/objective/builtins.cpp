// The built-in objectives against their formulas in double precision, written here anew.
#include <clopt/error.hpp>
#include <clopt/objective.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
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

/// What is known of a built-in objective beside its text.
struct Known {
  std::function<double(const std::vector<double>&)> formula;
  double best_gene = 0;  ///< of the best individual, whose genes are all equal
};

const double two_pi = 2 * std::acos(-1.0);

// The sum of the sizes of all blocks of 1, 2, 4, ... genes within a part that are equal throughout.
double hiff(const std::vector<double>& x, std::size_t begin, std::size_t size) {
  bool equal = true;
  for (std::size_t i = begin; i < begin + size; ++i) equal = equal && x[i] == x[begin];
  const double own = equal ? static_cast<double>(size) : 0;
  return size == 1 ? own : own + hiff(x, begin, size / 2) + hiff(x, begin + size / 2, size / 2);
}

const std::map<std::string, Known> known = {
    {"sphere", {[](const auto& x) {
       double sum = 0;
       for (const double g : x) sum += g * g;
       return sum;
     }}},
    {"rastrigin", {[](const auto& x) {
       double sum = 10 * static_cast<double>(x.size());
       for (const double g : x) sum += g * g - 10 * std::cos(two_pi * g);
       return sum;
     }}},
    {"rosenbrock",
     {[](const auto& x) {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < x.size(); ++i)
          sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
        return sum;
      },
      1}},
    {"ackley", {[](const auto& x) {
       double squares = 0, waves = 0;
       for (const double g : x) squares += g * g, waves += std::cos(two_pi * g);
       const auto n = static_cast<double>(x.size());
       return -20 * std::exp(-0.2 * std::sqrt(squares / n)) - std::exp(waves / n) + 20 + std::exp(1.0);
     }}},
    {"griewank", {[](const auto& x) {
       double squares = 0, product = 1;
       for (std::size_t i = 0; i < x.size(); ++i) {
         squares += x[i] * x[i];
         product *= std::cos(x[i] / std::sqrt(static_cast<double>(i + 1)));
       }
       return 1 + squares / 4000 - product;
     }}},
    {"schwefel",
     {[](const auto& x) {
        double sum = 418.9828872724338 * static_cast<double>(x.size());
        for (const double g : x) sum -= g * std::sin(std::sqrt(std::abs(g)));
        return sum;
      },
      420.968746359982}},
    {"onemax", {[](const auto& x) { return static_cast<double>(std::count(x.begin(), x.end(), 1.0)); }}},
    // Of a power of two of genes.
    {"hiff", {[](const auto& x) { return hiff(x, 0, x.size()); }, 1}},
};

// Random individuals, reals within the usual bounds; the first is the best one.
std::vector<std::vector<double>> individuals(const Objective& objective, std::size_t genes, std::size_t count,
                                             std::mt19937_64& random) {
  const auto bounds = objective.usual_bounds().value_or(GeneBounds{0, 2});
  std::uniform_real_distribution<double> gene(bounds.lower, bounds.upper);
  std::vector<std::vector<double>> all(count, std::vector<double>(genes));
  for (auto& each : all)
    for (auto& g : each) g = objective.kind() == GeneKind::bits ? std::floor(gene(random)) : gene(random);
  for (auto& g : all[0]) g = known.at(objective.name()).best_gene;
  return all;
}

// The same as a device has them: reals of the precision, or words of bits; and as the formulas take them, rounded.
template <class Real>
std::vector<std::vector<Real>> as_reals(std::vector<std::vector<double>>& all) {
  std::vector<std::vector<Real>> elements;
  for (auto& each : all) {
    elements.emplace_back();
    for (auto& g : each) g = elements.back().emplace_back(static_cast<Real>(g));
  }
  return elements;
}
std::vector<std::vector<std::uint32_t>> as_words(const std::vector<std::vector<double>>& all) {
  std::vector<std::vector<std::uint32_t>> elements;
  for (const auto& each : all) {
    auto& words = elements.emplace_back((each.size() + 31) / 32);
    for (std::size_t i = 0; i < each.size(); ++i) words[i / 32] |= (each[i] != 0 ? 1U : 0U) << i % 32;
  }
  return elements;
}

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](Real x, Real y) {
           return std::bit_cast<std::array<char, sizeof(Real)>>(x) == std::bit_cast<std::array<char, sizeof(Real)>>(y);
         });
}

// What rounding may do to a value, given how large the terms are that cancel in it.
template <class Real>
double allowed(double value, std::size_t genes, const Objective& objective) {
  if (objective.kind() == GeneKind::bits) return 0;
  const double terms = std::abs(value) + static_cast<double>(genes) * std::max(40.0, objective.usual_bounds()->upper);
  return 40 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * terms;
}

template <class Real, class Gene>
void check(const Objective& objective, std::uint32_t genes, const std::vector<std::vector<double>>& all,
           const std::vector<std::vector<Gene>>& elements) {
  const auto& name = objective.name();
  const auto values = test::evaluate<Real>(objective, elements, genes, Layout::one_by_one);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double expected = known.at(name).formula(all[i]);
    const double off = std::abs(static_cast<double>(values[i]) - expected);
    BOOST_TEST(off <= allowed<Real>(expected, genes, objective),
               name << " of " << genes << " genes is " << values[i] << ", expected " << expected);
  }
  BOOST_TEST(same_bits(values, test::evaluate<Real>(objective, elements, genes, Layout::side_by_side)),
             name << " of " << genes << " genes, side by side");
}

template <class Real>
void check_all() {
  const std::uint64_t seed = 20240;
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  for (const auto& name : Objective::names()) {
    BOOST_REQUIRE_MESSAGE(known.contains(name), "write the formula of " << name << " here");
    const auto objective = Objective::named(name);
    auto lengths = std::vector<std::uint32_t>{1, 2, 7, 8, 9, 49, 130};
    if (name == "hiff") lengths = {1, 2, 32, 64, 128};
    for (const auto genes : lengths) {
      auto all = individuals(objective, genes, 67, random);
      BOOST_REQUIRE((objective.kind() == GeneKind::bits || objective.kind() == GeneKind::reals));
      if (objective.kind() == GeneKind::bits)
        check<Real>(objective, genes, all, as_words(all));
      else
        check<Real>(objective, genes, all, as_reals<Real>(all));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(builtin_objectives)

BOOST_AUTO_TEST_CASE(have_their_best_value_where_it_is_known) {
  for (const auto& name : Objective::names()) {
    BOOST_REQUIRE_MESSAGE(known.contains(name), "write the formula of " << name << " here");
    const auto objective = Objective::named(name);
    if (!objective.optimum()) continue;
    const auto& [formula, best_gene] = known.at(name);
    for (const std::size_t genes : {1U, 5U, 64U})
      BOOST_TEST(std::abs(formula(std::vector<double>(genes, best_gene)) - *objective.optimum()) < 1e-9, name);
  }
}

BOOST_AUTO_TEST_CASE(have_their_formulas_in_floats, *boost::unit_test::label("device")) { check_all<float>(); }

BOOST_AUTO_TEST_CASE(have_their_formulas_in_doubles, *boost::unit_test::label("device")) {
  if (!device().info().has_double) return test::skip("no double precision");
  check_all<double>();
}

BOOST_AUTO_TEST_SUITE_END()
