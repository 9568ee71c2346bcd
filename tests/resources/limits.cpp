// Limits of memory, processes and sizes of files, from hopeless ones to ample ones: each run ends as it should without,
// or says what it lacks, and what it remembers does no harm afterwards.
#include <boost/test/unit_test.hpp>
#include <resources/place.hpp>

#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmath>
#include <iostream>

namespace bt = boost::unit_test;
using clopt::test::Outcome;
using clopt::test::Place;
using clopt::test::Work;
namespace fs = std::filesystem;

namespace {

constexpr uid_t unprivileged = 65534;
// The dynamic linker's, which finds no room for the program itself.
constexpr int not_loaded = 127;
constexpr std::uint64_t megabyte = 1'000'000;

/// Values of a limit, from least to most, each as many times the one before.
std::vector<std::uint64_t> steps(double least, double most) {
  std::vector<std::uint64_t> values(clopt::test::long_run() ? 20 : 6);
  const auto last = static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::uint64_t>(least * std::pow(most / least, static_cast<double>(i) / last));
  return values;
}

/// Root has no limit of processes: root becomes an unprivileged user, where that one may run the program.
class User {
 public:
  static bool is_other() {
    static const bool may = [] {
      if (geteuid() != 0) return false;
      const auto child = fork();
      if (child == 0) {
        become_other();
        _exit(access(CLOPT_PROGRAM, X_OK) == 0 ? 0 : 1);
      }
      int status = 1;
      waitpid(child, &status, 0);
      return status == 0;
    }();
    return may;
  }
  static void become_other() {
    if (setgroups(0, nullptr) != 0 || setgid(unprivileged) != 0 || setuid(unprivileged) != 0) _exit(1);
  }
  // Threads count.
  static std::uint64_t processes() {
    const auto user = is_other() ? unprivileged : geteuid();
    std::uint64_t count = 0;
    std::error_code error;
    for (fs::directory_iterator item("/proc", error), end; !error && item != end; item.increment(error)) {
      struct stat found {};
      const auto path = item->path() / "task";
      if (::stat(path.c_str(), &found) != 0 || found.st_uid != user) continue;
      std::error_code gone;
      for (fs::directory_iterator task(path, gone), last; !gone && task != last; task.increment(gone)) ++count;
    }
    return count;
  }
};

struct Limit {
  const char* name;
  __rlimit_resource_t resource;
  std::vector<std::uint64_t> values;
  bool as_other = false;
};

struct Ends {
  std::size_t runs = 0;
  std::size_t same = 0;
  std::size_t refused = 0;
  std::size_t not_begun = 0;
  double longest = 0;
};

void examine(const Place& place, const Work& work, const Outcome& outcome, const std::string& expected, Ends& ends) {
  ++ends.runs;
  ends.longest = std::max(ends.longest, outcome.seconds);
  BOOST_TEST(outcome.signal == 0);
  BOOST_TEST(outcome.error_lines() <= 3U);
  BOOST_TEST(outcome.seconds < clopt::test::seconds_of_a_run + 62);
  BOOST_TEST(place.leftovers() == "");
  if (outcome.status == not_loaded) {
    BOOST_TEST(outcome.error.find("loading shared libraries") != std::string::npos);
    ++ends.not_begun;
    return;
  }
  BOOST_TEST(clopt::test::is_known_status(outcome.status));
  if (outcome.status == 2 || outcome.status == 3) {
    BOOST_TEST(outcome.error_lines() >= 1U);
    ++ends.refused;
  }
  if (outcome.status == 3 || outcome.output.empty()) return;
  // A run that could not write its files prints what it has found, too.
  const auto result = outcome.json();
  if (result.contains("unfinished")) return;
  BOOST_TEST(result.at("checksum") == expected);
  if (outcome.status == 2) return;
  BOOST_TEST(work.untruth(result, clopt::test::read_file(place.written())) == "");
  ++ends.same;
}

void sweep(const Work& work, const Limit& limit, Ends& ends) {
  const Place place;
  auto call = place.call(work);
  // Only some solvers have checkpoints.
  if (work.name.find("subset-sum") == std::string::npos)
    for (const auto& word : {std::string("--checkpoint"), (place.results() / "run").string()})
      call.arguments.push_back(word);
  const bool as_other = limit.as_other && User::is_other();
  const auto become = [as_other] {
    if (as_other) User::become_other();
  };
  call.in_child = become;
  const auto whole = clopt::test::run(call);
  const auto unlimited = call;
  call.arguments.push_back("--time-limit=" + std::to_string(clopt::test::seconds_of_a_run));
  BOOST_TEST_CONTEXT(work.name << " without a limit: " << whole.error) {
    BOOST_REQUIRE((whole.status == 0 || whole.status == 4));
  }
  const auto expected = whole.json().at("checksum").get<std::string>();
  for (const auto value : limit.values) {
    fs::remove(place.written());
    call.in_child = [&] {
      become();
      const rlimit most{value, value};
      setrlimit(limit.resource, &most);
    };
    const auto outcome = clopt::test::run(call);
    BOOST_TEST_CONTEXT(work.name << " with " << limit.name << " " << value << ": status " << outcome.status << ", "
                                 << outcome.error)
    examine(place, work, outcome, expected, ends);
  }
  // Nothing that was remembered of these runs is in the way.
  const auto again = clopt::test::run(unlimited);
  BOOST_TEST_CONTEXT(work.name << " after limits of " << limit.name << ": " << again.error) {
    BOOST_TEST(again.status == whole.status);
    BOOST_TEST(again.output.find(expected) != std::string::npos);
    BOOST_TEST(place.leftovers() == "");
  }
}

// A text is compiled, on OpenMP by a program of its own.
Work work_with_text(const Place& place) {
  auto work = clopt::test::differential_evolution_work();
  work.name += "/text";
  for (auto& argument : work.arguments)
    if (argument == "sphere")
      argument = place.folder().file("text.cl",
                                     "// clopt: reals, minimise, lower -5, upper 5\nreal objective(individual x) {\n"
                                     "  real sum = 0;\n  for (uint i = 0; i < genes(x); ++i) sum += gene(x, i) * "
                                     "gene(x, i);\n  return sum;\n}\n");
  return work;
}

// Compilers of processors take seconds: there the usual tests have the quickest work only.
void sweep_all(const Limit& limit) {
  const Place place;
  auto works = clopt::test::works();
  if (clopt::test::platform() != "openmp" && !clopt::test::long_run())
    works.resize(std::min<std::size_t>(works.size(), 1));
  else if (auto work = work_with_text(place); clopt::test::is_chosen(work.name))
    works.push_back(std::move(work));
  Ends ends;
  for (const auto& work : works) sweep(work, limit, ends);
  std::cout << "limits of " << limit.name << " on " << clopt::test::platform() << ", " << ends.runs
            << " runs: " << ends.same << " as without, " << ends.refused << " refused, " << ends.not_begun
            << " not loaded; longest " << ends.longest << " s" << std::endl;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resource_limits, *bt::label("device"))

// A sanitizer takes more address space than any limit leaves.
BOOST_AUTO_TEST_CASE(address_space, *bt::label("slow") * bt::label("long")) {
  const bool has_driver = clopt::test::platform() != "openmp";
  sweep_all({"address space", RLIMIT_AS,
             has_driver ? steps(40 * megabyte, 8000 * megabyte) : steps(24 * megabyte, 400 * megabyte)});
}

BOOST_AUTO_TEST_CASE(processes, *bt::label("slow") * bt::label("long")) {
  auto values = steps(1, 65);
  const auto others = User::processes();
  for (auto& value : values) value += others - 1;
  if (geteuid() == 0 && !User::is_other())
    std::cout << "unprivileged may not run " << CLOPT_PROGRAM << ", and root has no limit of processes" << std::endl;
  sweep_all({"processes", RLIMIT_NPROC, values, true});
}

BOOST_AUTO_TEST_CASE(sizes_of_files, *bt::label("slow")) {
  auto values = steps(1, 1e9);
  values.front() = 0;
  sweep_all({"sizes of files", RLIMIT_FSIZE, values});
}

BOOST_AUTO_TEST_SUITE_END()
