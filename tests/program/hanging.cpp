// Objectives and compilers that hang: limits of time and signals hold all the same.
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <support/folder.hpp>
#include "run.hpp"

using clopt::test::Call;
using clopt::test::run;
using clopt::test::run_compiled;
using clopt::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// A good individual never gets a value: one whose sum is below LIMIT. The start population has none so lucky.
constexpr const char* hanging_objective = R"(// clopt: reals, minimise, lower -5, upper 5
#ifndef LIMIT
#define LIMIT 1
#endif
real objective(individual x) {
  real sum = 0;
  for (uint i = 0; i < genes(x); ++i) sum += gene(x, i) * gene(x, i);
  volatile int hangs = sum < LIMIT;
  while (hangs) ;
  return sum;
}
)";

// Sleeps, as its child does, and writes both process numbers.
constexpr const char* hanging_compiler = "#!/bin/sh\nsleep 1000 &\necho $$ $! >\"$CLOPT_TEST_PROCESSES\"\nwait\n";

Call genetic_call(const TemporaryFolder& folder) {
  Call call;
  call.arguments = {"genetic",   "--objective", folder.file("hang.cl", hanging_objective),
                    "--genes",   "4",           "--population",
                    "64",        "--seed",      "1",
                    "--json",    "--device",    "openmp:0",
                    "--threads", "1",           "--generations",
                    "100000"};
  return call;
}

void require_best(const clopt::test::Outcome& outcome) {
  const auto result = outcome.json();
  BOOST_TEST(result["best"]["fitness"].get<double>() >= 1);
  BOOST_TEST(result["best"]["genes"].size() == 4U);
  BOOST_TEST(result["unfinished"].get<std::string>().find("running the kernel genetic/") != std::string::npos);
  BOOST_TEST(outcome.error.find("running the kernel genetic/") != std::string::npos);
  BOOST_TEST(outcome.error_lines() == 1U);
}

bool lives(const std::string& process) {
  std::ifstream status("/proc/" + process + "/stat");
  std::string text;
  std::getline(status, text);
  return !text.empty() && text.find(") Z ") == std::string::npos;
}

// The processes of the compiler that was called, once it has written them.
std::vector<std::string> processes_of(const std::string& file) {
  std::ifstream stream(file);
  std::vector<std::string> processes;
  for (std::string process; stream >> process;) processes.push_back(process);
  return processes;
}

/// A call that compiles an objective by a compiler that hangs.
struct HangingCompiler {
  TemporaryFolder folder;
  std::string processes = (folder.path() / "processes").string();
  Call call = genetic_call(folder);

  HangingCompiler() {
    const auto compiler = folder.file("compiler", hanging_compiler);
    fs::permissions(compiler, fs::perms::owner_all);
    fs::create_directory(folder.path() / "temporary");
    call.environment = {{"CXX", compiler},
                        {"CLOPT_TEST_PROCESSES", processes},
                        {"TMPDIR", (folder.path() / "temporary").string()},
                        {"XDG_CACHE_HOME", (folder.path() / "cache").string()}};
  }

  // The end of the program reaches the guard of the compiler a moment later.
  void require_gone() const {
    const auto all = processes_of(processes);
    BOOST_REQUIRE(all.size() == 2U);
    const auto is_gone = [&] { return !lives(all[0]) && !lives(all[1]) && fs::is_empty(folder.path() / "temporary"); };
    for (int i = 0; i < 1000 && !is_gone(); ++i) usleep(10'000);
    BOOST_TEST(is_gone());
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(program_hanging)

BOOST_AUTO_TEST_CASE(an_objective_that_hangs_ends_at_the_time_limit_with_the_best_so_far) {
  const TemporaryFolder folder;
  auto call = genetic_call(folder);
  call.arguments.insert(call.arguments.end(), {"--time-limit", "2"});
  auto outcome = run_compiled(call);
  BOOST_TEST(outcome.status == 0);
  BOOST_TEST(outcome.json()["ending"] == "time");
  require_best(outcome);

  call.arguments.insert(call.arguments.end(), {"--target", "0"});
  outcome = run(call);
  BOOST_TEST(outcome.status == 4);
}

BOOST_AUTO_TEST_CASE(an_objective_that_hangs_ends_at_the_first_interrupt_with_the_best_so_far) {
  const TemporaryFolder folder;
  auto call = genetic_call(folder);
  call.signal_after = 2;
  const auto outcome = run_compiled(call);
  BOOST_TEST(outcome.status == 130);
  BOOST_TEST(outcome.json()["ending"] == "interrupted");
  require_best(outcome);
}

BOOST_AUTO_TEST_CASE(an_objective_that_hangs_leaves_the_statistics_before) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "rows.csv").string();
  auto call = genetic_call(folder);
  // Later, so that some launches have ended.
  call.arguments[2] = folder.file("later.cl", std::string("#define LIMIT 0.01f\n") + hanging_objective);
  call.arguments.insert(call.arguments.end(), {"--time-limit", "2", "--statistics", file});
  const auto outcome = run_compiled(call);
  BOOST_TEST(outcome.status == 0);
  // The fitness at the end is in the table.
  std::ifstream stream(file);
  double best_so_far = 0;
  std::size_t rows = 0;
  std::string line;
  for (std::getline(stream, line); std::getline(stream, line); ++rows) {
    BOOST_TEST(line.substr(0, line.find(',')) == std::to_string(rows));
    std::istringstream fields(line);
    for (int column = 0; column < 7; ++column) std::getline(fields, line, ',');
    best_so_far = std::stod(line);
  }
  BOOST_TEST(rows > 0U);
  BOOST_TEST(best_so_far <= outcome.json()["best"]["fitness"].get<double>());
}

// `script` gives the program a terminal.
BOOST_AUTO_TEST_CASE(a_terminal_shows_what_a_long_start_waits_for) {
  HangingCompiler hanging;
  auto command = std::string(CLOPT_PROGRAM);
  for (const auto& word : hanging.call.arguments)
    if (word != "--json") command += " " + word;
  const auto output = (hanging.folder.path() / "terminal").string();
  for (const auto& [name, value] : hanging.call.environment) setenv(name.c_str(), value.c_str(), 1);
  const int status =
      std::system(("script -qec '" + command + " --time-limit 2' " + output + " >/dev/null 2>&1").c_str());
  for (const auto& [name, value] : hanging.call.environment) unsetenv(name.c_str());
  BOOST_TEST(WEXITSTATUS(status) == 4);
  const auto shown = clopt::test::read_file(output);
  BOOST_TEST(shown.find("clopt is compiling an objective by") != std::string::npos, shown);
}

BOOST_AUTO_TEST_CASE(a_compiler_that_hangs_ends_at_the_time_limit) {
  HangingCompiler hanging;
  hanging.call.arguments.insert(hanging.call.arguments.end(), {"--time-limit", "1"});
  const auto outcome = run(hanging.call);
  BOOST_TEST(outcome.status == 4);
  BOOST_TEST(outcome.json()["best"].is_null());
  BOOST_TEST(outcome.error.find("compiling an objective") != std::string::npos, outcome.error);
  hanging.require_gone();
}

BOOST_AUTO_TEST_CASE(a_validation_that_hangs_tells_the_cases_before) {
  HangingCompiler hanging;
  hanging.call.arguments = {"validate", "--solver", "genetic", "--device", "openmp:0", "--json"};
  hanging.call.signal_after = 8;
  const auto outcome = run(hanging.call);
  BOOST_TEST(outcome.status == 130);
  const auto result = outcome.json();
  BOOST_TEST(!result["agree"].get<bool>());
  BOOST_TEST(!result["cases"].empty());
  for (const auto& each : result["cases"]) BOOST_TEST(each["agree"].get<bool>());
  BOOST_TEST(outcome.error.find("compiling an objective") != std::string::npos, outcome.error);
  hanging.require_gone();
}

BOOST_AUTO_TEST_CASE(a_compiler_that_hangs_ends_with_a_program_that_is_killed) {
  HangingCompiler hanging;
  hanging.call.signal = SIGKILL;
  hanging.call.signal_after = 3;
  const auto outcome = run(hanging.call);
  BOOST_TEST(outcome.signal == SIGKILL);
  hanging.require_gone();
}

BOOST_AUTO_TEST_CASE(a_guard_ends_a_compiler_and_its_children_in_time) {
  const HangingCompiler hanging;
  const auto pipe = (hanging.folder.path() / "pipe").string();
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int kept_open = open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  setenv("CLOPT_TEST_PROCESSES", hanging.processes.c_str(), 1);
  const auto command = std::string(CLOPT_GUARD) + " 1 1000000000 " + (hanging.folder.path() / "temporary").string() +
                       " " + (hanging.folder.path() / "compiler").string() + " <" + pipe;
  const int status = std::system(command.c_str());
  unsetenv("CLOPT_TEST_PROCESSES");
  ::close(kept_open);
  BOOST_TEST(WEXITSTATUS(status) == 123);
  hanging.require_gone();
}

BOOST_AUTO_TEST_SUITE_END()
