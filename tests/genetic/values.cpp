/// \file
/// Values that floats do not hold, that are infinite, and that are no numbers.
#include <clopt/error.hpp>
#include <clopt/genetic.hpp>
#include <clopt/genetic_problems.hpp>
#include <objective/precision.hpp>
#include <support/device.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace clopt;

const std::filesystem::path tour_file = std::filesystem::path(__FILE__).parent_path() / "data" / "gr17.tsp";
constexpr double infinity = std::numeric_limits<double>::infinity();

// gr17 of TSPLIB, whose shortest tour is 2085 (a programme of Held and Karp finds the same), with longer units.
genetic::Problem long_tour(double factor) {
  const auto problem = genetic::read_tsplib(tour_file);
  const auto& table = problem.objective.table_values();
  std::vector<double> distances(table.begin(), table.begin() + 17 * 17);
  for (auto& each : distances) each *= factor;
  return genetic::tour(distances);
}

genetic::Options run_of_values() {
  genetic::Options options;
  options.population = 60;
  options.generations = 40;
  return options;
}

std::int64_t whole_ones_of(const genetic::Result& result) {
  return std::llround(std::accumulate(result.genes.begin(), result.genes.end(), 0.0));
}

// Of the bits, the first decides: with it the value is `special`, else the number of ones.
Objective with_special(const std::string& special, const std::string& direction) {
  return Objective::from_text("// clopt: bits, " + direction +
                              "\nreal objective(individual x) {\n  real ones = 0;\n"
                              "  for (uint i = 0; i < genes(x); ++i) ones += gene(x, i);\n"
                              "  return gene(x, 0) != 0 ? " +
                              special + " : ones;\n}\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_values)

BOOST_AUTO_TEST_CASE(what_needs_doubles) {
  const auto needs = [](const Objective& objective, std::uint64_t genes, double gene = 1) {
    return !objective::why_doubles(objective, genes, gene).empty();
  };
  const auto text = [](const std::string& kind, const std::string& function) {
    return Objective::from_text("// clopt: " + kind + "\n" + function);
  };
  const std::string term = "real objective_term(individual x, uint i) { return ";
  const std::string count = "int objective_count(individual x, uint i) { return ";
  BOOST_TEST(!needs(text("bits", term + "gene(x, i) * 1000; }"), 100));
  BOOST_TEST(needs(text("bits", term + "gene(x, i) * 1000; }"), 20000));
  BOOST_TEST(needs(text("bits", term + "gene(x, i) * 1e7; }"), 2));
  BOOST_TEST(!needs(text("bits", term + "gene(x, i) * 0.3; }"), 1000));
  BOOST_TEST(!needs(text("bits", count + "(int)gene(x, i); }"), 4096));
  BOOST_TEST(needs(text("bits", count + "(int)((i + 1) * (i + 1) * gene(x, i)); }"), 1000));
  BOOST_TEST(needs(text("integers, lower 0, upper 9", term + "gene(x, i); }"), 30, 1e6));
  // Reals are rounded anyway, unless the text itself has a number that is.
  BOOST_TEST(!needs(text("reals", term + "gene(x, i) * 1000000; }"), 1000));
  BOOST_TEST(needs(text("reals", term + "gene(x, i) * 16777217; }"), 1));
  BOOST_TEST(!needs(text("reals", term + "gene(x, i) * 16777216; }"), 1));
  auto weights = text("bits", term + "W(x, i) * gene(x, i); }");
  weights.table("W", {1, 2, 9e6});
  BOOST_TEST(needs(weights, 3));
  auto parts = text("bits", term + "W(x, i) * gene(x, i); }");
  parts.table("W", {1, 2.5, 9e6});
  BOOST_TEST(!needs(parts, 3));
  BOOST_TEST(!needs(Objective::named("onemax"), 1U << 24));
  BOOST_TEST(needs(Objective::named("onemax"), (1U << 24) + 1));
  BOOST_TEST(!needs(Objective::named("hiff"), 1U << 19));
  BOOST_TEST(needs(Objective::named("hiff"), 1U << 20));
  BOOST_TEST(needs(Objective::from_bit_function([](auto, auto) { return 1.0; }), 2));
  BOOST_TEST(genetic::complete(long_tour(1), {}).precision == "float");
  BOOST_TEST(genetic::complete(long_tour(4000), {}).precision == "float");
  BOOST_TEST(genetic::complete(long_tour(10007), {}).precision == "double");
}

// By products of what a value is made of; an index is in no value.
BOOST_AUTO_TEST_CASE(products_that_need_doubles) {
  const auto needs = [](const std::string& kind, const std::string& text, double weight, std::uint64_t genes) {
    auto objective = Objective::from_text("// clopt: " + kind + "\n" + text);
    objective.table("W", {1, -weight, 3});
    return !objective::why_doubles(objective, genes).empty();
  };
  const auto term = [](const std::string& value) {
    return "real objective_term(individual x, uint i) { return " + value + "; }";
  };
  const std::string squared = term("W(x, i) * W(x, i) * gene(x, i)");
  BOOST_TEST(needs("bits", squared, 3000, 2));
  BOOST_TEST(!needs("bits", squared, 3000, 1));
  BOOST_TEST(!needs("bits", squared, 2.5, 100000));
  const std::string pairs =
      "real objective(individual x) {\n  real sum = 0;\n  for (uint i = 0; i < genes(x); ++i)\n"
      "    for (uint j = 0; j < i; ++j) {\n      const uint at = i * genes(x) + j;\n"
      "      sum += gene(x, i) * gene(x, j) * W(x, at);\n    }\n  return sum;\n}";
  BOOST_TEST(needs("bits", pairs, 1000, 200));
  BOOST_TEST(!needs("bits", pairs, 1000, 100));
  const std::string sums =
      "real objective(individual x) {\n  real all = 0, one = 0;\n  for (int i = 0; i < W_size; i++) {\n"
      "    if (gene(x, i) == 1) all = all + W(x, i);\n    else { one += 2; }\n  }\n"
      "  const real product = fabs(all) * one;\n  return product == 0 ? 1 : -product;\n}";
  BOOST_TEST(needs("bits", sums, 1e6, 3));
  BOOST_TEST(!needs("bits", sums, 1e5, 3));
  // The places of a permutation, up to 999.
  BOOST_TEST(!needs("permutation", term("W(x, i * genes(x) + gene(x, i))"), 9, 1000));
  BOOST_TEST(!needs("permutation", term("i * gene(x, i) > 9 ? W(x, i * i * i) : 2"), 9, 1000));
  BOOST_TEST(needs("permutation", term("i * gene(x, i) * gene(x, 0) == 9 ? W(x, i) : 2"), 9, 1000));
  BOOST_TEST(needs("permutation", term("i * gene(x, i)"), 9, 1000));
  BOOST_TEST(!needs("permutation", term("i * gene(x, i)"), 9, 100));
  BOOST_TEST(needs("bits", term("W(x, i) * W(x, i) * gene(x, i) / 3"), 3000, 100));
  BOOST_TEST(!needs("bits", term("W(x, i) * W(x, i) * gene(x, i) / 3"), 300, 100));
  const std::string own = "real own(real a) { return a * a; }\n" + term("own(W(x, i)) * gene(x, i)");
  BOOST_TEST(needs("bits", own, 3000, 100));
  BOOST_TEST(!needs("bits", own, 300, 100));
  const std::string loop =
      "real own(individual x, uint j) { return gene(x, j) * W(x, j); }\nreal objective(individual x) {\n  real sum = "
      "0;\n"
      "  for (uint j = 0; j < genes(x); ++j) sum += own(x, j);\n  return sum;\n}";
  BOOST_TEST(needs("bits", loop, 1e6, 100));
  BOOST_TEST(!needs("bits", loop, 1e6, 10));
  // A divisor below 1 makes more; what halves what it had comes to an end.
  BOOST_TEST(needs("bits", term("W(x, i) / 0.01"), 3000, 100));
  const std::string halved =
      "real objective(individual x) {\n  real value = 0;\n  for (uint i = 0; i < genes(x); ++i) "
      "value = value / 2 + W(x, i) * gene(x, i);\n  return value;\n}";
  BOOST_TEST(!needs("bits", halved, 3000, 100));
  BOOST_TEST(needs("bits", halved, 9e6, 100));
  // What is rounded has another remainder, and a hexadecimal number is not its first digit.
  BOOST_TEST(needs("bits", term("(int)(W(x, i) * W(x, i)) % 1000"), 5000, 2));
  BOOST_TEST(needs("bits", term("gene(x, i) * (0x1p24 + 1)"), 1, 1));
  BOOST_TEST(!needs("bits", term("gene(x, i) * 0xFFul"), 1, 1));
  BOOST_TEST(
      needs("bits", "real objective_term(individual x, uint i) { i = (i + 1) * 1000; i = i * 1000; return i; }", 1, 3));
  const std::string finish = "\nreal objective_finish(individual x, real sum) { return sum * W(x, 1); }";
  BOOST_TEST(needs("bits", term("gene(x, i) * 1000") + finish, 1000, 20));
  BOOST_TEST(!needs("bits", term("gene(x, i) * 1000") + finish, 1000, 10));
}

BOOST_AUTO_TEST_CASE(loops_that_need_doubles) {
  const auto needs = [](const std::string& body, std::uint64_t genes, double weight = 4001) {
    auto objective = Objective::from_text(
        "// clopt: bits, maximise\nreal objective(individual x) {\n  real sum = 0;\n" + body + "\n  return sum;\n}");
    objective.table("S", {1, weight});
    return !objective::why_doubles(objective, genes).empty();
  };
  const std::string add = " sum += gene(x, j) * S(x, j) * S(x, j);";
  for (const std::string loop :
       {"for (uint j = 0; j < genes(x) && j < 4000; ++j)", "for (uint j = 0; j < 4000 && j < genes(x); j += 2)",
        "const uint n = genes(x);\nfor (uint j = 0; j < n; ++j)", "for (uint j = genes(x); j > 0; --j)",
        "for (uint j = 0; j + 1 < genes(x); j++)", "for (uint j = 0; (j < genes(x)) != 0; ++j)",
        "for (uint j = 0; j < genes(x); ++j) if (j == 3) continue; else"}) {
    BOOST_TEST(needs(loop + add, 12), loop);
    BOOST_TEST(!needs(loop + add, 12, 30), loop);
  }
  // What bounds no rounds, and what is not read, has values that may pass.
  for (const auto& body : std::vector<std::string>{
           "for (uint j = 0; j < 3 || gene(x, j) == 1; ++j)" + add, "for (uint j = 0; S(x, j) < 5; ++j)" + add,
           "uint j = 0;\nwhile (j < genes(x)) {" + add + " ++j; }",
           "for (uint j = 0; j < genes(x); ++j) { real a = S(x, j); a *= S(x, j); sum += a; }",
           "real p = 1;\nfor (uint j = 0; j < genes(x); ++j) p = p * S(x, j);\nsum = p;",
           "int a[3] = {1, 2, 3};\nsum = a[0] * a[1];"})
    BOOST_TEST(needs(body, 12, 3), body);
  // An index alone is multiplied there.
  BOOST_TEST(!needs("int a[3] = {1, 2, 3};\nsum = a[2 * 1] + S(x, 3 * a[0]);", 12, 3));
  BOOST_TEST(
      needs("int a[3] = {1, 2, 3};\nfor (uint i = 0; i < 9; ++i)\n  for (uint j = 0; j < 9; ++j) sum += a[0];", 600));
}

BOOST_AUTO_TEST_CASE(a_device_without_doubles_is_named, *boost::unit_test::label("device")) {
  if (test::device().info().has_double) return test::skip("it has doubles");
  BOOST_CHECK_EXCEPTION(
      genetic::solve(long_tour(10007), run_of_values(), test::device()), InvalidInput, [](const InvalidInput& error) {
        const std::string message = error.what();
        return message.find("tours are about") != std::string::npos && message.find("openmp:0") != std::string::npos;
      });
  // The others do the work.
  const auto host = open_device("openmp:0");
  const std::shared_ptr<Device> both[] = {std::shared_ptr<Device>(std::shared_ptr<void>(), &test::device()), host};
  const auto result = genetic::solve(long_tour(10007), run_of_values(), both);
  BOOST_TEST(result.checksum == genetic::solve(long_tour(10007), run_of_values(), *host).checksum);
  BOOST_TEST(result.failures.size() == 1U);
  BOOST_TEST(result.failures.front().find("it has no doubles") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(long_tours_reach_their_optimum, *boost::unit_test::label("device")) {
  if (!test::device().info().has_double) return test::skip("no double precision");
  auto options = run_of_values();
  options.generations = 500;
  options.target = 2085.0 * 10007;
  const auto result = genetic::solve(long_tour(10007), options, test::device());
  BOOST_TEST(result.fitness == 20864595.0);
  BOOST_TEST((result.ending == Ending::target));
}

BOOST_AUTO_TEST_CASE(whole_numbers_of_texts_are_exact, *boost::unit_test::label("device")) {
  if (!test::device().info().has_double) return test::skip("no double precision");
  for (const std::string text :
       {"real objective_term(individual x, uint i) { return gene(x, i) != 0 ? 10000001 : 0; }",
        "int objective_count(individual x, uint i) { return gene(x, i) != 0 ? 10000001 : 0; }",
        "real objective(individual x) {\n  real sum = 0;\n  for (uint i = 0; i < genes(x); ++i) sum += "
        "gene(x, i) * 10000001.0;\n  return sum;\n}"}) {
    const auto objective = Objective::from_text("// clopt: bits, maximise\n" + text);
    const auto result = genetic::solve({objective, 30, {}, {}}, run_of_values(), test::device());
    BOOST_TEST(result.fitness == 10000001.0 * static_cast<double>(whole_ones_of(result)), text);
    BOOST_TEST(result.fitness > 0x1p24);
  }
}

BOOST_AUTO_TEST_CASE(values_of_functions_are_doubles) {
  const auto objective = Objective::from_bit_function([](std::span<const std::uint32_t> words, std::size_t) {
    return static_cast<double>((std::int64_t{1} << 40) + words[0] % 32);
  });
  const auto result = genetic::solve({objective, 5, {}, {}}, run_of_values(), *open_device("openmp:0"));
  BOOST_TEST(result.fitness == 0x1p40);
}

// NaN and the worse infinity lose to every number, and the better infinity wins.
BOOST_AUTO_TEST_CASE(infinities_have_their_places, *boost::unit_test::label("device")) {
  for (const bool maximises : {false, true})
    for (const std::string selection : {"tournament", "roulette", "roulette-walk", "rank"}) {
      if (!test::tries_all() && selection != (maximises ? "roulette" : "tournament")) continue;
      auto options = run_of_values();
      options.selection = selection;
      const std::string direction = maximises ? "maximise" : "minimise";
      const double sign = maximises ? -1 : 1;
      BOOST_TEST_CONTEXT(direction << ", " << selection) {
        for (const std::string worst : {maximises ? "-INFINITY" : "INFINITY", "NAN"}) {
          const auto result = genetic::solve({with_special(worst, direction), 9, {}, {}}, options, test::device());
          BOOST_TEST(result.genes[0] == 0);
          BOOST_TEST(std::isfinite(result.fitness));
        }
        const auto best = with_special(maximises ? "INFINITY" : "-INFINITY", direction);
        const auto result = genetic::solve({best, 9, {}, {}}, options, test::device());
        BOOST_TEST(result.fitness == -sign * infinity);
        BOOST_TEST(result.genes[0] == 1);
        const auto none =
            Objective::from_text("// clopt: bits, " + direction + "\nreal objective(individual x) { " +
                                 "return gene(x, 0) != 0 ? NAN : " + (maximises ? "-INFINITY" : "INFINITY") + "; }");
        BOOST_TEST(genetic::solve({none, 9, {}, {}}, options, test::device()).fitness == sign * infinity);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
