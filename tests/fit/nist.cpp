// NIST's reference problems, from both starts of each, in doubles.
#include <clopt/clopt.hpp>
#include <clopt/fit.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fit = clopt::fit;

struct Reference {
  std::string name;
  std::string model;
  std::vector<std::vector<double>> starts;
  std::vector<double> right;
  std::vector<double> errors;
  std::vector<double> data;
  std::vector<double> places;
};

std::vector<double> numbers_of(std::istream& line) {
  std::vector<double> numbers;
  for (double number; line >> number;) numbers.push_back(number);
  return numbers;
}

std::vector<Reference> read_references() {
  std::ifstream file(CLOPT_TEST_NIST);
  std::vector<Reference> references;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "#") continue;
    if (word == "name") references.emplace_back();
    auto& last = references.back();
    if (word == "name") {
      line >> last.name;
    } else if (word == "model") {
      std::getline(line, last.model);
    } else if (word == "start") {
      last.starts.push_back(numbers_of(line));
    } else if (word == "right") {
      last.right = numbers_of(line);
    } else if (word == "errors") {
      last.errors = numbers_of(line);
    } else {
      last.data.push_back(std::stod(word));
      last.places.push_back(numbers_of(line).front());
    }
  }
  return references;
}

/// The models of a number of parameters as one text, which a table chooses from: compilers take seconds for each.
class Models {
 public:
  explicit Models(const std::vector<Reference>& references) {
    for (const auto& each : references)
      models_[each.right.size()].try_emplace(each.model, models_[each.right.size()].size());
  }

  fit::Model model_of(const Reference& reference) const {
    const auto& models = models_.at(reference.right.size());
    std::string text = "real model(individual x, real t) {\n";
    for (std::size_t k = 1; k <= reference.right.size(); ++k)
      text += fmt::format("  const real b{} = gene(x, {});\n", k, k - 1);
    std::vector<std::string> formulas(models.size());
    for (const auto& [formula, place] : models) formulas[place] = formula;
    for (std::size_t place = 0; place < formulas.size(); ++place)
      text += fmt::format("  if (chosen(x, 0) == {}) return{};\n", place, formulas[place]);
    auto model = fit::Model::from_text(text + "  return 0;\n}\n", "nist.cl");
    model.residuals.table("chosen", {static_cast<double>(models.at(reference.model))});
    return model;
  }

 private:
  std::map<std::size_t, std::map<std::string, std::size_t>> models_;
};

/// On a busy machine the compiler may not end in time.
fit::Result solve_in_time(const fit::Problem& problem, clopt::Device& device) {
  for (int tries = 0; tries < 3; ++tries) try {
      return fit::solve(problem, {.precision = "double"}, device);
    } catch (const clopt::BuildError&) {
    }
  return fit::solve(problem, {.precision = "double"}, device);
}

/// The greatest difference of what was found, as a part of what is right.
double difference(std::span<const double> found, std::span<const double> right, std::size_t first) {
  double most = 0;
  for (std::size_t k = 0; k < right.size(); ++k) most = std::max(most, std::abs(found[first + k] / right[k] - 1));
  return most;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nist)

BOOST_AUTO_TEST_CASE(certified_values_are_found, *boost::unit_test::label("slow")) {
  const auto references = read_references();
  BOOST_TEST(references.size() == 25U);
  const Models models(references);
  const auto openmp = clopt::open_device("openmp:0");
  // Each model's text is compiled: usually every third one is.
  const std::size_t step = clopt::test::long_run() ? 1 : 3;
  std::size_t tried = 0;
  std::size_t found = 0;
  for (std::size_t n = 0; n < references.size(); n += step) {
    const auto& reference = references[n];
    tried += 2;
    const auto count = reference.right.size();
    fit::Problem problem{models.model_of(reference), {}, reference.data.size(), reference.places};
    problem.parameters = count;
    std::vector<double> data;
    std::vector<double> guess;
    for (const auto& start : reference.starts) {
      data.insert(data.end(), reference.data.begin(), reference.data.end());
      guess.insert(guess.end(), start.begin(), start.end());
    }
    problem.data = std::move(data);
    problem.guess = std::move(guess);
    const auto result = solve_in_time(problem, *openmp);
    for (std::size_t row = 0; row < 2; ++row) {
      if (!(difference(result.parameters, reference.right, row * count) < 1e-4)) {
        std::cout << reference.name << " from start " << row + 1 << " is missed: " << fit::name_of(result.statuses[row])
                  << '\n';
        continue;
      }
      ++found;
      // Residuals of Lanczos1 are what rounding leaves.
      BOOST_TEST(
          difference(result.errors, reference.errors, row * count) < (reference.name == "Lanczos1" ? 5e-3 : 1e-3),
          reference.name << " from start " << row + 1 << " has other errors");
    }
  }
  BOOST_TEST(found + 1 >= tried);
}

BOOST_AUTO_TEST_SUITE_END()
