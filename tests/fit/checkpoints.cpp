/// \file
/// Fits that are ended, and continue from what was written.
#include <clopt/checkpoint.hpp>
#include <clopt/clopt.hpp>
#include <clopt/fit.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using clopt::test::device;

/// Lines through few data, each with a place of its own where it cuts the axis.
fit::Problem lines(std::size_t rows) {
  std::vector<double> data;
  for (std::size_t row = 0; row < rows; ++row)
    for (int j = 0; j < 4; ++j) data.push_back(0.5 * static_cast<double>(row % 97) + 2 * j + (j == 2 ? 0.25 : 0));
  fit::Problem problem{fit::Model::named("line"), std::move(data), 4};
  problem.parameters = 2;
  problem.guess = {1, 1};
  return problem;
}

/// Keeps the states of a run.
struct States {
  std::vector<Record> all;
  std::shared_ptr<CheckpointWriter> writer() {
    return std::make_shared<CheckpointWriter>([] { return true; },
                                              [this](const Record& state) { all.push_back(state.copy()); });
  }
};

std::uint64_t rows_of(const Record& state) { return state.array<std::uint64_t>("done", 1).front(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(fit_checkpoints)

BOOST_AUTO_TEST_CASE(every_state_is_resumed_with_the_same_bits, *boost::unit_test::label("device")) {
  const auto problem = lines(300'001);
  fit::Options options{.precision = "float", .covariance = true};
  const auto whole = fit::solve(problem, options, device());
  States states;
  options.checkpoint = states.writer();
  double last = 0;
  const auto kept = fit::solve(problem, options, device(),
                               {.progress =
                                    [&](const Progress& progress) {
                                      BOOST_TEST(progress.done >= last);
                                      last = progress.done;
                                      return true;
                                    },
                                .progress_interval = 0});
  BOOST_TEST(kept.checksum == whole.checksum);
  BOOST_TEST(last == 1);
  BOOST_TEST_REQUIRE(states.all.size() > 1U);
  BOOST_TEST(rows_of(states.all.front()) == 65'536U);
  BOOST_TEST(rows_of(states.all.back()) == 300'001U);
  options.checkpoint = nullptr;
  for (const auto& state : states.all) {
    options.resume = std::make_shared<const Checkpoint>(state);
    const auto resumed = fit::solve(problem, options, device());
    BOOST_TEST(resumed.checksum == whole.checksum);
    BOOST_TEST((resumed.covariance == whole.covariance));
    BOOST_TEST(resumed.converged == whole.converged);
  }
}

BOOST_AUTO_TEST_CASE(what_ends_a_run_loses_nothing, *boost::unit_test::label("device")) {
  const auto problem = lines(200'003);
  fit::Options options{.precision = "float"};
  const auto whole = fit::solve(problem, options, device());
  States states;
  options.checkpoint = states.writer();
  const auto ended =
      fit::solve(problem, options, device(),
                 {.progress = [](const Progress& progress) { return progress.done < 0.5; }, .progress_interval = 0});
  BOOST_TEST((ended.ending == Ending::interrupted));
  BOOST_TEST_REQUIRE(!states.all.empty());
  const auto done = rows_of(states.all.back());
  BOOST_TEST((done >= 65'536U && done < 200'003U));
  for (std::size_t row = 0; row < ended.statuses.size(); ++row) {
    const bool is_left = ended.statuses[row] == fit::Status::limit;
    BOOST_TEST_REQUIRE((is_left || row != done));
    if (row < done) BOOST_TEST_REQUIRE(!is_left);
    BOOST_TEST_REQUIRE(ended.parameters[2 * row] == (is_left ? 1 : whole.parameters[2 * row]));
  }
  BOOST_TEST((ended.statuses.back() == fit::Status::limit));
  options.checkpoint = nullptr;
  options.resume = std::make_shared<const Checkpoint>(states.all.back());
  BOOST_TEST(fit::solve(problem, options, device()).checksum == whole.checksum);
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_leaves_a_checkpoint) {
  const auto problem = lines(300'000);
  fit::Options options{.precision = "float"};
  const auto whole = fit::solve(problem, options, *open_device("openmp:0"));
  States states;
  options.checkpoint = states.writer();
  test::FailingDevice failing(1'000'000);
  // Once the first part is done, which has 65,536 rows.
  const RunControl control{.progress =
                               [&](const Progress& progress) {
                                 if (progress.done > 0.25) failing.fail();
                                 return true;
                               },
                           .progress_interval = 0};
  BOOST_CHECK_THROW(fit::solve(problem, options, failing, control), DeviceError);
  BOOST_TEST_REQUIRE(!states.all.empty());
  BOOST_TEST(rows_of(states.all.back()) > 0U);
  options.checkpoint = nullptr;
  options.resume = std::make_shared<const Checkpoint>(states.all.back());
  BOOST_TEST(fit::solve(problem, options, *open_device("openmp:0")).checksum == whole.checksum);
}

BOOST_AUTO_TEST_CASE(a_search_for_guesses_is_resumed) {
  auto problem = lines(9'000);
  problem.guess = {};
  problem.lower = {-50, -50};
  problem.upper = {99, 50};
  const auto host = open_device("openmp:0");
  fit::Options options{.precision = "float", .errors = false, .range = WorkRange{100, 8'800}};
  States states;
  options.checkpoint = states.writer();
  const auto ended =
      fit::solve(problem, options, *host,
                 {.progress = [](const Progress& progress) { return progress.done < 0.2; }, .progress_interval = 0});
  BOOST_TEST((ended.ending == Ending::interrupted));
  // The middle of the bounds.
  BOOST_TEST(ended.parameters.back() == 0);
  const auto done = rows_of(states.all.back());
  BOOST_TEST((done >= 1'024U && done < 8'800U));
  options.checkpoint = nullptr;
  options.resume = std::make_shared<const Checkpoint>(states.all.back());
  const auto resumed = fit::solve(problem, options, *host);
  options.resume = nullptr;
  BOOST_TEST(resumed.checksum == fit::solve(problem, options, *host).checksum);
}

BOOST_AUTO_TEST_CASE(rows_that_are_long_or_shared_out_are_resumed) {
  // Each long row is a part.
  std::vector<double> data;
  for (std::size_t i = 0; i < 3 << 20; ++i) data.push_back(static_cast<double>(i % 4096) + (i % 2 == 0 ? 0.25 : 0));
  fit::Problem problem{fit::Model::named("line"), std::move(data), std::size_t{1} << 20};
  problem.parameters = 2;
  problem.guess = {1, 1};
  const auto host = open_device("openmp:0");
  fit::Options options{.precision = "double", .errors = false};
  const auto whole = fit::solve(problem, options, *host);
  States states;
  options.checkpoint = states.writer();
  BOOST_TEST(fit::solve(problem, options, *host).checksum == whole.checksum);
  BOOST_TEST_REQUIRE(states.all.size() > 2U);
  BOOST_TEST(rows_of(states.all.front()) == 1U);
  options.checkpoint = nullptr;
  options.resume = std::make_shared<const Checkpoint>(states.all[1]);
  BOOST_TEST(fit::solve(problem, options, *host).checksum == whole.checksum);
  // Shares and times of several devices are those of all parts.
  const auto many = lines(200'000);
  fit::Options several{.precision = "float"};
  const auto one = fit::solve(many, several, *host);
  several.checkpoint = states.writer();
  const std::shared_ptr<Device> devices[] = {host, std::make_shared<test::FailingAhead>(1'000'000)};
  const auto shared = fit::solve(many, several, devices);
  BOOST_TEST(shared.checksum == one.checksum);
  BOOST_TEST_REQUIRE(shared.devices.size() == 2U);
  BOOST_TEST(std::abs(shared.devices[0].share + shared.devices[1].share - 1) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_callback_that_ends_a_run_is_not_called_again) {
  const auto problem = lines(300'000);
  for (const int last : {1, 2, 3, 5}) {
    States states;
    int calls = 0;
    const auto ended =
        fit::solve(problem, {.precision = "float", .checkpoint = states.writer()}, *open_device("openmp:0"),
                   {.progress = [&](const Progress&) { return ++calls < last; }, .progress_interval = 0});
    BOOST_TEST(calls == last);
    BOOST_TEST((ended.ending == Ending::interrupted));
    BOOST_TEST(rows_of(states.all.back()) < 300'000U);
  }
  int calls = 0;
  States states;
  fit::solve(problem, {.precision = "float", .checkpoint = states.writer()}, *open_device("openmp:0"),
             {.progress = [&](const Progress&) { return ++calls > 0; }, .progress_interval = 1e6});
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(numbers_are_shared_and_moved) {
  std::vector<float> given{1, 2, 3};
  auto numbers = SharedNumbers::over(std::span<const float>(given));
  const auto kept = numbers.kept();
  const auto same = kept.kept();
  given[1] = 7;
  BOOST_TEST((numbers[1] == 7 && kept[1] == 2 && same.size() == 3U));
  const auto moved = std::move(numbers);
  // NOLINTNEXTLINE(bugprone-use-after-move): it is empty
  BOOST_TEST((numbers.empty() && moved[1] == 7));
  numbers = kept;
  BOOST_TEST((numbers.doubles() == std::vector<double>{1, 2, 3}));
  BOOST_TEST(kept.visit([&](const auto& own) { return static_cast<const void*>(own.data()); }) ==
             same.visit([&](const auto& own) { return static_cast<const void*>(own.data()); }));
  numbers = std::vector<double>{};
  BOOST_TEST((numbers.empty() && numbers.doubles().empty()));
}

// A search takes nine tenths of each part, where there is one.
BOOST_AUTO_TEST_CASE(progress_is_that_of_searches_and_fits) {
  for (const bool searches : {false, true}) {
    auto problem = lines(searches ? 3'000 : 100'000);
    if (searches) {
      problem.guess = {};
      problem.lower = {-50, -50};
      problem.upper = {99, 50};
    }
    States states;
    std::vector<double> seen;
    fit::solve(problem, {.precision = "float", .errors = false, .checkpoint = states.writer()},
               *open_device("openmp:0"),
               {.progress =
                    [&](const Progress& progress) {
                      seen.push_back(progress.done);
                      return true;
                    },
                .progress_interval = 0});
    BOOST_TEST_CONTEXT("searches: " << searches) {
      BOOST_REQUIRE(seen.size() > 2U);
      // Where a part follows another one, sums are rounded in another way.
      const auto falls = [](double before, double after) { return after < before - 1e-12; };
      BOOST_TEST((std::adjacent_find(seen.begin(), seen.end(), falls) == seen.end()));
      BOOST_TEST(seen.front() < 0.5);
      BOOST_TEST((seen.back() > 0.9 && seen.back() <= 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(another_run_or_a_damaged_state_is_refused) {
  auto problem = lines(9);
  fit::Options options{.precision = "float"};
  const auto host = open_device("openmp:0");
  States states;
  options.checkpoint = states.writer();
  fit::solve(problem, options, *host);
  options.checkpoint = nullptr;
  const auto& state = states.all.back();
  const auto refuses = [&](const fit::Problem& other, fit::Options own, const Record& record) {
    own.resume = std::make_shared<const Checkpoint>(record);
    BOOST_CHECK_THROW(fit::solve(other, own, *host), InvalidInput);
  };
  refuses(problem, {.precision = "double"}, state);
  refuses(problem, {.precision = "float", .iterations = 5}, state);
  refuses(problem, {.precision = "float", .range = WorkRange{0, 8}}, state);
  refuses(lines(10), options, state);
  auto other = problem;
  other.guess = {1, 2};
  refuses(other, options, state);
  // The first array of a name counts.
  const auto with = [&](const std::string& name, Record::Value value) {
    Record changed(state.identity());
    changed.add(name, std::move(value));
    for (const auto& [field, own] : state.fields())
      if (field != name) changed.add(field, own);
    return changed;
  };
  refuses(problem, options, with("done", std::vector<std::uint64_t>{10}));
  refuses(problem, options, with("done", std::vector<std::uint64_t>{8}));
  refuses(problem, options, with("statuses", std::vector<std::uint8_t>(9, 0)));
  refuses(problem, options, with("statuses", std::vector<std::uint8_t>(9, 9)));
  refuses(problem, options, with("parameters", std::vector<double>(17, 0)));
  refuses(problem, options, with("chi_squared", std::vector<float>(9, 0)));
}

BOOST_AUTO_TEST_SUITE_END()
