/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include "networks.hpp"

#include <clopt/exchange.hpp>
#include <support/late_runs.hpp>
#include <support/lying_device.hpp>

#include <cstdint>
#include <string>
#include <utility>

using namespace clopt;

namespace {

void exchange_may_fail(const std::string& optimizer, const std::string& offload, const std::string& network,
                       std::uint32_t islands = 1) {
  test::fail_everywhere([&](const test::SharedDevices& devices) {
    exchange::Options options;
    options.optimizer = optimizer;
    if (!offload.empty()) options.offload = offload;
    options.population = 20;
    options.replicas = 3;
    options.islands = islands;
    options.migrate_every = 2;
    options.generations = optimizer == "umda" ? 5 : 1'000;
    if (optimizer != "umda") options.steps_are_bound = true;
    return exchange::solve(test::complete_exchange(network), options, devices).checksum;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere, *boost::unit_test::label("long")) {
  exchange_may_fail("umda", "host", "mesh:3x3");
  exchange_may_fail("umda", "device", "mesh:3x3");
  exchange_may_fail("umda", "host", "mesh:3x3", 3);
  exchange_may_fail("umda", "device", "mesh:3x3", 3);
  exchange_may_fail("anneal", "", "torus:5x5");
}

// Conflicts that a device counts wrong never make a schedule that is said to be one.
BOOST_AUTO_TEST_CASE(wrong_conflicts_are_refused) {
  for (const auto& [optimizer, buffer] :
       {std::pair("umda", "extremes"), std::pair("umda", "fitness"), std::pair("anneal", "conflicts")}) {
    const auto lying = std::make_shared<test::LyingDevice>(test::Lie{buffer, 0});
    exchange::Options options;
    options.optimizer = optimizer;
    options.offload = "device";
    options.population = 20;
    options.replicas = 3;
    options.generations = 40;
    options.steps_are_bound = true;
    const test::SharedDevices devices{lying};
    const auto problem = test::complete_exchange("mesh:3x3");
    try {
      const auto result = exchange::solve(problem, options, devices);
      BOOST_TEST(result.conflicts == exchange::count_conflicts(problem, result.schedule));
      BOOST_TEST((result.conflicts > 0 || exchange::check(problem, exchange::claim(problem, result.schedule)).empty()));
    } catch (const DeviceError& error) {
      const std::string what = error.what();
      BOOST_TEST(what.find("openmp:0") != what.npos, what);
    }
    BOOST_TEST(lying->lie().reported > 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
