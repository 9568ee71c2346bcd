#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <support/folder.hpp>
#include "refused.hpp"
#include "run.hpp"

using clopt::test::Call;
using clopt::test::joined;
using clopt::test::read_file;
using clopt::test::refused;
using clopt::test::run;
using clopt::test::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

// A run on the processor that solves its traps, and more.
Words small_ecga(const Words& more = {}) {
  return joined({"ecga", "--length", "20", "--population", "1201", "--device", "openmp:0"}, more);
}

nlohmann::json ecga_solved(Words words, int status = 0) {
  words.push_back("--json");
  const auto outcome = run(words);
  BOOST_TEST_CONTEXT(outcome.error) {
    BOOST_REQUIRE(outcome.status == status);
    BOOST_TEST(outcome.error.empty());
  }
  return outcome.json();
}

void ecga_refused(const Words& more, const std::string& naming) {
  refused(joined({"ecga", "--device", "openmp:0"}, more), naming);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_ecga)

BOOST_AUTO_TEST_CASE(has_the_fields_of_the_contract) {
  const auto result = ecga_solved(small_ecga({"--seed", "3"}));
  for (const char* field : {"problem", "device", "method", "seed", "seconds", "checksum", "version", "best", "model",
                            "generations", "evaluations"})
    BOOST_TEST(result.contains(field), "no field " << field);
  BOOST_TEST(result["problem"] == "ecga");
  BOOST_TEST(result["method"] == "greedy");
  BOOST_TEST(result["best"]["fitness"] == 20);
  const auto genes = result["best"]["genes"].get<std::vector<int>>();
  BOOST_TEST(std::accumulate(genes.begin(), genes.end(), 0) == 20);
  BOOST_TEST(result["evaluations"] == 1201 * (result["generations"].get<int>() + 1));
  // A partition of the loci: sorted groups, by their first loci.
  std::vector<int> loci;
  int last = -1;
  for (const auto& group : result["model"]) {
    const auto own = group.get<std::vector<int>>();
    BOOST_TEST(std::is_sorted(own.begin(), own.end()));
    BOOST_TEST(own.at(0) > last);
    last = own[0];
    loci.insert(loci.end(), own.begin(), own.end());
  }
  std::sort(loci.begin(), loci.end());
  std::vector<int> all(20);
  std::iota(all.begin(), all.end(), 0);
  BOOST_TEST(loci == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(how_it_counts_changes_nothing) {
  std::set<std::string> checksums;
  for (const Words& more : {Words{}, Words{"--counting", "table"}, Words{"--counting", "popcount"},
                            Words{"--counting", "matrix"}, Words{"--threads", "1"}, Words{"--threads", "3"}})
    checksums.insert(ecga_solved(small_ecga(more))["checksum"].get<std::string>());
  BOOST_TEST(checksums.size() == 1U);
  // Two runs may end with the same individuals; on their way they differ.
  const auto after_one = [](const char* seed) {
    return ecga_solved(small_ecga({"--generations", "1", "--seed", seed}))["checksum"].get<std::string>();
  };
  BOOST_TEST(after_one("1") != after_one("2"));
  BOOST_TEST(ecga_solved(small_ecga({"--search", "mating"}))["method"] == "mating");
}

BOOST_AUTO_TEST_CASE(devices_and_their_parts_find_the_same, *boost::unit_test::label("device")) {
  const Words words{"ecga", "--length", "60", "--population", "801", "--generations", "2", "--json"};
  const auto one = run(joined(words, {"--device", "openmp:0"})).json();
  Call call;
  call.arguments = joined(words, {"--device", "all"});
  call.environment = {{"CLOPT_SUB_DEVICES", "2"}};
  const auto all = run(call).json();
  BOOST_TEST(all["checksum"] == one["checksum"]);
  // rusticl's work-groups are too small for the forests of greedy search: the others do its part.
  const auto reason = all["reason"].get<std::string>();
  BOOST_TEST((reason.find("left out") == std::string::npos || reason.find("too small") != std::string::npos), reason);
}

BOOST_AUTO_TEST_CASE(limits_targets_and_several_runs) {
  const auto limited = ecga_solved(small_ecga({"--generations", "2"}));
  BOOST_TEST(limited["generations"] == 2);
  BOOST_TEST(limited["limit_reached"] == true);
  const auto converged = ecga_solved(small_ecga({"--generations", "1000"}));
  BOOST_TEST(converged["converged"] == true);
  BOOST_TEST(converged["limit_reached"] == false);
  BOOST_TEST(ecga_solved(small_ecga())["limit_reached"] == false);
  BOOST_TEST(ecga_solved(small_ecga({"--generations", "0"}))["evaluations"] == 1201);
  const auto evaluated = ecga_solved(small_ecga({"--evaluations", "1500"}));
  BOOST_TEST(evaluated["evaluations"] == 2402);
  BOOST_TEST(evaluated["converged"] == false);
  // A population that never changes.
  const auto stagnant = ecga_solved(small_ecga({"--stagnation", "3", "--tournament", "1", "--crossover", "0"}));
  BOOST_TEST(stagnant["generations"] == 3);
  BOOST_TEST(stagnant["converged"] == false);
  BOOST_TEST(ecga_solved(small_ecga({"--target", "21"}), 4)["target_reached"] == false);
  BOOST_TEST(ecga_solved(small_ecga({"--goal", "m-1"}))["target"] == 19);
  const auto several = ecga_solved(small_ecga({"--runs", "3", "--goal", "optimum"}));
  BOOST_TEST(several["runs"].size() == 3U);
  BOOST_TEST(several["successes"].get<int>() >= 2);
  const auto sized = ecga_solved({"ecga", "--length", "10", "--population", "auto", "--goal", "optimum"});
  const auto population = sized["sizing"]["population"].get<int>();
  BOOST_TEST(population > 16);
  BOOST_TEST(sized["sizing"]["largest_failed"].get<int>() < population);
  BOOST_TEST(sized["population"] == population);
  BOOST_TEST(
      ecga_solved({"ecga", "--length", "10", "--population", "double", "--goal", "optimum"})["best"]["fitness"] == 10);
}

BOOST_AUTO_TEST_CASE(problems_of_files_and_texts) {
  const TemporaryFolder folder;
  const auto formula = folder.file("some.cnf", "c all hold\np cnf 6 4\n1 2 0\n-1 3 0\n-3 4 0\n-6 5 0\n");
  const auto sat = ecga_solved({"ecga", "--objective", "maxsat:" + formula, "--population", "200", "--target", "4"});
  BOOST_TEST(sat["best"]["fitness"] == 4);
  BOOST_TEST(sat["length"] == 6);
  const auto text =
      folder.file("mine.cl", "int objective_count(individual x, uint i) { return gene(x, i) ? W : -W; }\n");
  const auto own =
      ecga_solved({"ecga", "--objective", text, "--length", "12", "--population", "200", "--constant", "W=3"});
  BOOST_TEST(own["best"]["fitness"] == 36);
  const auto least = folder.file(
      "least.cl",
      "// clopt: bits, minimise, optimum 0\nint objective_count(individual x, uint i) { return gene(x, i); }\n");
  const auto minimised = ecga_solved(
      {"ecga", "--objective", least, "--length", "12", "--population", "200", "--goal", "optimum", "--runs", "2"});
  BOOST_TEST(minimised["best"]["fitness"] == 0);
  BOOST_TEST(minimised["target_reached"] == true);
  BOOST_TEST(minimised["successes"] == 2);
}

BOOST_AUTO_TEST_CASE(files_that_tell_their_optimum) {
  const auto data = std::string(CLOPT_SOURCE) + "/tests/ecga/data/";
  const auto glass = ecga_solved({"ecga", "--objective", "ising:" + data + "IsingSpinGlass_pm_16_0.txt", "--population",
                                  "400", "--goal", "optimum"});
  BOOST_TEST(glass["length"] == 16);
  BOOST_TEST(glass["optimum"] == 20);
  BOOST_TEST(glass["best"]["fitness"] == 20);
  BOOST_TEST(glass["target_reached"] == true);
  const TemporaryFolder folder;
  const auto formula = folder.file("some.wcnf", "c optimum 9\nh 1 2 0\n4 -1 0\n5 -2 3 0\n");
  const auto weighted =
      ecga_solved({"ecga", "--objective", "maxsat:" + formula, "--population", "100", "--goal", "optimum"});
  BOOST_TEST(weighted["best"]["fitness"] == 9);
}

BOOST_AUTO_TEST_CASE(a_run_that_drifts_ends_by_itself) {
  // Every individual is as good as any other: they never become equal, and nothing gets better.
  const TemporaryFolder folder;
  const auto text = folder.file("flat.cl", "real objective(individual x) { return 1; }\n");
  const auto file = (folder.path() / "best.txt").string();
  const Words words{"ecga", "--objective", text, "--length", "12", "--population", "3001", "--tournament", "1"};
  const auto flat = ecga_solved(joined(words, {"--output", file}));
  BOOST_TEST(flat["generations"] == 50);
  BOOST_TEST(flat["converged"] == false);
  std::string genes;
  for (const auto& gene : flat["best"]["genes"]) genes += gene == 1 ? '1' : '0';
  BOOST_TEST(read_file(file) == genes + "\n");
  BOOST_TEST(ecga_solved(joined(words, {"--stagnation", "0", "--generations", "60"}))["generations"] == 60);
}

BOOST_AUTO_TEST_CASE(a_run_goes_on_from_its_checkpoint) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  const auto nk = folder.file("nk.txt", "4 1\n1 0 3 1 2\n2 1 0 2 4\n3 5 0 0 1\n0 1 1 2 2\n");
  for (const Words& problem :
       {Words{"--length", "20"}, Words{"--objective", "nk2", "--length", "20"}, Words{"--objective", "nk:" + nk}}) {
    const auto words = joined(joined({"ecga", "--population", "301"}, problem), {"--device", "openmp:0"});
    const auto whole = ecga_solved(joined(words, {"--statistics", file("a.csv"), "--model", file("a.json")}));
    ecga_solved(joined(words, {"--generations", "1", "--checkpoint", file("run"), "--statistics", file("b.csv"),
                               "--model", file("b.json")}));
    const auto rest =
        ecga_solved({"ecga", "--resume", file("run"), "--checkpoint", file("run"), "--statistics", file("b.csv"),
                     "--model", file("b.json"), "--generations", "1000", "--threads", "1"});
    BOOST_TEST(rest["checksum"] == whole["checksum"]);
    BOOST_TEST(rest["best"] == whole["best"]);
    BOOST_TEST(rest["model"] == whole["model"]);
    BOOST_TEST(rest["evaluations"] == whole["evaluations"]);
    BOOST_TEST(read_file(file("a.json")) == read_file(file("b.json")));
    // All columns but the time and the passes: a run that goes on has no blocks of before to foresee models from.
    const auto without_times = [](const std::string& text) {
      std::string kept;
      for (std::size_t at = 0; at < text.size();) {
        const auto end = text.find('\n', at);
        const auto line = text.substr(at, end - at);
        kept += line.substr(0, line.rfind(',', line.rfind(',') - 1)) + "\n";
        at = end + 1;
      }
      return kept;
    };
    BOOST_TEST(without_times(read_file(file("a.csv"))) == without_times(read_file(file("b.csv"))));
    BOOST_TEST(ecga_solved({"ecga", "--resume", file("run")})["checksum"] == whole["checksum"]);
    refused({"ecga", "--resume", file("run"), "--seed", "9"}, "--seed 9");
    std::filesystem::remove(file("run"));
    std::filesystem::remove(file("b.csv"));
  }
}

BOOST_AUTO_TEST_CASE(models_and_pictures) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  const auto result = ecga_solved(small_ecga({"--plot", file("run.svg"), "--model", file("model.svg")}));
  for (const char* picture : {"run.svg", "model.svg"}) {
    const auto text = read_file(file(picture));
    BOOST_TEST(text.find("<svg") != std::string::npos);
    BOOST_TEST(text.find("</svg>") != std::string::npos);
  }
  BOOST_TEST(read_file(file("model.svg")).find("0 1 2 3 4") != std::string::npos);
  ecga_solved(small_ecga({"--model", file("model.txt"), "--model", file("model.json"), "--model", file("other.svg")}));
  BOOST_TEST(read_file(file("other.svg")) == read_file(file("model.svg")));
  BOOST_TEST(nlohmann::json::parse(read_file(file("model.json")))["length"] == 20);
  const auto lines = read_file(file("model.txt"));
  BOOST_TEST(std::count(lines.begin(), lines.end(), '\n') == result["generations"].get<int>());
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused) {
  const TemporaryFolder folder;
  ecga_refused({}, "needs a --length");
  ecga_refused({"--length", "12"}, "do not divide the --length 12");
  ecga_refused({"--length", "10", "--population", "7"}, "--tournament 8");
  ecga_refused({"--length", "10", "--population", "0"}, "--population 0");
  ecga_refused({"--length", "10", "--population", "100", "--crossover", "1.5"}, "--crossover 1.5");
  ecga_refused({"--length", "10", "--population", "100", "--crossover", "nan"}, "--crossover nan");
  ecga_refused({"--length", "10", "--search", "gredy"}, "--search");
  ecga_refused({"--length", "10", "--counting", "fast"}, "--counting");
  ecga_refused({"--length", "10", "--largest-group", "11"}, "--largest-group 11");
  ecga_refused({"--length", "10", "--objective", "trap1"}, "orders from 2 to 32");
  for (const char* generations : {"-1", "ten", "1.5", ""})
    ecga_refused({"--length", "10", "--stagnation", generations}, "--stagnation");
  ecga_refused({"--length", "10", "--output", "/nowhere/best.txt"}, "/nowhere/best.txt");
  const auto twice = (folder.path() / "twice.json").string();
  ecga_refused({"--length", "10", "--model", twice, "--model", twice}, "twice");
  ecga_refused({"--length", "10", "--model", twice, "--output", twice}, "the same file");
  ecga_refused({"--length", "10", "--model", twice, "--model", (folder.path() / "m").string()}, ".svg");
  const auto glass = [&](const std::string& text) { return "ising:" + folder.file("glass.txt", text); };
  ecga_refused({"--objective", glass("-1 01\n1\n0 1 1\n")}, "has the energy 1, and not -1");
  ecga_refused({"--objective", glass("-1 0\n")}, "2 spins or more");
  ecga_refused({"--objective", glass("-1 00\n1\n0 2 1\n")}, "glass.txt:3");
  ecga_refused({"--objective", glass("2 1\n1 2 1\n"), "--goal", "optimum"}, "best value");
  ecga_refused({"--objective", "nk:" + folder.file("ring.txt", "1 111\n2 000\n1 2 3\n")}, "3 values");
  const auto formula = [&](const std::string& text) { return "maxsat:" + folder.file("f.wcnf", text); };
  ecga_refused({"--objective", formula("p wcnf 2 1 9\n-4 1 0\n")}, "f.wcnf:2");
  ecga_refused({"--objective", formula("h 1 0\n99999999 2 0\n")}, "2^24");
  ecga_refused({"--objective", formula("h 1\n")}, "the file ends");
  ecga_refused({"--objective", formula("p max 2 1\n")}, "cnf and wcnf");
  ecga_refused({"--length", "10", "--evaluations", "0"}, "--evaluations 0");
  ecga_refused({"--length", "10", "--objective", "ackley"}, "ackley");
  ecga_refused({"--length", "10", "--population", "auto"}, "--goal");
  ecga_refused({"--length", "25", "--objective", "ising", "--goal", "optimum"}, "best value");
  ecga_refused({"--length", "10", "--goal", "optimum", "--target", "3"}, "--target");
  ecga_refused({"--length", "10", "--runs", "2", "--checkpoint", (folder.path() / "c").string()}, "--checkpoint");
  ecga_refused({"--length", "10", "--model", (folder.path() / "m.pdf").string()}, ".svg");
  ecga_refused({"--length", "10", "--model", "/nowhere/m.svg"}, "/nowhere/m.svg");
  ecga_refused({"--objective", "maxsat:" + folder.file("bad.cnf", "p cnf 2 1\n7 0\n")}, "bad.cnf:2");
  ecga_refused({"--objective", "maxsat:" + folder.file("ok.cnf", "p cnf 2 1\n1 0\n"), "--length", "3"}, "2 loci");
  const auto infinite = folder.file("inf.cl", "real objective(individual x) { return 1 / (real)gene(x, 0); }\n");
  ecga_refused({"--objective", infinite, "--length", "9", "--population", "50"}, "finite");
  const auto wrong = folder.file("wrong.cl", "real objective(individual x) {\n  return gene(y, 0);\n}\n");
  ecga_refused({"--objective", wrong, "--length", "9", "--population", "50"}, "wrong.cl:2");
  const auto other = folder.file("other.cl", "\nfloat objective(const float x, int d) { return x; }\n");
  ecga_refused({"--objective", other, "--length", "9", "--population", "50"}, "other.cl:2");
  // Wherever the comment says it.
  for (const char* comment : {"reals", "minimise, reals", "minimise,reals, optimum 0"}) {
    const auto reals = folder.file(
        "reals.cl", fmt::format("// clopt: {}\nreal objective(individual x) {{ return gene(x, 0); }}\n", comment));
    ecga_refused({"--objective", reals, "--length", "9", "--population", "50"}, "one of reals");
  }
  BOOST_TEST(run({"ecga", "--help"}).output.find("--population") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
