/// \file
/// The first packing while a device searches: what is found is what each finds in its turn.
#include "networks.hpp"

#include <clopt/clopt.hpp>
#include <device/borrow.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>
#include <support/pretended.hpp>

#include <boost/test/unit_test.hpp>

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
BOOST_AUTO_TEST_CASE(the_schedule_is_that_of_a_device_on_the_host) {
  const Both both;
  int packed = 0, searched = 0;
  std::vector<Problem> problems{test::complete_exchange("mesh:4x4"), test::complete_exchange("mesh:5x5"),
                                test::complete_exchange("circulant:11:1,3")};
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    problems.push_back(make_problem(make_topology("random:10:3", seed), "all-to-all"));
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
      ++(expected.method == "pack" ? packed : searched);
    }
  BOOST_TEST(packed > 0);
  BOOST_TEST(searched > 0);
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
  BOOST_TEST(rows[0] == rows[1], boost::test_tools::per_element());
}

// At once, and after some while: the packing ends with the search, and there is a schedule.
BOOST_AUTO_TEST_CASE(a_run_that_ends_early_has_a_schedule) {
  const Both both;
  const auto problem = test::complete_exchange("torus:7x7");
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
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
