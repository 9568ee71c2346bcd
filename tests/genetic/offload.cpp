/// \file
/// One population that several devices evaluate has the bits of one device.
#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <device/solver_devices.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "same_result.hpp"

namespace {

using namespace clopt;
using Members = std::vector<std::shared_ptr<Device>>;

std::shared_ptr<Device> host(unsigned threads) {
  return open_device("openmp:0", {.threads = threads, .self_test = false});
}

genetic::Options options_of(const std::string& offload) {
  genetic::Options options;
  options.population = 97;
  options.generations = 13;
  options.elites = 3;
  options.keep_population = true;
  options.offload = offload;
  return options;
}

// 2000 steps for each individual.
genetic::Problem slow_sum() {
  return {Objective::from_text(R"(// clopt: reals, minimise, lower -5, upper 5
real objective(individual x) {
  real sum = 0;
  for (uint k = 0u; k < 2000u; ++k) sum += gene(x, k % genes(x)) / (real)(k + 1u);
  return sum * sum;
}
)",
                               "slow sum"),
          7,
          {},
          {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_offload)

BOOST_AUTO_TEST_CASE(any_devices_give_the_same_bits, *boost::unit_test::label("device")) {
  const auto other = non_owning(test::device());
  for (const std::string name : {"onemax", "rastrigin"})
    for (const std::uint32_t elites : {0U, 3U}) {
      auto options = options_of("always");
      options.elites = elites;
      const genetic::Problem problem{Objective::named(name), 70, {}, {}};
      const auto expected = genetic::solve(problem, options, *host(1));
      // What others evaluate is packed, whatever the first one breeds.
      if (elites == 3) options.granularity = "gene";
      for (const auto& devices : {Members{host(1), host(2)}, Members{host(1), other}, Members{other, host(2), host(1)}})
        BOOST_TEST_CONTEXT(name << ", " << elites << " elites, " << devices.size() << " devices, the first one "
                                << devices.front()->info().id) {
          const auto result = genetic::solve(problem, options, devices);
          test::require_same(result, expected);
          BOOST_TEST(result.failures.empty());
          BOOST_REQUIRE(result.devices.size() == devices.size());
          double share = 0;
          for (const auto& part : result.devices) share += part.share;
          BOOST_TEST(share == 1, boost::test_tools::tolerance(1e-12));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_costly_objective_is_offloaded_by_itself) {
  const Members devices{host(1), host(1)};
  const auto problem = slow_sum();
  const auto expected = genetic::solve(problem, options_of("never"), devices);
  BOOST_TEST(expected.devices.empty());
  BOOST_TEST(expected.reason.find("one of 2 devices has the run") != std::string::npos);
  const auto result = genetic::solve(problem, options_of("always"), devices);
  test::require_same(result, expected);
  BOOST_TEST(result.devices.size() == 2U);
  BOOST_TEST(result.reason.find("2 devices evaluate the population") != std::string::npos);
  auto options = options_of("auto");
  options.population = 20'000;
  options.generations = 2;
  BOOST_TEST(genetic::solve(problem, options, devices).devices.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_target_ends_the_run_where_one_device_ends_it) {
  const Members devices{host(1), host(2)};
  const genetic::Problem problem{Objective::named("onemax"), 70, {}, {}};
  auto options = options_of("always");
  options.target = 60;
  options.generations = 10'000;
  const auto expected = genetic::solve(problem, options, *devices.front());
  BOOST_REQUIRE((expected.ending == Ending::target));
  test::require_same(genetic::solve(problem, options, devices), expected);
}

BOOST_AUTO_TEST_CASE(others_evaluate_what_a_device_leaves) {
  const genetic::Problem problem{Objective::named("onemax"), 70, {}, {}};
  const auto options = options_of("always");
  const auto expected = genetic::solve(problem, options, *host(1));
  for (const int launches : {test::FailingDevice::from_the_start, 0, 1, 5, 40})
    for (const std::size_t place : {0U, 1U, 2U})
      BOOST_TEST_CONTEXT("device " << place << " fails after " << launches << " launches") {
        Members devices{host(1), host(2)};
        devices.insert(devices.begin() + static_cast<std::ptrdiff_t>(place),
                       std::make_shared<test::FailingDevice>(launches));
        const auto result = genetic::solve(problem, options, devices);
        test::require_same(result, expected);
      }
}

BOOST_AUTO_TEST_CASE(a_limit_of_time_ends_it_in_a_whole_generation) {
  const Members devices{host(1), host(1)};
  const auto problem = slow_sum();
  auto options = options_of("always");
  options.generations = 1'000'000;
  RunControl control;
  control.time_limit = 0.3;
  const auto limited = genetic::solve(problem, options, devices, control);
  BOOST_TEST((limited.ending == Ending::time));
  options.generations = limited.generations;
  BOOST_TEST(genetic::solve(problem, options, *devices.front()).checksum == limited.checksum);
}

BOOST_AUTO_TEST_SUITE_END()
