/// \file
/// Fits that are ended, and continue from what was written.
#include <clopt/checkpoint.hpp>
#include <clopt/clopt.hpp>
#include <clopt/fit.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

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
  // Of the rows behind these some may be there.
  for (std::size_t row = 0; row < ended.statuses.size(); ++row) {
    const bool is_left = ended.statuses[row] == fit::Status::limit;
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
  test::FailingDevice failing(8);
  BOOST_CHECK_THROW(fit::solve(problem, options, failing), DeviceError);
  BOOST_TEST_REQUIRE(!states.all.empty());
  BOOST_TEST(rows_of(states.all.back()) > 0U);
  options.checkpoint = nullptr;
  options.resume = std::make_shared<const Checkpoint>(states.all.back());
  BOOST_TEST(fit::solve(problem, options, *open_device("openmp:0")).checksum == whole.checksum);
}

BOOST_AUTO_TEST_CASE(a_search_for_guesses_is_resumed) {
  auto problem = lines(110'000);
  problem.guess = {};
  problem.lower = {-50, -50};
  problem.upper = {99, 50};
  const auto host = open_device("openmp:0");
  fit::Options options{.precision = "float", .errors = false, .range = WorkRange{100, 109'900}};
  States states;
  options.checkpoint = states.writer();
  const auto ended =
      fit::solve(problem, options, *host,
                 {.progress = [](const Progress& progress) { return progress.done < 0.6; }, .progress_interval = 0});
  BOOST_TEST((ended.ending == Ending::interrupted));
  BOOST_TEST(ended.parameters.back() == 0);
  BOOST_TEST_REQUIRE(rows_of(states.all.back()) == 65'536U);
  options.checkpoint = nullptr;
  options.resume = std::make_shared<const Checkpoint>(states.all.back());
  const auto resumed = fit::solve(problem, options, *host);
  options.resume = nullptr;
  options.range = WorkRange{65'000, 1'100};
  const auto part = fit::solve(problem, options, *host);
  for (std::size_t i = 0; i < part.parameters.size(); ++i)
    BOOST_TEST_REQUIRE(resumed.parameters[2 * 64'900 + i] == part.parameters[i]);
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
