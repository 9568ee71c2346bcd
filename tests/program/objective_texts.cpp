// Objectives' texts that crash, hang, reach beyond themselves, or differ from device to device, as a user meets them.
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "run.hpp"

using clopt::test::Call;
using clopt::test::run;
using clopt::test::run_compiled;
using clopt::test::TemporaryFolder;

namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Misbehaves in a good individual only, so that some generations pass before.
std::string misbehaving(const std::string& deed) {
  return "// clopt: reals, minimise, lower -5, upper 5\n"
         "real objective(individual x) {\n"
         "  real sum = 0;\n"
         "  for (uint i = 0; i < genes(x); ++i) sum += gene(x, i) * gene(x, i);\n"
         "  volatile int bad = sum < 0.05f;\n"
         "  volatile int zero = 0;\n"
         "  if (bad) " +
         deed +
         "\n  return sum;\n"
         "}\n";
}

Call search(const std::string& solver, const std::string& text_file) {
  Call call;
  call.arguments = {solver,   "--objective", text_file,  solver == "genetic" ? "--genes" : "--dimensions",
                    "4",      "--seed",      "1",        "--population",
                    "64",     "--json",      "--device", "openmp:0",
                    "--quiet"};
  return call;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_objective_texts)

// Without vectors a text gives the same values, several times as slowly: only the log shows it.
BOOST_AUTO_TEST_CASE(the_examples_take_vectors_of_individuals) {
  const TemporaryFolder folder;
  for (const char* precision : {"float", "double"}) {
    Call call;
    call.arguments = {"differential-evolution",
                      "--objective",
                      std::string(CLOPT_SOURCE) + "/docs/examples/decay.cl",
                      "--dimensions",
                      "3",
                      "--lower",
                      "0,0,-2",
                      "--upper",
                      "5,5,2",
                      "--data",
                      folder.file("rows.csv", "3,2,1,1\n"),
                      "--generations",
                      "2",
                      "--device",
                      "openmp:0",
                      "--precision",
                      precision};
    call.environment = {{"CLOPT_LOG", "build"}, {"CLOPT_CACHE_DIR", (folder.path() / precision).string()}};
    const auto outcome = run(call);
    BOOST_TEST(outcome.status == 0);
    BOOST_TEST(says(outcome.error, "-std=c++20"), outcome.error);
    BOOST_TEST(!says(outcome.error, "takes no vectors"), outcome.error);
  }
}

BOOST_AUTO_TEST_CASE(a_crash_is_told_with_its_signal_and_text) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> deeds{{"*(volatile int*)(8 + zero) = 1;", "SIGSEGV"},
                                                               {"return (real)(7 / zero);", "SIGFPE"},
                                                               {"__builtin_trap();", "SIG"},
                                                               {"__builtin_abort();", "SIGABRT"}};
  for (const auto* solver : {"genetic", "differential-evolution"})
    for (const auto& [deed, signal] : deeds) BOOST_TEST_CONTEXT(solver << ": " << deed) {
        const auto outcome = run(search(solver, folder.file("bad.cl", misbehaving(deed))));
        BOOST_TEST(outcome.status == 3);
        BOOST_TEST(outcome.output == "");
        BOOST_TEST(says(outcome.error, folder.path().string() + "/bad.cl crashed with " + signal), outcome.error);
        BOOST_TEST(outcome.error_lines() <= 3U);
      }
}

// The stack is gone then: the handler needs another one, on each thread.
BOOST_AUTO_TEST_CASE(an_endless_recursion_is_told) {
  const TemporaryFolder folder;
  const std::string recursion =
      "real deep(real a) { volatile real kept[64]; kept[0] = a; return a < 0 ? kept[0] : deep(a + 1) + kept[0]; }\n";
  for (const auto* threads : {"1", "4"}) {
    auto call = search("genetic", folder.file("deep.cl", recursion + misbehaving("return deep(1);")));
    call.arguments.insert(call.arguments.end(), {"--threads", threads});
    const auto outcome = run(call);
    BOOST_TEST(outcome.status == 3);
    BOOST_TEST(says(outcome.error, "deep.cl crashed with SIGSEGV"), outcome.error);
  }
}

// What is sent from outside is not the text's, and ends the program as it always did.
BOOST_AUTO_TEST_CASE(a_signal_that_is_sent_is_not_the_texts) {
  const TemporaryFolder folder;
  auto call = search("genetic", folder.file("slow.cl", misbehaving("while (bad) ;")));
  call.signal = SIGSEGV;
  call.signal_after = 2;
  const auto outcome = run(call);
  BOOST_TEST(outcome.signal == SIGSEGV);
  BOOST_TEST(!says(outcome.error, "crashed"), outcome.error);
}

BOOST_AUTO_TEST_CASE(the_last_checkpoint_survives_a_crash_and_a_hang) {
#ifdef CLOPT_SANITIZED
  constexpr auto limit_of_hanging = "40";
#else
  constexpr auto limit_of_hanging = "9";
#endif
  const TemporaryFolder folder;
  for (const std::string deed : {"*(volatile int*)(8 + zero) = 1;", "while (bad) ;"}) {
    const bool hangs = deed.starts_with("while");
    const auto file = (folder.path() / (hangs ? "hanging" : "crashing")).string();
    // Slow enough for checkpoints before it goes wrong.
    auto call =
        search("genetic",
               folder.file("late.cl", misbehaving("{ " + deed + " }\n  for (volatile int k = 0; k < 2000000; ++k) ;")));
    call.arguments.insert(call.arguments.end(), {"--generations", "100000", "--threads", "1", "--checkpoint", file,
                                                 "--time-limit", hangs ? limit_of_hanging : "60"});
    const auto outcome = run(call);
    BOOST_TEST(outcome.status == (hangs ? 0 : 3), outcome.error);
    BOOST_TEST(says(outcome.error, "late.cl"), outcome.error);
    // What it has is read again, the text too; there is nothing left to do.
    const auto again = run({"genetic", "--resume", file, "--generations", "1", "--json", "--device", "openmp:0"});
    BOOST_TEST(again.status == 0, again.error);
    BOOST_TEST(again.json()["resumed_generation"].get<int>() > 1);
  }
}

BOOST_AUTO_TEST_CASE(a_hang_is_told_with_its_text) {
  const TemporaryFolder folder;
  for (const auto* solver : {"genetic", "differential-evolution"}) {
    auto call = search(solver, folder.file("hang.cl", misbehaving("while (bad) ;")));
    call.arguments.insert(call.arguments.end(), {"--generations", "1000000", "--threads", "1", "--time-limit", "2"});
    const auto outcome = run_compiled(call);
    // What is found within one launch is not known before its end.
    BOOST_TEST(outcome.status == (outcome.json()["best"].is_null() ? 4 : 0));
    BOOST_TEST(says(outcome.error, "with the objective " + folder.path().string() + "/hang.cl"), outcome.error);
  }
}

BOOST_AUTO_TEST_CASE(functions_that_differ_are_told) {
  const TemporaryFolder folder;
  auto call = search("genetic", folder.file("erf.cl",
                                            "// clopt: reals, lower -1, upper 1\n"
                                            "real objective_term(individual x, uint i) {\n"
                                            "  return erf(gene(x, i)) + cbrt(gene(x, i)) + exp(gene(x, i));\n}\n"));
  call.arguments.insert(call.arguments.end(), {"--generations", "2"});
  const auto outcome = run(call);
  BOOST_TEST(outcome.status == 0, outcome.error);
  BOOST_TEST(says(outcome.error, "erf.cl calls erf, cbrt, which"), outcome.error);
  BOOST_TEST(says(outcome.error, "pow(fabs(x), 1 / 3.0)"), outcome.error);
  BOOST_TEST(outcome.error_lines() == 1U);
}

BOOST_AUTO_TEST_CASE(a_text_that_reaches_beyond_itself_is_refused_before_it_is_compiled) {
  const TemporaryFolder folder;
  auto call = search("genetic", folder.file("reads.cl",
                                            "#include \"/etc/passwd\"\n"
                                            "real objective_term(individual x, uint i) { return gene(x, i); }\n"));
  call.environment = {{"CXX", "/nowhere/c++"}};
  const auto outcome = run(call);
  BOOST_TEST(outcome.status == 2);
  BOOST_TEST(says(outcome.error, "reads.cl:1: the text of an objective may not have `#include`"), outcome.error);
  BOOST_TEST(outcome.error_lines() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
