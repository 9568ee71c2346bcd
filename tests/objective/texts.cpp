// Texts of a user's own: every form and kind, with constants, tables and data, on the device and on the host.
#include <clopt/error.hpp>
#include <clopt/objective.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <support/folder.hpp>
#include <support/skip.hpp>
#include "evaluation.hpp"

namespace {

using namespace clopt;
using test::device;
using test::evaluate_every_way;
using test::holds;
using test::Layout;
using test::message_of;

std::vector<std::vector<float>> random_reals(std::size_t count, std::size_t genes, double range, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> gene(-range, range);
  std::vector<std::vector<float>> all(count, std::vector<float>(genes));
  for (auto& each : all)
    for (auto& g : each) g = static_cast<float>(gene(random));
  return all;
}

// Words of bits with zeros beyond the last gene.
std::vector<std::vector<std::uint32_t>> random_bits(std::size_t count, std::uint32_t genes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<std::uint32_t>> all(count, std::vector<std::uint32_t>((genes + 31) / 32));
  for (auto& each : all) {
    for (auto& word : each) word = static_cast<std::uint32_t>(random());
    if (genes % 32 != 0) each.back() &= (1U << genes % 32) - 1;
  }
  return all;
}

bool bit_of(const std::vector<std::uint32_t>& words, std::size_t i) { return (words[i / 32] >> i % 32 & 1) != 0; }

}  // namespace

BOOST_AUTO_TEST_SUITE(texts)

// A general text with a function of its own, a constant and the problem's data: the squares of a fitted curve.
BOOST_AUTO_TEST_CASE(general_with_data, *boost::unit_test::label("device")) {
  const auto objective = Objective::from_text(R"(// clopt: reals
/* y = a exp(-b t) + c at t = 0, STEP, 2 STEP, ... */
real curve(individual x, real t) { return gene(x, 0) * exp(-gene(x, 1) * t) + gene(x, 2); }
real objective(individual x) {
  real sum = 0;
  for (uint j = 0; j < columns(x); ++j) {
    const real off = row(x, j) - curve(x, STEP * j);
    sum += off * off;
  }
  return sum;
}
)",
                                              "fit.cl")
                             .constant("STEP", 0.1);
  const auto all = random_reals(70, 3, 2, 1);
  const auto rows = random_reals(70, 13, 3, 2);
  const auto values = evaluate_every_way(objective, all, 3, rows);
  for (std::size_t i = 0; i < all.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 13; ++j)
      sum += std::pow(rows[i][j] - (all[i][0] * std::exp(-all[i][1] * 0.1 * static_cast<double>(j)) + all[i][2]), 2);
    BOOST_TEST(values[i] == sum, boost::test_tools::tolerance(1e-4));
  }
}

// What individuals decide differently, in every way that a text may.
BOOST_AUTO_TEST_CASE(general_with_branches, *boost::unit_test::label("device")) {
  const auto objective = Objective::from_text(R"(// clopt: reals
real bent(real v) {
  if (v < 0) return -2 * v;
  return v > 1 ? fmax(v, 1.5) : tanh(v);
}
real objective(individual x) {
  real part[3];
  for (uint k = 0; k < 3; ++k) part[k] = bent(gene(x, k)) + floor(gene(x, k));
  real sum = part[0] - part[1] / 4 + min(part[2], gene(x, 0));
  int halvings = 0;
  for (real rest = fabs(gene(x, 1)); rest > 0.25; rest /= 2) halvings++;
  const uint place = (uint)fabs(gene(x, 2)) % 2;
  sum += halvings * step(x, place);
  return !(sum < 2) && gene(x, 0) != gene(x, 1) ? sum : copysign(sum, gene(x, 2));
}
)",
                                              "branches.cl")
                             .table("step", {0.5, 3});
  const auto all = random_reals(101, 3, 3, 4);
  const auto values = evaluate_every_way(objective, all, 3);
  const auto bent = [](double v) { return v < 0 ? -2 * v : v > 1 ? std::max(v, 1.5) : std::tanh(v); };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& x = all[i];
    double part[3];
    for (std::size_t k = 0; k < 3; ++k) part[k] = bent(x[k]) + std::floor(x[k]);
    double sum = part[0] - part[1] / 4 + std::min(part[2], static_cast<double>(x[0]));
    for (double rest = std::fabs(x[1]); rest > 0.25; rest /= 2)
      sum += static_cast<int>(std::fabs(x[2])) % 2 == 0 ? 0.5 : 3;
    BOOST_TEST(values[i] == (sum < 2 ? std::copysign(sum, x[2]) : sum), boost::test_tools::tolerance(1e-4));
  }
}

// What goes through a text for one individual only: a number's bits, a wider type.
BOOST_AUTO_TEST_CASE(general_with_bits, *boost::unit_test::label("device")) {
  const auto objective = Objective::from_text(
      "real objective(individual x) { return (as_uint(gene(x, 0)) >> 23 & 255u) + as_float(as_uint(gene(x, 1))); }\n",
      "bits.cl");
  const auto all = random_reals(70, 2, 5, 5);
  const auto values = evaluate_every_way(objective, all, 2);
  for (std::size_t i = 0; i < all.size(); ++i)
    BOOST_TEST(values[i] == static_cast<float>(std::bit_cast<std::uint32_t>(all[i][0]) >> 23 & 255U) + all[i][1]);
}

// Numbers that no type holds become the nearest one, NaN 0; min, max and clamp are the language's formulas.
BOOST_AUTO_TEST_CASE(conversions_and_choices_of_any_number, *boost::unit_test::label("device")) {
  struct Expression {
    std::string text;  // of a and b
    std::function<float(float a, float b)> value;
  };
  const auto whole = [](double least, double most) {
    return [=](float a, float) {
      return std::isnan(a) ? 0.0F : static_cast<float>(std::clamp(std::trunc(static_cast<double>(a)), least, most));
    };
  };
  const auto int_of = whole(-0x1p31, 0x1p31 - 1);
  const auto min = [](float a, float b) { return b < a ? b : a; };
  const auto max = [](float a, float b) { return a < b ? b : a; };
  const std::vector<Expression> expressions{
      {"(real)(char)a", whole(-128, 127)},
      {"(real)(uchar)a", whole(0, 255)},
      {"(real)convert_short(a)", whole(-32768, 32767)},
      {"(real)(ushort)a", whole(0, 65535)},
      {"(real)(int)a", int_of},
      {"(real)convert_int(a)", int_of},
      {"(real)(unsigned int)a", whole(0, 0x1p32 - 1)},
      {"(real)(long)a", whole(-0x1p63, 0x1p63)},
      {"(real)(ulong)a", whole(0, 0x1p64)},
      {"(real)(uchar)(int)(b + 300)",
       [](float, float b) {
         const double sum = b + 300.0F;
         return static_cast<float>(
             static_cast<std::int64_t>(std::isnan(sum) ? 0 : std::clamp(std::trunc(sum), -0x1p31, 0x1p31 - 1)) & 255);
       }},
      {"min(a, b)", min},
      {"max(a, b)", max},
      {"clamp(a, b, (real)7)", [=](float a, float b) { return min(max(a, b), 7); }},
      {"fmin(a, b)", [](float a, float b) { return std::isnan(a)   ? b
                                                   : std::isnan(b) ? a
                                                                   : std::min(a, b); }},
      {"copysign(a, b)", [](float a, float b) { return std::isnan(b) ? std::fabs(a) : std::copysign(a, b); }},
      {"(real)(as_uint(a) >> 20)",
       [](float a, float) {
         return static_cast<float>((std::isnan(a) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(a)) >> 20);
       }},
  };
  // NaN is 0 / 0, which a gene is not.
  std::string text =
      "real shown(real v) { return v == v ? v : -12345; }\nreal objective(individual x) {\n  const real a = gene(x, 0) "
      "/ gene(x, 3);\n"
      "  const real b = gene(x, 1) / gene(x, 4);\n";
  for (std::size_t k = 0; k < expressions.size(); ++k)
    text += "  if (gene(x, 2) == " + std::to_string(k) + ") return shown(" + expressions[k].text + ");\n";
  const std::vector<float> numbers{0,     -0.5F,         1.5F,           127,   128.5F, -129,  255.5F, 300,   -1,
                                   65536, 2147483648.0F, -2147483648.0F, 1e10F, -1e10F, 1e20F, -1e20F, 3e38F, -3e38F};
  std::vector<std::vector<float>> all;
  for (std::size_t k = 0; k < expressions.size(); ++k) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      all.push_back({numbers[i], numbers[(i + 5) % numbers.size()], static_cast<float>(k), 1, 1});
    all.push_back({0, 3, static_cast<float>(k), 0, 1});
    all.push_back({2, 0, static_cast<float>(k), 1, 0});
    all.push_back({0, 0, static_cast<float>(k), 0, 0});
  }
  const auto values = evaluate_every_way(Objective::from_text(text + "  return 0;\n}\n", "mine.cl"), all, 5);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& x = all[i];
    const auto& expression = expressions[static_cast<std::size_t>(x[2])];
    const float found = expression.value(x[0] / x[3], x[1] / x[4]);
    const float wanted = std::isnan(found) ? -12345 : found;
    BOOST_TEST(values[i] == wanted,
               expression.text << " of " << x[0] / x[3] << ", " << x[1] / x[4] << ": " << values[i]);
  }
}

// What vectors of individuals or short forms of functions could get wrong.
BOOST_AUTO_TEST_CASE(guards_side_effects_and_memory, *boost::unit_test::label("device")) {
  const auto all = random_reals(131, 3, 6, 21);
  const auto value = [&](const std::string& body) {
    return evaluate_every_way(Objective::from_text("real objective(individual x) {\n" + body + "\n}", "mine.cl"), all,
                              3);
  };
  const auto guarded = value(
      "  real t[3] = {1, 5, 2};\n  const real a = gene(x, 0);\n"
      "  return a < 0 || a >= 3 || t[(int)a] > 3 ? 1 : 2;");
  const auto counted = value(
      "  int n = 0;\n  if (gene(x, 0) > 0 || ++n > 5 || gene(x, 1) > 0) n += 10;\n  return gene(x, 2) > 0 ? n++ : (n "
      "-= 3);");
  const auto bytes = value("  return sizeof(real) + 10 * sizeof(gene(x, 0));");
  const auto united = value(
      "  union { real number; uchar bytes[sizeof(real)]; } all;\n  all.number = gene(x, 0);\n"
      "  return all.bytes[sizeof(real) - 1];");
  const auto swallowed = value("  return copysign(1, sin(1e4 * gene(x, 0))) + isfinite(cos(1e5 * gene(x, 1)));");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& x = all[i];
    const float t[3] = {1, 5, 2};
    BOOST_TEST(guarded[i] == (x[0] < 0 || x[0] >= 3 || t[static_cast<int>(x[0])] > 3 ? 1 : 2));
    int n = 0;
    if (x[0] > 0 || ++n > 5 || x[1] > 0) n += 10;
    BOOST_TEST(counted[i] == (x[2] > 0 ? n : n - 3));
    BOOST_TEST(bytes[i] == 44.0F);
    BOOST_TEST(united[i] == static_cast<float>(std::bit_cast<std::uint32_t>(x[0]) >> 24));
    BOOST_TEST(swallowed[i] == std::copysign(1.0F, std::sin(1e4F * x[0])) + 1);
  }
}

// It is written, so that it means the same everywhere.
BOOST_AUTO_TEST_CASE(a_real_does_not_become_a_whole_number_by_itself) {
  const auto host = open_device("openmp:0");
  const auto all = random_reals(2, 3, 1, 1);
  for (const std::string line :
       {"int k = a;", "k += a;", "return f(a);", "return table(x, a);", "uint u = 2.5; k = u;"}) {
    const auto objective = Objective::from_text(
                               "int f(int k) { return k; }\nreal objective(individual x) {\n  real a = gene(x, 0);\n"
                               "  int k = 0;\n  " +
                                   line + "\n  return k;\n}\n",
                               "hidden.cl")
                               .table("table", {1, 2});
    const auto message = message_of([&] { test::evaluate_on<float>(*host, objective, all, 3, Layout::one_by_one); });
    BOOST_TEST(holds(message, "hidden.cl:5:"), message);
    BOOST_TEST(std::count(message.begin(), message.end(), '\n') <= 2, message);
  }
}

// A quotient and a remainder by 0 are 0, and the least number divided by -1 is itself: C leaves them open.
BOOST_AUTO_TEST_CASE(divisions_of_whole_numbers, *boost::unit_test::label("device")) {
  const auto objective = Objective::from_text(R"(// clopt: integers
#define HALVED(x, by) ((x) / (by) * 2)
int plain(int a, int b) { return a / b; }
real objective(individual x) {
  const int a = gene(x, 1), b = gene(x, 2);
  const long far = a;
  int parts[2] = {a, a};
  parts[0] /= b;
  parts[1] %= b;
  switch (gene(x, 0)) {
    case 0: return plain(a, b);
    case 1: return a % b;
    case 2: return parts[0];
    case 3: return parts[1];
    case 4: return (uint)a / (uint)b;
    case 5: return (uint)a % b;
    case 6: return far / b;
    case 7: return a / b % 5 + ~a / b / 2;
    case 8: return HALVED(a, b);
    default: return (a + (real)0.5) / b;
  }
}
)",
                                              "divisions.cl");
  const auto least = std::numeric_limits<std::int32_t>::min();
  const auto most = std::numeric_limits<std::int32_t>::max();
  std::vector<std::vector<std::int32_t>> all;
  for (std::int32_t kind = 0; kind < 10; ++kind)
    for (const auto a : {least, least + 1, -7, -1, 0, 1, 7, most})
      for (const auto b : {least, -7, -3, -1, 0, 1, 2, most}) all.push_back({kind, a, b});
  const auto values = evaluate_every_way(objective, all, 3);
  const auto quotient = [](std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a / b; };
  const auto remainder = [](std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a % b; };
  const auto int_of = [](std::int64_t a) { return static_cast<std::int32_t>(static_cast<std::uint64_t>(a)); };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t a = all[i][1];
    const std::int64_t b = all[i][2];
    const std::int64_t a_uint = static_cast<std::uint32_t>(all[i][1]);
    const std::int64_t b_uint = static_cast<std::uint32_t>(all[i][2]);
    const auto both = int_of(quotient(a, b)) % 5 + int_of(quotient(-1 - a, b)) / 2;
    const std::int64_t wholes[] = {
        int_of(quotient(a, b)),    remainder(a, b),           int_of(quotient(a, b)), remainder(a, b),
        quotient(a_uint, b_uint),  remainder(a_uint, b_uint), quotient(a, b),         both,
        int_of(2 * quotient(a, b))};
    const auto kind = static_cast<std::size_t>(all[i][0]);
    const auto expected =
        kind < 9 ? static_cast<float>(wholes[kind]) : (static_cast<float>(a) + 0.5F) / static_cast<float>(b);
    BOOST_TEST(values[i] == expected,
               "kind " << kind << ", " << a << " and " << b << ": " << values[i] << ", not " << expected);
  }
}

// Terms with tables, then the finish.
BOOST_AUTO_TEST_CASE(terms_with_tables_and_finish,
                     *boost::unit_test::label("device") * boost::unit_test::label("oclgrind")) {
  const std::uint32_t genes = 21;
  std::vector<double> weights(genes);
  for (std::uint32_t i = 0; i < genes; ++i) weights[i] = 0.5 * i;
  const auto objective = Objective::from_text(
                             "real objective_term(individual x, uint i) {\n"
                             "  return weight(x, i) * fabs(gene(x, i) - shift(x, i % shift_size));\n"
                             "}\n"
                             "real objective_finish(individual x, real sum) { return sqrt(sum / genes(x)); }\n",
                             "weighted.cl")
                             .table("weight", weights)
                             .table("shift", {1, 2.5, -4});
  const auto all = random_reals(5, genes, 9, 3);
  const auto values = evaluate_every_way(objective, all, genes);
  for (std::size_t i = 0; i < all.size(); ++i) {
    double sum = 0;
    for (std::uint32_t j = 0; j < genes; ++j) sum += 0.5 * j * std::abs(all[i][j] - std::vector{1.0, 2.5, -4.0}[j % 3]);
    BOOST_TEST(values[i] == std::sqrt(sum / genes), boost::test_tools::tolerance(1e-5));
  }
}

BOOST_AUTO_TEST_CASE(counts_of_bits, *boost::unit_test::label("device")) {
  const auto objective = Objective::from_text(
      "// clopt: bits, maximise\n"
      "int objective_count(individual x, uint i) { return i != 0 && gene(x, i) != gene(x, i - 1) ? 3 : -1; }\n",
      "changes.cl");
  BOOST_TEST((objective.direction() == Direction::maximise));
  for (const std::uint32_t genes : {1U, 31U, 32U, 33U, 97U}) {
    const auto all = random_bits(66, genes, genes);
    const auto values = evaluate_every_way(objective, all, genes);
    for (std::size_t i = 0; i < all.size(); ++i) {
      int sum = -1;
      for (std::size_t j = 1; j < genes; ++j) sum += bit_of(all[i], j) != bit_of(all[i], j - 1) ? 3 : -1;
      BOOST_TEST(values[i] == static_cast<float>(sum));
    }
  }
}

BOOST_AUTO_TEST_CASE(ones_of_bits, *boost::unit_test::label("device")) {
  for (const std::uint32_t genes : {1U, 32U, 49U, 1025U}) {
    const auto all = random_bits(66, genes, genes);
    const auto values = evaluate_every_way(Objective::named("onemax"), all, genes);
    for (std::size_t i = 0; i < all.size(); ++i) {
      int sum = 0;
      for (std::size_t j = 0; j < genes; ++j) sum += bit_of(all[i], j) ? 1 : 0;
      BOOST_TEST(values[i] == static_cast<float>(sum));
    }
  }
}

BOOST_AUTO_TEST_CASE(integers_and_permutations, *boost::unit_test::label("device")) {
  const auto integers = Objective::from_text(
      "// clopt: integers\nint objective_count(individual x, uint i) { return abs(gene(x, i)) * (int)(i + 1); }\n",
      "integers.cl");
  std::mt19937 random(5);
  std::vector<std::vector<std::int32_t>> numbers(9, std::vector<std::int32_t>(7));
  for (auto& each : numbers)
    for (auto& g : each) g = static_cast<std::int32_t>(random() % 2001) - 1000;
  const auto values = evaluate_every_way(integers, numbers, 7);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    int sum = 0;
    for (int j = 0; j < 7; ++j) sum += std::abs(numbers[i][static_cast<std::size_t>(j)]) * (j + 1);
    BOOST_TEST(values[i] == static_cast<float>(sum));
  }

  // The length of a tour through points on a line.
  const auto tour = Objective::from_text(
                        "// clopt: permutation\nreal objective_term(individual x, uint i) {\n"
                        "  const uint next = i + 1 == genes(x) ? 0 : i + 1;\n"
                        "  return fabs(place(x, gene(x, i)) - place(x, gene(x, next)));\n}\n",
                        "tour.cl")
                        .table("place", {0, 1, 3, 6, 10, 15, 21, 28, 36});
  std::vector<std::vector<std::uint32_t>> orders(5, std::vector<std::uint32_t>(9));
  for (auto& order : orders) {
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
  }
  const auto lengths = evaluate_every_way(tour, orders, 9);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    int length = 0;
    const auto place = [&](std::size_t j) { return static_cast<int>(orders[i][j % 9] * (orders[i][j % 9] + 1) / 2); };
    for (std::size_t j = 0; j < 9; ++j) length += std::abs(place(j) - place(j + 1));
    BOOST_TEST(lengths[i] == static_cast<float>(length));
  }
}

// Arguments that the loops' own sin cannot take, literals without a suffix, and what would swallow a NaN.
BOOST_AUTO_TEST_CASE(bits_are_those_of_the_host, *boost::unit_test::label("device")) {
  const auto host = open_device("openmp:0");
  const std::vector<std::string> texts = {
      "real objective_term(individual x, uint i) { return 0.1 * sin(1e3 * gene(x, i)) + cos(gene(x, i)); }",
      "real objective_term(individual x, uint i) { return max((real)0, sin(1e3 * gene(x, i))) * 1.5e-3; }",
      "real objective(individual x) {\n  real s = 0;\n  for (uint i = 0; i < genes(x); ++i)\n"
      "    s += exp(-fabs(gene(x, i))) + log(1.7 + fabs(gene(x, i))) + pow(fabs(gene(x, i)), 0.3) + tanh(gene(x, i)) "
      "+\n"
      "         fmin(gene(x, i), 0.25) + log2(fabs(gene(x, i))) + hypot(gene(x, i), 3.1);\n  return s;\n}",
  };
  const auto all = random_reals(131, 19, 5, 11);
  for (const auto& text : texts) {
    const auto objective = Objective::from_text(text, "mine.cl");
    const auto values = evaluate_every_way(objective, all, 19);
    BOOST_TEST(test::evaluate_on<float>(*host, objective, all, 19, Layout::side_by_side) == values,
               boost::test_tools::per_element());
    BOOST_TEST(test::evaluate_on<float>(*host, objective, all, 19, Layout::one_by_one) == values,
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_compilers_complaint_points_at_the_users_line, *boost::unit_test::label("device")) {
  const std::string text =
      "// A constant that nobody gave.\n"
      "real objective_term(individual x, uint i) {\n"
      "  return 2.5 * STEEPNESS * gene(x, i);\n"
      "}\n";
  const auto objective = Objective::from_text(text, "steep.cl");
  const auto all = random_reals(2, 3, 1, 1);
  const auto message = message_of([&] { test::evaluate<float>(objective, all, 3, Layout::one_by_one); });
  BOOST_TEST(holds(message, "steep.cl:3:"), message);
  BOOST_TEST(holds(message, "STEEPNESS * gene(x, i)"), message);
  BOOST_TEST(std::count(message.begin(), message.end(), '\n') <= 2, message);
}

BOOST_AUTO_TEST_CASE(a_text_with_other_parameters_is_shown_where_it_stands, *boost::unit_test::label("device")) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"// objective()\nreal objective(const real x, int d) { return x; }\n", "wrong.cl:2: to be `real objective("},
      {"\n\nreal objective_term(individual x) { return 1; }\n", "wrong.cl:3: to be `real objective_term("},
      {"real objective_term(individual x, uint i) { return 2; }\nreal objective_finish(individual x) { return 2; }\n",
       "wrong.cl:2: to be `real objective_finish("},
      {"real objective(individual x) {\n  if (gene(x, 0) > 0) {\n  return 1;\n}\n", "wrong.cl:"},
      {"real far(real a);\nreal objective(individual x) { return far(gene(x, 0)); }\n", "defined nowhere"}};
  const auto all = random_reals(2, 3, 1, 1);
  for (const auto& [text, place] : wrong) {
    const auto objective = [&written = text] { return Objective::from_text(written, "wrong.cl"); };
    const auto message = message_of([&] { test::evaluate<float>(objective(), all, 3, Layout::one_by_one); });
    BOOST_TEST(holds(message, place), message);
    BOOST_TEST(std::count(message.begin(), message.end(), '\n') <= 2, message);
  }
}

BOOST_AUTO_TEST_CASE(a_function_runs_on_the_host_only, *boost::unit_test::label("device")) {
  const auto objective = Objective::from_real_function(
      [](std::span<const double> genes) { return std::accumulate(genes.begin(), genes.end(), 0.5); }, "sum of mine");
  const auto all = random_reals(1300, 5, 1, 7);
  const auto run = [&] { return test::evaluate<float>(objective, all, 5, Layout::side_by_side); };
  if (!device().info().launches_are_calls) {
    const auto message = message_of([&] { run(); });
    BOOST_TEST(holds(message, "sum of mine"), message);
    BOOST_TEST(holds(message, "openmp:0"), message);
    Program program;
    objective::prepare(program, objective, false);
    using Evaluate = objective::operations::Evaluate<float, float>;
    BOOST_CHECK_THROW(device().kernel<Evaluate>(program), InvalidInput);
    return;
  }
  const auto values = run();
  for (std::size_t i = 0; i < all.size(); ++i) {
    double sum = 0.5;
    for (const float g : all[i]) sum += g;
    BOOST_TEST(values[i] == static_cast<float>(sum));
  }
  const auto throwing =
      Objective::from_real_function([](std::span<const double>) -> double { throw InvalidInput("not today"); });
  BOOST_TEST(message_of([&] { test::evaluate<float>(throwing, all, 5, Layout::one_by_one); }) == "not today");

  const auto bits = Objective::from_bit_function([](std::span<const std::uint32_t> words, std::size_t genes) {
    return static_cast<double>(words.size() * 1000 + genes);
  });
  BOOST_TEST(test::evaluate<double>(bits, random_bits(1, 49, 1), 49, Layout::one_by_one).at(0) == 2049.0);
}

BOOST_AUTO_TEST_CASE(a_batch_function_runs_on_the_host_only, *boost::unit_test::label("device")) {
  std::size_t calls = 0;
  const auto on_this_thread = [caller = std::this_thread::get_id()] { return std::this_thread::get_id() == caller; };
  const auto batch = [&](GeneKind kind) {
    return Objective::from_batch_function(
        [&](std::span<const double> genes, std::span<const double> rows, std::span<double> values) {
          ++calls;
          BOOST_TEST(on_this_thread());
          const auto own = genes.size() / values.size();
          const auto columns = rows.size() / values.size();
          for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = 0;
            for (std::size_t j = 0; j < own; ++j) values[i] += static_cast<double>(j + 1) * genes[i * own + j];
            for (std::size_t j = 0; j < columns; ++j) values[i] += 1000 * rows[i * columns + j];
          }
        },
        kind, "batch of mine");
  };
  // More than a thread takes at a time.
  constexpr std::uint32_t genes = 37;
  const std::size_t count = 1300;
  const auto all = random_bits(count, genes, 5);
  if (!device().info().launches_are_calls) {
    const auto message =
        message_of([&] { test::evaluate<float>(batch(GeneKind::bits), all, genes, Layout::one_by_one); });
    BOOST_TEST(holds(message, "batch of mine"), message);
    BOOST_TEST(holds(message, "openmp:0"), message);
    return;
  }
  const auto weighed = [&](const auto& gene_of) {
    double sum = 0;
    for (std::uint32_t j = 0; j < genes; ++j) sum += (j + 1.0) * static_cast<double>(gene_of(j));
    return sum;
  };
  for (const auto layout : {Layout::one_by_one, Layout::side_by_side}) {
    calls = 0;
    const auto bits = test::evaluate<double>(batch(GeneKind::bits), all, genes, layout);
    BOOST_TEST(calls == 1U);
    const auto reals = random_reals(count, genes, 1, 6);
    std::vector<std::vector<float>> rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back({static_cast<float>(i), 1});
    const auto values = test::evaluate<float>(batch(GeneKind::reals), reals, genes, layout, rows);
    std::vector<std::vector<std::int32_t>> integers(count, std::vector<std::int32_t>(genes));
    for (std::size_t i = 0; i < count; ++i)
      for (std::uint32_t j = 0; j < genes; ++j)
        integers[i][j] = static_cast<std::int32_t>(i) - 700 * static_cast<std::int32_t>(j);
    const auto of_integers = test::evaluate<double>(batch(GeneKind::integers), integers, genes, layout);
    BOOST_TEST(calls == 3U);
    for (std::size_t i = 0; i < count; ++i) {
      BOOST_TEST(bits[i] == weighed([&](std::uint32_t j) { return all[i][j / 32] >> j % 32 & 1U; }));
      double sum = 0;
      for (std::uint32_t j = 0; j < genes; ++j) sum += (j + 1.0) * static_cast<double>(reals[i][j]);
      sum += 1000.0 * static_cast<double>(i);
      sum += 1000.0;
      BOOST_TEST(values[i] == static_cast<float>(sum));
      BOOST_TEST(of_integers[i] == weighed([&](std::uint32_t j) { return integers[i][j]; }));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
