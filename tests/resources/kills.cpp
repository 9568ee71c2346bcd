// Runs that are killed at work, resumed, killed again, and at last run to their end: their result is that of the run
// that was never stopped. They write checkpoints as often as they can, so that many kills strike while one is written.
#include <boost/test/unit_test.hpp>
#include <resources/place.hpp>

#include <iostream>
#include <random>

namespace bt = boost::unit_test;
using clopt::test::Outcome;
using clopt::test::Place;
namespace fs = std::filesystem;

namespace {

/// A run in a place of its own, which resumes from its checkpoint where there is one.
class KilledRun {
 public:
  explicit KilledRun(const std::string& work) {
    call_ = place_.call(std::vector<std::string>{});
    call_.program = CLOPT_KILLED_RUN;
    call_.arguments = {work, checkpoint().string(), clopt::test::device_name()};
    call_.signal = SIGKILL;
    run();
    begin_anew();
    // The device has passed its test.
    const auto outcome = run();
    BOOST_REQUIRE_EQUAL(outcome.status, 0);
    expected_ = outcome.output;
    seconds_ = outcome.seconds;
  }
  /// \param seconds after which it is killed; 0: never.
  Outcome run(double seconds = 0) {
    call_.signal_after = seconds;
    return clopt::test::run(call_);
  }
  fs::path checkpoint() const { return place_.results() / "run"; }
  void begin_anew() const { fs::remove(checkpoint()); }
  /// What is in the checkpoint's folder beside it, and goes: how much that was.
  std::size_t remove_leftovers() const {
    std::vector<fs::path> found;
    for (const auto& item : fs::directory_iterator(place_.results()))
      if (item.path() != checkpoint()) found.push_back(item.path());
    for (const auto& path : found) fs::remove(path);
    return found.size();
  }
  const std::string& expected() const { return expected_; }
  double seconds() const { return seconds_; }

 private:
  Place place_;
  clopt::test::Call call_;
  std::string expected_;
  double seconds_ = 0;
};

void kill_often(const std::string& work, std::uint64_t kills, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  KilledRun run(work);
  std::uniform_real_distribution<> moment(0.0005, run.seconds());
  std::uint64_t hit = 0;
  std::uint64_t runs = 0;
  std::uint64_t continuing = 0;
  std::size_t leftovers = 0;
  while (hit < kills && runs < 20 * kills) {
    run.begin_anew();
    ++runs;
    for (bool killed = true; killed && hit < kills;) {
      const bool continues = fs::exists(run.checkpoint());
      const auto outcome = run.run(moment(random));
      killed = outcome.signal == SIGKILL;
      hit += killed;
      continuing += killed && continues;
    }
    const auto last = run.run();
    BOOST_TEST_CONTEXT(work << ", seed " << seed << ", run " << runs << ": " << last.error) {
      BOOST_TEST(last.status == 0);
      BOOST_TEST(last.output == run.expected());
    }
    leftovers += run.remove_leftovers();
  }
  BOOST_TEST(hit == kills);
  std::cout << hit << " kills of " << work << ", seed " << seed << ": " << continuing << " of runs that had gone on; "
            << runs << " whole runs of " << run.seconds() << " s, with the result of the one that never stopped; "
            << leftovers << " files left beside checkpoints" << std::endl;
  // Between two calls of the system: a new file gets a name, and then the checkpoint's.
  BOOST_TEST(leftovers <= 1 + hit / 50);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resource_kills, *bt::label("slow"))

BOOST_AUTO_TEST_CASE(a_run_that_is_killed_anywhere_continues) {
  const auto kills = clopt::test::number_from("CLOPT_TEST_KILLS", clopt::test::long_run() ? 50 : 5);
  const auto seed = clopt::test::number_from("CLOPT_TEST_SEED", std::random_device{}());
  for (const auto* work : {"genetic", "genetic/islands", "differential-evolution", "differential-evolution/shade",
                           "ecga", "exchange/anneal", "exchange/tabu", "exchange/umda"})
    if (clopt::test::is_chosen(work)) kill_often(work, kills, seed);
}

BOOST_AUTO_TEST_SUITE_END()
