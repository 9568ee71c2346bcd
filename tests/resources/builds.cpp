// Many processes that want the same program at once, and processes that are killed while they build it.
#include <boost/test/unit_test.hpp>
#include <resources/place.hpp>
#include <support/skip.hpp>

#include <future>
#include <iostream>
#include <random>

namespace bt = boost::unit_test;
using clopt::test::Outcome;
using clopt::test::Place;
using clopt::test::run;
namespace fs = std::filesystem;

namespace {

bool is_openmp() { return clopt::test::platform() == "openmp"; }

// A wrapper of the compiler that counts its calls.
std::string counting_compiler(const Place& place) {
  auto file = place.folder().file("counting", "#!/bin/sh\necho >>\"$CLOPT_TEST_COUNT\"\nexec c++ \"$@\"\n");
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

std::string new_text(const Place& place) {
  return place.folder().file("new.cl",
                             "// clopt: reals, minimise, lower -5, upper 5\nreal objective(individual x) {\n"
                             "  real sum = 2;\n  for (uint i = 0; i < genes(x); ++i) sum += gene(x, i) * gene(x, i);\n"
                             "  return sum;\n}\n");
}

std::vector<std::string> search(const Place& place) {
  return {"differential-evolution", "--objective", new_text(place), "--dimensions", "3", "--population", "9",
          "--generations",          "30"};
}

// The processes of a group, by the system's list of all.
std::size_t processes_that_name(const std::string& text) {
  std::size_t count = 0;
  std::error_code error;
  for (fs::directory_iterator item("/proc", error), end; !error && item != end; item.increment(error)) {
    const auto words = clopt::test::read_file(item->path() / "environ");
    count += words.find(text) != std::string::npos;
  }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resource_builds, *bt::label("slow"))

BOOST_AUTO_TEST_CASE(many_processes_on_one_cold_cache, *bt::label("device")) {
  const Place place;
  // A compiler of a driver takes memory, and seconds of each process.
  const std::size_t usual = is_openmp() ? 16 : 3;
  const std::size_t processes =
      clopt::test::number_from("CLOPT_TEST_PROCESSES_AT_ONCE", clopt::test::long_run() ? 64 : usual);
  const auto count = (place.home() / "count").string();
  auto call = place.call(is_openmp() ? search(place) : clopt::test::subset_sum_work("k1").arguments,
                         clopt::test::subset_sum_work("k1").input);
  call.environment["CXX"] = counting_compiler(place);
  call.environment["CLOPT_TEST_COUNT"] = count;
  // Which of its records a process made, and which it found.
  call.environment["CLOPT_LOG"] = "cache";
  std::vector<std::future<Outcome>> running;
  for (std::size_t i = 0; i < processes; ++i)
    running.push_back(std::async(std::launch::async, [&call] { return run(call); }));
  std::string checksum;
  std::size_t kept = 0;
  for (auto& each : running) {
    const auto outcome = each.get();
    BOOST_TEST_CONTEXT(outcome.error) {
      BOOST_REQUIRE_EQUAL(outcome.status, 0);
      const auto found = outcome.json().at("checksum").get<std::string>();
      if (checksum.empty()) checksum = found;
      BOOST_TEST(found == checksum);
      const std::string_view mark = is_openmp() ? "kept objective-" : "kept program-";
      for (auto at = outcome.error.find(mark); at != std::string::npos; at = outcome.error.find(mark, at + 1)) ++kept;
    }
  }
  std::size_t records = 0;
  for (const auto& item : fs::directory_iterator(place.cache()))
    records += item.path().filename().string().starts_with(is_openmp() ? "objective-" : "program-");
  const auto compilations = clopt::test::read_file(count).size();
  std::cout << processes << " processes on one cold cache on " << clopt::test::platform() << ": " << records
            << " programs, kept " << kept << " times by these processes, " << compilations << " calls of the compiler"
            << std::endl;
  BOOST_TEST(place.leftovers(true) == "");
  if (!is_openmp()) return;
  BOOST_TEST(records == 1U);
  BOOST_TEST(kept == 1U);
  BOOST_TEST(compilations == 1U);
}

// At any moment: of the process, and of all its group.
BOOST_AUTO_TEST_CASE(a_build_that_is_killed_leaves_nothing, *bt::label("device")) {
  const Place place;
  auto call = place.call(is_openmp() ? search(place) : clopt::test::subset_sum_work("k1").arguments,
                         clopt::test::subset_sum_work("k1").input);
  call.environment["CLOPT_TEST_MARK"] = place.home().string();
  call.signal = SIGKILL;
  const auto seed = clopt::test::number_from("CLOPT_TEST_SEED", std::random_device{}());
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<> moment(0.001, 0.5);
  const int usual = is_openmp() ? 10 : 4;
  const int kills = clopt::test::long_run() ? 30 : usual;
  int hit = 0;
  int folders = 0;
  for (int i = 0; i < kills; ++i) {
    fs::remove_all(place.cache());
    call.to_group = i % 2 == 1;
    call.signal_after = moment(random);
    const auto outcome = run(call);
    hit += outcome.signal == SIGKILL;
    BOOST_TEST_CONTEXT("seed " << seed << ", kill " << i << " after " << call.signal_after << " s") {
      // What it started ends a moment later; a busy machine may take longer.
      const auto mark = "CLOPT_TEST_MARK=" + place.home().string();
      for (int wait = 0; wait < 3000 && processes_that_name(mark) != 0; ++wait) usleep(10'000);
      BOOST_TEST(processes_that_name(mark) == 0U);
      folders += !place.leftovers().empty();
    }
  }
  BOOST_TEST(hit > 0);
  // The next run takes away what one that was killed before its guard ran has left.
  call.signal_after = 0;
  fs::remove_all(place.cache());
  const auto outcome = run(call);
  BOOST_TEST_CONTEXT(outcome.error) { BOOST_TEST(outcome.status == 0); }
  BOOST_TEST(place.leftovers(true) == "");
  std::cout << hit << " builds killed on " << clopt::test::platform() << ", seed " << seed << ": " << folders
            << " left a file or folder, which the next run took away" << std::endl;
}

BOOST_AUTO_TEST_SUITE_END()
