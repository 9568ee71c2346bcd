/// \file
/// Runs of several threads and devices, and models that are predicted: the same as without.
#include "runs.hpp"

#include <clopt/clopt.hpp>
#include <clopt/ecga_problems.hpp>
#include <device/solver_devices.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace clopt;
using test::options_of;
using test::problem_of;

BOOST_AUTO_TEST_SUITE(run, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(threads_do_not_matter) {
  if (test::device().info().backend != "openmp") return test::skip("it has no threads of ours");
  auto options = options_of(5000);
  options.generations = 3;
  std::vector<std::uint64_t> checksums;
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    DeviceOptions device_options;
    device_options.threads = threads;
    checksums.push_back(
        ecga::solve(problem_of("trap5", 60), options, *open_device("openmp:0", device_options)).checksum);
  }
  BOOST_TEST(std::count(checksums.begin(), checksums.end(), checksums.front()) == std::ssize(checksums));
}

BOOST_AUTO_TEST_CASE(several_devices_count_the_same) {
  // A device may be there more than once; each time it has queues and memory of its own.
  const auto problem = problem_of("trap5", 60);
  struct Way {
    const char* search;
    const char* counting;
    std::optional<std::uint32_t> guesses;
  };
  // Groups of more than five loci are counted by histogram.
  const std::vector<Way> ways{{"greedy", "auto", {}},
                              {"greedy", "popcount", 40},
                              {"mating", "auto", {}},
                              {"mating", "table-8", {}},
                              {"greedy", "histogram", 40}};
  const bool quick = test::tries_all();
  for (const std::uint64_t individuals : {403U, 1601U})
    for (const auto& way : ways) {
      if (!quick && (individuals != 403 || way.counting != std::string("auto"))) continue;
      auto options = options_of(individuals);
      options.generations = quick ? 3 : 2;
      options.search = way.search;
      options.counting = way.counting;
      options.guesses = way.guesses;
      options.least_shared = 0;
      const auto expected = ecga::solve(problem, options, test::device());
      for (const std::size_t count : {3U, 2U}) {
        if (!quick && count != 3) continue;
        const std::vector<std::shared_ptr<Device>> devices(count, non_owning(test::device()));
        const auto result = ecga::solve(problem, options, devices);
        BOOST_TEST_CONTEXT(way.search << " " << way.counting << " " << individuals << " " << count) {
          BOOST_TEST(result.checksum == expected.checksum);
          BOOST_TEST(result.merges == expected.merges);
          BOOST_TEST(result.reason == expected.reason);
          BOOST_TEST(result.failures.empty());
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(several_devices_improve_the_same) {
  const auto problem = ecga::find_problem("nk7", 49, 1);
  auto options = options_of(203);
  options.improve = "blocks";
  options.generations = 2;
  options.least_shared = 0;
  const auto whole = non_owning(test::device());
  const auto expected = ecga::solve(problem, options, *whole);
  std::vector<std::vector<std::shared_ptr<Device>>> teams{{whole, whole}, {whole, whole, whole}};
  if (test::device().info().backend == "openmp")
    for (const int launches : {2, 9, 40}) teams.push_back({std::make_shared<test::FailingDevice>(launches), whole});
  for (const auto& devices : teams) {
    const auto result = ecga::solve(problem, options, devices);
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST(result.evaluations == expected.evaluations);
    BOOST_TEST(result.failures.size() == (devices.front() == whole ? 0U : 1U));
  }
}

BOOST_AUTO_TEST_CASE(predictions_make_the_models_of_the_search) {
  // Populations that solve their traps, and some that do not, whose blocks are wrong in part.
  for (const std::uint64_t individuals : {400U, 1001U, 2376U})
    for (const char* objective : {"trap5", "trap3", "onemax", "hiff"}) {
      const auto problem = problem_of(objective, objective == std::string("hiff") ? 32 : 45);
      auto options = options_of(individuals);
      options.generations = test::device().info().launches_are_calls ? 12 : 5;
      const auto predicted = ecga::solve(problem, options, test::device());
      options.guesses = 1;
      const auto searched = ecga::solve(problem, options, test::device());
      BOOST_TEST_INFO_SCOPE(objective << ", " << individuals << " individuals");
      BOOST_TEST(predicted.checksum == searched.checksum);
      BOOST_TEST(predicted.merges == searched.merges);
      if (objective == std::string("trap5") && individuals == 2376) BOOST_TEST(predicted.passes < searched.passes / 4);
    }
}

BOOST_AUTO_TEST_CASE(others_continue_without_a_device_that_fails) {
  if (test::device().info().backend != "openmp") return test::skip("the device that fails is OpenMP's");
  const auto problem = problem_of("trap5", 60);
  auto options = options_of(2100);
  options.generations = 3;
  options.least_shared = 0;
  const auto whole = non_owning(test::device());
  const auto expected = ecga::solve(problem, options, *whole);
  const auto failing = [](int launches) { return std::make_shared<test::FailingDevice>(launches); };
  for (const int launches : {0, 1, 4, 30})
    for (const auto& devices :
         {std::vector<std::shared_ptr<Device>>{failing(launches), whole},
          std::vector<std::shared_ptr<Device>>{whole, failing(launches), whole},
          std::vector<std::shared_ptr<Device>>{whole, failing(launches), failing(launches / 2)}}) {
      std::vector<std::uint64_t> generations;
      auto observed = options;
      observed.statistics = [&](const ecga::Statistics& row) { generations.push_back(row.generation); };
      const auto result = ecga::solve(problem, observed, devices);
      BOOST_TEST(result.checksum == expected.checksum, launches << " launches");
      BOOST_TEST(result.reason == expected.reason);
      BOOST_TEST(result.failures.size() ==
                 static_cast<std::size_t>(
                     std::count_if(devices.begin(), devices.end(), [&](const auto& d) { return d != whole; })));
      for (const auto& failure : result.failures) BOOST_TEST(failure == "openmp:0: the device is gone");
      BOOST_TEST(generations == (std::vector<std::uint64_t>{0, 1, 2, 3}), boost::test_tools::per_element());
    }
  const std::vector<std::shared_ptr<Device>> lost{failing(20), failing(9)};
  BOOST_CHECK_THROW(ecga::solve(problem, options, lost), DeviceError);
}

BOOST_AUTO_TEST_SUITE_END()
