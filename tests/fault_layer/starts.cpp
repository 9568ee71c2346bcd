// What a first run and those after it do for a GPU whose compiler serves several threads: PoCL stands for it.
#include <boost/test/unit_test.hpp>
#include <program/run.hpp>
#include <support/device.hpp>
#include <support/occurrences.hpp>
#include <support/skip.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace bt = boost::unit_test;
using clopt::test::Call;
using clopt::test::occurrences;
using clopt::test::Outcome;
using clopt::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A user of such a GPU, with a cache of her own.
class OwnerOfGpu {
 public:
  Outcome run(const std::string& builders, bool sees_gpu = true) {
    return call({"subset-sum", "--instance", "half-small:20", "--no-reduce", "--method", "k3-32", "--device",
                 "opencl:0", "--json"},
                {{"OPENCL_LAYERS", sees_gpu ? CLOPT_GPU_LAYER : ""},
                 {"CLOPT_LOG", "probe,build"},
                 {"CLOPT_BUILDERS", builders}});
  }
  Outcome call(const std::vector<std::string>& arguments, std::map<std::string, std::string> changes) {
    Call call;
    call.arguments = arguments;
    call.environment = std::move(changes);
    call.environment.insert(
        {{"OPENCL_LAYERS", CLOPT_GPU_LAYER}, {"CLOPT_CACHE_DIR", (folder_.path() / "cache").string()}});
    return clopt::test::run(call);
  }
  std::set<std::string> kinds_in_cache() const {
    std::set<std::string> kinds;
    for (const auto& file : fs::directory_iterator(folder_.path() / "cache")) {
      const auto name = file.path().stem().string();
      kinds.insert(name.substr(0, name.rfind('-')));
    }
    return kinds;
  }

 private:
  TemporaryFolder folder_;
};

constexpr const char* process_asked = "a process of its own is asked: ";

bool is_pocl() {
  const auto platform = clopt::test::platform();
  if (platform != "pocl") clopt::test::skip("PoCL stands for a GPU");
  return platform == "pocl";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(starts, *bt::label("device"))

BOOST_AUTO_TEST_CASE(a_first_run_builds_what_it_launches_and_later_ones_build_nothing) {
  if (!is_pocl()) return;
  OwnerOfGpu user;
  const auto first = user.run("0");
  BOOST_TEST_CONTEXT(first.error) {
    BOOST_REQUIRE(first.status == 0);
    BOOST_TEST(occurrences(first.error, std::string(process_asked) + "ask-and-stay opencl look") == 1U);
    BOOST_TEST(occurrences(first.error, std::string(process_asked) + "test opencl:0") == 1U);
    BOOST_TEST(occurrences(first.error, process_asked) == 2U);
    // Each program is built once, here or by the test: the run's three sweeps, of which one in two ways, and what finds
    // the subset; the test's random numbers, and two for recovery by checkpoints.
    BOOST_TEST(occurrences(first.error, "clopt build: building ") == 8U);
  }
  const auto second = user.run("0");
  BOOST_TEST_CONTEXT(second.error) {
    BOOST_REQUIRE(second.status == 0);
    BOOST_TEST(occurrences(second.error, process_asked) == 0U);
    BOOST_TEST(occurrences(second.error, "clopt build: building ") == 0U);
  }
  BOOST_TEST(second.json()["checksum"] == first.json()["checksum"]);
}

BOOST_AUTO_TEST_CASE(processes_that_build_in_parallel_leave_nothing_behind) {
  if (!is_pocl()) return;
  OwnerOfGpu alone;
  const auto expected = alone.run("0", false);
  BOOST_REQUIRE(expected.status == 0);
  OwnerOfGpu user;
  const auto outcome = user.run("2");
  BOOST_TEST_CONTEXT(outcome.error) {
    BOOST_REQUIRE(outcome.status == 0);
    BOOST_TEST(occurrences(outcome.error, std::string(process_asked) + "ask opencl build-offers 0") == 2U);
  }
  BOOST_TEST(outcome.json()["value"] == expected.json()["value"]);
  BOOST_TEST(outcome.json()["checksum"] == expected.json()["checksum"]);
  // No offer, no turn, no mark.
  const std::set<std::string> kinds{"driver", "self-test", "program"};
  const auto found = user.kinds_in_cache();
  for (const auto& kind : found) BOOST_TEST(kinds.contains(kind), kind);
  const auto again = user.run("2");
  BOOST_TEST_CONTEXT(again.error) {
    BOOST_REQUIRE(again.status == 0);
    BOOST_TEST(occurrences(again.error, process_asked) == 0U);
  }
  BOOST_TEST(again.json()["checksum"] == expected.json()["checksum"]);
}

BOOST_AUTO_TEST_CASE(sub_groups_that_do_not_deserve_their_trust_are_told_and_not_used_again) {
  if (!is_pocl()) return;
  OwnerOfGpu user;
  std::vector<std::string> exchange{"exchange", "--topology", "mesh:3x3", "--device", "opencl:0", "--json"};
  // NVIDIA's inline assembly means nothing to PoCL.
  const auto first = user.call(exchange, {{"CLOPT_GPU_CAPABILITY", "8"}});
  BOOST_TEST_CONTEXT(first.error) {
    BOOST_TEST(first.signal == 0);
    BOOST_TEST(first.status == 3);
    BOOST_TEST(occurrences(first.error,
                           "do not work, on which its kernels were built before they were tried; run it again") == 1U);
  }
  BOOST_TEST(user.kinds_in_cache().contains("subgroups"));
  // PoCL takes minutes for kernels in a GPU's shape: what matters is that they are not refused at once.
  exchange.insert(exchange.end(), {"--time-limit", "2"});
  const auto again = user.call(exchange, {{"CLOPT_GPU_CAPABILITY", "8"}, {"CLOPT_LOG", "build"}});
  BOOST_TEST_CONTEXT(again.error) {
    BOOST_TEST(occurrences(again.error, "run it again") == 0U);
    BOOST_TEST(occurrences(again.error, "does not build") == 0U);
    // Not refused: found, or ended by its limit.
    BOOST_TEST((again.status == 0 || again.status == 4), "status " << again.status);
  }
}

BOOST_AUTO_TEST_CASE(a_number_of_builders_that_is_none_is_refused) {
  if (!is_pocl()) return;
  OwnerOfGpu user;
  const auto outcome = user.run("many");
  BOOST_TEST(outcome.status == 2);
  BOOST_TEST(occurrences(outcome.error, "CLOPT_BUILDERS is 'many'") == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
