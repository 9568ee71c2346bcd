// Runs that were divided into slices give what the whole run gives.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
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

// OpenMP, and PoCL where it is.
const Words& devices_of_slices() {
  static const Words devices = [] {
    Words found{"openmp:0"};
    const auto listed = run({"devices", "--json"}).json();
    for (const auto& device : listed["devices"])
      if (device["platform"].get<std::string>().find("Portable Computing") != std::string::npos) {
        found.push_back(device["id"]);
        break;
      }
    return found;
  }();
  return devices;
}

// All but times, devices, and how the devices shared the work.
nlohmann::json essence_of(nlohmann::json result) {
  for (const char* each : {"seconds", "device", "launches", "evaluations_done", "device_bytes", "stages"})
    result.erase(each);
  if (result.contains("runs"))
    for (auto& each : result["runs"]) each.erase("seconds");
  return result;
}
std::string essence_of(const std::string& text) {
  std::string essence;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin) + 1;
    const auto line = text.substr(begin, end - begin);
    const auto is = [&](const char* name) { return line.starts_with(name); };
    // Rates are of times.
    const auto shown = is("run ") || is("work ") ? line.substr(0, line.find(',')) : line;
    if (!is("time ") && !is("device ")) essence += shown;
    begin = end;
  }
  return essence;
}

/// The slices of a run, in a folder.
class Slices {
 public:
  Slices(Words words, std::uint64_t count) : words_(std::move(words)), count_(count) {
    for (std::uint64_t number = 1; number <= count; ++number) {
      const auto outcome = run(slice(number));
      BOOST_TEST_CONTEXT(outcome.error) { BOOST_REQUIRE_EQUAL(outcome.status, 0); }
    }
  }

  std::string file(std::uint64_t number) const { return (folder_.path() / std::to_string(number)).string(); }
  Words slice(std::uint64_t number) const {
    const auto& devices = devices_of_slices();
    return joined(words_, {"--shard", std::to_string(number) + "/" + std::to_string(count_), "--output", file(number),
                           "--device", devices[number % devices.size()], "--quiet"});
  }
  Words files() const {
    Words files;
    for (std::uint64_t number = 1; number <= count_; ++number) files.push_back(file(number));
    return files;
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  Words words_;
  std::uint64_t count_;
  TemporaryFolder folder_;
};

// The whole run against the merged slices of several divisions, in any order, as JSON and as text.
void compare(const Words& words, const std::vector<std::uint64_t>& divisions) {
  std::string line;
  for (const auto& word : words) line += word + " ";
  std::mt19937 random(20);
  const auto whole = joined(words, {"--device", "openmp:0", "--quiet"});
  const auto expected = run(joined(whole, {"--json"}));
  BOOST_TEST_CONTEXT(line << expected.error) { BOOST_REQUIRE(expected.status == 0 || expected.status == 4); }
  for (const auto count : divisions) BOOST_TEST_CONTEXT(line << "in " << count) {
      const Slices slices(words, count);
      auto files = slices.files();
      std::shuffle(files.begin(), files.end(), random);
      const auto merged = run(joined(joined({"merge"}, files), {"--json"}));
      BOOST_TEST_CONTEXT(merged.error) { BOOST_REQUIRE_EQUAL(merged.status, expected.status); }
      BOOST_TEST(essence_of(merged.json()) == essence_of(expected.json()));
      BOOST_TEST(essence_of(run(joined({"merge"}, files)).output) == essence_of(run(whole).output));
    }
}

// A run of which slices are made here, and whatever else is tried with them.
const Words divided_run{"differential-evolution", "--problems", "5", "--dimensions", "3", "--generations", "6"};

// The file that is merged from slices is that of the whole run. The exchange's are named by their extension.
void compare_files(const Words& words, const Slices& slices, const std::string& extension = "") {
  const TemporaryFolder folder;
  const auto whole = (folder.path() / ("whole" + extension)).string();
  const auto merged = (folder.path() / ("merged" + extension)).string();
  BOOST_TEST(run(joined(words, {"--output", whole})).status == 0);
  BOOST_TEST(run(joined(joined({"merge"}, slices.files()), {"--output", merged})).status == 0);
  BOOST_TEST(read_file(merged) == read_file(whole));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_slices)

BOOST_AUTO_TEST_CASE(problems_of_differential_evolution) {
  compare({"differential-evolution", "--problems", "11", "--dimensions", "4", "--generations", "40", "--seed", "3"},
          {1, 2, 3, 7, 13});
  // Some reach the target, and all stop by themselves.
  compare({"differential-evolution", "--problems", "9", "--dimensions", "3", "--generations", "60", "--objective",
           "ackley", "--target", "0.01"},
          {3});
  compare(
      {"differential-evolution", "--problems", "6", "--dimensions", "2", "--objective", "sphere", "--target", "0.001"},
      {4});
  compare({"differential-evolution", "--problems", "7", "--dimensions", "5", "--adapt", "lshade", "--evaluations",
           "900", "--polish", "--stagnation", "9"},
          {2});
}

BOOST_AUTO_TEST_CASE(texts_with_data_fits_and_violations) {
  const TemporaryFolder folder;
  std::string data;
  std::string start;
  for (int row = 0; row < 7; ++row) {
    for (int column = 0; column < 9; ++column)
      data +=
          std::to_string(3 * std::exp(-0.3 * column) + 0.01 * ((row * 7 + column * 3) % 5)) + (column < 8 ? "," : "\n");
    start += std::to_string(1 + row) + ",0.5\n";
  }
  const auto rows = folder.file("rows.csv", data);
  const auto initial = folder.file("start.csv", start);
  const auto fit = folder.file("fit.cl",
                               "real residual(individual x, uint j) {\n"
                               "  return gene(x, 0) * exp(-gene(x, 1) * abscissa(x, j)) - row(x, j);\n}\n");
  compare({"differential-evolution", "--objective", fit, "--dimensions", "2", "--lower", "0", "--upper", "10", "--data",
           rows, "--initial", initial, "--seed", "5"},
          {3, 7});
  const auto bounded =
      folder.file("bounded.cl",
                  "// clopt: reals, maximise\n"
                  "real objective(individual x) { return gene(x, 0) + gene(x, 1); }\n"
                  "real violation(individual x) { return max((real)0, gene(x, 0) * gene(x, 1) - 1); }\n");
  compare({"differential-evolution", "--objective", bounded, "--dimensions", "2", "--lower", "0", "--upper", "3",
           "--problems", "5", "--generations", "30"},
          {2});
  const auto impossible = folder.file("impossible.cl",
                                      "real objective(individual x) { return gene(x, 0); }\n"
                                      "real violation(individual x) { return (real)1 + fabs(gene(x, 0)); }\n");
  compare({"differential-evolution", "--objective", impossible, "--dimensions", "1", "--lower", "-1", "--upper", "1",
           "--problems", "4", "--generations", "5"},
          {3});
}

BOOST_AUTO_TEST_CASE(the_table_of_all_problems) {
  const Slices slices(divided_run, 3);
  compare_files(divided_run, slices);
  refused(joined(joined({"merge"}, slices.files()), {"--output", slices.file(2)}), "one of the slices");
}

BOOST_AUTO_TEST_CASE(runs_of_ecga) {
  compare({"ecga", "--length", "20", "--population", "120", "--runs", "5", "--seed", "2"}, {1, 2, 3, 7});
  compare({"ecga", "--length", "15", "--population", "60", "--runs", "4", "--target", "3", "--tournament", "4"}, {3});
  const TemporaryFolder folder;
  const Words words{"ecga", "--length", "20", "--population", "90", "--runs", "3"};
  const Slices slices(words, 2);
  compare_files(words, slices);
  const auto unwritten = (folder.path() / "unwritten").string();
  refused({"ecga", "--length", "20", "--shard", "1/2", "--output", unwritten}, "single run");
  refused({"ecga", "--length", "20", "--runs", "3", "--shard", "1/2"}, "--output");
  refused(
      {"ecga", "--length", "20", "--population", "auto", "--goal", "optimum", "--shard", "1/2", "--output", unwritten},
      "--population N");
}

BOOST_AUTO_TEST_CASE(searches_of_the_exchange) {
  const Words ring{"exchange",   "--topology", "ring:7",        "--optimizer", "anneal",
                   "--searches", "5",          "--generations", "3000"};
  compare(joined(ring, {"--steps", "bound"}), {1, 2, 3, 7});
  const Words mesh{"exchange", "--topology", "mesh:4x4", "--optimizer", "tabu", "--searches", "4", "--steps", "bound"};
  compare(joined(mesh, {"--generations", "40", "--replicas", "2"}), {3});
  const Words words = joined(ring, {"--steps", "bound"});
  const Slices slices(words, 2);
  compare_files(words, slices, ".json");
  const TemporaryFolder folder;
  const Words shard{"--shard", "1/2", "--output", (folder.path() / "unwritten.json").string()};
  refused(joined(ring, shard), "as few steps");
  refused(joined({"exchange", "--topology", "ring:7", "--searches", "2", "--steps", "bound"}, shard), "--generations");
  refused(joined({"exchange", "--topology", "ring:7", "--steps", "bound", "--generations", "9"}, shard),
          "single search");
  refused(joined({"exchange", "--topology", "ring:7", "--optimizer", "umda"}, shard), "umda");
}

BOOST_AUTO_TEST_CASE(parts_of_meet_in_the_middle) {
  const Words meet{"subset-sum", "--method", "meet-in-the-middle", "--no-reduce"};
  for (const char* seed : {"1", "2"})
    compare(joined(meet, {"--instance", "random:34:10000000000000", "--seed", seed}), {1, 2, 3, 7});
  const TemporaryFolder folder;
  std::mt19937_64 random(11);
  std::string numbers;
  for (int i = 0; i < 33; ++i)
    numbers +=
        (i % 3 == 0 ? "-" : "") + std::to_string(random() % 100'000'000'000'000) + "." + std::to_string(10 + i) + "\n";
  const auto file = folder.file("numbers", numbers);
  const Words amounts = joined(meet, {file, "--capacity", "123456789012345.67"});
  compare(joined(amounts, {"--exactly"}), {3});
  compare_files(amounts, Slices(amounts, 2));
  const Words shard{"--shard", "1/2", "--output", (folder.path() / "unwritten").string()};
  refused(joined({"subset-sum", "--instance", "half:100"}, shard), "may choose a sweep");
  refused(joined({"subset-sum", "--instance", "half:100", "--method", "k3-64"}, shard), "from those before");
  refused(joined(joined(meet, {"--instance", "random:20:10000000000000"}), shard), "cannot be divided");
}

BOOST_AUTO_TEST_CASE(islands_that_never_meet) {
  const Words ga{"genetic", "--granularity", "group", "--generations", "30", "--seed", "4"};
  compare(joined(ga, {"--islands", "5", "--genes", "70", "--population", "31"}), {1, 2, 3, 7});
  compare(joined(ga, {"--islands", "3", "--objective", "rastrigin", "--genes", "6", "--population", "20", "--restart",
                      "0", "--precision", "double"}),
          {2});
  const TemporaryFolder folder;
  const auto text = folder.file("bounded.cl",
                                "// clopt: reals, maximise, lower 0, upper 3\n"
                                "real objective(individual x) { return gene(x, 0) + gene(x, 1); }\n"
                                "real violation(individual x) { return gene(x, 0) * gene(x, 1) - 1; }\n");
  const auto impossible = folder.file("impossible.cl",
                                      "// clopt: reals, lower -1, upper 1\n"
                                      "real objective(individual x) { return gene(x, 0); }\n"
                                      "real violation(individual x) { return (real)1 + fabs(gene(x, 0)); }\n");
  for (const auto& objective : {text, impossible})
    compare(joined(ga, {"--islands", "4", "--objective", objective, "--genes", "2", "--restart", "0"}), {3});

  const Words words = joined(ga, {"--islands", "3", "--genes", "40", "--population", "16"});
  const Slices slices(words, 2);
  compare_files(words, slices);
  const auto missing = run({"merge", slices.file(2)});
  BOOST_TEST(missing.status == 4);
  BOOST_TEST(missing.error.find("1 of 2 slices is missing: 1;") != std::string::npos, missing.error);
  refused({"merge", slices.file(1), slices.file(1)}, "both slice 1 of 2");
  const auto foreign = (folder.path() / "foreign").string();
  BOOST_TEST(run(joined(words, {"--crossover", "0.5", "--shard", "2/2", "--output", foreign})).status == 0);
  refused({"merge", slices.file(1), foreign}, "`crossover` 0.5");

  const Words shard{"--shard", "1/2", "--output", foreign};
  refused(joined({"genetic"}, shard), "single population");
  refused(joined(words, joined(shard, {"--migrate-every", "5"})), "mpirun");
  refused(joined(words, joined(shard, {"--target", "3"})), "--target");
  refused(joined(words, joined(shard, {"--stagnation", "3"})), "--stagnation");
  refused(joined(words, joined(shard, {"--restart", "3"})), "--restart is 3");
  refused(joined({"genetic", "--objective", "ackley", "--islands", "3"}, shard), "0 for never");
  refused(joined(words, joined(shard, {"--plot", foreign + ".svg"})), "--plot");
}

BOOST_AUTO_TEST_CASE(missing_slices_are_named) {
  const Slices slices(divided_run, 5);
  const auto outcome = run({"merge", slices.file(2), slices.file(5), "--json"});
  BOOST_TEST(outcome.status == 4);
  BOOST_TEST(outcome.output.empty());
  BOOST_TEST(outcome.error_lines() == 1U);
  BOOST_TEST(outcome.error.find("3 of 5 slices are missing: 1, 3 to 4;") != std::string::npos, outcome.error);
}

BOOST_AUTO_TEST_CASE(doubled_and_foreign_slices_are_refused) {
  const Slices slices(divided_run, 2);
  refused({"merge", slices.file(1), slices.file(2), slices.file(1)}, "both slice 1 of 2");
  const TemporaryFolder folder;
  const auto rows = folder.file("rows.csv", "1\n2\n3\n4\n5\n");
  const auto other_rows = folder.file("other.csv", "1\n2\n3\n4\n6\n");
  const auto text = folder.file("text.cl", "real objective(individual x) { return gene(x, 0) * row(x, 0); }\n");
  const auto other_text = folder.file("other.cl", "real objective(individual x) { return gene(x, 0) + row(x, 0); }\n");
  const Words with_data{"differential-evolution",
                        "--dimensions",
                        "1",
                        "--lower",
                        "0",
                        "--upper",
                        "1",
                        "--generations",
                        "3",
                        "--data",
                        rows,
                        "--objective",
                        text};
  const Slices data(with_data, 2);
  const auto foreign = [&](const Slices& of, Words words, const std::string& naming) {
    const auto file = (folder.path() / "foreign").string();
    words.insert(words.end(), {"--shard", "2/2", "--output", file, "--device", "openmp:0"});
    const auto outcome = run(words);
    BOOST_TEST_CONTEXT(outcome.error) { BOOST_REQUIRE_EQUAL(outcome.status, 0); }
    refused({"merge", of.file(1), file}, naming);
  };
  foreign(slices, joined(divided_run, {"--seed", "2"}), "`seed` 2");
  foreign(slices, joined(divided_run, {"--population", "21"}), "`population` 21");
  foreign(slices, joined(divided_run, {"--target", "1"}), "`target` 1");
  auto longer = divided_run;
  longer.back() = "7";
  foreign(slices, longer, "`limit of generations` 7");
  auto others = with_data;
  others[8 + 2] = other_rows;
  foreign(data, others, "`data`");
  others = with_data;
  others.back() = other_text;
  foreign(data, others, "`objective`");
  foreign(slices, {"ecga", "--length", "10", "--population", "50", "--runs", "2"}, "run of ecga");
  const Slices thirds(divided_run, 3);
  refused({"merge", slices.file(1), thirds.file(2)}, "into 3 slices");
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused) {
  const Slices slices(divided_run, 2);
  const auto content = read_file(slices.file(1));
  const auto& folder = slices.folder();
  const auto damaged = [&](const std::string& changed, const std::string& naming) {
    refused({"merge", folder.file("damaged", changed), slices.file(2)}, naming);
  };
  std::mt19937 random(7);
  for (int i = 0; i < 4; ++i) {
    auto changed = content;
    changed[20 + random() % (content.size() - 20)] ^= 1;
    damaged(changed, "damaged");
    damaged(content.substr(0, 20 + random() % (content.size() - 21)), "damaged");
  }
  damaged("", "empty");
  damaged("{\"best\":1}\n", "not a slice");
  damaged(content + content, "damaged");
  refused({"merge", folder.path().string(), slices.file(2)}, "not a regular file");
  refused({"merge", (folder.path() / "nothing").string(), slices.file(2)}, "No such file");
  refused({"merge"}, "clopt merge FILE");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_slice_is_refused) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "slice").string();
  for (const char* wrong : {"0/2", "3/2", "1/0", "1", "/", "1/2/3", "-1/2", "1/2 ", "a/b", "", "1/99999999999"})
    refused(joined(divided_run, {"--shard", wrong, "--output", file}), "I/N");
  refused(joined(divided_run, {"--shard", "1/2"}), "--output FILE");
  refused(joined(divided_run, {"--shard", "1/2", "--output", "/nowhere/slice"}), "/nowhere");
  refused(joined(divided_run, {"--shard", "1/2", "--output", file, "--statistics", file + ".csv"}), "--statistics");
  refused(joined(divided_run, {"--shard", "1/2", "--output", file, "--plot", file + ".svg"}), "--plot");
  refused({"devices", "--shard", "1/2"}, "no work that can be divided");
  BOOST_TEST(!std::filesystem::exists(file));
}

// A slice that is not complete is not written, and resumes from its checkpoint.
BOOST_AUTO_TEST_CASE(slices_go_on_from_checkpoints) {
  const Words words{"differential-evolution", "--problems", "4", "--dimensions", "6", "--generations", "200"};
  const Slices slices(words, 2);
  const auto checkpoint = (slices.folder().path() / "checkpoint").string();
  const auto again = (slices.folder().path() / "again").string();
  const Words shard{"--shard", "2/2", "--output", again, "--device", "openmp:0"};
  const auto stopped = run(joined(words, joined(shard, {"--time-limit", "0", "--checkpoint", checkpoint})));
  BOOST_TEST(stopped.status == 4);
  BOOST_TEST(!std::filesystem::exists(again));
  refused({"differential-evolution", "--resume", checkpoint, "--shard", "1/2", "--output", again}, "--shard");
  BOOST_TEST(
      run({"differential-evolution", "--resume", checkpoint, "--output", again, "--device", "openmp:0"}).status == 0);
  const auto merged = run({"merge", slices.file(1), again, "--json"});
  BOOST_TEST_CONTEXT(merged.error) { BOOST_REQUIRE_EQUAL(merged.status, 0); }
  BOOST_TEST(essence_of(merged.json()) == essence_of(run(joined(words, {"--json"})).json()));
}

BOOST_AUTO_TEST_SUITE_END()
