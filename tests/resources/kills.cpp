// Runs that are killed at work, resumed, killed again, and at last run to their end: their checksum is that of the run
// that was never stopped.
#include <boost/test/unit_test.hpp>
#include <resources/place.hpp>

#include <iostream>
#include <random>

namespace bt = boost::unit_test;
using clopt::test::Call;
using clopt::test::Outcome;
using clopt::test::Place;
namespace fs = std::filesystem;

namespace {

/// A run of some tenths of a second, of which a checkpoint is written as soon as it begins.
struct KilledWork {
  std::string name;
  std::vector<std::string> arguments;
};

std::vector<KilledWork> killed_works() {
  return {{"genetic",
           {"genetic", "--genes", "999", "--population", "65", "--mutation", "0.0005", "--generations", "48000"}},
          {"differential-evolution",
           {"differential-evolution", "--objective", "rosenbrock", "--dimensions", "10", "--population", "33",
            "--problems", "5", "--generations", "240000"}},
          {"ecga",
           {"ecga", "--objective", "trap5", "--length", "100", "--population", "2000", "--crossover", "0.2",
            "--generations", "60"}},
          {"exchange/anneal",
           {"exchange", "--topology", "torus:7x7", "--optimizer", "anneal", "--steps", "bound", "--generations", "60"}},
          {"exchange/tabu",
           {"exchange", "--topology", "torus:7x7", "--optimizer", "tabu", "--steps", "bound", "--generations", "50"}},
          {"exchange/umda",
           {"exchange", "--topology", "mesh:3x3", "--optimizer", "umda", "--offload", "device", "--population", "257",
            "--generations", "3600"}}};
}

/// A run in a place of its own, which goes on from its checkpoint where there is one.
class KilledRun {
 public:
  explicit KilledRun(const KilledWork& work) : work_(work) {}

  /// \param seconds after which it is killed; 0: never. \param at_work whether they count from its first checkpoint.
  Outcome run(double seconds = 0, bool at_work = false) const {
    auto arguments = work_.arguments;
    if (fs::exists(checkpoint())) {
      arguments = {arguments.front(), "--resume", checkpoint().string()};
      const auto generations = std::find(work_.arguments.begin(), work_.arguments.end(), "--generations");
      arguments.insert(arguments.end(), generations, generations + 2);
    }
    for (const auto& word : {std::string("--checkpoint"), checkpoint().string()}) arguments.push_back(word);
    auto call = place_.call(arguments);
    call.environment["CLOPT_CACHE_DIR"] = "";
    for (const auto* name : {"CLOPT_CACHE_DIR", "POCL_CACHE_DIR"})
      if (const char* shared = std::getenv(name)) call.environment[name] = shared;
    call.signal = SIGKILL;
    call.signal_after = seconds;
    if (at_work) call.signal_from = checkpoint().string();
    return clopt::test::run(call);
  }
  fs::path checkpoint() const { return place_.results() / "run"; }
  std::string leftovers() const { return place_.leftovers(); }
  void begin_anew() const { fs::remove(checkpoint()); }

 private:
  const KilledWork& work_;
  Place place_;
};

// What must not depend on kills.
std::string essence(const Outcome& outcome) {
  BOOST_TEST_CONTEXT(outcome.error) { BOOST_REQUIRE((outcome.status == 0 || outcome.status == 4)); }
  const auto result = outcome.json();
  nlohmann::json part;
  for (const char* field : {"best", "solved", "steps", "conflicts", "generations", "evaluations", "checksum"})
    if (result.contains(field)) part[field] = result[field];
  return part.dump();
}

// \returns the kills that hit, and whole runs that were made of them.
void kill_often(const KilledWork& work, std::uint64_t kills, std::uint64_t seed) {
  constexpr std::uint64_t most_in_a_row = 19;
  std::mt19937_64 random(seed);
  const KilledRun run(work);
  const auto first = run.run();
  run.begin_anew();
  const auto whole = run.run();
  const auto expected = essence(whole);
  // Most kills must hit it: half of its work.
  const double work_seconds = std::min(whole.json()["seconds"]["compute"].get<double>(),
                                       first.json()["seconds"]["compute"].get<double>());
  constexpr double longest = 0.05;
  std::uniform_real_distribution<> moment(1e-5, std::min(work_seconds / 2, longest));
  std::uint64_t hit = 0;
  std::uint64_t runs = 0;
  std::uint64_t with_checkpoint = 0;
  std::uint64_t leftovers = 0;
  while (hit < kills) {
    run.begin_anew();
    ++runs;
    for (std::uint64_t row = 1 + random() % most_in_a_row; row > 0 && hit < kills; --row) {
      // Some before it is at work.
      const auto outcome = run.run(moment(random), random() % 10 != 0);
      // It was quicker than the signal.
      if (outcome.signal != SIGKILL) break;
      ++hit;
      with_checkpoint += fs::exists(run.checkpoint());
    }
    BOOST_TEST_CONTEXT(work.name << ", seed " << seed << ", run " << runs) {
      BOOST_TEST(essence(run.run()) == expected);
    }
    leftovers += !run.leftovers().empty();
    if (runs > 20 * kills) break;
  }
  BOOST_TEST(hit == kills);
  std::cout << hit << " kills of " << work.name << " on " << clopt::test::platform() << ", seed " << seed << ": "
            << with_checkpoint << " after a checkpoint; " << runs << " whole runs of " << whole.seconds
            << " s, all with the right checksum; " << leftovers << " runs left a file beside it" << std::endl;
  // Between the two calls of the system that give a new file its name and then the other's.
  BOOST_TEST(leftovers <= 1 + hit / 100);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resource_kills, *bt::label("slow"))

BOOST_AUTO_TEST_CASE(a_run_that_is_killed_anywhere_goes_on) {
  const auto kills = clopt::test::number_from("CLOPT_TEST_KILLS", clopt::test::long_run() ? 1000 : 5);
  const auto seed = clopt::test::number_from("CLOPT_TEST_SEED", std::random_device{}());
  for (const auto& work : killed_works()) kill_often(work, kills, seed);
}

BOOST_AUTO_TEST_SUITE_END()
