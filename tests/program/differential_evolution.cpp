/// \file
/// `clopt differential-evolution`: bad input, results, files.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "refused.hpp"

using clopt::test::run;
using Words = std::vector<std::string>;

namespace {

// A short run, with more words after it.
Words short_run(const Words& more) {
  Words words{"differential-evolution", "--device", "openmp:0", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void evolution_refused(const Words& more, const std::string& naming = {}) {
  clopt::test::refused(short_run(more), naming);
}

std::string read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    auto& row = rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
  }
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(differential_evolution)

BOOST_AUTO_TEST_CASE(numbers_out_of_range_are_refused) {
  evolution_refused({"--population", "3"}, "at least 4");
  evolution_refused({"--population", "5", "--strategy", "rand2bin"}, "at least 6");
  evolution_refused({"--population", "0"}, "--population");
  evolution_refused({"--dimensions", "0"}, "--dimensions");
  evolution_refused({"--problems", "0"}, "--problems");
  evolution_refused({"--weight", "2.5"}, "0 to 2");
  evolution_refused({"--weight", "nan"}, "--weight");
  evolution_refused({"--crossover", "1.1"}, "--crossover");
  evolution_refused({"--crossover", "-0.1"}, "--crossover");
  evolution_refused({"--lower", "5", "--upper", "-5"}, "above");
  evolution_refused({"--lower", "nan"}, "--lower");
  evolution_refused({"--upper", "inf"}, "--upper");
  evolution_refused({"--lower", "1,2,3", "--dimensions", "2"}, "3 lower bounds");
  evolution_refused({"--lower", "1,,3"}, "--lower");
  evolution_refused({"--upper", "1e38"}, "1e+38");
  evolution_refused({"--evaluations", "10"}, "10 --evaluations");
  evolution_refused({"--spread", "-1"}, "--spread");
  evolution_refused({"--time-limit", "-1"}, "--time-limit");
  evolution_refused({"--target", "nan"}, "--target");
}

BOOST_AUTO_TEST_CASE(unknown_names_are_refused) {
  evolution_refused({"--method", "fussed"}, "fused");
  evolution_refused({"--strategy", "rand1"}, "rand1bin");
  evolution_refused({"--adapt", "jDE"}, "jde");
  evolution_refused({"--bounds", "mirror"}, "reflect");
  evolution_refused({"--precision", "half"}, "float");
  evolution_refused({"--objective", "rastrgin"}, "rastrigin");
  // Of those that this solver takes.
  const auto message = run(short_run({"--objective", "onema"})).error;
  BOOST_TEST(message.find("ackley, griewank") != std::string::npos, message);
  BOOST_TEST(message.find("onemax") == std::string::npos, message);
  evolution_refused({"--objective", "onemax"}, "bits");
  for (const auto& [wrong, right] : {std::pair("tuor:cities.tsp", "tour:FILE"), std::pair("trop5", "trapK")}) {
    clopt::test::refused({"genetic", "--objective", wrong}, right);
    clopt::test::refused({"genetic", "--objective", wrong}, "ackley");
  }
  evolution_refused({"--objective", "onemax"}, "bits");
  evolution_refused({"--objective", "none.cl"}, "none.cl");
}

BOOST_AUTO_TEST_CASE(start_vectors_and_whole_numbers_are_refused_where_they_cannot_be) {
  const clopt::test::TemporaryFolder folder;
  const auto starts = folder.file("starts.csv", "1,2\n3,4\n");
  const std::vector<std::string> two{"--dimensions", "2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), two.begin(), two.end());
    return more;
  };
  evolution_refused({"--initial", starts, "--dimensions", "3"}, "--dimensions");
  evolution_refused(with({"--initial", folder.file("ragged.csv", "1,2\n3\n")}), "ragged.csv");
  evolution_refused(with({"--initial", folder.file("outside.csv", "1,2\n3,9\n")}), "row 2 of --initial");
  evolution_refused(with({"--initial", "missing.csv"}), "missing.csv");
  evolution_refused(with({"--initial", starts, "--population", "1"}), "--population");
  evolution_refused(with({"--integer", "2"}), "--integer");
  evolution_refused(with({"--integer", "0,0"}), "twice");
  evolution_refused(with({"--integer", "-1"}), "--integer");
  evolution_refused(with({"--integer", "0,"}), "--integer");
  evolution_refused(with({"--integer", "x"}), "--integer");
  evolution_refused(with({"--integer", "0", "--lower", "0.2", "--upper", "0.8"}), "whole number");
  evolution_refused(with({"--integer", "0", "--initial", folder.file("half.csv", "0.5,1\n")}), "whole number");
  evolution_refused(with({"--integer", "0", "--polish"}), "--polish");
  evolution_refused({"--stagnation", "-3"}, "--stagnation");
  evolution_refused({"--stagnation", "1.5"}, "--stagnation");
  const auto constrained =
      folder.file("constrained.cl",
                  "// clopt: reals, lower 0, upper 1\nreal objective(individual x) { return gene(x, 0); }\n"
                  "real violation(individual x) { return 2 - gene(x, 0); }\n");
  evolution_refused({"--objective", constrained, "--polish"}, "--polish");
  clopt::test::refused({"genetic", "--objective", constrained, "--genes", "2", "--selection", "roulette"},
                       "tournament");
  const auto of_bits = folder.file("bits.cl",
                                   "// clopt: bits\nreal objective(individual x) { return gene(x, 0); }\n"
                                   "real violation(individual x) { return 0; }\n");
  clopt::test::refused({"ecga", "--objective", of_bits, "--length", "8"}, "violation");
}

BOOST_AUTO_TEST_CASE(a_result_tells_of_constraints) {
  const clopt::test::TemporaryFolder folder;
  const auto text = folder.file(
      "constrained.cl",
      "// clopt: reals, lower 0, upper 3\nreal objective(individual x) { return gene(x, 0) + gene(x, 1); }\n"
      "real violation(individual x) { return LEAST - gene(x, 0); }\n");
  const auto run_with = [&](const char* least, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        "differential-evolution",      "--objective",   text, "--dimensions", "2", "--problems", "2", "--constant",
        std::string("LEAST=") + least, "--generations", "60", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const auto output = (folder.path() / "fits.csv").string();
  const auto found = run_with("1", {"--output", output, "--statistics", (folder.path() / "rows.csv").string()});
  BOOST_REQUIRE_MESSAGE(found.status == 0, found.error);
  const auto json = found.json();
  BOOST_TEST(json["feasible"] == true);
  BOOST_TEST(json["violation"] == 0.0);
  BOOST_TEST(json["feasible_problems"] == 2);
  BOOST_TEST(json["precision"] == "double");
  BOOST_TEST(std::abs(json["best"]["value"].get<double>() - 1) < 1e-3);
  const auto none = run_with("5", {});
  BOOST_TEST(none.status == 4);
  BOOST_TEST(none.json()["feasible"] == false);
  BOOST_TEST(none.json()["violation"].get<double>() == 5 - none.json()["best"]["parameters"][0].get<double>());
}

BOOST_AUTO_TEST_CASE(tables_that_are_no_tables_are_refused) {
  const clopt::test::TemporaryFolder folder;
  evolution_refused({"--data", folder.file("ragged.csv", "1,2\n3\n")}, "ragged.csv");
  evolution_refused({"--data", folder.file("words.csv", "1,2\n3,x\n")}, "words.csv");
  evolution_refused({"--data", folder.file("empty.csv", "")}, "empty.csv");
  evolution_refused({"--data", folder.file("header.csv", "a,b\n")}, "header.csv");
  evolution_refused({"--data", folder.file("nan.csv", "1,nan\n")}, "nan.csv");
  evolution_refused({"--data", "missing.csv"}, "missing.csv");
  evolution_refused({"--data", folder.file("two.csv", "1\n2\n"), "--problems", "3"}, "--problems");
  evolution_refused({"--data", folder.file("huge.csv", "1,2\n3,1e300\n")}, "choose double");
  evolution_refused({"--output", (folder.path() / "no/such/folder.csv").string()}, "folder.csv");
}

BOOST_AUTO_TEST_CASE(what_is_written_is_not_what_is_read) {
  const clopt::test::TemporaryFolder folder;
  const auto table = folder.file("rows.csv", "1,2\n3,4\n");
  const auto checkpoint = (folder.path() / "run.checkpoint").string();
  evolution_refused({"--data", table, "--output", table}, "the same file");
  evolution_refused({"--checkpoint", checkpoint, "--output", checkpoint}, "the same file");
  evolution_refused({"--objective", CLOPT_SOURCE "/docs/examples/decay.cl", "--dimensions", "3"}, "--data");
  const auto two_columns = folder.file("numbers.csv", "1,2\n3,4\n");
  evolution_refused({"--objective", "rastrigin", "--data", two_columns}, "row()");
}

BOOST_AUTO_TEST_CASE(a_row_has_zeros_past_its_end) {
  const clopt::test::TemporaryFolder folder;
  const auto two_columns = folder.file("numbers.csv", "1,2\n3,4\n");
  const auto beyond = folder.file("beyond.cl", "real objective(individual x) { return gene(x, 0) + row(x, 2); }\n");
  const auto outcome = run(short_run({"--objective", beyond, "--data", two_columns, "--dimensions", "1", "--lower", "0",
                                      "--upper", "1", "--generations", "3", "--json"}));
  BOOST_REQUIRE_MESSAGE(outcome.status == 0, outcome.error);
  const auto best = outcome.json()["best"];
  BOOST_TEST(best["value"].get<double>() == best["parameters"][0].get<double>());
}

BOOST_AUTO_TEST_CASE(a_result_has_the_fields_of_the_contract) {
  const auto outcome = run(short_run({"--objective", "sphere", "--dimensions", "4", "--problems", "3", "--population",
                                      "20", "--generations", "30", "--seed", "7", "--json"}));
  BOOST_TEST(outcome.status == 0);
  const auto json = outcome.json();
  BOOST_TEST(json["problem"] == "differential-evolution");
  BOOST_TEST(json["method"] == "fused");
  BOOST_TEST(json["seed"] == 7);
  BOOST_TEST(json["values"].size() == 3U);
  BOOST_TEST(json["best"]["parameters"].size() == 4U);
  BOOST_TEST(json["best"]["value"] == json["values"][json["best"]["problem"].get<std::size_t>()]);
  BOOST_TEST(json["generations"] == 90);
  BOOST_TEST(json["evaluations"] == 3 * 20 * 31);
  BOOST_TEST(json["solved"] == 0);
  for (const char* field : {"device", "seconds", "checksum", "version"}) BOOST_TEST(json.contains(field));
}

BOOST_AUTO_TEST_CASE(a_missed_target_is_status_4_and_an_ended_run_is_not) {
  const Words usual{"--objective", "sphere", "--dimensions", "3", "--problems", "2", "--json"};
  auto words = usual;
  words.insert(words.end(), {"--generations", "3", "--target", "1e-9"});
  BOOST_TEST(run(short_run(words)).status == 4);
  words = usual;
  words.insert(words.end(), {"--generations", "1000", "--target", "1e-9"});
  const auto reached = run(short_run(words));
  BOOST_TEST(reached.status == 0);
  BOOST_TEST(reached.json()["solved"] == 2);
  BOOST_TEST(reached.json()["generations"].get<int>() < 2000);
  words = usual;
  words.insert(words.end(), {"--generations", "3"});
  BOOST_TEST(run(short_run(words)).status == 0);
}

BOOST_AUTO_TEST_CASE(evaluations_are_limit_enough) {
  const Words usual{"--objective", "sphere",        "--dimensions", "2",     "--population",
                    "20",          "--evaluations", "30019",        "--json"};
  BOOST_TEST(run(short_run(usual)).json()["evaluations"] == 30'000);
  auto words = usual;
  words.insert(words.end(), {"--adapt", "lshade"});
  const auto shrinking = run(short_run(words)).json();
  BOOST_TEST(shrinking["evaluations"].get<int>() > 30'019 - 4);
  BOOST_TEST(shrinking["evaluations"].get<int>() <= 30'019);
  BOOST_TEST(shrinking["generations"].get<int>() > 2 * 1500);
}

BOOST_AUTO_TEST_CASE(values_that_are_no_numbers_are_told) {
  const clopt::test::TemporaryFolder folder;
  const auto objective = folder.file("root.cl", "real objective(individual x) { return sqrt(gene(x, 0u)); }\n");
  const auto outcome = run(short_run({"--objective", objective, "--dimensions", "1", "--lower", "-1", "--upper", "1",
                                      "--generations", "20", "--json"}));
  BOOST_TEST(outcome.status == 0);
  BOOST_TEST(outcome.json()["invalid"].get<int>() > 0);
  BOOST_TEST(outcome.json()["best"]["value"].get<double>() >= 0);
}

// The worked example: a curve is fitted to each of many noisy rows.
BOOST_AUTO_TEST_CASE(rows_are_fitted_within_their_noise) {
  const int problems = std::getenv("CLOPT_TEST_LONG") ? 10'000 : 1000;
  constexpr int points = 12;
  constexpr double noise = 0.01;
  std::mt19937_64 random(30);
  const auto uniform = [&](double lower, double upper) {
    return lower + (upper - lower) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  std::ostringstream table;
  std::vector<std::array<double, 3>> truth;
  for (int k = 0; k < problems; ++k) {
    truth.push_back({uniform(1, 3), uniform(0.5, 2), uniform(-1, 1)});
    for (int t = 0; t < points; ++t) {
      const double exact = truth.back()[0] * std::exp(-truth.back()[1] * 0.5 * t) + truth.back()[2];
      table << (t ? "," : "") << exact + uniform(-noise, noise);
    }
    table << '\n';
  }
  const clopt::test::TemporaryFolder folder;
  const auto output = (folder.path() / "fits.csv").string();
  const auto outcome =
      run(short_run({"--objective", std::string(CLOPT_SOURCE) + "/docs/examples/decay.cl", "--dimensions", "3",
                     "--lower", "0,0,-2", "--upper", "5,5,2", "--data", folder.file("rows.csv", table.str()),
                     "--generations", "200", "--weight", "0.7", "--output", output, "--json"}));
  BOOST_TEST_CONTEXT(outcome.error) BOOST_REQUIRE(outcome.status == 0);
  const auto rows = rows_of(read(output));
  BOOST_REQUIRE(rows.size() == static_cast<std::size_t>(problems) + 1);
  double worst = 0;
  double furthest = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    worst = std::max(worst, std::stod(rows[k + 1][1]));
    for (std::size_t j = 0; j < 3; ++j)
      furthest = std::max(furthest, std::fabs(std::stod(rows[k + 1][5 + j]) - truth[k][j]));
  }
  // Twelve points fix three parameters to a few times the noise.
  BOOST_TEST(worst < points * noise * noise);
  BOOST_TEST(furthest < 25 * noise);
}

// The classical algorithm solves none of them.
BOOST_AUTO_TEST_CASE(what_is_not_said_is_chosen_to_solve_problems) {
  const auto solved = [](const Words& more) {
    Words words{"--objective", "rastrigin", "--dimensions", "5", "--problems", "5", "--target", "1e-4", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(short_run(words)).json();
  };
  const auto usual = solved({});
  BOOST_TEST(usual["adapt"] == "shade");
  BOOST_TEST(usual["solved"] == 5);
  BOOST_TEST(solved({"--adapt", "auto"})["checksum"] == usual["checksum"]);
  BOOST_TEST(solved({"--adapt", "shade"})["checksum"] == usual["checksum"]);
  for (const Words& classical :
       {Words{"--weight", "0.5"}, Words{"--crossover", "0.9"}, Words{"--strategy", "rand1bin"}})
    BOOST_TEST(solved(classical)["adapt"] == "none");
  BOOST_TEST(solved({"--weight", "0.5", "--adapt", "jde"})["adapt"] == "jde");
}

BOOST_AUTO_TEST_CASE(a_stagnation_of_0_is_never) {
  Words words{"--objective",   "sphere", "--dimensions", "2", "--lower", "1", "--upper", "1",
              "--generations", "30",     "--stagnation", "4", "--json"};
  BOOST_TEST(run(short_run(words)).json()["generations"] == 4);
  words[words.size() - 2] = "0";
  BOOST_TEST(run(short_run(words)).json()["generations"] == 30);
}

BOOST_AUTO_TEST_CASE(a_run_goes_on_from_any_checkpoint) {
  const clopt::test::TemporaryFolder folder;
  const auto file = (folder.path() / "run.checkpoint").string();
  const Words whole{"--objective", "ackley", "--dimensions", "5", "--problems", "3", "--adapt", "jde", "--json"};
  auto words = whole;
  words.insert(words.end(), {"--generations", "60"});
  const auto expected = run(short_run(words)).json()["checksum"];
  words = whole;
  words.insert(words.end(), {"--generations", "25", "--checkpoint", file});
  BOOST_TEST(run(short_run(words)).json()["checksum"] != expected);
  for (const char* method : {"fused", "merged", "staged"}) {
    const auto outcome = run(short_run({"--resume", file, "--generations", "60", "--method", method, "--json"}));
    BOOST_TEST_CONTEXT(outcome.error) BOOST_TEST(outcome.json()["checksum"] == expected);
    BOOST_TEST(outcome.json()["evaluations"] == 3 * 61 * 25);
  }
  evolution_refused({"--resume", file, "--seed", "2"}, "--seed");
  evolution_refused({"--resume", file, "--dimensions", "6"}, "--dimensions");
  evolution_refused({"--resume", file, "--weight", "0.7"}, "--weight");
  evolution_refused({"--resume", folder.file("other", "no checkpoint")}, "other");
}

BOOST_AUTO_TEST_CASE(statistics_have_a_row_a_generation_and_change_nothing) {
  const clopt::test::TemporaryFolder folder;
  const auto csv = (folder.path() / "statistics.csv").string();
  const auto plot = (folder.path() / "plot.svg").string();
  const Words usual{"--objective", "griewank", "--problems", "2", "--generations", "15", "--json"};
  auto words = usual;
  words.insert(words.end(), {"--statistics", csv, "--plot", plot});
  const auto told = run(short_run(words));
  BOOST_TEST(told.json()["checksum"] == run(short_run(usual)).json()["checksum"]);
  const auto rows = rows_of(read(csv));
  BOOST_REQUIRE(rows.size() == 17U);
  BOOST_TEST(rows[0][0] == "generation");
  for (std::size_t g = 0; g <= 15; ++g) BOOST_TEST(rows[g + 1][0] == std::to_string(g));
  for (std::size_t g = 1; g <= 15; ++g) BOOST_TEST(std::stod(rows[g + 1][2]) <= std::stod(rows[g][2]));
  BOOST_TEST(read(plot).find("<svg") != std::string::npos);
}

// Where a device can be divided, its parts share the problems out; statistics are of all of them.
BOOST_AUTO_TEST_CASE(parts_of_a_device_share_a_run, *boost::unit_test::label("device")) {
  const clopt::test::TemporaryFolder folder;
  const Words usual{"differential-evolution", "--quiet", "--objective",   "ackley", "--problems", "40",
                    "--population",           "20",      "--generations", "60",     "--json"};
  const auto solve = [&](const Words& more, const std::string& parts) {
    Words words = usual;
    words.insert(words.end(), more.begin(), more.end());
    clopt::test::Call call;
    call.arguments = words;
    call.environment = {{"CLOPT_SUB_DEVICES", parts}};
    const auto outcome = run(call);
    BOOST_TEST_CONTEXT(outcome.error) BOOST_TEST(outcome.status == 0);
    return outcome.json();
  };
  const auto statistics = [&](const std::string& name) { return (folder.path() / name).string(); };
  const auto whole = solve({"--statistics", statistics("whole.csv")}, "1");
  const auto shared = solve({"--device", "all"}, "2");
  BOOST_TEST(shared["checksum"] == whole["checksum"]);
  // With OpenMP alone there is one device, which has no parts.
  const char* platform = std::getenv("CLOPT_TEST_PLATFORM");
  const bool has_one = !platform || *platform == '\0' || platform == std::string("openmp");
  BOOST_TEST(shared["device"].size() >= (has_one ? 1U : 2U));
  BOOST_TEST(shared["values"] == whole["values"]);
  BOOST_TEST(solve({"--device", "all", "--statistics", statistics("parts.csv")}, "2")["checksum"] == whole["checksum"]);
  BOOST_TEST(read(statistics("parts.csv")) == read(statistics("whole.csv")));
}

BOOST_AUTO_TEST_SUITE_END()
