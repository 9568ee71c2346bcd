#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "refused.hpp"
#include "run.hpp"

using clopt::test::refused;
using clopt::test::run;
using clopt::test::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

// A short run on the processor, and more.
Words small(const Words& more = {}) {
  Words words{"genetic", "--genes", "40", "--population", "21", "--generations", "15", "--device", "openmp:0"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json solved(Words words, int status = 0) {
  words.push_back("--json");
  const auto outcome = run(words);
  BOOST_TEST_CONTEXT(outcome.error) {
    BOOST_REQUIRE(outcome.status == status);
    BOOST_TEST(outcome.error.empty());
    BOOST_TEST(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 1);
  }
  return outcome.json();
}

void refused_with(const Words& more, const std::string& naming) {
  Words words{"genetic", "--device", "openmp:0"};
  words.insert(words.end(), more.begin(), more.end());
  refused(words, naming);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_genetic)

BOOST_AUTO_TEST_CASE(has_the_fields_of_the_contract) {
  const auto result = solved(small({"--seed", "7"}));
  for (const char* field :
       {"problem", "device", "method", "seed", "seconds", "checksum", "version", "best", "generations", "evaluations"})
    BOOST_TEST(result.contains(field), "no field " << field);
  BOOST_TEST(result["problem"] == "genetic");
  BOOST_TEST(result["seed"] == 7);
  BOOST_TEST(result["generations"] == 15);
  BOOST_TEST(result["evaluations"] == 21 * 16);
  BOOST_TEST(result["seconds"]["total"].get<double>() >= result["seconds"]["compute"].get<double>());
  const auto genes = result["best"]["genes"].get<std::vector<int>>();
  BOOST_TEST(genes.size() == 40U);
  BOOST_TEST(result["best"]["fitness"] == std::accumulate(genes.begin(), genes.end(), 0));
}

BOOST_AUTO_TEST_CASE(who_works_on_it_changes_nothing) {
  std::set<std::string> checksums;
  std::set<std::string> methods;
  for (const char* granularity : {"auto", "thread", "group", "subgroup", "hybrid", "fused"})
    for (const Words& more : {Words{"--individuals-per-group", "1"}, Words{"--individuals-per-group", "32"},
                              Words{"--threads", "1"}, Words{"--threads", "3"}}) {
      auto words = small(more);
      words.insert(words.end(), {"--granularity", granularity});
      const auto result = solved(words);
      checksums.insert(result["checksum"].get<std::string>() + result["best"].dump());
      if (std::string(granularity) != "auto") BOOST_TEST(result["method"] == granularity);
      methods.insert(result["method"].get<std::string>());
    }
  BOOST_TEST(checksums.size() == 1U);
  BOOST_TEST(methods.size() == 5U);
  BOOST_TEST(solved(small({"--seed", "2"}))["checksum"] != solved(small())["checksum"]);
}

BOOST_AUTO_TEST_CASE(objectives_and_kinds_of_genes) {
  for (const char* name : {"sphere", "rosenbrock", "rastrigin", "ackley"})
    for (const char* precision : {"float", "double"}) {
      const auto result = solved(small({"--objective", name, "--precision", precision}));
      BOOST_TEST(result["best"]["fitness"].get<double>() >= 0);
      BOOST_TEST(result["best"]["genes"].size() == 40U);
    }
  const TemporaryFolder folder;
  const auto tour = folder.file("tour.cl",
                                "// clopt: permutation, minimise\n"
                                "int objective_count(individual x, uint i) { return gene(x, i) == i ? 0 : COST; }\n");
  const auto result = solved(small({"--objective", tour, "--constant", "COST=3"}));
  auto order = result["best"]["genes"].get<std::vector<int>>();
  const auto misplaced =
      std::count_if(order.begin(), order.end(), [&](int& gene) { return gene != &gene - &order[0]; });
  BOOST_TEST(result["best"]["fitness"] == 3 * misplaced);
  std::sort(order.begin(), order.end());
  for (int i = 0; i < 40; ++i) BOOST_TEST(order[static_cast<std::size_t>(i)] == i);
}

BOOST_AUTO_TEST_CASE(limits_and_targets) {
  BOOST_TEST(solved(small({"--target", "40"}))["generations"] == 0);
  BOOST_TEST(solved(small({"--target", "-1"}), 4)["generations"] == 15);
  BOOST_TEST(solved({"genetic", "--genes", "9", "--population", "2", "--generations", "0"})["evaluations"] == 2);
  BOOST_TEST(solved({"genetic", "--population", "100", "--evaluations", "1000"})["evaluations"] == 1000);
  BOOST_TEST(solved({"genetic", "--time-limit", "0"})["ending"] == "time");
  BOOST_TEST(solved({"genetic", "--time-limit", "0", "--target", "0"}, 4)["target_reached"] == false);
  const auto stagnant = solved({"genetic", "--genes", "3", "--mutation", "0", "--crossover", "0", "--stagnation", "5"});
  BOOST_TEST(stagnant["ending"] == "stagnation");
}

BOOST_AUTO_TEST_CASE(statistics_pictures_and_populations) {
  const TemporaryFolder folder;
  const auto table = (folder.path() / "statistics.csv").string();
  const auto picture = (folder.path() / "picture.svg").string();
  const auto population = (folder.path() / "population.csv").string();
  const auto result =
      solved(small({"--islands", "2", "--statistics", table, "--plot", picture, "--output", population}));
  const auto lines = [](const std::string& file) {
    std::ifstream stream(file);
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  };
  const auto rows = lines(table);
  BOOST_REQUIRE(rows.size() == 1 + 2 * 16U);
  BOOST_TEST(rows[0].starts_with("generation,island,evaluations,best,mean,worst"));
  BOOST_TEST(rows[1].starts_with("0,0,"));
  BOOST_TEST(rows.back().starts_with("15,1,"));
  BOOST_TEST(lines(picture).back() == "</svg>");
  BOOST_TEST(lines(population).size() == 1 + 2 * 21U);
  BOOST_TEST(result["checksum"] == solved(small({"--islands", "2"}))["checksum"]);
}

BOOST_AUTO_TEST_CASE(begins_with_a_given_population) {
  const TemporaryFolder folder;
  const auto best = folder.file("initial.txt", std::string(40, '0') + "\n" + std::string(40, '1') + "\n");
  const auto result =
      solved({"genetic", "--genes", "40", "--population", "21", "--generations", "0", "--initial", best});
  BOOST_TEST(result["best"]["fitness"] == 0);
  refused_with({"--genes", "39", "--initial", best}, "individual 1");
  refused_with({"--genes", "40", "--population", "2", "--initial",
                folder.file("three", std::string(40, '0') + "\n" + std::string(40, '1') + "\n" + std::string(40, '0'))},
               "3 individuals");
  refused_with({"--genes", "2", "--initial", folder.file("twos", "1 2\n")}, "2");
  refused_with({"--objective", "sphere", "--genes", "2", "--initial", folder.file("far", "1 200\n")}, "200");
}

BOOST_AUTO_TEST_CASE(validation_runs_every_granularity) {
  const auto result = solved({"validate", "--solver", "genetic", "--device", "openmp:0"});
  BOOST_TEST(result["agree"] == true);
  std::set<std::string> cases;
  for (const auto& each : result["cases"]) {
    BOOST_TEST(each["agree"] == true, each.dump());
    BOOST_TEST(each["checksums"].contains("openmp:0"), each.dump());
    cases.insert(each["case"].get<std::string>());
  }
  for (const char* granularity : {"auto", "thread", "group", "subgroup", "hybrid", "fused"})
    for (const char* work : {"onemax/roulette", "rastrigin/line", "integers/two-point", "permutation/order"})
      BOOST_TEST(cases.count("genetic/" + std::string(granularity) + "/" + work) == 1U);
}

BOOST_AUTO_TEST_CASE(numbers_out_of_range) {
  for (const char* probability : {"2", "-0.1", "nan", "inf", "", "1e-1x", "half"})
    for (const char* option : {"--crossover", "--mutation"}) refused_with({option, probability}, option);
  for (const char* population : {"0", "1", "-5", "1e3", "99999999999"})
    refused_with({"--population", population}, "--population");
  for (const char* genes : {"0", "-1", "4294967296"}) refused_with({"--genes", genes}, "--genes");
  for (const char* group : {"0", "33", "-1"})
    refused_with({"--individuals-per-group", group}, "--individuals-per-group");
  for (const char* target : {"nan", "inf", "ten"}) refused_with({"--target", target}, "--target");
  refused_with({"--generations", "-1"}, "--generations");
  refused_with({"--evaluations", "0"}, "--evaluations");
  refused_with({"--stagnation", "0"}, "--stagnation");
  refused_with({"--elites", "128"}, "--elites");
  refused_with({"--islands", "0"}, "--islands");
  refused_with({"--time-limit", "nan"}, "--time-limit");
}

BOOST_AUTO_TEST_CASE(choices_that_are_none_or_contradict) {
  refused_with({"--selection", "roulete"}, "roulette");
  refused_with({"--granularity", "warp"}, "subgroup");
  refused_with({"--crossover-kind", "three-point"}, "two-point");
  refused_with({"--mutation-kind", "flop"}, "flip");
  refused_with({"--precision", "half"}, "double");
  refused_with({"--crossover-kind", "line"}, "line");
  refused_with({"--mutation-kind", "gaussian"}, "gaussian");
  refused_with({"--objective", "sphere", "--mutation-kind", "flip"}, "flip");
  refused_with({"--tournament", "3"}, "--selection");
  refused_with({"--step", "3"}, "--mutation-kind");
  refused_with({"--migrate-every", "3"}, "--islands");
  refused_with({"--migrants", "1", "--islands", "3"}, "--migrate-every");
  refused_with({"--lower", "0"}, "--lower");
  refused_with({"--objective", "sphere", "--lower", "5", "--upper", "1"}, "lower");
  refused_with({"--objective", "sphere", "--genes", "4", "--lower", "1,2,3"}, "--lower");
  refused_with({"--objective", "sphere", "--lower", "1,,3"}, "--lower");
  refused({"genetic", "--device", "openmp:0,openmp:0,none"}, "openmp:0", {}, 3);
}

BOOST_AUTO_TEST_CASE(objectives_that_are_none) {
  const TemporaryFolder folder;
  refused_with({"--objective", "onemx"}, "onemax");
  refused_with({"--objective", (folder.path() / "none.cl").string()}, "none.cl");
  refused_with({"--objective", folder.file("empty.cl", "")}, "empty.cl");
  const auto wrong =
      folder.file("wrong.cl", "// clopt: bits, minimise\n\nreal objective(individual x) {\n  return y;\n}\n");
  refused_with({"--objective", wrong}, "wrong.cl:4");
  refused_with({"--objective", "onemax", "--constant", "A=1"}, "--constant");
  refused_with({"--objective", wrong, "--constant", "A"}, "--constant");
  refused_with({"--objective", wrong, "--constant", "A=x"}, "--constant");
  refused_with({"--objective", wrong, "--table", "A=" + (folder.path() / "none").string()}, "none");
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_written) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "file").string();
  for (const char* option : {"--statistics", "--plot", "--checkpoint", "--output"}) {
    refused_with({option, folder.path().string()}, folder.path().string());
    refused_with({option, (folder.path() / "none" / "file").string()}, "none");
    refused_with({option, ""}, "name");
  }
  refused_with({"--statistics", file, "--plot", file}, "same file");
  refused_with({"--checkpoint", file, "--statistics", folder.path().string() + "/./file"}, "same file");
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
  // A disk that fills up ends with a message, after the result.
  const auto full = run(small({"--statistics", "/dev/full", "--json"}));
  BOOST_TEST(full.status == 2);
  BOOST_TEST(full.error.find("/dev/full") != std::string::npos);
  BOOST_TEST(full.json()["checksum"] == solved(small())["checksum"]);
}

BOOST_AUTO_TEST_SUITE_END()
