// What surrounds a run may be hostile: files, folders and names. The program says so, and harms nothing.
#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include <support/folder.hpp>
#include "refused.hpp"
#include "run.hpp"

namespace fs = std::filesystem;
using clopt::test::Call;
using clopt::test::joined;
using clopt::test::read_file;
using clopt::test::refused;
using clopt::test::run;
using clopt::test::TemporaryFolder;
using Words = std::vector<std::string>;

namespace {

const Words small_run{"genetic", "--genes", "30", "--population", "20", "--generations", "9", "--device", "openmp:0"};

Call with_cache(const fs::path& folder, const Words& words) {
  Call call;
  call.arguments = words;
  call.environment = {{"CLOPT_CACHE_DIR", folder.string()}, {"CLOPT_CACHE_STRICT", ""}};
  return call;
}

// No byte that a terminal acts upon.
bool is_printable(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f) return false;
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (byte == 0xc2 && next >= 0x80 && next < 0xa0) return false;
  }
  return true;
}

const std::string hostile =
    "a\x1b]0;owned\x07\x1b[2J\x7f\xc2\x9b"
    "31m";

}  // namespace

BOOST_AUTO_TEST_SUITE(program_faults)

BOOST_AUTO_TEST_CASE(files_beside_those_that_are_written_stay) {
  const TemporaryFolder folder;
  const auto victim = folder.file("victim", "not to be touched");
  for (const char* name : {"run", "table.csv", "picture.svg"}) {
    folder.file(std::string(name) + ".new", "the user's own");
    fs::create_symlink("victim", folder.path() / (std::string(name) + ".other"));
  }
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  const auto words = joined(small_run, {"--checkpoint", path("run"), "--statistics", path("table.csv"), "--plot",
                                        path("picture.svg"), "--output", path("last.csv")});
  BOOST_TEST(run(words).status == 0);
  for (const char* name : {"run", "table.csv", "picture.svg"})
    BOOST_TEST(read_file(folder.path() / (std::string(name) + ".new")) == "the user's own");
  BOOST_TEST(read_file(victim) == "not to be touched");
  // A link in the place of the file that is begun.
  fs::remove(folder.path() / "run.new");
  fs::create_symlink("victim", folder.path() / "run.new");
  BOOST_TEST(run(words).status == 0);
  BOOST_TEST(read_file(victim) == "not to be touched");
  // What a run leaves: four files, nothing that it began.
  std::size_t files = 0;
  for (const auto& item : fs::directory_iterator(folder.path())) {
    BOOST_TEST(!item.path().filename().string().starts_with(".clopt"), item.path());
    ++files;
  }
  BOOST_TEST(files == 1U + 3U + 3U + 4U);
}

BOOST_AUTO_TEST_CASE(folders_are_no_input) {
  const TemporaryFolder folder;
  const auto name = folder.path().string();
  const Words network{"exchange", "--topology", "mesh:3x3", "--device", "openmp:0"};
  const Words evolution{"differential-evolution", "--objective", "sphere", "--dimensions", "2", "--device", "openmp:0"};
  refused({"exchange", "--verify", name}, name);
  refused({"exchange", "--topology", name}, name);
  refused(joined(network, {"--resume", name}), name);
  refused({"subset-sum", name, "--capacity", "5"}, name);
  refused({"genetic", "--resume", name}, name);
  refused({"genetic", "--objective", name + "/", "--genes", "5"}, name);
  refused(joined(small_run, {"--initial", name}), name);
  refused({"differential-evolution", "--resume", name}, name);
  refused(joined(evolution, {"--data", name}), name);
  refused({"ecga", "--resume", name}, name);
  refused({"ecga", "--objective", "nk:" + name}, name);
  refused({"ecga", "--objective", "maxsat:" + name}, name);
  for (const char* option : {"--checkpoint", "--statistics", "--plot", "--output"})
    refused(joined(small_run, {option, name}), name);
}

BOOST_AUTO_TEST_CASE(records_of_the_cache_that_are_none_do_not_matter) {
  const TemporaryFolder folder;
  const auto cache = folder.path() / "cache";
  // A text is compiled, and its code kept.
  const auto text = folder.file("text.cl", "real objective(individual x) { return gene(x, 0) * gene(x, 0); }\n");
  const Words words{"genetic", "--objective",  text, "--lower",       "-1", "--upper",  "1",        "--genes",
                    "3",       "--population", "9",  "--generations", "3",  "--device", "openmp:0", "--json"};
  const auto first = run(with_cache(cache, words));
  BOOST_TEST_REQUIRE(first.status == 0, first.error);
  std::vector<fs::path> records;
  for (const auto& item : fs::directory_iterator(cache))
    if (item.path().extension() == ".record") records.push_back(item.path());
  BOOST_TEST(!records.empty());
  for (const auto& record : records) {
    fs::remove(record);
    fs::create_directory(record);
  }
  const auto second = run(with_cache(cache, words));
  BOOST_TEST(second.status == 0, second.error);
  BOOST_TEST(second.json()["checksum"] == first.json()["checksum"]);
  for (const auto& record : records) BOOST_TEST(fs::is_regular_file(record));
}

BOOST_AUTO_TEST_CASE(a_cache_that_others_may_write_to_is_told_and_not_used) {
  const TemporaryFolder folder;
  const auto cache = folder.path() / "cache";
  fs::create_directory(cache);
  fs::permissions(cache, fs::perms::group_write | fs::perms::others_write, fs::perm_options::add);
  auto call = with_cache(cache, joined(small_run, {"--json"}));
  call.environment["CLOPT_LOG"] = "cache";
  const auto outcome = run(call);
  BOOST_TEST(outcome.status == 0);
  BOOST_TEST(fs::is_empty(cache));
  const auto shown = run(with_cache(cache, {"cache"}));
  BOOST_TEST(shown.status == 0);
  BOOST_TEST(shown.output.find("not used") != std::string::npos, shown.output);
  const auto json = run(with_cache(cache, {"cache", "--json"})).json();
  BOOST_TEST(json["not_used"].get<std::string>().find("chmod go-w") != std::string::npos);
  fs::permissions(cache, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove);
  BOOST_TEST(!run(with_cache(cache, {"cache", "--json"})).json().contains("not_used"));
}

BOOST_AUTO_TEST_CASE(control_characters_never_reach_the_terminal) {
  const TemporaryFolder folder;
  const auto named = folder.file(hostile + ".cl", "real objective(individual x) { return what_is_this; }\n");
  const auto text = folder.file("text.cl", "real objective(individual x) { return \"" + hostile + "\"; }\n");
  const auto nodes = folder.file("net.txt", "nodes 3\nlink 0 " + hostile + "\n");
  const auto schedule = folder.file("schedule.json", "{\"nodes\": 3, \"steps\": 1, \"topology\": \"" +
                                                         std::string("a\\u001b[2J") + "\", \"transfers\": []}");
  const auto weights = folder.file("weights", "1 2 " + hostile);
  const auto bounds = Words{"--lower", "-1", "--upper", "1"};
  for (const auto& words :
       {joined({"genetic", "--objective", named, "--genes", "3", "--device", "openmp:0"}, bounds),
        joined({"genetic", "--objective", text, "--genes", "3", "--device", "openmp:0"}, bounds),
        Words{"exchange", "--topology", nodes}, Words{"exchange", "--verify", schedule},
        Words{"subset-sum", weights, "--capacity", "3"}, Words{"genetic", "--objective", hostile},
        Words{"genetic", "--resume", hostile}, Words{"genetic", "--device", hostile}, Words{"genetic", hostile},
        Words{hostile}, joined(small_run, {"--checkpoint", hostile + "/none"})}) {
    const auto outcome = run(words);
    BOOST_TEST_CONTEXT(words.front() << ": " << outcome.error) {
      BOOST_TEST((outcome.status == 2 || outcome.status == 3));
      BOOST_TEST(outcome.error_lines() >= 1U);
      BOOST_TEST(outcome.error_lines() <= 3U);
      BOOST_TEST(is_printable(outcome.error));
      BOOST_TEST(is_printable(outcome.output));
    }
  }
  // A result that has the name of a file in it.
  const auto fine = folder.file(hostile + ".fine.cl", "real objective(individual x) { return gene(x, 0); }\n");
  for (const bool json : {false, true}) {
    auto words = joined({"genetic", "--objective", fine, "--genes", "3", "--population", "9", "--generations", "3",
                         "--device", "openmp:0"},
                        bounds);
    if (json) words.emplace_back("--json");
    const auto outcome = run(words);
    BOOST_TEST(outcome.status == 0, outcome.error);
    BOOST_TEST(is_printable(outcome.output));
    if (json) BOOST_TEST(outcome.json()["objective"].get<std::string>().find(hostile) != std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()
