// A NaN within a violation, and tables that do not fit the number of genes.
#include <clopt/objective.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <string>
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
        violation.find("fmin(root, 0)") == 0 || violation.find("fmin(0") == 0 || violation.find("9") != violation.npos;
    BOOST_TEST((values[2] == 7) == keeps, violation);
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
