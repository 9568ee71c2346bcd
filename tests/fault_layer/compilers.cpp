// Compilers that abort or hang when a run's own program is built for the first time.
#include <boost/test/unit_test.hpp>
#include <program/run.hpp>
#include <support/skip.hpp>

namespace bt = boost::unit_test;
using clopt::test::Call;
using clopt::test::Outcome;
using clopt::test::TemporaryFolder;

namespace {

constexpr const char* new_objective = R"(// clopt: reals, minimise, lower -5, upper 5
real objective(individual x) {
  real sum = 7;
  for (uint i = 0; i < genes(x); ++i) sum += gene(x, i) * gene(x, i);
  return sum;
}
)";

/// A user with a cache of her own, in which a device has passed its tests.
class User {
 public:
  User() { BOOST_REQUIRE_EQUAL(run("sphere", {}).status, 0); }

  Outcome run(const std::string& objective, const std::string& fault, const std::string& devices = "opencl:0") {
    return call({"differential-evolution", "--objective", objective, "--dimensions", "3", "--population", "7",
                 "--problems", "2", "--generations", "3", "--time-limit", "60", "--json", "--device", devices},
                fault);
  }
  Outcome call(const std::vector<std::string>& arguments, const std::string& fault) {
    Call call;
    call.arguments = arguments;
    call.environment = {{"OPENCL_LAYERS", CLOPT_FAULT_LAYER},
                        {"CLOPT_FAULT", fault},
                        {"CLOPT_FAULT_NAME", "clopt-probe"},
                        {"CLOPT_CACHE_STRICT", ""},
                        {"CLOPT_CACHE_DIR", (folder_.path() / "cache").string()}};
    return clopt::test::run(call);
  }
  std::string objective() const { return folder_.file("new.cl", new_objective); }

 private:
  TemporaryFolder folder_;
};

bool builds_apart() {
  const auto platform = clopt::test::platform();
  if (platform == "openmp") clopt::test::skip("its compiler is a program of its own");
  if (platform == "pocl") clopt::test::skip("it compiles when it launches");
  return platform != "openmp" && platform != "pocl";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(compilers, *bt::label("device"))

BOOST_AUTO_TEST_CASE(one_that_aborts_is_told_and_not_asked_again) {
  if (!builds_apart()) return;
  User user;
  const auto objective = user.objective();
  const auto first = user.run(objective, "clBuildProgram:1:abort");
  BOOST_TEST(first.signal == 0);
  BOOST_TEST(first.status == 3);
  BOOST_TEST(first.error_lines() == 1U);
  BOOST_TEST(first.error.find("aborted with signal 6") != std::string::npos);
  const auto again = user.run(objective, {});
  BOOST_TEST(again.status == 3);
  BOOST_TEST(again.error.find("aborted with signal 6") != std::string::npos);
  BOOST_TEST(user.run("sphere", {}).status == 0);
  BOOST_TEST(user.call({"cache", "clear"}, {}).status == 0);
  BOOST_TEST(user.run(objective, {}).status == 0);
}

BOOST_AUTO_TEST_CASE(another_device_does_the_work_of_one_that_aborts) {
  if (!builds_apart()) return;
  User user;
  const auto objective = user.objective();
  const auto alone = user.run(objective, {}, "openmp:0");
  const auto outcome = user.run(objective, "clBuildProgram:1:abort", "opencl:0,openmp:0");
  BOOST_TEST_CONTEXT(outcome.error) {
    BOOST_REQUIRE_EQUAL(outcome.status, 0);
    BOOST_TEST(outcome.json()["checksum"] == alone.json()["checksum"]);
  }
}

BOOST_AUTO_TEST_CASE(one_that_hangs_ends_with_the_time_limit) {
  if (!builds_apart()) return;
  User user;
  const auto outcome =
      user.call({"differential-evolution", "--objective", user.objective(), "--dimensions", "3", "--population", "7",
                 "--generations", "3", "--time-limit", "1", "--json", "--device", "opencl:0"},
                "clBuildProgram:1:hang");
  BOOST_TEST(outcome.status == 4);  // nothing was found
  BOOST_TEST(outcome.error.find("building differential_evolution/") != std::string::npos);
  BOOST_TEST(outcome.json()["unfinished"].get<std::string>().find("building") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
