// Compilers that abort or hang when a run's own program is built for the first time.
#include <boost/test/unit_test.hpp>
#include <program/run.hpp>
#include <support/folder.hpp>
#include <support/skip.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

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

BOOST_AUTO_TEST_CASE(a_subset_is_at_hand_while_one_hangs) {
  if (clopt::test::platform() == "openmp") return clopt::test::skip("its compiler is a program of its own");
  const TemporaryFolder folder;
  const auto chosen = (folder.path() / "chosen").string();
  Call call;
  call.arguments = {"subset-sum",   "--capacity",
                    "10.75",        "--method",
                    "k1",           "--no-reduce",
                    "--device",     "opencl:0",
                    "--output",     chosen,
                    "--time-limit", "1",
                    "--json",       folder.file("amounts", "7.5 6.25 -2 4.25 0 4.75")};
  call.environment = {{"OPENCL_LAYERS", CLOPT_FAULT_LAYER},
                      {"CLOPT_FAULT_NAME", "clopt"},
                      {"CLOPT_CACHE_DIR", (folder.path() / "cache").string()}};
  auto listing = call;
  listing.arguments = {"devices"};
  BOOST_REQUIRE_EQUAL(clopt::test::run(listing).status, 0);
  call.environment["CLOPT_FAULT"] = "clBuildProgram:1:hang";
  const auto outcome = clopt::test::run(call);
  BOOST_TEST(outcome.status == 4);
  const auto best = outcome.json()["best"];
  std::int64_t sum = 0;
  std::string lines;
  const std::map<int, std::pair<int, std::string>> amounts{
      {0, {750, "7.50"}}, {1, {625, "6.25"}}, {2, {-200, "-2.00"}}, {3, {425, "4.25"}}, {5, {475, "4.75"}}};
  for (const auto& index : best["indices"]) {
    const auto& [value, text] = amounts.at(index.get<int>());
    sum += value;
    lines += index.dump() + "," + text + "\n";
  }
  BOOST_TEST(best["value"] == sum);
  BOOST_TEST(sum <= 1075);
  BOOST_TEST(sum > 0);
  BOOST_TEST(clopt::test::read_file(chosen) == lines);
}

// First fit needs no device.
BOOST_AUTO_TEST_CASE(a_schedule_is_at_hand_while_one_hangs) {
  if (clopt::test::platform() == "openmp") return clopt::test::skip("its compiler is a program of its own");
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  Call call;
  call.arguments = {"exchange",     "--topology", "mesh:4x4", "--optimizer",   "tabu",
                    "--device",     "opencl:0",   "--json",   "--output",      file("schedule.json"),
                    "--checkpoint", file("run"),  "--plot",   file("plot.svg")};
  call.environment = {{"OPENCL_LAYERS", CLOPT_FAULT_LAYER},
                      {"CLOPT_FAULT", "clBuildProgram:1:hang"},
                      {"CLOPT_FAULT_NAME", "clopt"},
                      {"CLOPT_CACHE_DIR", (folder.path() / "cache").string()}};
  const auto require_schedule = [&](const Outcome& outcome) {
    BOOST_TEST_CONTEXT(outcome.error) {
      const auto best = outcome.json()["best"];
      BOOST_TEST(best["conflicts"] == 0);
      BOOST_TEST(best["steps"] >= best["lower_bound"]);
      BOOST_TEST(outcome.error_lines() == 1U);
    }
    const auto check = clopt::test::run({"exchange", "--verify", file("schedule.json")});
    BOOST_TEST(check.status == 0, check.output << check.error);
    BOOST_TEST(std::filesystem::file_size(file("plot.svg")) > 0U);
    std::filesystem::remove(file("schedule.json"));
  };
  // To find a driver's devices may take seconds the first time.
  auto listing = call;
  listing.arguments = {"devices"};
  listing.environment["CLOPT_FAULT"] = "";
  BOOST_REQUIRE_EQUAL(clopt::test::run(listing).status, 0);

  auto limited = call;
  limited.arguments.insert(limited.arguments.end(), {"--time-limit", "1"});
  auto outcome = clopt::test::run(limited);
  BOOST_TEST(outcome.status == 0);
  require_schedule(outcome);

  auto interrupted = call;
  interrupted.signal_after = 1;
  outcome = clopt::test::run(interrupted);
  BOOST_TEST(outcome.status == 130);
  require_schedule(outcome);

  const auto resumed = clopt::test::run({"exchange", "--resume", file("run"), "--device", "openmp:0", "--json"});
  BOOST_REQUIRE_EQUAL(resumed.status, 0);
  const auto whole =
      clopt::test::run({"exchange", "--topology", "mesh:4x4", "--optimizer", "tabu", "--device", "openmp:0", "--json"});
  BOOST_TEST(resumed.json()["checksum"] == whole.json()["checksum"]);

  // A full disk is never reported as success.
  limited.arguments.back() = "0.1";
  std::replace(limited.arguments.begin(), limited.arguments.end(), file("plot.svg"), std::string("/dev/full"));
  outcome = clopt::test::run(limited);
  BOOST_TEST(outcome.status == 2);
  BOOST_TEST(outcome.error.find("/dev/full") != std::string::npos, outcome.error);
}

BOOST_AUTO_TEST_SUITE_END()
