/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include "networks.hpp"

#include <clopt/exchange.hpp>
#include <support/late_runs.hpp>

using namespace clopt;

namespace {

void exchange_may_fail(const std::string& optimizer, const std::string& offload, const std::string& network) {
  test::fail_everywhere([&](const test::SharedDevices& devices) {
    exchange::Options options;
    options.optimizer = optimizer;
    if (!offload.empty()) options.offload = offload;
    options.population = 20;
    options.replicas = 3;
    options.generations = optimizer == "umda" ? 5 : 1'000;
    if (optimizer != "umda") options.steps_are_bound = true;
    return exchange::solve(test::complete_exchange(network), options, devices).checksum;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exchange_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere) {
  exchange_may_fail("umda", "host", "mesh:3x3");
  exchange_may_fail("umda", "device", "mesh:3x3");
  exchange_may_fail("anneal", "", "torus:5x5");
}

BOOST_AUTO_TEST_SUITE_END()
