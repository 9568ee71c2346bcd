// Runs that are stopped, killed and resumed end as if nothing had happened.
#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

#include <support/folder.hpp>
#include "refused.hpp"
#include "run.hpp"

using clopt::test::Call;
using clopt::test::Outcome;
using clopt::test::read_file;
using clopt::test::refused;
using clopt::test::run;
using clopt::test::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

/// A run and the files that it writes into a folder of its own.
class Run {
 public:
  explicit Run(Words words) : words_(std::move(words)) { words_.insert(words_.end(), {"--device", "openmp:0"}); }

  std::string checkpoint() const { return (folder_.path() / "run.checkpoint").string(); }
  std::string statistics() const { return (folder_.path() / "run.csv").string(); }

  Outcome begin(const Words& more = {}, double signal_after = 0, int signal = SIGINT) const {
    Call call{words_, {}, {}, {}, signal_after, signal, false, {}};
    call.arguments.insert(call.arguments.end(), {"--checkpoint", checkpoint(), "--json"});
    call.arguments.insert(call.arguments.end(), more.begin(), more.end());
    return run(call);
  }
  Outcome resume(const Words& more = {}, double signal_after = 0, int signal = SIGINT) const {
    Call call{{words_[0], "--resume", checkpoint(), "--checkpoint", checkpoint(), "--json"},
              {},
              {},
              {},
              signal_after,
              signal,
              false,
              {}};
    call.arguments.insert(call.arguments.end(), more.begin(), more.end());
    return run(call);
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  Words words_;
  TemporaryFolder folder_;
};

// What must not depend on stops.
std::string essence(const Outcome& outcome) {
  BOOST_TEST_CONTEXT(outcome.error) { BOOST_REQUIRE(!outcome.output.empty()); }
  const auto result = outcome.json();
  nlohmann::json part;
  for (const char* field : {"best", "generations", "evaluations", "checksum", "seed"}) part[field] = result[field];
  return part.dump();
}

Words genetic(const Words& more = {}) {
  Words words{"genetic", "--genes", "99", "--population", "33", "--seed", "5", "--mutation", "0.005"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_checkpoints)

BOOST_AUTO_TEST_CASE(goes_on_from_any_generation) {
  for (const Words& more : {Words{}, Words{"--islands", "3", "--migrate-every", "4"}, Words{"--elites", "3"},
                            Words{"--objective", "rastrigin", "--selection", "tournament"}}) {
    const Run whole(genetic(more));
    const auto expected = essence(whole.begin({"--generations", "30", "--statistics", whole.statistics()}));
    for (const char* stop : {"0", "1", "7", "29", "30"}) {
      const Run parts(genetic(more));
      BOOST_TEST(parts.begin({"--generations", stop, "--statistics", parts.statistics()}).status == 0);
      const auto granularity = std::string(stop) == "7" ? "group" : "fused";
      const auto resumed = parts.resume(
          {"--generations", "30", "--granularity", granularity, "--statistics", parts.statistics(), "--threads", "1"});
      BOOST_TEST(resumed.status == 0);
      BOOST_TEST(essence(resumed) == expected);
      BOOST_TEST(read_file(parts.statistics()) == read_file(whole.statistics()));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_interrupt_leaves_a_checkpoint) {
  const Run stopped(genetic());
  const auto first = stopped.begin({"--time-limit", "60"}, 0.7);
  BOOST_TEST(first.status == 130);
  BOOST_TEST(first.json()["interrupted"] == true);
  const auto generations = first.json()["generations"].get<std::uint64_t>();
  BOOST_TEST(generations > 0U);
  const auto more = std::to_string(generations + 10);
  const auto resumed = stopped.resume({"--generations", more});
  BOOST_TEST(resumed.status == 0);
  BOOST_TEST(essence(resumed) == essence(Run(genetic()).begin({"--generations", more})));
}

// The limits of the first run count for those that go on, however often they are killed.
BOOST_AUTO_TEST_CASE(survives_being_killed, *boost::unit_test::label("slow")) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  std::uniform_real_distribution<> moment(0.3, 0.9);
  BOOST_TEST_CONTEXT("seed " << seed) {
    const auto generations = run({"genetic", "--genes", "99", "--population", "33", "--seed", "5", "--mutation",
                                  "0.005", "--device", "openmp:0", "--time-limit", "1.5", "--json"})
                                 .json()["generations"];
    const auto long_run = genetic({"--generations", generations.dump()});
    const auto expected = essence(Run(long_run).begin());
    const Run killed(long_run);
    // On a busy machine the first checkpoint may come late: a run that left none is begun anew.
    for (double later = 0; !std::filesystem::exists(killed.checkpoint()) && later < 30; later = 2 * later + 0.5)
      killed.begin({}, moment(random) + later, SIGKILL);
    for (int i = 0; i < 2; ++i) killed.resume({}, moment(random), SIGKILL);
    BOOST_TEST(essence(killed.resume()) == expected);
  }
}

BOOST_AUTO_TEST_CASE(a_limit_that_the_checkpoint_has_reached_is_told) {
  for (const Words& words : {genetic(), Words{"ecga", "--length", "20", "--population", "200"}}) {
    const Run stopped(words);
    BOOST_TEST(stopped.begin({"--generations", "3"}).status == 0);
    for (const char* limit : {"2", "3", "4"}) {
      const auto resumed =
          run({words[0], "--resume", stopped.checkpoint(), "--generations", limit, "--device", "openmp:0"});
      BOOST_TEST(resumed.status == 0);
      BOOST_TEST((resumed.output.find("checkpoint had reached") != std::string::npos) == (*limit != '4'),
                 words[0] << ", " << limit << ": " << resumed.output);
      const auto told =
          run({words[0], "--resume", stopped.checkpoint(), "--generations", limit, "--device", "openmp:0", "--json"})
              .json();
      BOOST_TEST(told["resumed_generation"] == 3);
      BOOST_TEST(told["generations"] == (*limit == '4' ? 4 : 3));
    }
  }
}

BOOST_AUTO_TEST_CASE(options_given_again_must_agree) {
  const Run run_of_mine(genetic());
  BOOST_TEST(run_of_mine.begin({"--generations", "5"}).status == 0);
  const auto before = read_file(run_of_mine.checkpoint());
  const Words resume{"genetic", "--resume", run_of_mine.checkpoint(), "--checkpoint", run_of_mine.checkpoint()};
  const auto with = [&](const Words& more) {
    auto words = resume;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  for (const Words& more :
       {Words{"--seed", "6"}, Words{"--population", "34"}, Words{"--genes", "98"}, Words{"--crossover", "0.7"},
        Words{"--mutation", "0.0051"}, Words{"--selection", "rank"}, Words{"--objective", "sphere"},
        Words{"--elites", "1"}, Words{"--islands", "2"}, Words{"--precision", "double"}})
    refused(with(more), more[0]);
  // Numbers agree by value, and limits are free.
  for (const Words& more : {Words{"--crossover", "0.80"}, Words{"--mutation", "5e-3"}, Words{"--seed", "5"},
                            Words{"--objective", "onemax"}, Words{"--precision", "auto"}, Words{"--generations", "6"}})
    BOOST_TEST(run(with(more)).status == 0, more[0]);
  BOOST_TEST(!before.empty());
}

BOOST_AUTO_TEST_CASE(damaged_and_foreign_checkpoints) {
  const Run whole(genetic());
  BOOST_TEST(whole.begin({"--generations", "5"}).status == 0);
  const auto good = read_file(whole.checkpoint());
  const auto& folder = whole.folder();
  auto flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 4);
  const auto refuses = [&](const std::string& name, const std::string& bytes) {
    const auto file = folder.file(name, bytes);
    refused({"genetic", "--resume", file, "--checkpoint", file}, name);
    BOOST_TEST(read_file(file) == bytes);  // nothing is lost
  };
  refuses("flipped", flipped);
  refuses("cut", good.substr(0, good.size() - 1));
  refuses("begun", good.substr(0, 10));
  refuses("empty", "");
  refuses("foreign", "1 2 3\n");
  refused({"genetic", "--resume", (folder.path() / "none").string()}, "none");
  refused({"genetic", "--resume", folder.path().string()}, folder.path().string());
}

// The problem is in the file: the text that it came from may be gone.
BOOST_AUTO_TEST_CASE(objectives_are_kept) {
  const TemporaryFolder folder;
  const std::string text =
      "// clopt: bits, maximise\nint objective_count(individual x, uint i) { return (int)gene(x, i) * (int)W(x, i % "
      "W_size); }\n";
  const auto file = folder.file("mine.cl", text);
  const auto table = folder.file("table.csv", "1,2,3\n");
  const Run mine({"genetic", "--objective", file, "--table", "W=" + table, "--genes", "50", "--population", "11"});
  const auto expected = essence(mine.begin({"--generations", "12"}));
  BOOST_TEST(mine.begin({"--generations", "5"}).status == 0);
  const auto other = folder.file("other.cl", text + "\n");
  refused({"genetic", "--resume", mine.checkpoint(), "--objective", other}, "--objective");
  refused({"genetic", "--resume", mine.checkpoint(), "--table", "W=" + folder.file("t", "1,2,4")}, "--table");
  refused({"genetic", "--resume", mine.checkpoint(), "--objective", "onemax"}, "a text");
  std::filesystem::remove(file);
  std::filesystem::remove(table);
  BOOST_TEST(essence(mine.resume({"--generations", "12"})) == expected);
}

BOOST_AUTO_TEST_SUITE_END()
