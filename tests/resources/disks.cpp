// Disks that are full from the beginning or fill up, and homes that cannot be written.
#include <boost/test/unit_test.hpp>
#include <resources/place.hpp>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <iostream>

namespace bt = boost::unit_test;
using clopt::test::Call;
using clopt::test::Outcome;
using clopt::test::Place;
using clopt::test::run;
namespace fs = std::filesystem;

namespace {

void write_number_map(const char* file, unsigned number) {
  const int opened = open(file, O_WRONLY | O_CLOEXEC);
  const auto text = "0 " + std::to_string(number) + " 1";
  if (opened < 0 || write(opened, text.data(), text.size()) < 0) _exit(1);
  close(opened);
}

// In a child: mounts that no other process sees. \returns whether the system lets it have them.
bool has_own_mounts() {
  const auto user = geteuid();
  const auto group = getegid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    write_number_map("/proc/self/uid_map", user);
    const int groups = open("/proc/self/setgroups", O_WRONLY | O_CLOEXEC);
    if (groups >= 0 && (write(groups, "deny", 4) < 0 || close(groups) != 0)) _exit(1);
    write_number_map("/proc/self/gid_map", group);
  }
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

// In a child: a small disk in a folder's place, or else a limit on the size of files.
void make_small(const fs::path& folder, std::uint64_t bytes) {
  const auto options = "mode=0700,size=" + std::to_string(bytes);
  if (has_own_mounts() && mount("none", folder.c_str(), "tmpfs", 0, options.c_str()) == 0) return;
  const rlimit most{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &most);
}

// In a child: a folder, and what is in it, that cannot be written to.
void make_read_only(const fs::path& folder) {
  const auto name = folder.c_str();
  if (has_own_mounts() && mount(name, name, nullptr, MS_BIND, nullptr) == 0 &&
      mount(nullptr, name, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0)
    return;
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
}

// The run itself, then what is left in the folder on the small disk, which goes with the process.
Call and_list(const Call& call, const fs::path& folder, const fs::path& list) {
  auto both = call;
  std::string command = "'" CLOPT_PROGRAM "'";
  for (const auto& word : call.arguments) command += " '" + word + "'";
  command += "; status=$?; ls -A '" + folder.string() + "' >'" + list.string() + "'; exit $status";
  both.program = "/bin/sh";
  both.arguments = {"-c", command};
  return both;
}

std::string text_of(const Place& place) {
  return place.folder().file("text.cl",
                             "// clopt: reals, minimise, lower -5, upper 5\nreal objective(individual x) {\n"
                             "  real sum = 1;\n  for (uint i = 0; i < genes(x); ++i) sum += gene(x, i) * gene(x, i);\n"
                             "  return sum;\n}\n");
}

// Something that a run writes, and the folder that it lies in.
struct Written {
  std::string name;
  fs::path folder;
  std::vector<std::string> options;
  bool is_result = true;  ///< whether the run fails without it
};

std::string checksum_of(const Outcome& outcome) {
  return outcome.output.empty() ? "" : outcome.json().at("checksum").dump();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resource_disks, *bt::label("slow"))

BOOST_AUTO_TEST_CASE(disks_that_are_full) {
  const Place place;
  const auto table = (place.results() / "table.csv").string();
  std::vector<std::string> arguments{"genetic", "--genes", "99", "--population", "33", "--generations", "300"};
  const auto whole = run(place.call(arguments));
  BOOST_REQUIRE_EQUAL(whole.status, 0);
  std::vector<Written> all;
  for (const auto& [option, name] : std::vector<std::pair<std::string, std::string>>{
           {"--checkpoint", "run"}, {"--statistics", "table.csv"}, {"--plot", "picture.svg"}, {"--output", "last.csv"}})
    all.push_back({option, place.results(), {option, (place.results() / name).string()}});
  // A text's code is compiled in the one and kept in the other.
  const std::vector<std::string> text{"--objective", text_of(place)};
  auto with_text = arguments;
  with_text.insert(with_text.end(), text.begin(), text.end());
  const auto whole_of_text = run(place.call(with_text));
  BOOST_REQUIRE_EQUAL(whole_of_text.status, 0);
  all.push_back({"cache", place.cache(), text, false});
  all.push_back({"temporary files", place.temporary(), text});
  std::size_t refused = 0;
  std::size_t done = 0;
  for (const auto& written : all)
    for (const std::uint64_t bytes : {4096U, 16384U, 1U << 20, 1U << 23}) {
      const auto& expected = written.options == text ? whole_of_text : whole;
      auto words = arguments;
      words.insert(words.end(), written.options.begin(), written.options.end());
      // The code is compiled anew where it has to be kept.
      fs::remove_all(place.cache());
      fs::create_directory(place.cache());
      fs::permissions(place.cache(), fs::perms::owner_all);
      const auto list = place.home() / "list";
      auto call = and_list(place.call(words), written.folder, list);
      call.in_child = [&] { make_small(written.folder, bytes); };
      const auto outcome = run(call);
      BOOST_TEST_CONTEXT(written.name << " on a disk of " << bytes << " bytes: " << outcome.error) {
        BOOST_TEST(outcome.signal == 0);
        BOOST_TEST((outcome.status == 0 || outcome.status == 2 || outcome.status == 3));
        BOOST_TEST(outcome.error_lines() <= 3U);
        // A run that could not write its files prints its result, if it got one.
        if (!outcome.output.empty()) BOOST_TEST(checksum_of(outcome) == checksum_of(expected));
        if (!written.is_result) BOOST_TEST(outcome.status == 0);
        if (bytes == 1U << 23) BOOST_TEST(outcome.status == 0);
        const auto left = clopt::test::read_file(list);
        BOOST_TEST((written.name == "cache" || left.find("clopt") == std::string::npos), left);
        BOOST_TEST(left.find(".new") == std::string::npos, left);
        ++(outcome.status == 0 ? done : refused);
      }
    }
  BOOST_TEST(refused > 0U);
  BOOST_TEST(done > 0U);
  std::cout << "full disks: " << done << " runs as without, " << refused << " refused" << std::endl;
}

BOOST_AUTO_TEST_CASE(a_home_that_cannot_be_written, *bt::label("device")) {
  const Place place;
  const auto work = clopt::test::subset_sum_work("k1");
  auto call = place.call(work);
  const auto whole = run(call);
  BOOST_REQUIRE_EQUAL(whole.status, 0);
  const Place other;
  call = other.call(work);
  // PoCL does not run without a folder that it can write.
  call.environment["POCL_CACHE_DIR"] = other.temporary().string();
  for (const char* name : {"CLOPT_CACHE_DIR", "XDG_CACHE_HOME"}) call.environment[name] = "";
  call.in_child = [&] { make_read_only(other.home()); };
  const auto outcome = run(call);
  BOOST_TEST_CONTEXT(outcome.error) {
    BOOST_REQUIRE_EQUAL(outcome.status, 0);
    BOOST_TEST(checksum_of(outcome) == checksum_of(whole));
    BOOST_TEST(outcome.error == "");
  }
  BOOST_TEST(fs::is_empty(other.home()));
  BOOST_TEST(other.leftovers() == "");
}

BOOST_AUTO_TEST_SUITE_END()
