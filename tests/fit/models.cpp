// Texts as models.
#include <clopt/error.hpp>
#include <clopt/fit.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>

namespace fit = clopt::fit;
using fit::Model;

namespace {

const std::string picture =
    "// clopt: parameters height, slope\n"
    "real model(individual x, real t, real u) { return gene(x, 0) + gene(x, 1) * t * u; }";

}  // namespace

BOOST_AUTO_TEST_SUITE(fit_models)

BOOST_AUTO_TEST_CASE(bad_ones_are_refused) {
  BOOST_CHECK_THROW(Model::from_text("// clopt: parameters a, a\nreal model(individual x, real t) { return t; }"),
                    clopt::InvalidInput);
  for (const std::string name : {"2a", "a b", "a-b", "_?"})
    BOOST_CHECK_THROW(
        Model::from_text("// clopt: parameters c, " + name + "\nreal model(individual x, real t) { return t; }"),
        clopt::InvalidInput);
  BOOST_CHECK_THROW(Model::named("gaus"), clopt::InvalidInput);
  BOOST_CHECK_THROW(Model::named("gauss_2d"), clopt::InvalidInput);
  BOOST_CHECK_THROW(Model::from_text("real other(individual x) { return 0; }"), clopt::InvalidInput);
}

BOOST_AUTO_TEST_CASE(one_that_is_read_again_is_the_same) {
  const auto first = Model::from_text(picture, "one", 7), again = Model::from_text(picture, "one", 7);
  BOOST_TEST(first.residuals.fingerprint() == again.residuals.fingerprint());
  BOOST_TEST(again.names == first.names, boost::test_tools::per_element());
  BOOST_TEST(again.names.size() == 2U);
  BOOST_TEST(again.has_two_places);
  // Another width, or another name, is another model.
  BOOST_TEST(Model::from_text(picture, "one", 49).residuals.text() != first.residuals.text());
  BOOST_TEST(Model::from_text(picture, "other", 7).residuals.name() == "other");
  BOOST_CHECK_THROW(Model::from_text(picture, "one"), clopt::InvalidInput);
}

BOOST_AUTO_TEST_CASE(those_of_the_library_have_names_and_formulas) {
  const auto models = fit::models();
  BOOST_TEST(models.size() >= 18U);
  for (const auto& summary : models) {
    BOOST_TEST(!summary.formula.empty());
    BOOST_TEST(
        Model::named(summary.name, summary.name.find("_2d") == std::string::npos ? 0 : 7).names == summary.parameters,
        boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(as_many_as_there_may_be_are_read) {
  for (std::size_t k = 0; k < 200; ++k) {
    const auto value = "gene(x, 0) + " + std::to_string(k);
    const auto model = Model::from_text("real model(individual x, real t) { return " + value + "; }");
    BOOST_TEST(model.residuals.text().find(value + ";") != std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()
