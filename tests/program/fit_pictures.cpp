/// \file
/// Pictures of fits: what they show, whatever the residuals are.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <differential_evolution/fit/root_finding.hpp>
#include <support/occurrences.hpp>
#include "fit_files.hpp"
#include "run.hpp"

using clopt::differential_evolution::find_zeros;
using clopt::test::check_fit_picture;
using clopt::test::fit_with;
using clopt::test::FitFiles;
using clopt::test::run;
using Words = std::vector<std::string>;

namespace {

std::size_t count_of(const std::string& file, const std::string& what) {
  return clopt::test::occurrences(clopt::test::read_file(file), what);
}

using Place = std::pair<double, double>;

std::vector<Place> curve_of(const boost::property_tree::ptree& picture) {
  std::vector<Place> curve;
  for (const auto& [name, element] : picture.get_child("svg")) {
    if (name != "polyline") continue;
    std::istringstream numbers(element.get<std::string>("<xmlattr>.points"));
    for (Place place; numbers >> place.first && numbers.ignore() && numbers >> place.second;) curve.push_back(place);
  }
  return curve;
}

std::vector<Place> marks_of(const boost::property_tree::ptree& picture) {
  std::vector<Place> marks;
  for (const auto& [name, element] : picture.get_child("svg"))
    if (name == "circle" && element.get<double>("<xmlattr>.r") == 3)
      marks.emplace_back(element.get<double>("<xmlattr>.cx"), element.get<double>("<xmlattr>.cy"));
  return marks;
}

// 100 exp(-0.7 t).
std::string decaying_row(int data) {
  std::string row;
  for (int t = 0; t < data; ++t) row += (t == 0 ? "" : ",") + std::to_string(100 * std::exp(-0.7 * t));
  return row + "\n";
}

double zero_of(double (*function)(double), double start, double step, double tolerance = 1e-6) {
  const auto values = [&](const std::vector<double>& numbers) { return std::vector<double>{function(numbers[0])}; };
  return find_zeros(values, {start}, step, tolerance)[0];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_fit_pictures)

BOOST_AUTO_TEST_CASE(a_picture_shows_data_curve_and_residuals, *boost::unit_test::label("long")) {
  FitFiles files;
  const auto picture = files.path("fit.svg");
  const auto draw = [&](const Words& more) {
    auto words = fit_with(files, {"--plot", picture, "--quiet"});
    words.insert(words.end(), more.begin(), more.end());
    const auto outcome = run(words);
    BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  };
  draw({"--data", files.data});
  check_fit_picture(picture, 20);
  // The best, the median and the worst row, each with four data and as many residuals.
  BOOST_TEST(count_of(picture, "<polyline") == 3U);
  BOOST_TEST(count_of(picture, "<circle") == 3U * 8);
  for (const char* rank : {"(best)", "(median)", "(worst)"}) BOOST_TEST(count_of(picture, rank) == 1U);
  draw({"--data", files.data, "--plot-rows", "3,1"});
  check_fit_picture(picture, 15);
  BOOST_TEST(count_of(picture, "row 3:") == 1U);
  BOOST_TEST(count_of(picture, "row 2:") == 0U);
  // One row, with a datum that is missing, and numbers of other sizes.
  draw({"--data", files.file("one.csv", "1e6,,3e6,4.5e6,1e-9\n"), "--sigma",
        files.file("sigma.csv", "1e5,1e5,1e5,1e5,1e5\n")});
  check_fit_picture(picture, 10);
  BOOST_TEST(count_of(picture, "<polyline") == 1U);
  BOOST_TEST(count_of(picture, "<circle") == 8U);
  // Equal data, and a single one.
  draw({"--data", files.file("equal.csv", "5,5,5\n5,5,5\n")});
  check_fit_picture(picture, 10);
  draw({"--data", files.file("single.csv", "5\n")});
  check_fit_picture(picture, 3);
}

BOOST_AUTO_TEST_CASE(zeros_are_found) {
  BOOST_TEST(zero_of([](double x) { return 3 - x; }, 0, 1) == 3);
  BOOST_TEST(zero_of([](double x) { return 3 - x; }, 3, 1) == 3);
  BOOST_TEST(std::abs(zero_of([](double x) { return 2e-6 - 1e-6 * x; }, 1e4, 10) - 2) < 1e-6);
  BOOST_TEST(std::abs(zero_of([](double x) { return std::log(5.0) - std::log(x); }, 90, 7) - 5) < 1e-5);
  BOOST_TEST(std::abs(zero_of([](double x) { return std::log(5.0) - std::log(x); }, 1e-9, 7) - 5) < 1e-5);
  BOOST_TEST(std::abs(zero_of([](double x) { return (5 - x) / x; }, 9, 1) - 5) < 1e-5);
  BOOST_TEST(std::abs(zero_of([](double x) { return (5 - x) / x; }, 0.1, 7) - 5) < 1e-5);
  BOOST_TEST(std::abs(zero_of([](double x) { return std::cbrt(x - 2); }, 9, 1) - 2) < 1e-5);
  BOOST_TEST(std::abs(zero_of([](double x) { return std::atan(x - 2); }, 40, 1) - 2) < 1e-5);
  // As rounding leaves them.
  BOOST_TEST(std::abs(zero_of([](double x) { return double{float(x)} - 1e6; }, 1e6 - 3, 10, 0.5) - 1e6) < 1);
}

BOOST_AUTO_TEST_CASE(what_has_no_zero_is_reported) {
  BOOST_TEST(std::isnan(zero_of([](double x) { return x * x + 1; }, 1, 0.1)));
  BOOST_TEST(std::isnan(zero_of([](double x) { return 1 / (x - 3); }, 2.9, 1)));
  BOOST_TEST(std::isnan(zero_of([](double) { return 1.0; }, 2, 1)));
  BOOST_TEST(std::isnan(zero_of([](double x) { return std::sqrt(x); }, -1, 1)));
  BOOST_TEST(std::isnan(zero_of([](double x) { return std::exp(x); }, 0, 1)));
  BOOST_TEST(find_zeros([](const auto& numbers) { return numbers; }, {}, 1, 1).empty());
  // Of linear functions, all at once, by three calls.
  int calls = 0;
  const auto zeros = find_zeros(
      [&](const std::vector<double>& numbers) {
        ++calls;
        return std::vector<double>{numbers[0] - 7, 2 * numbers[1] + 1};
      },
      {1, 1}, 0.25, 1e-9);
  BOOST_TEST(zeros == (std::vector<double>{7, -0.5}), boost::test_tools::per_element());
  BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(a_curve_is_the_model_whatever_the_residuals_are, *boost::unit_test::label("long")) {
  FitFiles files;
  const auto data = files.file("decay.csv", decaying_row(9));
  const auto picture = files.path("decay.svg");
  const std::string model = "#define MODEL (gene(x, 0) * exp(-gene(x, 1) * abscissa(x, j)))\n";
  for (const char* residual : {"MODEL - row(x, j)", "log(MODEL) - log(row(x, j))", "(MODEL - row(x, j)) / row(x, j)",
                               "(row(x, j) - MODEL) / sqrt(row(x, j))", "row(x, j) * row(x, j) - MODEL * MODEL"}) {
    const auto text =
        files.file("decay.cl", model + "real residual(individual x, uint j) { return " + residual + "; }\n");
    const auto outcome = run({"de", "--device", "openmp:0", "--objective", text, "--dimensions", "2", "--lower", "0.01",
                              "--upper", "200,2", "--data", data, "--plot", picture});
    BOOST_TEST_CONTEXT(residual) {
      BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
      const auto tree = check_fit_picture(picture, 20);
      const auto curve = curve_of(tree);
      BOOST_TEST(curve.size() == 8U * 8 + 1);
      BOOST_TEST(std::is_sorted(curve.begin(), curve.end()));
      const auto is_lower = [](const Place& a, const Place& b) { return a.second < b.second; };
      BOOST_TEST(std::is_sorted(curve.begin(), curve.end(), is_lower));
      // It goes through the data, which are perfect.
      const auto marks = marks_of(tree);
      BOOST_TEST(marks.size() == 9U);
      for (std::size_t t = 0; t < marks.size() && 8 * t < curve.size(); ++t) {
        BOOST_TEST(std::abs(marks[t].first - curve[8 * t].first) < 0.1);
        BOOST_TEST(std::abs(marks[t].second - curve[8 * t].second) < 0.5);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(without_a_curve_there_are_the_data) {
  FitFiles files;
  const auto picture = files.path("fit.svg");
  const auto text = files.file(
      "never.cl",
      "real residual(individual x, uint j) { real d = gene(x, 0) + abscissa(x, j) - row(x, j); return 1 + d * d; }\n");
  auto words = fit_with(files, {"--data", files.data, "--plot", picture});
  words[6] = text;
  const auto outcome = run(words);
  BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  const auto tree = check_fit_picture(picture, 20);
  BOOST_TEST(curve_of(tree).empty());
  BOOST_TEST(marks_of(tree).size() == 3U * 4);
  BOOST_TEST(count_of(picture, "no datum makes its residual 0") >= 3U);
}

BOOST_AUTO_TEST_CASE(titles_may_be_of_any_letters) {
  FitFiles files;
  const auto picture = files.path("fit.svg");
  std::string long_name;
  for (int i = 0; i < 60; ++i) long_name += "\xc3\xa4\xe2\x82\xac";
  // Names of files may be no text at all.
  for (const std::string& name : {long_name.substr(0, 240), std::string(80, 'W'), std::string("\xff\xc3(\xe2\x82")}) {
    auto words = fit_with(files, {"--data", files.data, "--plot", picture, "--quiet"});
    words[6] = files.file(name + ".cl", clopt::test::line_text);
    BOOST_TEST(run(words).status == 0);
    check_fit_picture(picture, 20);
  }
}

BOOST_AUTO_TEST_CASE(fits_with_constraints_and_the_example_are_drawn) {
  FitFiles files;
  const auto picture = files.path("fit.svg");
  auto words = fit_with(files, {"--data", files.data, "--plot", picture});
  words[6] =
      files.file("limited.cl", clopt::test::line_text + "real violation(individual x) { return gene(x, 0) - 0.5f; }\n");
  for (const bool polishes : {true, false}) {
    if (!polishes) words.emplace_back("--no-polish");
    BOOST_TEST(run(words).status == 0);
    check_fit_picture(picture, 20);
  }
  const std::string examples = CLOPT_SOURCE "/docs/examples/";
  const auto outcome =
      run({"differential-evolution", "--device", "openmp:0", "--objective", examples + "oscillation.cl", "--dimensions",
           "5", "--lower", "0,0,0,-4,-2", "--upper", "6,1,6,4,2", "--data", examples + "oscillations.csv", "--abscissa",
           examples + "times.csv", "--plot", picture});
  BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  check_fit_picture(picture, 30);
}

BOOST_AUTO_TEST_SUITE_END()
