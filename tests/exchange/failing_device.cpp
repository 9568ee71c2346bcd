/// \file
/// Devices that fail while individuals are evaluated: the others finish the work, with the same result.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <exchange/umda/fitness.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

namespace {

using namespace clopt;
using namespace clopt::exchange;

using Devices = std::vector<std::shared_ptr<Device>>;

Result run(const Devices& devices, const std::string& optimizer = "umda") {
  Options options;
  options.optimizer = optimizer;
  options.population = 50;
  options.replicas = 1;
  options.generations = optimizer == "umda" ? 9 : 1'000;
  if (optimizer != "umda") options.steps_are_bound = true;
  return solve(test::complete_exchange(optimizer == "umda" ? "mesh:3x3" : "mesh:7x7"), options, devices);
}

void others_finish(const std::string& optimizer, const std::vector<int>& launches) {
  const auto whole = open_device("openmp:0");
  const auto reference = run({whole}, optimizer);
  for (const int each : launches)
    for (const bool first : {true, false}) {
      const auto failing = std::make_shared<test::FailingDevice>(each);
      const auto found = run(first ? Devices{failing, whole} : Devices{whole, failing, whole}, optimizer);
      BOOST_TEST_CONTEXT(optimizer << ", " << each << " launches, first " << first) {
        BOOST_TEST(found.checksum == reference.checksum);
        BOOST_TEST(found.conflicts == reference.conflicts);
        BOOST_TEST(found.generations == reference.generations);
        BOOST_TEST(found.evaluations == reference.evaluations);
        // A device may have done its part before it fails.
        BOOST_TEST(found.failures.size() <= 1U);
        if (each < 0 || (first && optimizer != "umda")) BOOST_TEST(found.failures.size() == 1U);
        for (const auto& failure : found.failures)
          BOOST_TEST(failure.find("failed: the device is gone") != std::string::npos, failure);
        // It was used, and it did fail; which of umda's batches go to whom is chance.
        if (each < 0 || !first || optimizer == "umda") continue;
        const auto kernel = failing->kernel<operations::SumSlots>();
        const auto parts = failing->buffer<std::uint64_t>("parts", 1);
        const auto sums = failing->buffer<std::uint64_t>("sums", 1);
        BOOST_CHECK_THROW(failing->queue({})->launch(kernel, Range::of_items(1),
                                                     {.parts = parts, .fitness = sums, .slots = 1U, .individuals = 1U}),
                          DeviceError);
      }
    }
}

BOOST_AUTO_TEST_SUITE(failing_devices)

BOOST_AUTO_TEST_CASE(other_devices_finish_the_work_of_one_that_fails) {
  others_finish("umda", {test::FailingDevice::from_the_start, 0, 1, 2, 7});
}

BOOST_AUTO_TEST_CASE(searches_continue_on_another_device, *boost::unit_test::label("long")) {
  // States are kept from the 32nd launch of an entrant on, which those of the last stage make.
  if (test::long_run()) {
    for (const char* optimizer : {"anneal", "tabu"})
      others_finish(optimizer, {test::FailingDevice::from_the_start, 0, 7, 95});
    return;
  }
  others_finish("anneal", {test::FailingDevice::from_the_start, 95});
  others_finish("tabu", {0, 7});
}

BOOST_AUTO_TEST_CASE(a_population_on_a_device_begins_anew_on_the_next_one) {
  Options options;
  options.optimizer = "umda";
  options.offload = "device";
  options.population = 50;
  options.generations = 60;
  const auto problem = test::complete_exchange("mesh:3x3");
  const auto whole = open_device("openmp:0");
  const auto reference = solve(problem, options, *whole);
  BOOST_TEST(reference.failures.empty());
  for (const int launches : {test::FailingDevice::from_the_start, 0, 3, 70}) {
    std::vector<std::uint64_t> generations;
    options.statistics = [&](const Statistics& statistics) { generations.push_back(statistics.generation); };
    const auto found = solve(problem, options, Devices{std::make_shared<test::FailingDevice>(launches), whole});
    BOOST_TEST(found.checksum == reference.checksum);
    BOOST_TEST(found.failures.size() == 1U);
    // Each generation is reported once.
    BOOST_TEST(generations.size() == found.generations + 1);
    BOOST_TEST(std::is_sorted(generations.begin(), generations.end(), std::less_equal<>()));
  }
  const Devices failing(2, std::make_shared<test::FailingDevice>(1));
  BOOST_CHECK_THROW(solve(problem, options, failing), DeviceError);
}

BOOST_AUTO_TEST_CASE(failure_of_the_last_device_is_thrown) {
  for (const char* optimizer : {"umda", "anneal", "tabu"})
    for (const int launches : {test::FailingDevice::from_the_start, 1}) {
      const Devices devices{std::make_shared<test::FailingDevice>(3), std::make_shared<test::FailingDevice>(launches)};
      BOOST_CHECK_EXCEPTION(run(devices, optimizer), DeviceError,
                            [](const auto& error) { return std::string(error.what()) == "the device is gone"; });
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
