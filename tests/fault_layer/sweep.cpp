// The program on an OpenCL device of which one call goes wrong, for many calls of small runs of every solver.
// CLOPT_TEST_FAULTS is how many runs each case makes of each solver's work; CLOPT_TEST_SEED chooses other
// ones, CLOPT_TEST_WORK those of one solver, CLOPT_TEST_SHARE a process's share of them.
#include <boost/test/unit_test.hpp>
#include <fault_layer/layer/entries.hpp>
#include <fault_layer/works.hpp>
#include <support/folder.hpp>
#include <support/share.hpp>
#include <support/skip.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <utility>

namespace bt = boost::unit_test;
using clopt::test::Call;
using clopt::test::Json;
using clopt::test::Outcome;
using clopt::test::Share;
using clopt::test::TemporaryFolder;
using clopt::test::Work;

namespace {

constexpr int limit = 5;             // seconds that a run may take by its own option
constexpr int limit_of_hanging = 1;  // where it is waited for
constexpr int watchdog = 2;          // and what it may take beyond
constexpr int busy_machine = 60;     // and what this machine may be late, which other tests keep busy

/// One call of one entry point.
struct Point {
  std::string entry;
  std::uint64_t call = 0;
  std::size_t variant = 0;  ///< another one each time that this call comes again
};

std::uint64_t number_of_variable(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

bool is_long() { return std::getenv("CLOPT_TEST_LONG") != nullptr; }
std::uint64_t seed() { return number_of_variable("CLOPT_TEST_SEED", 1); }

/// Runs a work under the layer, with a cache of its own that outlasts single runs.
class Bench {
 public:
  explicit Bench(Work work) : work_(std::move(work)) {
    counts_ = folder_.file("counts", std::string(entry_names.size() * sizeof(std::uint64_t), '\0'));
    // The first builds and tests what later ones remember.
    run("", "opencl:0");
    folder_.file("counts", std::string(entry_names.size() * sizeof(std::uint64_t), '\0'));
    const auto outcome = run("", "opencl:0", true);
    status_ = outcome.status;
    BOOST_REQUIRE_MESSAGE(status_ == 0 || status_ == 4, work_.name << " fails without a fault: " << outcome.error);
    expected_ = outcome.json().at("checksum").get<std::string>();
    BOOST_REQUIRE_EQUAL(untruth(outcome), "");
    read_points();
  }

  Outcome run(const std::string& fault, const std::string& devices, bool counts = false, int seconds = limit) {
    std::filesystem::remove(written_);
    Call call;
    for (const auto& argument : work_.arguments) call.arguments.push_back(argument == "FILE" ? written_ : argument);
    for (const auto& argument : {"--device", devices.c_str(), "--json"}) call.arguments.emplace_back(argument);
    if (!fault.empty()) call.arguments.push_back("--time-limit=" + std::to_string(seconds));
    call.input = work_.input;
    call.environment = {{"OPENCL_LAYERS", CLOPT_FAULT_LAYER}, {"CLOPT_FAULT", fault},
                        {"CLOPT_FAULT_NAME", "clopt"},        {"CLOPT_FAULT_COUNTS", counts ? counts_ : ""},
                        {"CLOPT_CACHE_STRICT", ""},           {"CLOPT_CACHE_DIR", (folder_.path() / "cache").string()}};
    return clopt::test::run(call);
  }

  /// What the run reports that is not true. One that was ended by the watchdog may have nothing to report.
  std::string untruth(const Outcome& outcome) const {
    const auto written = clopt::test::read_file(written_);
    try {
      const auto result = outcome.json();
      if (result.contains("unfinished") && !has_solution(result)) return {};
      return work_.untruth(result, written);
    } catch (const std::exception& error) {
      return std::string("what it prints is no result: ") + error.what();
    }
  }

  // The point of the best is not always available when the watchdog ends a run.
  static bool has_solution(const Json& result) {
    const auto best = result.value("best", Json());
    const auto has = [&](const char* point) { return best.contains(point) && !best[point].empty(); };
    return result.contains("indices") || has("genes") || has("parameters");
  }

  const Work& work() const { return work_; }
  /// Whether a run ended as one without a fault does.
  bool is_expected(const Outcome& outcome) const {
    return outcome.status == status_ && outcome.output.find(expected_) != std::string::npos;
  }

  /// As many of the calls as asked for, those of each entry point alike, and again where there are fewer.
  /// \param wanted says which entry points.
  template <class Wanted>
  std::vector<Point> points(std::size_t count, Wanted wanted) const {
    std::vector<std::vector<Point>> calls;
    std::mt19937_64 random(seed());
    for (std::size_t i = 0; i < entry_names.size(); ++i)
      if (made_[i] > 0 && wanted(entry_names[i])) {
        auto& of_entry = calls.emplace_back();
        for (std::uint64_t call = 1; call <= made_[i]; ++call) of_entry.push_back({std::string(entry_names[i]), call});
        std::shuffle(of_entry.begin(), of_entry.end(), random);
      }
    std::shuffle(calls.begin(), calls.end(), random);
    std::vector<Point> chosen;
    for (std::size_t round = 0; chosen.size() < count && !calls.empty(); ++round)
      for (std::size_t entry = 0; entry < calls.size() && chosen.size() < count; ++entry) {
        auto point = calls[entry][round % calls[entry].size()];
        point.variant = entry + round % calls[entry].size() + round / calls[entry].size();
        chosen.push_back(std::move(point));
      }
    return chosen;
  }

 private:
  void read_points() {
    std::ifstream stream(counts_, std::ios::binary);
    stream.read(reinterpret_cast<char*>(made_.data()), static_cast<std::streamsize>(sizeof made_));
  }

  const Work work_;
  TemporaryFolder folder_;
  std::string written_ = (folder_.path() / "written.json").string();
  std::string counts_;
  std::string expected_;  ///< the checksum of a run without a fault
  int status_ = 0;        ///< and its status
  std::array<std::uint64_t, entry_names.size()> made_{};
};

/// The bench of a work, for all cases: the first run on it is the slow one.
Bench& bench_of(const Work& work) {
  static std::map<std::string, Bench> benches;
  return benches.try_emplace(work.name, work).first->second;
}

/// How runs ended, a line of which each case prints.
struct Tally {
  std::size_t runs = 0;
  std::size_t same = 0;    ///< ended with the checksum of a run without a fault
  std::size_t failed = 0;  ///< status 3, or 2
  std::size_t found = 0;   ///< of these, status 3 with the device's name
  std::size_t other = 0;   ///< another checksum, and nothing untrue is reported
  std::size_t late = 0;    ///< of these, ended by the limit of time
  double longest = 0;      ///< seconds
};

std::ostream& operator<<(std::ostream& stream, const Tally& tally) {
  return stream << tally.runs << " runs: " << tally.same << " with the right checksum, " << tally.failed << " refused, "
                << tally.found << " of them naming the device, " << tally.other
                << " with another checksum and nothing untrue, " << tally.late
                << " of them ended by the limit of time; longest " << tally.longest << " s";
}

bool is_status(int status) { return status == 0 || status == 2 || status == 3 || status == 4 || status == 130; }

// What holds however a device fails: no signal, no hang, a known status, few lines, and nothing untrue.
void examine(Bench& bench, const Outcome& outcome, const std::string& fault, Tally& tally, int seconds = limit) {
  BOOST_TEST_CONTEXT(bench.work().name << " with " << fault << ": status " << outcome.status << ", " << outcome.error) {
    ++tally.runs;
    tally.longest = std::max(tally.longest, outcome.seconds);
    BOOST_TEST(outcome.signal == 0);
    if (outcome.signal != 0) return;
    BOOST_TEST(is_status(outcome.status));
    BOOST_TEST(outcome.error_lines() <= 3U);
    BOOST_TEST(outcome.seconds < seconds + watchdog + busy_machine);
    if (outcome.status == 2 || outcome.status == 3) {
      BOOST_TEST(outcome.error_lines() >= 1U);
      ++tally.failed;
      tally.found += outcome.status == 3 && outcome.error.find("opencl:0") != std::string::npos ? 1 : 0;
      return;
    }
    BOOST_TEST(bench.untruth(outcome) == "");
    const bool is_same = bench.is_expected(outcome);
    ++(is_same ? tally.same : tally.other);
    tally.late += !is_same && outcome.seconds >= seconds;
  }
}

// A fault that has passed leaves nothing behind.
void require_recovery(Bench& bench) {
  const auto outcome = bench.run("", "opencl:0");
  BOOST_TEST_CONTEXT(bench.work().name << " after the faults: " << outcome.error) {
    BOOST_TEST(bench.is_expected(outcome));
  }
}

bool has_opencl() {
  if (clopt::test::platform() != "openmp") return true;
  clopt::test::skip("it has no calls of OpenCL");
  return false;
}

// Rusticl takes a second to start: it has a few of them.
std::size_t runs_of_a_work(std::size_t usual, std::size_t in_long_tests) {
  if (clopt::test::platform() == "rusticl") usual = (usual + 5) / 6;
  return number_of_variable("CLOPT_TEST_FAULTS", is_long() ? in_long_tests : usual);
}

// Counts of references do not fail on their own: where one is not raised, opencl.hpp still lowers it.
bool may_fail(std::string_view entry) { return !entry.starts_with("clRetain"); }

bool is_queued(std::string_view entry) { return entry.starts_with("clEnqueue"); }

}  // namespace

BOOST_AUTO_TEST_SUITE(layer)

// Its name must be one that the loader's table has, once.
BOOST_AUTO_TEST_CASE(each_entry_point_stands_once) {
  std::vector<std::string_view> names(entry_names.begin(), entry_names.end());
  std::sort(names.begin(), names.end());
  BOOST_TEST((std::adjacent_find(names.begin(), names.end()) == names.end()));
  BOOST_TEST((std::all_of(names.begin(), names.end(), [](auto name) { return name.starts_with("cl"); })));
}

// Of a list that several processes try, each takes a part that no other one does.
BOOST_AUTO_TEST_CASE(shares_are_the_whole_together) {
  for (const std::size_t shares : {1U, 2U, 7U}) {
    std::vector<int> taken(49);
    for (std::size_t number = 1; number <= shares; ++number) {
      Share share(taken.size(), (std::to_string(number) + "/" + std::to_string(shares)).c_str());
      for (auto& times : taken) times += share.takes_next();
    }
    BOOST_TEST(taken == std::vector<int>(49, 1), boost::test_tools::per_element());
  }
  for (const auto* text : {"", "/", "1", "1/", "/1", "0/3", "4/3", "1/0", "1/3x", "-1/3"})
    BOOST_CHECK_THROW(Share(49, text), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(faults, *bt::label("device"))

BOOST_AUTO_TEST_CASE(calls_that_fail) {
  if (!has_opencl()) return;
  constexpr std::array<int, 6> errors{CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,    CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                      CL_DEVICE_NOT_FOUND, CL_BUILD_PROGRAM_FAILURE, -9999};
  Tally tally;
  for (const auto& work : clopt::test::works()) {
    auto& bench = bench_of(work);
    const auto points = bench.points(runs_of_a_work(5, 150), may_fail);
    Share share(points.size());
    for (const auto& point : points) {
      if (!share.takes_next()) continue;
      auto fault = point.entry + ":" + std::to_string(point.call);
      fault += is_queued(point.entry) && point.variant % 2 == 1
                   ? ":negative"
                   : ":fail:" + std::to_string(errors[point.variant % errors.size()]);
      const auto outcome = bench.run(fault, "opencl:0");
      examine(bench, outcome, fault, tally);
      // Nothing continues as if the call had done its work.
      BOOST_TEST_CONTEXT(work.name << " with " << fault << ": status " << outcome.status << ", " << outcome.output)
      BOOST_TEST(tally.other == tally.late);
    }
    require_recovery(bench);
  }
  std::cout << "calls that fail on " << clopt::test::platform() << ", seed " << seed() << ", " << tally << std::endl;
}

BOOST_AUTO_TEST_CASE(calls_that_hang_or_are_late) {
  if (!has_opencl()) return;
  Tally tally;
  for (const auto& work : clopt::test::works()) {
    auto& bench = bench_of(work);
    // What a device is asked before a run begins is looked at by a helper program, which has limits of its own.
    const auto points = bench.points(runs_of_a_work(2, 20), [](auto entry) {
      return is_queued(entry) || entry == "clFinish" || entry == "clWaitForEvents" || entry == "clFlush";
    });
    Share share(points.size());
    for (const auto& point : points) {
      const auto fault =
          point.entry + ":" + std::to_string(point.call) + (point.variant % 2 == 0 ? ":late:300" : ":hang");
      if (!share.takes_next()) continue;
      const auto outcome = bench.run(fault, "opencl:0", false, limit_of_hanging);
      examine(bench, outcome, fault, tally, limit_of_hanging);
      BOOST_TEST_CONTEXT(work.name << " with " << fault << ": " << outcome.error)
      BOOST_TEST((outcome.error.find("host code does not return") == std::string::npos));
    }
    require_recovery(bench);
  }
  std::cout << "calls that hang or are late on " << clopt::test::platform() << ", " << tally << std::endl;
}

BOOST_AUTO_TEST_CASE(bits_that_flip_and_launches_that_are_lost) {
  if (!has_opencl()) return;
  constexpr std::size_t most_duplicates = 5;
  for (const auto& work : clopt::test::works_that_prove()) {
    Tally tally, others;
    std::size_t duplicates = 0;  // faults that were found out, and are tried again with a device that continues
    auto& bench = bench_of(work);
    std::mt19937_64 random(seed());
    const auto points = bench.points(runs_of_a_work(3, 170), [](auto entry) {
      return entry == "clEnqueueReadBuffer" || entry == "clEnqueueNDRangeKernel";
    });
    Share share(points.size());
    for (const auto& point : points) {
      const auto fault =
          point.entry + ":" + std::to_string(point.call) +
          (point.entry == "clEnqueueReadBuffer" ? ":flip:" + std::to_string(random() % 1000000) : ":drop");
      if (!share.takes_next()) continue;
      const auto unnamed = tally.failed - tally.found;
      const auto outcome = bench.run(fault, "opencl:0");
      examine(bench, outcome, fault, tally);
      BOOST_TEST_CONTEXT(work.name << " with " << fault << ": status " << outcome.status << ", " << outcome.error)
      BOOST_TEST(tally.failed - tally.found == unnamed);
      if (outcome.status != 3 || !work.takes_devices || duplicates++ >= most_duplicates) continue;
      const auto elsewhere = bench.run(fault, "opencl:0,openmp:0", false, 60);
      examine(bench, elsewhere, fault + " and another device", others, 60);
      BOOST_TEST_CONTEXT(work.name << " with " << fault << " and another device: " << elsewhere.error)
      BOOST_TEST(elsewhere.status != 3);
    }
    std::cout << "flips and losses in " << work.name << " on " << clopt::test::platform() << ", seed " << seed() << ", "
              << tally << std::endl;
  }
}

BOOST_AUTO_TEST_CASE(another_device_continues) {
  if (!has_opencl()) return;
  Tally tally;
  for (const auto& work : clopt::test::works()) {
    if (!work.takes_devices) continue;
    auto& bench = bench_of(work);
    const auto points = bench.points(runs_of_a_work(5, 100), [](auto entry) {
      return is_queued(entry) || entry == "clFinish" || entry == "clWaitForEvents" || entry == "clCreateBuffer" ||
             entry == "clBuildProgram" || entry == "clCreateKernel" || entry == "clCreateCommandQueue";
    });
    Share share(points.size());
    for (const auto& point : points) {
      const auto fault = point.entry + ":" + std::to_string(point.call) + ":fail:-5";
      if (!share.takes_next()) continue;
      // A program that is lost is built anew, which takes a processor's compiler seconds.
      const auto outcome = bench.run(fault, "opencl:0,openmp:0", false, 60);
      examine(bench, outcome, fault, tally, 60);
      BOOST_TEST_CONTEXT(work.name << " with " << fault << " and another device: " << outcome.error)
      BOOST_TEST(bench.is_expected(outcome));
    }
  }
  std::cout << "another device continues after " << clopt::test::platform() << ", " << tally << std::endl;
}

BOOST_AUTO_TEST_SUITE_END()
