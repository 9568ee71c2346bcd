// The examples of docs/objectives.md do what the page says.
#include <clopt/objective.hpp>

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <support/folder.hpp>
#include "evaluation.hpp"

namespace {

using namespace clopt;
using test::Layout;

std::string page_text() { return test::read_file(std::string(CLOPT_DOCS) + "/objectives.md"); }

// The texts between ```c and ```, in their order.
std::vector<std::string> examples() {
  const auto page = page_text();
  const std::string open = "```c\n";
  std::vector<std::string> texts;
  for (auto begin = page.find(open); begin != page.npos; begin = page.find(open, begin)) {
    begin += open.size();
    texts.push_back(page.substr(begin, page.find("```", begin) - begin));
  }
  return texts;
}

template <class Gene>
double value(const Objective& objective, const std::vector<Gene>& individual, std::uint32_t genes,
             const std::vector<std::vector<float>>& rows = {}) {
  return test::evaluate<float>(objective, std::vector<std::vector<Gene>>{individual}, genes, Layout::one_by_one, rows)
      .at(0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(objectives_page, *boost::unit_test::tolerance(1e-5) * boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(examples_work) {
  const auto texts = examples();
  BOOST_REQUIRE(texts.size() == 6U);

  const auto powers = Objective::from_text(texts[0], "example 1").constant("EXPONENT", 1.5);
  BOOST_TEST(value<float>(powers, {-4, 1, 0}, 3) == 8.0 + 2.0);

  const auto trap = Objective::from_text(texts[1], "example 2");
  // Ones: 5, 0 and 3 of 5; then 2 genes more.
  BOOST_TEST(value<std::uint32_t>(trap, {0b010110000011111}, 15) == 5.0 + 4.0 + 1.0);
  BOOST_TEST(value<std::uint32_t>(trap, {0b11010110000011111}, 17) == 5.0 + 4.0 + 1.0);

  const auto residuals = Objective::from_text(texts[2], "example 3");
  BOOST_TEST(residuals.is_fit());
  BOOST_TEST(value<float>(residuals, {2, 1, 3}, 3, {{5, 4}}) == std::pow(4 - (2 * std::exp(-1.0) + 3), 2));

  const auto fit = Objective::from_text(texts[3], "example 4").constant("TIME_STEP", 0.5);
  BOOST_TEST(value<float>(fit, {2, 1, 3}, 3, {{5, 4}}) == std::pow(4 - (2 * std::exp(-0.5) + 3), 2));

  const auto tour =
      Objective::from_text(texts[4], "example 5").table("east", {0, 3, 3, 0}).table("north", {0, 0, 4, 4});
  BOOST_TEST(value<std::uint32_t>(tour, {0, 1, 2, 3}, 4) == 14.0 / 4);
  BOOST_TEST(value<std::uint32_t>(tour, {0, 2, 1, 3}, 4) == 18.0 / 4);

  // On the circle and the line: allowed. Inside the circle: a number above all values, by the violation's bits.
  const auto nearest = Objective::from_text(texts[5], "example 6");
  BOOST_TEST(nearest.has_violation());
  BOOST_TEST(value<float>(nearest, {3, 0}, 2) == 9.0);
  BOOST_TEST(value<float>(nearest, {1, 1}, 2) > 0x1p120);
  BOOST_TEST(value<float>(nearest, {1, 1}, 2) > value<float>(nearest, {2.75, 0}, 2));
}

// A row of the page's table says what an objective's first comment says.
BOOST_AUTO_TEST_CASE(the_table_has_every_built_in_objective) {
  const auto page = page_text();
  std::size_t rows = 0;
  for (auto at = page.find("\n| `"); at < page.find("## A text"); at = page.find("\n| `", at + 1)) ++rows;
  const auto names = Objective::names();
  BOOST_TEST(rows == names.size());
  for (const auto& name : names) {
    const auto objective = Objective::named(name);
    auto row = fmt::format("\n| `{}` | {} | ", name, name_of(objective.kind()));
    if (objective.direction()) row += name_of(*objective.direction());
    row += " |";
    if (const auto bounds = objective.usual_bounds()) row += fmt::format(" {} to {}", bounds->lower, bounds->upper);
    row += " |";
    if (const auto optimum = objective.optimum()) row += fmt::format(" {},", *optimum);
    BOOST_TEST(page.find(row) != page.npos, "docs/objectives.md has no row that begins with" << row);
  }
}

BOOST_AUTO_TEST_SUITE_END()
