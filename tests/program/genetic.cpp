#include <clopt/checkpoint.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <support/folder.hpp>
#include "refused.hpp"
#include "run.hpp"

using clopt::test::refused;
using clopt::test::run;
using clopt::test::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

// A short run on the processor, and more.
Words small_genetic(const Words& more = {}) {
  Words words{"genetic", "--genes", "40", "--population", "21", "--generations", "15", "--device", "openmp:0"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json genetic_solved(Words words, int status = 0) {
  words.push_back("--json");
  const auto outcome = run(words);
  BOOST_TEST_CONTEXT(outcome.error) {
    BOOST_REQUIRE(outcome.status == status);
    BOOST_TEST(outcome.error.empty());
    BOOST_TEST(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 1);
  }
  return outcome.json();
}

void genetic_refused(const Words& more, const std::string& naming) {
  Words words{"genetic", "--device", "openmp:0"};
  words.insert(words.end(), more.begin(), more.end());
  refused(words, naming);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_genetic)

BOOST_AUTO_TEST_CASE(has_the_fields_of_the_contract) {
  const auto result = genetic_solved(small_genetic({"--seed", "7"}));
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
      auto words = small_genetic(more);
      words.insert(words.end(), {"--granularity", granularity});
      const auto result = genetic_solved(words);
      checksums.insert(result["checksum"].get<std::string>() + result["best"].dump());
      if (std::string(granularity) != "auto") BOOST_TEST(result["method"] == granularity);
      methods.insert(result["method"].get<std::string>());
    }
  BOOST_TEST(checksums.size() == 1U);
  BOOST_TEST(methods.size() == 5U);
  BOOST_TEST(genetic_solved(small_genetic({"--seed", "2"}))["checksum"] != genetic_solved(small_genetic())["checksum"]);
}

BOOST_AUTO_TEST_CASE(objectives_and_kinds_of_genes) {
  for (const char* name : {"sphere", "rosenbrock", "rastrigin", "ackley"})
    for (const char* precision : {"float", "double"}) {
      const auto result = genetic_solved(small_genetic({"--objective", name, "--precision", precision}));
      BOOST_TEST(result["best"]["fitness"].get<double>() >= 0);
      BOOST_TEST(result["best"]["genes"].size() == 40U);
    }
  const TemporaryFolder folder;
  const auto tour = folder.file("tour.cl",
                                "// clopt: permutation, minimise\n"
                                "int objective_count(individual x, uint i) { return gene(x, i) == i ? 0 : COST; }\n");
  const auto result = genetic_solved(small_genetic({"--objective", tour, "--constant", "COST=3"}));
  auto order = result["best"]["genes"].get<std::vector<int>>();
  const auto misplaced =
      std::count_if(order.begin(), order.end(), [&](int& gene) { return gene != &gene - &order[0]; });
  BOOST_TEST(result["best"]["fitness"] == 3 * misplaced);
  std::sort(order.begin(), order.end());
  for (int i = 0; i < 40; ++i) BOOST_TEST(order[static_cast<std::size_t>(i)] == i);
}

BOOST_AUTO_TEST_CASE(limits_and_targets) {
  BOOST_TEST(genetic_solved(small_genetic({"--target", "40"}))["generations"] == 0);
  BOOST_TEST(genetic_solved(small_genetic({"--target", "-1"}), 4)["generations"] == 15);
  BOOST_TEST(genetic_solved({"genetic", "--genes", "9", "--population", "2", "--generations", "0"})["evaluations"] ==
             2);
  BOOST_TEST(genetic_solved({"genetic", "--population", "100", "--evaluations", "1000"})["evaluations"] == 1000);
  BOOST_TEST(genetic_solved({"genetic", "--time-limit", "0"})["ending"] == "time");
  const auto overflow = genetic_solved(
      {"genetic", "--objective", "sphere", "--lower", "1e30", "--upper", "1e31", "--generations", "2"}, 4);
  BOOST_TEST(overflow["best"]["fitness"].is_null());
  BOOST_TEST(genetic_solved({"genetic", "--time-limit", "0", "--target", "0"}, 4)["target_reached"] == false);
  const auto stagnant =
      genetic_solved({"genetic", "--genes", "3", "--mutation", "0", "--crossover", "0", "--stagnation", "5"});
  BOOST_TEST(stagnant["ending"] == "stagnation");
  // 0 is never, for every solver that has the limit.
  BOOST_TEST(genetic_solved({"genetic", "--genes", "3", "--mutation", "0", "--crossover", "0", "--stagnation", "0",
                             "--generations", "60"})["generations"] == 60);
  BOOST_TEST(genetic_solved({"genetic", "--genes", "3", "--mutation", "0", "--stagnation", "0"})["generations"] ==
             2000);
}

BOOST_AUTO_TEST_CASE(statistics_pictures_and_populations) {
  const TemporaryFolder folder;
  const auto table = (folder.path() / "statistics.csv").string();
  const auto picture = (folder.path() / "picture.svg").string();
  const auto population = (folder.path() / "population.csv").string();
  const auto result = genetic_solved(
      small_genetic({"--islands", "2", "--statistics", table, "--plot", picture, "--output", population}));
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
  BOOST_TEST(result["checksum"] == genetic_solved(small_genetic({"--islands", "2"}))["checksum"]);
}

BOOST_AUTO_TEST_CASE(begins_with_a_given_population) {
  const TemporaryFolder folder;
  const auto best = folder.file("initial.txt", std::string(40, '0') + "\n" + std::string(40, '1') + "\n");
  const auto result =
      genetic_solved({"genetic", "--genes", "40", "--population", "21", "--generations", "0", "--initial", best});
  BOOST_TEST(result["best"]["fitness"] == 0);
  genetic_refused({"--genes", "39", "--initial", best}, "individual 1");
  genetic_refused(
      {"--genes", "40", "--population", "2", "--initial",
       folder.file("three", std::string(40, '0') + "\n" + std::string(40, '1') + "\n" + std::string(40, '0'))},
      "3 individuals");
  genetic_refused({"--genes", "2", "--initial", folder.file("twos", "1 2\n")}, "2");
  genetic_refused({"--objective", "sphere", "--genes", "2", "--initial", folder.file("far", "1 200\n")}, "200");
}

// What was used stands in the result; the paper's setting is that of onemax.
BOOST_AUTO_TEST_CASE(presets_are_told) {
  const auto onemax = genetic_solved(small_genetic());
  BOOST_TEST(onemax["settings"]["preset"] == "paper");
  BOOST_TEST(onemax["settings"]["selection"] == "roulette");
  BOOST_TEST(onemax["settings"]["crossover"] == 0.8);
  BOOST_TEST(onemax["settings"]["mutation"] == 0.0001);
  BOOST_TEST(onemax["settings"]["elites"] == 0);
  BOOST_TEST(onemax["checksum"] == genetic_solved(small_genetic({"--preset", "paper"}))["checksum"]);
  const Words rastrigin{"genetic",       "--objective", "rastrigin", "--genes", "5",
                        "--generations", "9",           "--device",  "openmp:0"};
  const auto with = [&](const Words& more) {
    auto words = rastrigin;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto chosen = genetic_solved(rastrigin);
  BOOST_TEST(chosen["settings"]["preset"] == "auto");
  BOOST_TEST(chosen["settings"]["population"] == chosen["population"]);
  BOOST_TEST(chosen["settings"]["elites"].get<int>() > 0);
  const auto paper = genetic_solved(with({"--preset", "paper"}));
  BOOST_TEST(paper["settings"]["crossover_kind"] == "line");
  BOOST_TEST(paper["settings"]["step"] == "1 % of the range");
  BOOST_TEST(paper["checksum"] != chosen["checksum"]);
  const auto given =
      genetic_solved(with({"--selection", "rank", "--population", "10", "--elites", "1", "--restart", "3"}));
  BOOST_TEST(given["settings"]["selection"] == "rank");
  BOOST_TEST(given["settings"]["population"] == 10);
  BOOST_TEST(given["settings"]["elites"] == 1);
  BOOST_TEST(given["settings"]["restart"] == 3);
  BOOST_TEST(run(rastrigin).output.find("preset    auto: ") != std::string::npos);
  genetic_refused({"--preset", "best"}, "paper");
  genetic_refused({"--improve", "two-opt"}, "--improve");
  genetic_refused({"--restart", "-1"}, "--restart");
}

// Problems with data: by their files, and on from a checkpoint when these are gone.
BOOST_AUTO_TEST_CASE(tours_and_assignments) {
  const TemporaryFolder folder;
  const auto tour = folder.file("five.tsp",
                                "TYPE: TSP\nDIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
                                "1 0 0\n2 10 10\n3 10 0\n4 0 10\n5 5 15\nEOF\n");
  const auto checkpoint = (folder.path() / "run.checkpoint").string();
  const auto words = [&](const Words& more) {
    Words all{"genetic", "--device", "openmp:0"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const auto found =
      genetic_solved(words({"--objective", "tour:" + tour, "--generations", "3", "--checkpoint", checkpoint}));
  BOOST_TEST(found["best"]["fitness"] == 10 + 10 + 10 + 7 + 7);
  BOOST_TEST(found["settings"]["improve"] == "two-opt");
  const auto whole = genetic_solved(words({"--objective", "tour:" + tour, "--generations", "9"}));
  std::filesystem::remove(tour);
  BOOST_TEST(genetic_solved(words({"--resume", checkpoint, "--generations", "9"}))["checksum"] == whole["checksum"]);
  const auto places = folder.file("two.dat", "2\n0 1\n1 0\n0 3\n4 0\n");
  BOOST_TEST(genetic_solved(words({"--objective", "qap:" + places, "--generations", "1"}))["best"]["fitness"] == 7);
  BOOST_TEST(genetic_solved(words({"--objective", "trap5", "--genes", "20", "--generations", "1"}))["genes"] == 20);
  genetic_refused({"--objective", "tour:" + tour}, "cannot be read");
  genetic_refused({"--objective", "qap:" + places, "--genes", "3"}, "--genes");
  genetic_refused({"--objective", "qap:" + places, "--lower", "3"}, "--lower");
  genetic_refused({"--objective", "qap:" + places, "--constant", "A=3"}, "--constant");
  genetic_refused({"--objective", "trap5"}, "--genes");
  genetic_refused({"--objective", "trap5", "--genes", "21"}, "blocks of 5");
}

// A table of n cities has n^2 numbers: in the checkpoint's text it would be several times as large as in an array.
BOOST_AUTO_TEST_CASE(a_table_is_no_part_of_the_parameters) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "run.checkpoint").string();
  const auto cities = std::string(CLOPT_SOURCE) + "/tests/genetic/data/berlin52.tsp";
  for (const Words& words :
       {Words{"genetic", "--objective", "tour:" + cities}, Words{"genetic", "--objective", "nk5", "--genes", "60"},
        Words{"ecga", "--objective", "nk5", "--length", "60", "--population", "40"}})
    BOOST_TEST_CONTEXT(words[0] << " " << words[2]) {
      auto all = words;
      all.insert(all.end(), {"--generations", "1", "--device", "openmp:0", "--checkpoint", file});
      BOOST_TEST(run(all).status == 0);
      const auto checkpoint = clopt::Checkpoint::read(file, words[0]);
      BOOST_TEST(checkpoint.parameters().size() < 2000U);
      BOOST_TEST(checkpoint.has("program.table"));
    }
}

// As ECGA has it: of built-in objectives, of traps, and of files that state their best value.
BOOST_AUTO_TEST_CASE(a_goal_is_a_target_by_name) {
  const TemporaryFolder folder;
  const auto checkpoint = (folder.path() / "run.checkpoint").string();
  const auto formula = folder.file("two.cnf", "c optimum 2\np cnf 2 2\n1 2 0\n-1 2 0\n");
  for (const Words& words : {Words{"--objective", "trap5", "--genes", "10"}, Words{"--objective", "maxsat:" + formula},
                             Words{"--genes", "8", "--mutation", "0.1"}})
    BOOST_TEST_CONTEXT(words.back()) {
      Words all{"genetic", "--device", "openmp:0", "--goal", "optimum", "--checkpoint", checkpoint};
      all.insert(all.end(), words.begin(), words.end());
      const auto result = genetic_solved(all);
      BOOST_TEST(result["ending"] == "target");
      BOOST_TEST(result["target_reached"] == true);
      BOOST_TEST(result["best"]["fitness"] == result["optimum"]);
      const auto again =
          genetic_solved({"genetic", "--device", "openmp:0", "--goal", "optimum", "--resume", checkpoint});
      BOOST_TEST(again["checksum"] == result["checksum"]);
    }
  const auto unknown = folder.file("unknown.cnf", "p cnf 2 2\n1 2 0\n-1 2 0\n");
  genetic_refused({"--objective", "maxsat:" + unknown, "--goal", "optimum"}, "--target");
  genetic_refused({"--goal", "optimum", "--target", "3"}, "--target");
  genetic_refused({"--goal", "best"}, "optimum");
}

// How many are feasible, and by how much each individual is not.
BOOST_AUTO_TEST_CASE(constraints_are_told_in_all_files) {
  const TemporaryFolder folder;
  const auto objective = folder.file("constrained.cl",
                                     "// clopt: reals, minimise, lower 0, upper 1\n"
                                     "real objective(individual x) { return gene(x, 0); }\n"
                                     "real violation(individual x) { return 0.75 - gene(x, 0); }\n");
  const auto statistics = (folder.path() / "statistics.csv").string();
  const auto output = (folder.path() / "population.csv").string();
  const auto result =
      genetic_solved({"genetic", "--device", "openmp:0", "--objective", objective, "--genes", "1", "--population", "40",
                      "--generations", "0", "--statistics", statistics, "--output", output});
  BOOST_TEST(result["settings"]["precision"] == "double");
  BOOST_TEST(result["feasible"] == true);
  std::istringstream rows(clopt::test::read_file(output));
  std::string row;
  std::getline(rows, row);
  BOOST_TEST(row == "value,violation,gene0");
  std::uint64_t feasible = 0;
  std::size_t count = 0;
  for (; std::getline(rows, row); ++count) {
    std::istringstream cells(row);
    std::string value;
    std::string violation;
    std::string gene;
    std::getline(std::getline(std::getline(cells, value, ','), violation, ','), gene);
    const double missing = std::max(0.0, 0.75 - std::stod(gene));
    feasible += missing == 0;
    BOOST_TEST(value == (missing == 0 ? gene : "inf"));
    BOOST_TEST(std::stod(violation) == missing, boost::test_tools::tolerance(1e-9));
  }
  BOOST_TEST(count == 40U);
  BOOST_TEST((feasible > 0 && feasible < 40));
  const auto told = clopt::test::read_file(statistics);
  BOOST_TEST(told.find(",distinct,feasible\n") != std::string::npos);
  BOOST_TEST(told.find("," + std::to_string(feasible) + "\n") != std::string::npos);
  // Floats where they are asked for.
  BOOST_TEST(genetic_solved({"genetic", "--device", "openmp:0", "--objective", objective, "--genes", "1",
                             "--generations", "3", "--precision", "float"})["settings"]["precision"] == "float");
}

BOOST_AUTO_TEST_CASE(validation_runs_every_granularity) {
  const auto result = genetic_solved({"validate", "--solver", "genetic", "--device", "openmp:0"});
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
    for (const char* option : {"--crossover", "--mutation"}) genetic_refused({option, probability}, option);
  for (const char* population : {"0", "1", "-5", "1e3", "99999999999"})
    genetic_refused({"--population", population}, "--population");
  for (const char* genes : {"0", "-1", "4294967296"}) genetic_refused({"--genes", genes}, "--genes");
  for (const char* group : {"0", "33", "-1"})
    genetic_refused({"--individuals-per-group", group}, "--individuals-per-group");
  for (const char* target : {"nan", "inf", "ten"}) genetic_refused({"--target", target}, "--target");
  genetic_refused({"--generations", "-1"}, "--generations");
  genetic_refused({"--evaluations", "0"}, "--evaluations");
  genetic_refused({"--elites", "128"}, "--elites");
  genetic_refused({"--islands", "0"}, "--islands");
  genetic_refused({"--time-limit", "nan"}, "--time-limit");
}

BOOST_AUTO_TEST_CASE(choices_that_are_none_or_contradict) {
  genetic_refused({"--selection", "roulete"}, "roulette");
  genetic_refused({"--granularity", "warp"}, "subgroup");
  genetic_refused({"--crossover-kind", "three-point"}, "two-point");
  genetic_refused({"--mutation-kind", "flop"}, "flip");
  genetic_refused({"--precision", "half"}, "double");
  genetic_refused({"--crossover-kind", "line"}, "line");
  genetic_refused({"--mutation-kind", "gaussian"}, "gaussian");
  genetic_refused({"--objective", "sphere", "--mutation-kind", "flip"}, "flip");
  genetic_refused({"--tournament", "3"}, "--selection");
  genetic_refused({"--step", "3"}, "--mutation-kind");
  genetic_refused({"--migrate-every", "3"}, "--islands");
  genetic_refused({"--migrants", "1", "--islands", "3"}, "--migrate-every");
  genetic_refused({"--lower", "0"}, "--lower");
  genetic_refused({"--objective", "sphere", "--lower", "5", "--upper", "1"}, "lower");
  genetic_refused({"--objective", "sphere", "--genes", "4", "--lower", "1,2,3"}, "--lower");
  genetic_refused({"--objective", "sphere", "--lower", "1,,3"}, "--lower");
  refused({"genetic", "--device", "openmp:0,openmp:0,none"}, "openmp:0", {}, 3);
}

BOOST_AUTO_TEST_CASE(objectives_that_are_none) {
  const TemporaryFolder folder;
  genetic_refused({"--objective", "onemx"}, "onemax");
  genetic_refused({"--objective", (folder.path() / "none.cl").string()}, "none.cl");
  genetic_refused({"--objective", folder.file("empty.cl", "")}, "empty.cl");
  const auto wrong =
      folder.file("wrong.cl", "// clopt: bits, minimise\n\nreal objective(individual x) {\n  return y;\n}\n");
  genetic_refused({"--objective", wrong}, "wrong.cl:4");
  genetic_refused({"--objective", "onemax", "--constant", "A=1"}, "--constant");
  genetic_refused({"--objective", wrong, "--constant", "A"}, "--constant");
  genetic_refused({"--objective", wrong, "--constant", "A=x"}, "--constant");
  genetic_refused({"--objective", wrong, "--table", "A=" + (folder.path() / "none").string()}, "none");
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_written) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "file").string();
  for (const char* option : {"--statistics", "--plot", "--checkpoint", "--output"}) {
    genetic_refused({option, folder.path().string()}, folder.path().string());
    genetic_refused({option, (folder.path() / "none" / "file").string()}, "none");
    genetic_refused({option, ""}, "name");
  }
  genetic_refused({"--statistics", file, "--plot", file}, "same file");
  genetic_refused({"--checkpoint", file, "--statistics", folder.path().string() + "/./file"}, "same file");
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
  // A disk that fills up ends with a message, after the result.
  const auto full = run(small_genetic({"--statistics", "/dev/full", "--json"}));
  BOOST_TEST(full.status == 2);
  BOOST_TEST(full.error.find("/dev/full") != std::string::npos);
  BOOST_TEST(full.json()["checksum"] == genetic_solved(small_genetic())["checksum"]);
}

BOOST_AUTO_TEST_SUITE_END()
