#include <clopt/error.hpp>
#include <device/verification/barrier.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>

#include <support/device.hpp>
#include <support/skip.hpp>

namespace {

using namespace clopt;
using test::device;

void check(BarrierKind kind) {
  const auto units = device().info().compute_units;
  const auto begin = std::chrono::steady_clock::now();
  for (const std::uint32_t group_size : {1U, 64U}) {
    for (const std::uint32_t groups : {1U, units, 4 * units + 1}) {
      const auto support = probe_barrier(device(), groups, group_size, kind);
      BOOST_TEST(support.groups <= groups);
      BOOST_TEST((support.groups == groups) == support.reason.empty(), support.reason);
      // llvmpipe reads a volatile word once and not again; the probe is there to find that out. Elsewhere wrong numbers
      // are the barrier's fault.
      if (test::platform() != "rusticl")
        BOOST_TEST(support.reason.find("wrong") == support.reason.npos, support.reason);
      // How many cross depends on what else the machine does; that one crosses does not.
      if (groups == 1 && test::platform() != "openmp") BOOST_TEST(support.groups == 1U);
      BOOST_TEST_MESSAGE(groups << " groups of " << group_size << ": " << support.groups << ", "
                                << support.seconds * 1e6 << " us " << support.polls << " polls " << support.reason);
    }
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  BOOST_TEST_MESSAGE("all of them took " << time.count() << " s");
  if (test::platform() == "openmp") test::skip("it has no work-groups");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(barriers)

BOOST_AUTO_TEST_CASE(xiao_feng, *boost::unit_test::label("device") * boost::unit_test::label("alone")) {
  check(BarrierKind::xiao_feng);
}

BOOST_AUTO_TEST_CASE(cyclic, *boost::unit_test::label("device") * boost::unit_test::label("alone")) {
  check(BarrierKind::cyclic);
}

BOOST_AUTO_TEST_CASE(no_groups_are_no_barrier, *boost::unit_test::label("device")) {
  BOOST_CHECK_THROW(probe_barrier(device(), 0, 1), InvalidInput);
  BOOST_CHECK_THROW(probe_barrier(device(), 1, 0), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
