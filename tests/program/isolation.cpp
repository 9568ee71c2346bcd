// Drivers that abort, crash, hang or print, and devices that must prove themselves before they are used.
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <support/device.hpp>
#include "run.hpp"

using clopt::test::Call;
using clopt::test::run;
using clopt::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// The platform under test, if it is OpenCL's, and those that are wrong.
class Platforms {
 public:
  // What the list says of each.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLOPT_TEST_THREADS
#endif
#endif
#ifdef CLOPT_TEST_THREADS
  // The sanitizer of threads does not end while a library is loaded, and says so by its own status.
  static constexpr const char* status_when_loaded = "ended the process with status 66";
#else
  static constexpr const char* status_when_loaded = "ended the process with status 0";
#endif

  static const std::map<std::string, std::string>& faults() {
    static const std::map<std::string, std::string> list{
        {"aborts", "aborted with signal 6"},
        {"crashes", "crashed with signal 11"},
        {"hangs", "did not answer in 8 s while its platforms were asked for"},
        {"prints", "offers no platform; it printed 'rubbish on standard"},
        {"ends", "ended the process with status 0"},
        {"ends_when_loaded", status_when_loaded},
        {"aborts_when_loaded", "aborted with signal 6"},
        {"crashes_when_asked", "crashed with signal 11"}};
    return list;
  }

  Platforms() {
    fs::create_directory(vendors());
    for (const auto& [name, fault] : faults())
      std::ofstream(vendors() / (name + ".icd")) << (fs::path(CLOPT_TEST_PLATFORMS) / ("lib" + name + ".so")).string();
    if (const char* tested = std::getenv("OCL_ICD_VENDORS"))
      for (const auto& file : fs::directory_iterator(tested))
        if (file.path().extension() == ".icd") fs::copy(file, vendors());
  }

  Call call(const std::vector<std::string>& arguments) const {
    Call call;
    call.arguments = arguments;
    call.environment = {{"OCL_ICD_VENDORS", vendors().string()},
                        {"CLOPT_CACHE_DIR", (folder_.path() / "cache").string()},
                        {"CLOPT_TEST_LOADED", (folder_.path() / "loaded").string()}};
    return call;
  }
  // How often a platform that is wrong was loaded.
  std::uintmax_t loads() const {
    std::error_code error;
    const auto count = fs::file_size(folder_.path() / "loaded", error);
    return error ? 0 : count;
  }

 private:
  fs::path vendors() const { return folder_.path() / "vendors"; }

  TemporaryFolder folder_;
};

void check_list(const clopt::test::Outcome& outcome) {
  BOOST_TEST_CONTEXT(outcome.error << outcome.output) {
    BOOST_REQUIRE(outcome.status == 0);
    BOOST_TEST(outcome.error.empty());
    const auto list = outcome.json();
    const bool has_opencl = clopt::test::platform() != "openmp";
    BOOST_TEST(list["devices"].size() == (has_opencl ? 2U : 1U));
    for (const auto& [name, fault] : Platforms::faults()) {
      int lines = 0;
      for (const auto& line : list["unavailable"])
        if (contains(line["reason"], name + ".icd (")) {
          ++lines;
          BOOST_TEST(contains(line["reason"], fault), name << ": " << line["reason"]);
          BOOST_TEST(line["backend"] == "opencl");
        }
      BOOST_TEST(lines == 1, name << " has " << lines << " lines");
    }
  }
}

std::string test_device() { return clopt::test::platform() == "openmp" ? "openmp:0" : "opencl:0"; }

std::string self_test_of(const Call& list, const std::string& device) {
  const auto found = run(list).json();
  for (const auto& each : found["devices"])
    if (each["id"] == device) return each["self_test"];
  return "no such device";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_isolation)

BOOST_AUTO_TEST_CASE(drivers_that_fail_are_left_out_and_named, *boost::unit_test::label("device")) {
  const Platforms platforms;
  check_list(run(platforms.call({"devices", "--json"})));
  const auto first = platforms.loads();
  BOOST_TEST(first == Platforms::faults().size());
  // Only the one that came to an end of its own is asked again.
  check_list(run(platforms.call({"devices", "--json"})));
  BOOST_TEST(platforms.loads() == first + 1);
  const auto outcome = run(platforms.call({"subset-sum", "--instance", "half-small:20", "--no-reduce", "--method",
                                           "k3-32", "--device", test_device(), "--json"}));
  BOOST_TEST_CONTEXT(outcome.error) {
    BOOST_REQUIRE(outcome.status == 0);
    BOOST_TEST(outcome.json()["device"][0]["id"] == test_device());
  }
}

#ifdef CLOPT_EXAMPLE
BOOST_AUTO_TEST_CASE(programs_that_use_the_library_are_safe, *boost::unit_test::label("device")) {
  const Platforms platforms;
  auto call = platforms.call({});
  call.program = CLOPT_EXAMPLE;
  call.environment["CLOPT_DEVICE"] = test_device() == "openmp:0" ? "" : test_device();
  const auto outcome = run(call);
  BOOST_TEST(outcome.signal == 0);
  BOOST_TEST(outcome.status == 0, outcome.error);
}
#endif

BOOST_AUTO_TEST_CASE(a_driver_that_changes_is_looked_at_again) {
  const Platforms platforms;
  const TemporaryFolder folder;
  const auto library = folder.path() / "libdriver.so";
  folder.file("driver.icd", library.string());
  const auto reason = [&](const std::string& fault) {
    // As an installer replaces a file.
    fs::copy(fs::path(CLOPT_TEST_PLATFORMS) / ("lib" + fault + ".so"), library.string() + ".new");
    fs::rename(library.string() + ".new", library);
    auto call = platforms.call({"devices", "--json"});
    call.environment["OCL_ICD_VENDORS"] = folder.path().string();
    return run(call).json()["unavailable"].dump();
  };
  BOOST_TEST(contains(reason("aborts"), "driver.icd"));
  BOOST_TEST(contains(reason("aborts"), "aborted with signal 6"));
  BOOST_TEST(contains(reason("crashes"), "crashed with signal 11"));
}

// It may lack memory or processes today, and have them tomorrow.
BOOST_AUTO_TEST_CASE(a_failure_is_believed_under_the_limits_it_had_and_no_others) {
  const Platforms platforms;
  const TemporaryFolder folder;
  folder.file("driver.icd", (fs::path(CLOPT_TEST_PLATFORMS) / "libaborts.so").string());
  const auto loads_with_files = [&](rlim_t most) {
    auto call = platforms.call({"devices", "--json"});
    call.environment["OCL_ICD_VENDORS"] = folder.path().string();
    call.in_child = [most] {
      const rlimit files{most, most};
      setrlimit(RLIMIT_NOFILE, &files);
    };
    BOOST_TEST(contains(run(call).json()["unavailable"].dump(), "aborted with signal 6"));
    return platforms.loads();
  };
  const auto first = loads_with_files(300);
  BOOST_TEST(loads_with_files(300) == first);
  BOOST_TEST(loads_with_files(400) == first + 1);
}

// Where it is not looked at in a process of its own.
BOOST_AUTO_TEST_CASE(a_driver_that_ends_the_run_is_told, *boost::unit_test::label("slow")) {
  const Platforms platforms;
  for (const auto& [fault, words] : std::map<std::string, std::string>{{"aborts", "crashed with SIGABRT"},
                                                                       {"crashes", "crashed with SIGSEGV"},
                                                                       {"ends", "driver ended the process"}}) {
    const TemporaryFolder folder;
    folder.file("driver.icd", (fs::path(CLOPT_TEST_PLATFORMS) / ("lib" + fault + ".so")).string());
    auto call = platforms.call({"devices", "--json"});
    call.environment["OCL_ICD_VENDORS"] = folder.path().string();
    call.environment["CLOPT_ISOLATION"] = "off";
    const auto outcome = run(call);
    BOOST_TEST_CONTEXT(fault << ": " << outcome.error) {
      BOOST_TEST(outcome.signal == 0);
      BOOST_TEST(outcome.status == 3);
      BOOST_TEST(outcome.error_lines() == 2U);
      BOOST_TEST(contains(outcome.error, words));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_run_tests_what_it_uses_and_no_more, *boost::unit_test::label("device")) {
  const TemporaryFolder folder;
  Call list;
  list.arguments = {"devices", "--json"};
  list.environment["CLOPT_CACHE_DIR"] = folder.path().string();
  BOOST_TEST(self_test_of(list, test_device()) == "not run");
  auto call = list;
  call.arguments = {"genetic", "--genes", "16", "--population", "8", "--generations", "2", "--device", test_device()};
  BOOST_REQUIRE(run(call).status == 0);
  call.arguments = {"cache", "--json"};
  // Random numbers, and the genetic algorithm.
  BOOST_TEST(run(call).json()["kinds"]["self-test"]["entries"] == 2);
  BOOST_TEST(self_test_of(list, test_device()) == "not run");
}

BOOST_AUTO_TEST_CASE(the_rest_runs_where_it_is_asked_for) {
  const TemporaryFolder folder;
  Call list;
  list.arguments = {"devices", "--json", "--self-test"};
  list.environment["CLOPT_CACHE_DIR"] = folder.path().string();
  BOOST_TEST(self_test_of(list, "openmp:0") == "passed");
  list.arguments = {"devices", "--json"};
  BOOST_TEST(self_test_of(list, "openmp:0") == "passed");
}

BOOST_AUTO_TEST_CASE(a_device_that_is_wrong_is_refused, *boost::unit_test::label("device")) {
  if (test_device() == "openmp:0") return;  // its kernels are no texts
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "kernels/random_numbers");
  std::ofstream(folder.path() / "kernels/random_numbers/random_words.cl")
      << "kernel void random_words(global uint* words, ulong count, ulong seed, uint purpose, uint y, uint z) {\n"
         "  words[0] = words[1] = words[2] = words[3] = (uint)count;\n}\n";
  Call call;
  call.environment["CLOPT_CACHE_DIR"] = (folder.path() / "cache").string();
  call.environment["CLOPT_KERNEL_PATH"] = (folder.path() / "kernels").string();
  call.arguments = {"genetic", "--genes", "16", "--population", "8", "--generations", "2", "--device", test_device()};
  for (int i = 0; i < 2; ++i) {
    const auto outcome = run(call);
    BOOST_TEST(outcome.status == 3);
    BOOST_TEST(contains(outcome.error, "fails its self-test: random_numbers: Philox4x32-10 gives 00000001"),
               outcome.error);
    BOOST_TEST(contains(outcome.error, "--force"));
    BOOST_TEST(outcome.error_lines() <= 3U);
  }
  auto list = call;
  list.arguments = {"devices", "--json"};
  BOOST_TEST(contains(self_test_of(list, test_device()), "Philox4x32-10 gives 00000001"));
  call.arguments.emplace_back("--force");
  BOOST_TEST(run(call).status == 0);
}

BOOST_AUTO_TEST_CASE(a_driver_that_aborts_in_its_test_is_refused) {
  const TemporaryFolder folder;
  Call call;
  call.environment["CLOPT_CACHE_DIR"] = folder.path().string();
  call.environment["CLOPT_BACKEND_PATH"] = (fs::path(CLOPT_TEST_MODULES) / "aborting").string();
  call.arguments = {"genetic", "--genes", "16", "--generations", "2", "--device", "aborting:0"};
  const auto outcome = run(call);
  BOOST_TEST(outcome.signal == 0);
  BOOST_TEST(outcome.status == 3);
  BOOST_TEST(contains(outcome.error, "its driver aborted with signal 6"), outcome.error);
  BOOST_TEST(contains(outcome.error, "while random_numbers was tested on aborting:0"), outcome.error);
}

BOOST_AUTO_TEST_SUITE_END()
