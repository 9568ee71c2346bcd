// A NaN within a violation, and tables that do not fit the number of genes.
#include <clopt/objective.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "evaluation.hpp"

namespace {

using namespace clopt;

// What stands for a feasible individual of the value 7 is 7, and for one whose violation is NaN, NaN.
std::vector<float> values_with(const std::string& violation) {
  const auto objective = Objective::from_text(
      "real objective(individual x) { return 7; }\nreal violation(individual x) {\n"
      "  const real root = sqrt(gene(x, 0));\n  return " +
      violation + ";\n}\n");
  const std::vector<std::vector<float>> individuals{{-1.0F}, {0.0F}, {4.0F}};
  return test::evaluate_on<float>(test::device(), objective, individuals, 1, test::Layout::one_by_one);
}

std::string warning_of(const std::string& kind, const std::string& text, std::size_t size, std::uint64_t genes) {
  auto objective = Objective::from_text("// clopt: " + kind + "\n" + text, "mine.cl");
  objective.table("W", std::vector<double>(size, 1.0));
  return objective.warning_of_tables(genes);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(objective_violations)

BOOST_AUTO_TEST_CASE(nan_is_no_constraint_that_is_kept, *boost::unit_test::label("device")) {
  for (const std::string violation : {"fmax(root, 0)", "fmax(0, root)", "fmin(root, 0)", "fmin(0, root)",
                                      "fmax(fmin(root, 1), 0)", "fmax(root - 9, 0) + fmax(-1, 0)"}) {
    const auto values = values_with(violation);
    BOOST_TEST(std::isnan(values[0]), violation);
    BOOST_TEST(values[1] == 7, violation);
    // The root of 4 is 2: a violation, or none.
    const bool keeps =
        violation.find("fmin(root, 0)") == 0 || violation.find("fmin(0") == 0 || violation.find('9') != violation.npos;
    BOOST_TEST((values[2] == 7) == keeps, violation);
  }
}

// Functions and macros of the text's own, whose fmax gives the number where the objective calls them.
BOOST_AUTO_TEST_CASE(nan_comes_through_what_a_violation_calls, *boost::unit_test::label("device")) {
  const std::string positive = "real positive(real a) { return fmax(a, 0); }\n";
  const std::string macro = "#define POSITIVE(a) fmax((a), 0)\n";
  const std::vector<std::pair<std::string, std::string>> ways{
      {positive, "positive(sqrt(gene(x, I)))"},
      {"real positive(real a);\n"
       "real deeper(real a) { return fmax(0, a) + fmin(a, 0); }\n"
       "real positive(real a) { real deeper(real); return deeper(a); }\n",
       "positive(sqrt(gene(x, I)))"},
      {macro, "POSITIVE(sqrt(gene(x, I)))"},
      {macro + "real positive(real a) { return POSITIVE(POSITIVE(a)); }\n", "positive(sqrt(gene(x, I)))"},
      {positive + "#define POSITIVE(a) positive(a)\n", "POSITIVE(sqrt(gene(x, I)))"},
      {"#define LARGER fmax\n"
       "real positive(individual x, uint i) {\n"
       "  if (genes(x) > 3) return 1;\n"
       "  else return LARGER(sqrt(gene(x, i)), 0);\n"
       "}\n",
       "positive(x, I)"},
      {positive, "positive(fmax(sqrt(gene(x, I)), 0))"},
      {positive, "positive(fmin(fmax(sqrt(gene(x, I)), 0), 99))"},
      {positive + "#define MINUS -\n", "(0 MINUS MINUS positive(sqrt(gene(x, I))))"},
      {positive + "#define DECLARE real positive(real a);\nDECLARE\n", "positive(sqrt(gene(x, I)))"},
      {"typedef struct { real positive; real fmax; } Part;\n" + positive +
           "real other(real positive) { Part part; part.fmax = positive; return part.fmax; }\n",
       "positive(other(sqrt(gene(x, I))))"},
      {positive + "real clip(real fmax) { const real positive = fmax; return positive > 0 ? positive : fmax; }\n",
       "positive(clip(sqrt(gene(x, I))))"},
      {"real least(void) { return fmax(NAN, 0); }\n", "fmax(sqrt(gene(x, I)), 0) + (gene(x, I) < 0 ? least() : 0)"}};
  for (const auto& [before, call] : ways) {
    // clang 14 takes no part of a structure into a lambda.
    const auto of_gene = [form = call](const char* gene) {
      auto text = form;
      for (std::size_t at = 0; (at = text.find('I', at)) != text.npos; at += 1)
        if (text.compare(at - 1, 3, " I)") == 0) text.replace(at, 1, gene);
      return text;
    };
    const auto objective =
        Objective::from_text(before + "real objective(individual x) { return 7 + " + of_gene("1") +
                             "; }\nreal violation(individual x) { return " + of_gene("0") + " - 9; }\n");
    const std::vector<std::vector<float>> individuals{{-1, 4}, {4, -1}, {4, 4}};
    const auto values = test::evaluate_on<float>(test::device(), objective, individuals, 2, test::Layout::one_by_one);
    BOOST_TEST_CONTEXT(before) {
      BOOST_TEST(std::isnan(values[0]));
      BOOST_TEST(values[1] == 7);
      BOOST_TEST(values[2] == 9);
    }
  }
}

// What clopt calls keeps its meaning where a violation calls it too: by each form, 7 is the value of a root of -1.
BOOST_AUTO_TEST_CASE(nan_comes_through_the_objective_that_a_violation_calls, *boost::unit_test::label("device")) {
  const std::string root = "7 + fmax(sqrt(gene(x, 0)), 0)";
  const auto violation = [](const std::string& call) {
    return "real violation(individual x) { return gene(x, 1) > 0 ? " + call + " - 7 : 0; }\n";
  };
  for (const auto& text :
       {"real objective(individual x);\n" + violation("objective(x)") + "real objective(individual x) { return " +
            root + "; } // without an end of line",
        "real objective_term(individual x, uint i) { return i == 0 ? " + root + " : 0; }\n" +
            violation("objective_term(x, 0) + objective_term(x, 1)"),
        "real root(individual x) { return " + root + "; }\nreal objective(individual x) { return root(x); }\n" +
            violation("fmin(objective(x), 99)")}) {
    const auto objective = Objective::from_text(text);
    // The second gene is how much the violation counts.
    const std::vector<std::vector<float>> individuals{{-1, 1}, {4, 0}, {0, 1}, {-1, 0}};
    const auto values = test::evaluate_on<float>(test::device(), objective, individuals, 2, test::Layout::one_by_one);
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(std::isnan(values[0]));
      BOOST_TEST(values[1] == 9);
      BOOST_TEST(values[2] == 7);
      BOOST_TEST(values[3] == 7);
    }
  }
}

// A function that a macro makes, or is given the name of, is the same for both.
BOOST_AUTO_TEST_CASE(nan_comes_through_functions_of_macros, *boost::unit_test::label("device")) {
  for (const auto& [before, call] : std::vector<std::pair<std::string, std::string>>{
           {"real positive(real a) { return fmax(a, 0); }\n#define APPLY(function, a) function(a)\n",
            "APPLY(positive, sqrt(gene(x, 0)))"},
           {"#define MAKE(name, body) real name(real a) { return body; }\nMAKE(positive, fmax(a, 0))\n",
            "positive(sqrt(gene(x, 0)))"},
           {"#define MAKE(name, function) real name(real a) { return function(a, 0); }\nMAKE(positive, fmax)\n",
            "positive(sqrt(gene(x, 0)))"},
           {"#define MAKE real positive(real a) { return fmax(a, 0); }\nMAKE\n", "positive(sqrt(gene(x, 0)))"}}) {
    const auto objective = Objective::from_text(before +
                                                "real objective(individual x) { return 7 + fmax(NAN, gene(x, 1)); }\n"
                                                "real violation(individual x) { return " +
                                                call + "; }\n");
    const std::vector<std::vector<float>> individuals{{-1, 0}, {0, 2}};
    const auto values = test::evaluate_on<float>(test::device(), objective, individuals, 2, test::Layout::one_by_one);
    BOOST_TEST_CONTEXT(before) {
      BOOST_TEST(std::isnan(values[0]));
      BOOST_TEST(values[1] == 9);
    }
  }
}

BOOST_AUTO_TEST_CASE(elsewhere_fmax_gives_the_number, *boost::unit_test::label("device")) {
  const auto objective = Objective::from_text(
      "real objective(individual x) { return fmax(sqrt(gene(x, 0)), 3) + fmin(5, sqrt(gene(x, 0))); }\n");
  const std::vector<std::vector<float>> individuals{{-1.0F}};
  BOOST_TEST(test::evaluate_on<float>(test::device(), objective, individuals, 1, test::Layout::one_by_one)[0] == 8);
}

BOOST_AUTO_TEST_CASE(tables_that_do_not_fit) {
  const std::string term = "real objective_term(individual x, uint i) { return W(x, i) * gene(x, i); }";
  BOOST_TEST(warning_of("bits", term, 12, 12).empty());
  BOOST_TEST(warning_of("bits", term, 11, 12)
                 .find("the table W of mine.cl has 11 numbers for 12 genes: what is read "
                       "beyond its end is 0") == 0U);
  BOOST_TEST(warning_of("bits", term, 13, 12).find("the last ones are not read") != std::string::npos);
  const std::string loop =
      "real objective(individual x) {\n  real sum = 0;\n  for (uint j = 0; j < genes(x); ++j) sum += W(x, j);\n"
      "  return sum;\n}";
  BOOST_TEST(warning_of("bits", loop, 12, 12).empty());
  BOOST_TEST(!warning_of("bits", loop, 2, 12).empty());
  const std::string rows =
      "real objective_term(individual x, uint i) { return W(x, gene(x, i) * genes(x) + gene(x, 0)); }";
  BOOST_TEST(warning_of("permutation", rows, 144, 12).empty());
  BOOST_TEST(!warning_of("permutation", rows, 143, 12).empty());
  const std::string places = "real objective_term(individual x, uint i) { return i * W(x, gene(x, i)); }";
  BOOST_TEST(warning_of("permutation", places, 12, 12).empty());
  BOOST_TEST(!warning_of("permutation", places, 10, 12).empty());
  // Bits choose from a table of two.
  BOOST_TEST(warning_of("bits", places, 2, 12).empty());
  BOOST_TEST(
      warning_of("bits", "real objective_term(individual x, uint i) { return W(x, i % W_size); }", 5, 12).empty());
}

BOOST_AUTO_TEST_SUITE_END()
