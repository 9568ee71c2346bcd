#include <clopt/clopt.hpp>
#include <clopt/fit.hpp>
#include <device/solver_devices.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle.hpp"

namespace {

namespace fit = clopt::fit;
using clopt::test::device;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

/// Gives a problem changed numbers.
void change(clopt::SharedNumbers& numbers, const std::function<void(std::vector<double>&)>& changed) {
  auto own = numbers.doubles();
  changed(own);
  numbers = std::move(own);
}

/// Peaks with noise: a, m, s, c of each row.
struct Peaks {
  fit::Problem problem;
  double middle;
  double size;

  Peaks(const fit::Model& model, std::size_t rows, double middle_of_all, double size_of_data)
      : problem{model, {}, 23}, middle(middle_of_all), size(size_of_data) {
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0, 0.02);
    problem.parameters = 4;
    std::vector<double> places;
    std::vector<double> data;
    std::vector<double> guess;
    for (std::size_t j = 0; j < problem.columns; ++j) places.push_back(middle + 0.25 * (static_cast<double>(j) - 11));
    for (std::size_t k = 0; k < rows; ++k) {
      const double shift = 0.01 * static_cast<double>(k % 50);
      for (const double place : places) {
        const double z = (place - middle - shift) / 0.7;
        data.push_back(size * (1.5 * std::exp(-z * z / 2) + 0.3 + noise(random)));
      }
      guess.insert(guess.end(), {size * 1.3, middle + shift + 0.1, 0.8, size * 0.25});
    }
    problem.abscissa = std::move(places);
    problem.data = std::move(data);
    problem.guess = std::move(guess);
  }

  /// In units of sigma, where there is one.
  clopt::test::OracleFit slow_fit(std::size_t row) const {
    const auto residuals = [this, row](const std::vector<long double>& at) {
      std::vector<long double> found;
      for (std::size_t j = 0; j < problem.columns; ++j) {
        const long double datum = problem.data[row * problem.columns + j];
        if (std::isnan(datum)) continue;
        const auto z = (static_cast<long double>(problem.abscissa[j]) - at[1]) / at[2];
        const long double unit = problem.sigma.empty() ? 1 : problem.sigma[j];
        found.push_back((at[0] * std::exp(-z * z / 2) + at[3] - datum) / unit);
      }
      return found;
    };
    const auto guess = problem.guess.doubles(4 * row, 4);
    return clopt::test::fit_slowly(residuals, {guess.begin(), guess.end()}, {size, 1, 1, size});
  }

  /// Compares parameters, in their errors, errors and chi squared of a row.
  void require_right(const fit::Result& result, std::size_t row, double precision) const {
    const auto right = slow_fit(row);
    const auto degrees = static_cast<long double>(result.degrees_of_freedom[row]);
    BOOST_TEST_CONTEXT("row " << row) {
      BOOST_TEST(fit::is_converged(result.statuses[row]));
      BOOST_TEST(std::abs(result.chi_squared[row] / static_cast<double>(right.chi_squared) - 1) < precision);
      for (std::size_t k = 0; k < 4; ++k) {
        const auto error = static_cast<double>(right.errors[k] * std::sqrt(right.chi_squared / degrees));
        BOOST_TEST(std::abs(result.errors[row * 4 + k] / error - 1) < 0.01);
        BOOST_TEST(std::abs(result.parameters[row * 4 + k] - static_cast<double>(right.parameters[k])) <
                   error * std::sqrt(precision) * 4);
      }
    }
  }
};

/// The peak as a text without a derivative.
fit::Model peak_text() {
  return fit::Model::from_text(
      "// clopt: parameters a, m, s, c\nreal model(individual x, real t) {\n"
      "  const real z = (t - gene(x, 1)) / gene(x, 2);\n  return gene(x, 0) * exp(-z * z / 2) + gene(x, 3);\n}\n",
      "peak.cl");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fits)

BOOST_AUTO_TEST_CASE(peaks_are_those_of_long_doubles, *boost::unit_test::label("device")) {
  for (const auto& model : {fit::Model::named("gauss"), peak_text()}) {
    const Peaks peaks(model, 49, 0, 1);
    const auto result = fit::solve(peaks.problem, {.precision = "float"}, device());
    for (const std::size_t row : {0U, 1U, 31U, 32U, 48U}) peaks.require_right(result, row, 1e-4);
  }
}

BOOST_AUTO_TEST_CASE(a_place_far_from_0_changes_no_error, *boost::unit_test::label("device")) {
  if (!device().info().has_double) return;
  for (const double middle : {285.0, 57'958.0, 2'459'000.5}) {
    const Peaks peaks(peak_text(), 3, middle, 1);
    const auto result = fit::solve(peaks.problem, {.precision = "double"}, device());
    for (std::size_t row = 0; row < 3; ++row) peaks.require_right(result, row, 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(floats_find_a_peak_at_285, *boost::unit_test::label("device")) {
  const Peaks peaks(peak_text(), 3, 285, 1);
  const auto result = fit::solve(peaks.problem, {.precision = "float"}, device());
  for (std::size_t row = 0; row < 3; ++row) peaks.require_right(result, row, 1e-3);
}

BOOST_AUTO_TEST_CASE(data_of_any_size_are_fitted, *boost::unit_test::label("device")) {
  for (const double size : {1e-22, 3e19}) {
    const Peaks peaks(fit::Model::named("gauss"), 3, 0, size);
    const auto result = fit::solve(peaks.problem, {.precision = "float"}, device());
    for (std::size_t row = 0; row < 3; ++row) peaks.require_right(result, row, 1e-4);
    const Peaks by_differences(peak_text(), 3, 0, size);
    const auto other = fit::solve(by_differences.problem, {.precision = "float"}, device());
    for (std::size_t row = 0; row < 3; ++row) by_differences.require_right(other, row, 1e-4);
  }
}

BOOST_AUTO_TEST_CASE(precision_is_double_where_floats_lose_digits) {
  const auto precision = [](const Peaks& peaks) {
    return fit::solve(peaks.problem, {}, *clopt::open_device("openmp:0")).precision;
  };
  BOOST_TEST(precision(Peaks(peak_text(), 1, 0, 1)) == "float");
  BOOST_TEST(precision(Peaks(peak_text(), 1, 2'459'000.5, 1)) == "double");
  BOOST_TEST(precision(Peaks(peak_text(), 1, 0, 1e-22)) == "double");
}

BOOST_AUTO_TEST_CASE(a_bad_row_spoils_no_other, *boost::unit_test::label("device")) {
  Peaks peaks(peak_text(), 5, 0, 1);
  const auto columns = peaks.problem.columns;
  change(peaks.problem.data, [&](std::vector<double>& data) {
    for (std::size_t j = 0; j < columns; ++j) data[columns + j] = absent;
    data[2 * columns + 7] = std::numeric_limits<double>::infinity();
    data[3 * columns + 4] = absent;
  });
  change(peaks.problem.guess, [](std::vector<double>& guess) { guess[4 * 4] = absent; });
  const auto result = fit::solve(peaks.problem, {.precision = "float"}, device());
  BOOST_TEST(fit::name_of(result.statuses[1]) == "no data");
  BOOST_TEST(fit::name_of(result.statuses[2]) == "not finite");
  BOOST_TEST(fit::name_of(result.statuses[4]) == "not finite");
  BOOST_TEST(std::isnan(result.parameters[4]));
  BOOST_TEST(result.degrees_of_freedom[3] == columns - 5);
  BOOST_TEST(result.converged == 2U);
  peaks.require_right(result, 0, 1e-4);
  peaks.require_right(result, 3, 1e-4);
}

BOOST_AUTO_TEST_CASE(fixed_parameters_and_bounds_hold, *boost::unit_test::label("device")) {
  Peaks peaks(fit::Model::named("gauss"), 3, 0, 1);
  peaks.problem.fixed = {3};
  const auto fixed = fit::solve(peaks.problem, {.precision = "float", .covariance = true}, device());
  for (std::size_t row = 0; row < 3; ++row) {
    BOOST_TEST(fixed.parameters[4 * row + 3] == 0.25);
    BOOST_TEST(fixed.errors[4 * row + 3] == 0);
    BOOST_TEST((fixed.errors[4 * row] > 0 && std::isfinite(fixed.errors[4 * row])));
    BOOST_TEST(fixed.covariance[16 * row] == fixed.errors[4 * row] * fixed.errors[4 * row]);
    BOOST_TEST(fixed.covariance[16 * row + 3] == 0);
    BOOST_TEST(fixed.covariance[16 * row + 1] == fixed.covariance[16 * row + 4]);
  }
  BOOST_TEST(fixed.degrees_of_freedom[0] == peaks.problem.columns - 3);
  peaks.problem.fixed.clear();
  // Equal bounds are as good.
  peaks.problem.lower = {-9, -9, 0.01, 0.25};
  peaks.problem.upper = {9, 9, 9, 0.25};
  const auto equal = fit::solve(peaks.problem, {.precision = "float"}, device());
  for (std::size_t row = 0; row < 3; ++row) {
    BOOST_TEST(fit::name_of(equal.statuses[row]) != "singular");
    BOOST_TEST(equal.errors[4 * row + 3] == 0);
    BOOST_TEST(std::abs(equal.errors[4 * row] / fixed.errors[4 * row] - 1) < 1e-3);
  }
  BOOST_TEST(equal.degrees_of_freedom[0] == peaks.problem.columns - 3);
  peaks.problem.lower = {0, -5, 0.75, 0};
  peaks.problem.upper = {5, 5, 2, 1};
  const auto bounded = fit::solve(peaks.problem, {.precision = "float"}, device());
  for (std::size_t row = 0; row < 3; ++row) {
    BOOST_TEST(bounded.parameters[4 * row + 2] == 0.75);
    BOOST_TEST(fit::name_of(bounded.statuses[row]) == "bound");
  }
}

BOOST_AUTO_TEST_CASE(a_parameter_without_effect_is_singular, *boost::unit_test::label("device")) {
  fit::Problem problem{
      fit::Model::from_text("real model(individual x, real t) { return gene(x, 0) + t * 0; }\n", "m.cl"),
      {1, 2, 3, 4, 4, 5},
      3};
  problem.parameters = 2;
  problem.guess = {1, 1};
  const auto result = fit::solve(problem, {.precision = "float"}, device());
  for (std::size_t row = 0; row < 2; ++row) {
    BOOST_TEST(fit::name_of(result.statuses[row]) == "singular");
    BOOST_TEST(std::isinf(result.errors[2 * row]));
  }
  BOOST_TEST(std::abs(result.parameters[0] - 2) < 1e-5);
}

BOOST_AUTO_TEST_CASE(ranges_are_the_whole, *boost::unit_test::label("device")) {
  const Peaks peaks(fit::Model::named("gauss"), 131, 0, 1);
  fit::Options options;
  const auto whole = fit::solve(peaks.problem, options, device());
  std::vector<fit::Result> parts;
  for (const auto& range : {clopt::WorkRange{0, 1}, clopt::WorkRange{1, 63}, clopt::WorkRange{64, 67}}) {
    options.range = range;
    const auto part = fit::solve(peaks.problem, options, device());
    parts.push_back(fit::unpack(fit::pack(part), range.count, 4));
  }
  BOOST_TEST(fit::merge(parts).checksum == whole.checksum);
}

BOOST_AUTO_TEST_CASE(any_number_of_rows_has_the_same_bits, *boost::unit_test::label("device")) {
  // Around the lanes of vectors and the work-items of a group, with rows that are missing data and rows that are bad.
  const auto openmp = clopt::open_device("openmp:0");
  for (const auto* const precision : {"float", "double"}) {
    if (std::string_view(precision) == "double" && !(clopt::test::tries_all() && device().info().has_double)) continue;
    Peaks peaks(peak_text(), 271, 0, 1);
    peaks.problem.lower = {0, -2, 0.6875, 0};
    peaks.problem.upper = {5, 2, 2, 1};
    change(peaks.problem.data, [&](std::vector<double>& data) {
      for (std::size_t i = 3; i < data.size(); i += 211) data[i] = absent;
      data[5 * peaks.problem.columns] = std::numeric_limits<double>::infinity();
    });
    const fit::Options options{.precision = precision, .covariance = true};
    const auto whole = fit::solve(peaks.problem, options, *openmp);
    for (const std::size_t rows : {1U, 7U, 15U, 16U, 17U, 31U, 33U, 49U, 63U, 65U, 255U, 257U, 271U}) {
      if (!clopt::test::tries_all() && rows != 1 && rows != 33 && rows != 271) continue;
      auto some = peaks.problem;
      some.data = some.data.doubles(0, rows * some.columns);
      some.guess = some.guess.doubles(0, rows * some.parameters);
      const auto found = fit::solve(some, options, device());
      const auto same = [](std::span<const double> a, std::span<const double> b) {
        return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
      };
      BOOST_TEST_CONTEXT(rows << " rows, " << precision) {
        BOOST_TEST(same(found.parameters, whole.parameters));
        BOOST_TEST(same(found.errors, whole.errors));
        BOOST_TEST(same(found.covariance, whole.covariance));
        BOOST_TEST(same(found.chi_squared, whole.chi_squared));
        BOOST_TEST(std::equal(found.iterations.begin(), found.iterations.end(), whole.iterations.begin()));
        BOOST_TEST(std::equal(found.statuses.begin(), found.statuses.end(), whole.statuses.begin()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(floats_have_the_bits_of_their_doubles, *boost::unit_test::label("device")) {
  Peaks peaks(fit::Model::named("gauss"), 33, 0, 1);
  auto& problem = peaks.problem;
  problem.sigma = std::vector<double>(problem.data.size(), 0.25);
  problem.lower = std::vector<double>(problem.guess.size(), -8);
  auto in_floats = problem;
  std::vector<std::vector<float>> kept;
  for (auto* const numbers : {&in_floats.data, &in_floats.abscissa, &in_floats.sigma, &in_floats.guess}) {
    const auto doubles = numbers->doubles();
    kept.emplace_back(doubles.begin(), doubles.end());
    *numbers = clopt::SharedNumbers::over(std::span<const float>(kept.back()));
  }
  // Not a copy.
  BOOST_TEST(
      in_floats.data.visit([&](const auto& data) { return static_cast<const void*>(data.data()) == kept[0].data(); }));
  in_floats.lower = std::vector<float>(problem.guess.size(), -8);
  problem.data = in_floats.data.doubles();
  problem.abscissa = in_floats.abscissa.doubles();
  problem.guess = in_floats.guess.doubles();
  for (const auto* const precision : {"float", "double"}) {
    if (std::string_view(precision) == "double" && !device().info().has_double) continue;
    const fit::Options options{.precision = precision, .covariance = true};
    BOOST_TEST(fit::solve(in_floats, options, device()).checksum == fit::solve(problem, options, device()).checksum);
  }
}

BOOST_AUTO_TEST_CASE(what_a_limit_leaves_stays_at_its_guess, *boost::unit_test::label("device")) {
  // Blocks behind the first two never begin.
  Peaks peaks(fit::Model::named("gauss"), 70'001, 0, 1);
  int calls = 0;
  const auto stopped =
      fit::solve(peaks.problem, {.precision = "float", .covariance = true}, device(),
                 {.progress = [&](const clopt::Progress&) { return ++calls == 0; }, .progress_interval = 0});
  BOOST_TEST((stopped.ending == clopt::Ending::interrupted));
  std::size_t left = 0;
  for (std::size_t row = 0; row < stopped.statuses.size(); ++row) {
    if (stopped.statuses[row] != fit::Status::limit) continue;
    ++left;
    BOOST_TEST_REQUIRE(stopped.parameters[4 * row + 1] == peaks.problem.guess[4 * row + 1]);
    BOOST_TEST_REQUIRE((std::isnan(stopped.chi_squared[row]) && std::isnan(stopped.errors[4 * row + 3]) &&
                        std::isnan(stopped.covariance[16 * row + 15])));
    BOOST_TEST_REQUIRE((stopped.iterations[row] == 0U && stopped.degrees_of_freedom[row] == 0U));
  }
  BOOST_TEST(left > 0U);
  BOOST_TEST(left + stopped.converged == stopped.statuses.size());
}

BOOST_AUTO_TEST_CASE(several_devices_have_the_bits_of_one, *boost::unit_test::label("device")) {
  // Several blocks.
  const Peaks peaks(fit::Model::named("gauss"), 40'001, 0, 1);
  const fit::Options options{.precision = "float", .errors = false};
  const auto one = fit::solve(peaks.problem, options, device());
  const auto ahead = std::make_shared<clopt::test::FailingAhead>(1'000'000);
  const std::shared_ptr<clopt::Device> devices[] = {clopt::open_device("openmp:0"), ahead, clopt::non_owning(device())};
  const auto several = fit::solve(peaks.problem, options, devices);
  BOOST_TEST(several.checksum == one.checksum);
  BOOST_TEST(several.failures.empty());
  BOOST_TEST_REQUIRE(several.devices.size() == 3U);
  double share = 0;
  for (const auto& part : several.devices) share += part.share;
  BOOST_TEST(std::abs(share - 1) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_leaves_its_rows_to_others) {
  const Peaks peaks(fit::Model::named("gauss"), 40'001, 0, 1);
  const fit::Options options{.precision = "float"};
  const auto sound = clopt::open_device("openmp:0");
  const auto right = fit::solve(peaks.problem, options, *sound);
  for (const int launches : {clopt::test::FailingDevice::from_the_start, 0, 1, 2, 3}) {
    BOOST_TEST_CONTEXT(launches << " launches") {
      for (const bool is_first : {true, false}) {
        const auto failing = std::make_shared<clopt::test::FailingAhead>(launches);
        std::vector<std::shared_ptr<clopt::Device>> devices{sound, failing};
        if (is_first) std::swap(devices.front(), devices.back());
        const auto result = fit::solve(peaks.problem, options, devices);
        BOOST_TEST(result.checksum == right.checksum);
        BOOST_TEST((result.ending == clopt::Ending::complete));
        // The other one may have done all before it fails.
        BOOST_TEST(result.failures.size() <= 1U);
        if (launches == clopt::test::FailingDevice::from_the_start) BOOST_TEST(result.failures.size() == 1U);
      }
      clopt::test::FailingDevice alone(launches);
      BOOST_CHECK_THROW(fit::solve(peaks.problem, options, alone), clopt::DeviceError);
    }
  }
}

BOOST_AUTO_TEST_CASE(without_a_guess_the_bounds_are_searched, *boost::unit_test::label("device")) {
  Peaks peaks(fit::Model::named("gauss"), 7, 0, 1);
  peaks.problem.sigma = std::vector<double>(peaks.problem.columns, 0.02);
  const fit::Options options{.precision = "float"};
  const auto from_guess = fit::solve(peaks.problem, options, device());
  auto problem = peaks.problem;
  problem.guess = {};
  problem.lower = {0, -4, 0.05, -1};
  problem.upper = {9, 4, 4, 2};
  const auto searched = fit::solve(problem, options, device());
  BOOST_TEST(searched.converged == 7U);
  for (std::size_t row = 0; row < 7; ++row)
    BOOST_TEST(std::abs(searched.chi_squared[row] / from_guess.chi_squared[row] - 1) < 1e-4);
  // Of a range, the rows of all; of another seed, other bits.
  const auto part = fit::solve(problem, {.precision = "float", .range = clopt::WorkRange{2, 3}}, device());
  BOOST_TEST(std::equal(part.parameters.begin(), part.parameters.end(), searched.parameters.begin() + 8));
  BOOST_TEST(fit::solve(problem, {.precision = "float", .seed = 2}, device()).checksum != searched.checksum);
  const auto host = clopt::open_device("openmp:0");
  BOOST_TEST(fit::solve(problem, options, *host).checksum == searched.checksum);
  problem.upper = {9, std::numeric_limits<double>::infinity(), 4, 2};
  BOOST_CHECK_THROW(fit::check(problem, options), clopt::InvalidInput);
  problem.upper = {9, 4, 4, 2};
  // Bad rows spoil no other's search.
  change(problem.data, [&](std::vector<double>& data) {
    for (std::size_t j = 0; j < problem.columns; ++j) data[problem.columns + j] = absent;
    data[2 * problem.columns] = std::numeric_limits<double>::infinity();
  });
  const auto beside = fit::solve(problem, options, device());
  BOOST_TEST(fit::name_of(beside.statuses[1]) == "no data");
  BOOST_TEST(fit::name_of(beside.statuses[2]) == "not finite");
  BOOST_TEST(std::equal(beside.parameters.begin() + 12, beside.parameters.end(), searched.parameters.begin() + 12));
  problem.fixed = {0};
  BOOST_CHECK_THROW(fit::check(problem, options), clopt::InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_search_that_is_ended_fits_no_row) {
  Peaks peaks(fit::Model::named("gauss"), 4'111, 0, 1);
  auto& problem = peaks.problem;
  problem.guess = {};
  problem.lower = {0, -4, 0.05, -1};
  problem.upper = {9, 4, 4, 2};
  const auto host = clopt::open_device("openmp:0");
  const auto late = fit::solve(problem, {.precision = "float"}, *host, {.time_limit = 0});
  BOOST_TEST((late.ending == clopt::Ending::time));
  BOOST_TEST(late.converged == 0U);
  for (std::size_t i = 0; i < late.parameters.size(); ++i)
    BOOST_TEST_REQUIRE((late.parameters[i] >= problem.lower[i % 4] && late.parameters[i] <= problem.upper[i % 4]));
  int calls = 0;
  const auto stopped =
      fit::solve(problem, {.precision = "float"}, *host,
                 {.progress = [&](const clopt::Progress&) { return ++calls == 0; }, .progress_interval = 0});
  BOOST_TEST((stopped.ending == clopt::Ending::interrupted));
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(sigma_weights_data_and_errors, *boost::unit_test::label("device")) {
  Peaks peaks(peak_text(), 3, 0, 1);
  auto& problem = peaks.problem;
  std::vector<double> sigma;
  for (std::size_t j = 0; j < 3 * problem.columns; ++j)
    sigma.push_back(0.0625 * static_cast<double>(1 + j % problem.columns % 3));
  auto own = problem;
  own.sigma = sigma;
  sigma.resize(problem.columns);
  problem.sigma = sigma;
  const auto shared = fit::solve(problem, {.precision = "float"}, device());
  BOOST_TEST(fit::solve(own, {.precision = "float"}, device()).checksum == shared.checksum);
  for (std::size_t row = 0; row < 3; ++row) {
    const auto right = peaks.slow_fit(row);
    BOOST_TEST(std::abs(shared.chi_squared[row] / static_cast<double>(right.chi_squared) - 1) < 1e-4);
    for (std::size_t k = 0; k < 4; ++k)
      BOOST_TEST(std::abs(shared.errors[row * 4 + k] / static_cast<double>(right.errors[k]) - 1) < 0.01);
  }
}

BOOST_AUTO_TEST_CASE(errors_are_found_where_asked_for, *boost::unit_test::label("device")) {
  const Peaks peaks(fit::Model::named("gauss"), 3, 0, 1);
  const auto without = fit::solve(peaks.problem, {.errors = false}, device());
  BOOST_TEST(without.errors.empty());
  BOOST_TEST(without.parameters == fit::solve(peaks.problem, {}, device()).parameters);
}

BOOST_AUTO_TEST_CASE(a_run_that_has_no_time_leaves_the_guesses, *boost::unit_test::label("device")) {
  // Rows enough for a third block: before the time is looked at, two blocks at most have a launch.
  const Peaks peaks(fit::Model::named("gauss"), 32'783, 0, 1);
  const auto result = fit::solve(peaks.problem, {.precision = "float"}, device(), {.time_limit = 0});
  BOOST_TEST((result.ending == clopt::Ending::time));
  BOOST_TEST(fit::is_converged(result.statuses.front()));
  BOOST_TEST(fit::name_of(result.statuses.back()) == "limit");
  BOOST_TEST(result.parameters.back() == peaks.problem.guess[peaks.problem.guess.size() - 1]);
}

BOOST_AUTO_TEST_CASE(every_model_has_its_own_derivative, *boost::unit_test::label("device")) {
  // With the derivative and by differences a model has the same minimum and errors.
  // Each is compiled twice, on OpenMP too.
  const std::size_t every = clopt::test::long_run() ? 1 : clopt::test::tries_all() ? 4 : 8;
  std::size_t number = 0;
  for (const auto& summary : fit::models()) {
    if (number++ % every != every / 4) continue;
    const bool is_picture = summary.name.find("_2d") != summary.name.npos;
    const std::size_t width = is_picture ? 7 : 0;
    auto model = fit::Model::named(summary.name, width);
    fit::Problem problem{model, {}, 49};
    problem.parameters = summary.parameters.empty() ? 3 : summary.parameters.size();
    std::vector<double> guess;
    for (const auto& name : summary.parameters)
      guess.push_back(name == "m" || name == "n"   ? 3
                      : name == "km"               ? 2
                      : name == "w"                ? 4
                      : name == "b2"               ? 3
                      : name == "b3"               ? 9
                      : name == "r"                ? 2.5
                      : name == "q" || name == "p" ? 0.4
                      : name == "s"                ? 1.5
                                                   : 1.25);
    if (guess.empty()) guess = {1, 1, 1};
    problem.guess = std::move(guess);
    std::vector<double> places;
    std::vector<double> data;
    for (std::size_t j = 0; j < problem.columns; ++j) {
      places.push_back(0.125 * static_cast<double>(j + 1));
      data.push_back(1 + 0.02 * static_cast<double>(j * 7 % 5));
    }
    problem.abscissa = std::move(places);
    problem.data = std::move(data);
    // One round: the errors are those at the guess, so that nothing depends on the way.
    fit::Options options{.precision = device().info().has_double ? "double" : "float", .iterations = 1};
    const auto by_derivative = fit::solve(problem, options, device());
    problem.model.has_derivative = false;
    const auto by_differences = fit::solve(problem, options, device());
    for (std::size_t k = 0; k < problem.parameters; ++k) {
      BOOST_TEST_CONTEXT(summary.name << ", parameter " << k)
      BOOST_TEST(std::abs(by_derivative.errors[k] / by_differences.errors[k] - 1) <
                 (device().info().has_double ? 1e-3 : 1e-2));
    }
  }
}

namespace {

/// What a datum adds to a loss, in long doubles, whose scale is 0.05.
long double loss_of(const std::string& loss, long double model, long double datum) {
  if (loss == "poisson") return 2 * (model - datum + (datum > 0 ? datum * std::log(datum / model) : 0));
  constexpr long double scale = 0.05L;
  const auto z = (model - datum) / scale * ((model - datum) / scale);
  return scale * scale *
         (loss == "linear"    ? z
          : loss == "soft-l1" ? 2 * (std::sqrt(1 + z) - 1)
          : loss == "huber"   ? (z <= 1 ? z : 2 * std::sqrt(z) - 1)
                              : std::log(1 + z));
}

}  // namespace

BOOST_AUTO_TEST_CASE(losses_are_least_where_fits_end, *boost::unit_test::label("device")) {
  if (!device().info().has_double) return;
  for (const std::string loss : {"linear", "soft-l1", "huber", "cauchy", "poisson"}) {
    if (!clopt::test::tries_all() && loss != "huber" && loss != "poisson") continue;
    Peaks peaks(fit::Model::named("gauss"), 3, 0, loss == "poisson" ? 20 : 1);
    auto data = peaks.problem.data.doubles();
    if (loss == "poisson") {
      for (auto& datum : data) datum = std::max(0.0, std::round(datum - 5.5));
    } else {
      data[5] += 0.5;
    }
    data[2 * peaks.problem.columns] = absent;
    peaks.problem.data = data;
    const auto result = fit::solve(peaks.problem, {.precision = "double", .loss = loss, .loss_scale = 0.05}, device());
    for (std::size_t row = 0; row < 3; ++row) {
      const auto sum_at = [&](std::vector<double> at) {
        long double sum = 0;
        for (std::size_t j = 0; j < peaks.problem.columns; ++j) {
          const long double datum = data[row * peaks.problem.columns + j];
          const auto z = (static_cast<long double>(peaks.problem.abscissa[j]) - at[1]) / at[2];
          if (!std::isnan(datum)) sum += loss_of(loss, at[0] * std::exp(-z * z / 2) + at[3], datum);
        }
        return sum;
      };
      const auto first = result.parameters.begin() + static_cast<std::ptrdiff_t>(4 * row);
      const std::vector<double> found(first, first + 4);
      const auto least = sum_at(found);
      BOOST_TEST_CONTEXT(loss << ", row " << row) {
        BOOST_TEST(fit::is_converged(result.statuses[row]));
        BOOST_TEST(std::abs(result.chi_squared[row] / static_cast<double>(least) - 1) < 1e-9);
        for (std::size_t k = 0; k < 4; ++k)
          for (const double side : {-1e-3, 1e-3}) {
            auto beside = found;
            beside[k] += side * result.errors[4 * row + k];
            BOOST_TEST(static_cast<double>(sum_at(beside) - least) > 0);
          }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_together_is_refused) {
  const auto openmp = clopt::open_device("openmp:0");
  const Peaks peaks(fit::Model::named("gauss"), 3, 0, 1);
  const auto refuses = [&](auto change) {
    auto problem = peaks.problem;
    change(problem);
    BOOST_CHECK_THROW(fit::solve(problem, {}, *openmp), clopt::InvalidInput);
  };
  refuses([](fit::Problem& p) { p.data = {}; });
  refuses([](fit::Problem& p) { p.guess = p.guess.doubles(0, p.guess.size() - 1); });
  refuses([](fit::Problem& p) { p.lower = {1, 2}; });
  refuses([](fit::Problem& p) {
    p.lower = {1, 1, 1, 1};
    p.upper = {2, 0, 2, 2};
  });
  refuses([](fit::Problem& p) { p.fixed = {4}; });
  refuses([](fit::Problem& p) { p.sigma = std::vector<double>(p.columns); });
  refuses([](fit::Problem& p) { p.abscissa = p.abscissa.doubles(0, 5); });
  auto with_sigma = peaks.problem;
  with_sigma.sigma = std::vector<double>(with_sigma.columns, 1);
  BOOST_CHECK_THROW(fit::solve(with_sigma, {.loss = "poisson"}, *openmp), clopt::InvalidInput);
  BOOST_CHECK_THROW(fit::solve(peaks.problem, {.loss = "l2"}, *openmp), clopt::InvalidInput);
  BOOST_CHECK_THROW(fit::solve(peaks.problem, {.loss_scale = 0}, *openmp), clopt::InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
