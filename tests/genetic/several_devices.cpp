/// \file
/// Islands on several devices of this process have the bits of those on one.
#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <device/solver_devices.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "same_result.hpp"

namespace {

using namespace clopt;
using Members = std::vector<std::shared_ptr<Device>>;

std::shared_ptr<Device> host(unsigned threads) {
  return open_device("openmp:0", {.threads = threads, .self_test = false});
}

const genetic::Problem& problem() {
  static const genetic::Problem made{Objective::named("onemax"), 70, {}, {}};
  return made;
}

genetic::Options options_of(std::uint32_t islands, std::uint32_t migrate_every) {
  genetic::Options options;
  options.preset = "paper";
  options.population = 49;
  options.generations = 23;
  options.islands = islands;
  options.migrate_every = migrate_every;
  options.migrants = 2;
  options.keep_population = true;
  return options;
}

double share_of(const genetic::Result& result) {
  return std::accumulate(result.devices.begin(), result.devices.end(), 0.0,
                         [](double sum, const DevicePart& part) { return sum + part.share; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_several_devices)

BOOST_AUTO_TEST_CASE(islands_are_shared_out, *boost::unit_test::label("device")) {
  const Members devices{host(1), host(2), non_owning(test::device())};
  for (const std::uint32_t islands : {1U, 2U, 3U, 7U})
    for (const std::uint32_t migrate_every : {0U, 5U}) {
      if (!test::tries_all() && (islands < 3 || (islands == 3) != (migrate_every == 0))) continue;
      BOOST_TEST_CONTEXT(islands << " islands, migration every " << migrate_every) {
        const auto options = options_of(islands, migrate_every);
        const auto expected = genetic::solve(problem(), options, *devices.front());
        const auto result = genetic::solve(problem(), options, devices);
        test::require_same(result, expected);
        BOOST_TEST(result.failures.empty());
        if (islands == 1) {
          BOOST_TEST(result.devices.empty());
          BOOST_TEST(result.reason.find("there is one island") != std::string::npos);
        } else {
          BOOST_TEST(result.devices.size() == 3U);
          BOOST_TEST(share_of(result) == 1, boost::test_tools::tolerance(1e-12));
          BOOST_TEST(result.devices.back().share == (islands == 2   ? 0
                                                     : islands == 3 ? 1.0 / 3
                                                                    : 2.0 / 7),
                     boost::test_tools::tolerance(1e-12));
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(targets_and_limits_end_all_islands_alike) {
  const Members devices{host(1), host(2)};
  auto options = options_of(5, 3);
  options.target = 60;
  options.generations = 10'000;
  const auto expected = genetic::solve(problem(), options, *devices.front());
  BOOST_REQUIRE((expected.ending == Ending::target));
  test::require_same(genetic::solve(problem(), options, devices), expected);

  options.target.reset();
  RunControl control;
  control.time_limit = 0.2;
  options.generations = 1'000'000'000;
  const auto limited = genetic::solve(problem(), options, devices, control);
  BOOST_TEST((limited.ending == Ending::time));
  BOOST_TEST(limited.generations > 0U);
  options.generations = limited.generations;
  BOOST_TEST(genetic::solve(problem(), options, *devices.front()).checksum == limited.checksum);
}

BOOST_AUTO_TEST_CASE(a_checkpoint_of_several_devices_is_one_of_any_number) {
  const Members devices{host(1), host(2)};
  auto options = options_of(4, 5);
  const auto expected = genetic::solve(problem(), options, *devices.front());
  std::shared_ptr<const Checkpoint> kept;
  options.generations = 11;
  options.checkpoint = std::make_shared<CheckpointWriter>(
      [] { return false; }, [&](const Record& state) { kept = std::make_shared<const Checkpoint>(state.copy()); });
  genetic::solve(problem(), options, devices);
  BOOST_REQUIRE(kept);
  options.checkpoint.reset();
  options.resume = kept;
  options.generations = 23;
  BOOST_TEST(genetic::solve(problem(), options, *devices.front()).checksum == expected.checksum);
  BOOST_TEST(genetic::solve(problem(), options, devices).checksum == expected.checksum);
}

BOOST_AUTO_TEST_CASE(others_continue_where_a_device_fails) {
  const auto options = options_of(5, 4);
  const auto expected = genetic::solve(problem(), options, *host(1));
  for (const int launches : {test::FailingDevice::from_the_start, 0, 1, 3})
    for (const std::size_t place : {0U, 1U, 2U})
      BOOST_TEST_CONTEXT("device " << place << " fails after " << launches << " launches") {
        Members devices{host(1), host(2)};
        devices.insert(devices.begin() + static_cast<std::ptrdiff_t>(place),
                       std::make_shared<test::FailingDevice>(launches));
        const auto result = genetic::solve(problem(), options, devices);
        test::require_same(result, expected);
        BOOST_TEST(result.failures.size() == 1U);
      }
  const Members failing{std::make_shared<test::FailingDevice>(0), std::make_shared<test::FailingDevice>(1)};
  BOOST_CHECK_THROW(genetic::solve(problem(), options, failing), DeviceError);
}

BOOST_AUTO_TEST_SUITE_END()
