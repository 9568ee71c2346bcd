/// \file
/// Packing while a device searches: what is found is what each finds in its turn.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <device/solver_devices.hpp>
#include <exchange/packing/background_packing.hpp>
#include <exchange/schedule/schedule.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>
#include <support/pretended.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using namespace clopt::exchange;

// The first device, and the same with the cores of the host at others' disposal.
struct Both {
  std::shared_ptr<Device> host = as_a(DeviceKind::cpu);
  std::shared_ptr<Device> gpu = as_a(DeviceKind::gpu);

  static std::shared_ptr<Device> as_a(DeviceKind kind) {
    auto info = test::device().info();
    info.kind = kind;
    return std::make_shared<test::Pretended>(test::device(), info);
  }
};

class FailingGpu : public test::FailingDevice {
 public:
  explicit FailingGpu(int launches) : FailingDevice(launches) { info_.kind = DeviceKind::gpu; }
};

void require_valid(const Problem& problem, const Result& result) {
  BOOST_TEST(result.conflicts == 0U);
  BOOST_TEST(check(problem, claim(problem, result.schedule)) == "");
}

BOOST_AUTO_TEST_SUITE(packing_beside)

// Of these networks, packing meets the bound of some, a search that of others.
BOOST_AUTO_TEST_CASE(the_schedule_is_that_of_a_device_on_the_host, *boost::unit_test::label("long")) {
  const Both both;
  int packed = 0, searched = 0;
  std::vector<Problem> problems{test::complete_exchange("mesh:4x4"), test::complete_exchange("mesh:5x5"),
                                test::complete_exchange("mesh:6x6"), test::complete_exchange("circulant:11:1,3")};
  for (const std::uint64_t seed : {2U, 3U, 4U})
    problems.push_back(make_problem(make_topology("random:20:3", seed), "all-to-all"));
  for (std::size_t n = 0; n < problems.size(); ++n)
    for (const std::uint64_t seed : {1U, 2U}) {
      Options options;
      options.seed = seed;
      const auto expected = solve(problems[n], options, *both.host);
      const auto found = solve(problems[n], options, *both.gpu);
      BOOST_TEST_CONTEXT("problem " << n << ", seed " << seed << ": " << expected.reason) {
        require_valid(problems[n], found);
        BOOST_TEST(found.checksum == expected.checksum);
        BOOST_TEST(found.method == expected.method);
        BOOST_TEST(found.reason == expected.reason);
        BOOST_TEST(found.generations == expected.generations);
        BOOST_TEST(found.evaluations == expected.evaluations);
        BOOST_TEST(found.search_conflicts == expected.search_conflicts);
        BOOST_TEST(found.evaluations_done >= found.evaluations);
      }
      if (expected.method == "pack") ++packed;
      if (expected.reason.find("annealing") != std::string::npos) ++searched;
    }
  BOOST_TEST(packed > 0);
  BOOST_TEST(searched > 0);
}

// A GPU reports the search before the packing is complete.
BOOST_AUTO_TEST_CASE(both_are_made_at_once) {
  const Both both;
  const auto problem = test::complete_exchange("mesh:6x6");
  for (const bool on_gpu : {false, true}) {
    std::vector<std::string> phases;
    RunControl control;
    control.progress_interval = 0;
    control.progress = [&](const Progress& progress) {
      if (phases.empty() || phases.back() != progress.phase) phases.emplace_back(progress.phase);
      return true;
    };
    solve(problem, {}, on_gpu ? *both.gpu : *both.host, control);
    const auto place_of = [&](const char* phase) { return std::find(phases.begin(), phases.end(), phase); };
    BOOST_TEST((place_of("anneal") != phases.end()));
    BOOST_TEST((place_of("anneal") < place_of("packing")) == on_gpu);
  }
}

BOOST_AUTO_TEST_CASE(a_packing_beside_is_a_packing) {
  const auto problem = test::complete_exchange("mesh:5x5");
  const Network network(problem.topology);
  const auto effort = packing_effort(network, 4, 3, 0);
  ThreadTeam team(2);
  const RunControl no_limits;
  const Watch watch(no_limits);
  const auto expected = pack(problem, network, effort, team, watch);
  std::atomic<int> ended{0};
  const auto on_end = [&](const Packed& packed) {
    if (packed.is_whole) ++ended;
  };
  BackgroundPacking beside(problem, network, effort, team, {}, on_end);
  const auto found = beside.finish(watch);
  BOOST_TEST(found.is_whole);
  BOOST_TEST(checksum_of(found.schedule) == checksum_of(expected.schedule));
  BOOST_TEST(ended.load() == 1);
  BOOST_TEST(beside.seconds() > 0);
  // What is stopped by its destructor, by a limit, and by the run's.
  const auto large = test::complete_exchange("torus:12x12");
  const Network large_network(large.topology);
  const auto much = packing_effort(large_network, 1'000, 3, 0);
  { const BackgroundPacking dropped(large, large_network, much, team, {}, on_end); }
  BOOST_TEST(!BackgroundPacking(large, large_network, much, team, 0.0, on_end).finish(watch).is_whole);
  RunControl over;
  over.time_limit = 0.0;
  BOOST_TEST(!BackgroundPacking(large, large_network, much, team, {}, on_end).finish(Watch(over)).is_whole);
  BOOST_TEST(ended.load() == 1);
}

BOOST_AUTO_TEST_CASE(what_others_see_is_made_in_turn) {
  const Both both;
  const auto problem = test::complete_exchange("mesh:5x5");
  std::vector<std::vector<std::uint64_t>> rows(2);
  for (std::size_t n = 0; n < 2; ++n) {
    Options options;
    options.statistics = [&](const Statistics& row) { rows[n].push_back(row.evaluations); };
    require_valid(problem, solve(problem, options, n == 0 ? *both.host : *both.gpu));
  }
  BOOST_TEST(!rows[0].empty());
  BOOST_TEST(rows[0] == rows[1], boost::test_tools::per_element());
}

// At once, and after some while: the packing ends with the search, and there is a schedule.
BOOST_AUTO_TEST_CASE(a_run_that_ends_early_has_a_schedule) {
  const Both both;
  const auto problem = test::complete_exchange("torus:9x5");
  for (const int calls : {0, 1, 2, 3, 5}) {
    RunControl control;
    control.progress_interval = 0;
    control.progress = [left = calls](const Progress&) mutable { return left-- > 0; };
    const auto found = solve(problem, {}, *both.gpu, control);
    require_valid(problem, found);
    BOOST_TEST((found.ending == Ending::interrupted));
  }
  for (const double seconds : {0.0, 0.02, 0.1}) {
    RunControl control;
    control.time_limit = seconds;
    require_valid(problem, solve(problem, {}, *both.gpu, control));
  }
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_ends_the_packing) {
  const auto problem = test::complete_exchange("mesh:5x5");
  const std::shared_ptr<Device> sound = Both::as_a(DeviceKind::gpu);
  const auto expected = solve(problem, {}, *sound);
  for (const int launches : {0, 1, 4}) {
    const std::shared_ptr<Device> failing = std::make_shared<FailingGpu>(launches);
    BOOST_CHECK_THROW(solve(problem, {}, *failing), DeviceError);
    const std::shared_ptr<Device> devices[] = {failing, sound};
    BOOST_TEST(solve(problem, {}, devices).checksum == expected.checksum);
  }
  // A network that packing alone solves needs no device.
  const auto packed = make_problem(make_topology("random:20:3", 4), "all-to-all");
  const auto alone = solve(packed, {}, *Both::as_a(DeviceKind::cpu));
  BOOST_TEST(alone.method == "pack");
  BOOST_TEST(solve(packed, {}, *std::make_shared<FailingGpu>(0)).checksum == alone.checksum);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
