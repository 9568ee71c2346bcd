// Signals, limits, closed streams, and environments that lack what a program usually finds.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "run.hpp"

using clopt::test::Call;
using clopt::test::run;
using clopt::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> quick_run{"subset-sum",  "--instance", "half-small:20", "--json",
                                         "--no-reduce", "--method",   "k3-32"};
// Minutes of work on one core.
const std::vector<std::string> slow_run{"subset-sum",  "--instance", "half:3000", "--method", "yanasse-soma",
                                        "--no-reduce", "--device",   "openmp:0",  "--json"};

Call call_of(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment = {}) {
  Call call;
  call.arguments = arguments;
  call.environment = environment;
  return call;
}

// Names, sizes and times of a folder's files, but for those by which PoCL knows when it has read a kernel last.
std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> listing(const fs::path& folder) {
  std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> files;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file() && file.path().filename() != "last_accessed")
      files[file.path().string()] = {file.file_size(), file.last_write_time()};
  return files;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_surroundings)

BOOST_AUTO_TEST_CASE(an_interrupt_leaves_the_best_so_far) {
  auto call = call_of(slow_run);
  call.signal_after = 1.5;
  const auto outcome = run(call);
  BOOST_TEST(outcome.status == 130);
  const auto result = outcome.json();
  BOOST_TEST(result["optimal"] == false);
  BOOST_TEST(result["value"].get<std::uint64_t>() > 0U);
  BOOST_TEST(result["method"] == "yanasse-soma");
}

BOOST_AUTO_TEST_CASE(a_summary_tells_of_an_interrupt) {
  auto call = call_of({"genetic", "--objective", "rastrigin", "--genes", "50", "--generations", "1000000000",
                       "--stagnation", "1000000000", "--device", "openmp:0"});
  call.signal_after = 0.7;
  const auto outcome = run(call);
  BOOST_TEST(outcome.status == 130);
  BOOST_TEST(outcome.output.starts_with("best "), outcome.output);
  const auto told = outcome.output.find("ended by  Ctrl-C");
  BOOST_TEST(told != std::string::npos, outcome.output);
  // Once.
  BOOST_TEST(outcome.output.find("ended by") == told, outcome.output);
}

// The processor may lack a set; then a message says so.
BOOST_AUTO_TEST_CASE(instruction_sets_give_the_same_bits) {
  const TemporaryFolder folder;
  const auto text = (folder.path() / "text.cl").string();
  std::ofstream(text) << "// clopt: reals, minimise\n"
                         "real objective(individual x) {\n"
                         "  real sum = 0;\n"
                         "  for (uint j = 0; j < 5; ++j)\n"
                         "    sum += fabs(gene(x, 0) * exp(-gene(x, 1) * j) * cos(gene(x, 2) * j) - sin(gene(x, 3)));\n"
                         "  return gene(x, 0) < 2 ? sum : sum + 1;\n"
                         "}\n";
  // Populations around one vector and around two of each set, so that the last ones are not full.
  const auto fits = [&](const char* population, const char* precision) {
    return std::vector<std::string>{"differential-evolution",
                                    "--objective",
                                    text,
                                    "--dimensions",
                                    "4",
                                    "--lower",
                                    "0",
                                    "--upper",
                                    "100",
                                    "--population",
                                    population,
                                    "--generations",
                                    "30",
                                    "--problems",
                                    "3",
                                    "--precision",
                                    precision};
  };
  const std::vector<std::vector<std::string>> runs{
      fits("7", "float"),
      fits("49", "float"),
      fits("7", "double"),
      fits("49", "double"),
      {"ecga", "--length", "20", "--counting", "histogram", "--population", "497"},
      {"ecga", "--length", "20", "--counting", "popcount", "--population", "497"},
      {"genetic", "--generations", "60"},
      // Rows of whole vectors of words and without, of more than a byte's sums; populations that fill no batch.
      {"genetic", "--genes", "1", "--population", "3", "--generations", "20", "--mutation", "0.1"},
      {"genetic", "--genes", "49", "--population", "131", "--generations", "40", "--mutation", "0.01"},
      {"genetic", "--genes", "9001", "--population", "7", "--generations", "20", "--mutation", "0.003", "--islands",
       "3", "--precision", "double"},
      {"genetic", "--genes", "257", "--population", "35", "--generations", "40", "--crossover", "0.3",
       "--crossover-kind", "uniform", "--selection", "tournament"},
      {"differential-evolution", "--objective", "rastrigin", "--dimensions", "19", "--population", "43", "--problems",
       "3", "--generations", "50", "--bounds", "reflect"},
      {"differential-evolution", "--objective", "ackley", "--dimensions", "7", "--population", "31", "--generations",
       "50", "--precision", "double"},
      {"subset-sum", "--instance", "half-small:20", "--no-reduce", "--method", "k3-32"}};
  for (auto arguments : runs) {
    arguments.insert(arguments.end(), {"--json", "--device", "openmp:0"});
    const auto best = run(call_of(arguments)).json()["checksum"];
    for (const char* set : {"avx512", "avx2", "plain"}) {
      const auto outcome = run(call_of(arguments, {{"CLOPT_INSTRUCTION_SET", set}}));
      const bool is_lacking =
          outcome.status == 2 && outcome.error.find("this processor has no more") != std::string::npos;
      BOOST_TEST((is_lacking || outcome.json()["checksum"] == best), arguments.front() << " with " << set);
      BOOST_TEST((!is_lacking || std::string(set) != "plain"));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_instruction_set_that_is_none_is_refused) {
  const auto outcome = run(call_of({"devices"}, {{"CLOPT_INSTRUCTION_SET", "avx3"}}));
  BOOST_TEST(outcome.status == 2);
  BOOST_TEST(outcome.error.find("CLOPT_INSTRUCTION_SET is 'avx3'; it takes avx512, avx2 or plain") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_version_names_the_instruction_set) {
  const auto outcome = run(call_of({"devices", "--json"}, {{"CLOPT_INSTRUCTION_SET", "plain"}}));
  BOOST_TEST(outcome.json()["devices"][0]["version"].get<std::string>().ends_with(", plain"));
}

BOOST_AUTO_TEST_CASE(an_interrupt_of_validate_leaves_the_cases_so_far) {
  Call call = call_of({"validate", "--long", "--device", "openmp:0", "--json"});
  call.signal_after = 1;
  const auto outcome = run(call);
  BOOST_TEST(outcome.status == 130);
  BOOST_TEST(outcome.json()["agree"] == false);
}

BOOST_AUTO_TEST_CASE(an_interrupt_while_waiting_for_input_ends_at_once) {
  // A pipe that no one writes to or closes: the program waits for it.
  const TemporaryFolder folder;
  const auto pipe = (folder.path() / "pipe").string();
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  auto call = call_of({"subset-sum", pipe, "--capacity", "5", "--json"});
  call.signal_after = 0.5;
  const auto outcome = run(call);
  BOOST_TEST(outcome.status == 130);
  BOOST_TEST(outcome.output.empty());
}

BOOST_AUTO_TEST_CASE(a_time_limit_leaves_the_best_so_far) {
  auto arguments = slow_run;
  arguments.insert(arguments.end(), {"--time-limit", "0.5"});
  const auto outcome = run(arguments);
  BOOST_TEST(outcome.status == 4);  // a proof was asked for
  // Where others have the processor, a launch may take longer than the watchdog waits.
  if (outcome.error.empty())
    BOOST_TEST(outcome.json()["optimal"] == false);
  else
    BOOST_TEST(outcome.error_lines() <= 3U, outcome.error);
  auto none = quick_run;
  none.insert(none.end(), {"--time-limit", "0"});
  BOOST_TEST(run(none).status == 4);
  none.back() = "1e300";
  BOOST_TEST(run(none).status == 0);
}

BOOST_AUTO_TEST_CASE(standard_output_that_takes_nothing) {
  for (const char* output : {"closed", "broken", "/dev/full"})
    for (const auto& arguments : {quick_run, {"devices"}, {"--help"}, {"cache", "--json"}}) {
      auto call = call_of(arguments);
      call.output = output;
      const auto outcome = run(call);
      BOOST_TEST_CONTEXT(output << ": " << outcome.error) {
        BOOST_TEST(outcome.signal == 0);
        BOOST_TEST(outcome.status == 2);
        BOOST_TEST(outcome.error.empty() == (std::string(output) == "broken"));
      }
    }
}

// A sanitizer takes more address space than any limit leaves.
BOOST_AUTO_TEST_CASE(memory_that_the_host_lacks_is_told, *boost::unit_test::label("slow")) {
  auto call = call_of({"genetic", "--objective", "sphere", "--genes", "60", "--population", "2000000", "--generations",
                       "1", "--device", "openmp:0"});
  call.memory = std::uint64_t{400} << 20;
  const auto outcome = run(call);
  BOOST_TEST(outcome.status == 3);
  BOOST_TEST(outcome.error.find("480000000 bytes") != std::string::npos, outcome.error);
}

// Wherever memory runs out, at the start too. Below some limit the loader finds no room for the program itself.
BOOST_AUTO_TEST_CASE(too_little_memory_is_told_whatever_the_limit, *boost::unit_test::label("slow")) {
  constexpr int not_loaded = 127;
  int failed = 0;
  int done = 0;
  for (std::uint64_t kilobytes = 10'000; kilobytes < 3'000'000; kilobytes = kilobytes * 5 / 4) {
    auto call = call_of({"genetic", "--objective", "sphere", "--genes", "30", "--population", "200", "--generations",
                         "9", "--device", "openmp:0"});
    call.memory = kilobytes << 10;
    const auto outcome = run(call);
    // Before main(), Fortran's library (of CLP's linear algebra) ends by a signal where it finds no memory.
    if (kilobytes < 30'000 && outcome.signal == SIGSEGV && outcome.error.empty()) continue;
    BOOST_TEST_CONTEXT(kilobytes << " KB: " << outcome.error) {
      BOOST_TEST(outcome.signal == 0);
      BOOST_TEST((outcome.status == 0 || outcome.status == 3 || outcome.status == not_loaded));
      if (outcome.status == 3) {
        ++failed;
        BOOST_TEST(outcome.error.starts_with("clopt"));
        BOOST_TEST(outcome.error_lines() <= 3U);
      }
      done += outcome.status == 0 ? 1 : 0;
    }
  }
  BOOST_TEST(failed > 0);
  BOOST_TEST(done > 0);
}

BOOST_AUTO_TEST_CASE(places_do_not_matter) {
  const TemporaryFolder folder;
  folder.file("weights", "31 41 59\n");
  auto call = call_of({"subset-sum", "weights", "--capacity", "75", "--json"});
  call.folder = folder.path().string();
  const auto outcome = run(call);
  BOOST_REQUIRE(outcome.status == 0);
  BOOST_TEST(outcome.json()["value"] == 72);
  // A name that looks like an option.
  folder.file("--json", "7\n");
  call.arguments = {"subset-sum", "--capacity", "75", "--", "--json"};
  BOOST_TEST(run(call).output.find("value     7 of 75") == 0U);
}

BOOST_AUTO_TEST_CASE(no_home_and_no_cache, *boost::unit_test::label("device")) {
  const auto expected = run(quick_run).json()["checksum"];
  const TemporaryFolder folder;
  const auto file = folder.file("no-folder", "");
  for (auto environment : std::vector<std::map<std::string, std::string>>{
           {{"HOME", ""}, {"XDG_CACHE_HOME", ""}, {"CLOPT_CACHE_DIR", ""}, {"POCL_CACHE_DIR", ""}},
           {{"CLOPT_CACHE_DIR", "off"}},
           {{"CLOPT_CACHE_DIR", file}},  // cannot be a folder, not even for root
           {{"CLOPT_CACHE_DIR", "/proc/none"}}}) {
    environment["CLOPT_CACHE_STRICT"] = "";  // tests set it
    const auto outcome = run(call_of(quick_run, environment));
    BOOST_TEST_CONTEXT(outcome.error) {
      BOOST_REQUIRE(outcome.status == 0);
      BOOST_TEST(outcome.json()["checksum"] == expected);
      BOOST_TEST(run(call_of({"cache"}, environment)).status == 0);
      BOOST_TEST(run(call_of({"cache", "clear", "--json"}, environment)).json()["removed"] == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_second_run_writes_nothing, *boost::unit_test::label("device")) {
  const TemporaryFolder folder;
  const TemporaryFolder of_pocl;
  const TemporaryFolder of_mesa;
  const std::map<std::string, std::string> environment{{"CLOPT_CACHE_DIR", folder.path().string()},
                                                       {"POCL_CACHE_DIR", of_pocl.path().string()},
                                                       {"MESA_SHADER_CACHE_DIR", of_mesa.path().string()},
                                                       {"XDG_CACHE_HOME", of_mesa.path().string()}};
  auto arguments = quick_run;
  if (const char* device = std::getenv("CLOPT_TEST_DEVICE")) arguments.insert(arguments.end(), {"--device", device});
  const auto first_outcome = run(call_of(arguments, environment));
  // What a driver prints while it compiles is hidden.
  BOOST_TEST(first_outcome.error == "");
  const auto first = first_outcome.json();
  const auto before = listing(folder.path());
  const auto kernels_before = listing(of_pocl.path());
  BOOST_TEST(!before.empty());
  const auto second = run(call_of(arguments, environment)).json();
  BOOST_TEST((listing(folder.path()) == before));
  // PoCL builds a kernel for a size of work-groups when it is first run with it; what it has kept it builds no more.
  const auto kernels = listing(of_pocl.path());
  BOOST_TEST(std::includes(kernels.begin(), kernels.end(), kernels_before.begin(), kernels_before.end()));
  BOOST_TEST(first["checksum"] == second["checksum"]);

  const auto list = run(call_of({"cache", "--json"}, environment)).json();
  BOOST_TEST(list["folder"] == folder.path().string());
  BOOST_TEST(list["entries"] == before.size());
  BOOST_TEST(run(call_of({"cache", "clear", "--json"}, environment)).json()["removed"] == before.size());
  BOOST_TEST(listing(folder.path()).empty());
}

// PoCL and Intel's runtime can divide a processor of two cores; others are offered whole.
BOOST_AUTO_TEST_CASE(parts_of_a_device_are_devices, *boost::unit_test::label("device")) {
  const auto opencl_devices = [](const auto& outcome) {
    std::vector<nlohmann::json> found;
    const auto list = outcome.json();
    for (const auto& device : list["devices"])
      if (device["backend"] == "opencl") found.push_back(device);
    return found;
  };
  const auto whole = opencl_devices(run({"devices", "--json"}));
  const auto parts = opencl_devices(run(call_of({"devices", "--json"}, {{"CLOPT_SUB_DEVICES", "2"}})));
  const char* platform = std::getenv("CLOPT_TEST_PLATFORM");
  const bool divides = platform && (std::string(platform) == "pocl" || std::string(platform) == "intel") &&
                       whole.front()["compute_units"] >= 2;
  const std::size_t each = divides ? 2 : 1;
  BOOST_TEST(parts.size() == each * whole.size());
  for (const auto& part : parts) {
    const auto units = whole.front()["compute_units"].get<std::size_t>() / each;
    BOOST_TEST(part["compute_units"].get<std::size_t>() == units);
  }

  const auto refused = run(call_of({"devices", "--json"}, {{"CLOPT_SUB_DEVICES", "two"}}));
  BOOST_TEST(refused.status == 0);
  BOOST_TEST(refused.output.find("CLOPT_SUB_DEVICES is 'two'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(broken_backends_are_a_line_in_devices) {
  const TemporaryFolder folder;
  folder.file("libclopt-backend-garbage.so", "this is no module");
  folder.file("libclopt-backend-empty.so", "");
  fs::copy_file(CLOPT_OTHER_VERSION_BACKEND, folder.path() / "libclopt-backend-other.so");
  const std::map<std::string, std::string> environment{
      {"CLOPT_BACKEND_PATH", folder.path().string() + ":" + (folder.path() / "none").string()}};
  const auto outcome = run(call_of({"devices", "--json"}, environment));
  BOOST_REQUIRE(outcome.status == 0);
  const auto list = outcome.json();
  std::map<std::string, std::string> reasons;
  for (const auto& left_out : list["unavailable"])
    reasons[left_out["backend"].get<std::string>()] = left_out["reason"].get<std::string>();
  BOOST_TEST(reasons.count("libclopt-backend-garbage.so") == 1U);
  BOOST_TEST(reasons.count("libclopt-backend-empty.so") == 1U);
  BOOST_TEST(reasons["libclopt-backend-other.so"].find("version") != std::string::npos);
  BOOST_TEST(list["devices"][0]["id"] == "openmp:0");
  BOOST_TEST(run(call_of({"devices"}, environment)).output.find("libclopt-backend-garbage.so: ") != std::string::npos);
  BOOST_TEST(run(call_of(quick_run, environment)).status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
