// The queue that ranks draw ranges from, in a simulated time.
#include <boost/test/unit_test.hpp>
#include <group/ranges.hpp>

#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

using clopt::group::Range;
using clopt::group::RangeQueue;
using clopt::group::RankShape;

namespace {

/// Ranks whose items take a time each, and a queue that answers at once.
class Simulation {
 public:
  struct Rank {
    double speed = 1;            ///< items' seconds are divided by it
    double stops_at = 1e300;     ///< from then on it answers nothing
    double shortest = 0;         ///< that a range takes, however few its items: those that fill a device
    std::vector<Range> queue{};  ///< what it has, the first one under way
    double done_at = 0;          ///< when it has finished that
    double busy = 0;
  };

  Simulation(std::vector<double> item_seconds, std::vector<Rank> ranks)
      : seconds_(std::move(item_seconds)),
        ranks_(std::move(ranks)),
        queue_({{0, 0, seconds_.size()}}, std::vector<RankShape>(ranks_.size(), RankShape{1, 1, ~std::uint64_t{0}})),
        done_(seconds_.size()) {}

  /// \returns when all items are done.
  double run() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      for (int n = 0; n < 2; ++n) queue_.ask(rank);
    double now = 0;
    for (int step = 0; !queue_.is_done(); ++step) {
      BOOST_REQUIRE_LT(step, 1000000);
      while (const auto issue = queue_.next(now)) take(issue->rank, issue->range, now);
      const auto next = std::min_element(
          ranks_.begin(), ranks_.end(), [](const Rank& one, const Rank& other) { return end_of(one) < end_of(other); });
      // The queue looks again soon where ranks wait.
      const double tick = now + 0.01;
      if (end_of(*next) > tick) {
        now = tick;
        continue;
      }
      now = end_of(*next);
      finish(static_cast<std::size_t>(next - ranks_.begin()), now);
    }
    return now;
  }
  const RangeQueue& queue() const { return queue_; }
  const std::vector<int>& done() const { return done_; }

 private:
  static double end_of(const Rank& rank) {
    return rank.queue.empty() || rank.done_at > rank.stops_at ? 1e300 : rank.done_at;
  }
  double seconds_of(const Rank& rank, const Range& range) const {
    double seconds = 0;
    for (auto k = range.first; k < range.first + range.count; ++k) seconds += seconds_[k] / rank.speed;
    return std::max(seconds, rank.shortest);
  }
  void take(std::size_t rank, const Range& range, double now) {
    auto& one = ranks_[rank];
    one.queue.push_back(range);
    if (one.queue.size() == 1) one.done_at = now + seconds_of(one, range);
  }
  void finish(std::size_t rank, double now) {
    auto& one = ranks_[rank];
    const auto range = one.queue.front();
    one.queue.erase(one.queue.begin());
    if (!one.queue.empty()) one.done_at = now + seconds_of(one, one.queue.front());
    if (queue_.finish(rank, range.ticket, seconds_of(one, range), now))
      for (auto k = range.first; k < range.first + range.count; ++k) ++done_[k];
    queue_.ask(rank);
  }

  std::vector<double> seconds_;
  std::vector<Rank> ranks_;
  RangeQueue queue_;
  std::vector<int> done_;
};

bool each_once(const std::vector<int>& done) {
  return std::all_of(done.begin(), done.end(), [](int count) { return count == 1; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cluster_ranges)

BOOST_AUTO_TEST_CASE(every_item_is_done_once_and_ranks_share_alike) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  std::exponential_distribution<> seconds(100);
  for (const std::size_t ranks : {1U, 2U, 7U, 49U}) {
    std::vector<double> items(5000);
    double all = 0;
    for (auto& item : items) all += item = seconds(random);
    Simulation simulation(items, std::vector<Simulation::Rank>(ranks));
    const double took = simulation.run();
    BOOST_TEST_CONTEXT(ranks << " ranks, seed " << seed << ": " << took << " s of " << all << " s of work") {
      BOOST_TEST(each_once(simulation.done()));
      // The longest range at the end, and what a look takes.
      BOOST_TEST(took < 1.1 * all / static_cast<double>(ranks) + 0.3);
    }
  }
}

// As two GPUs that work at two ranges each, and at a thousand of their problems side by side.
BOOST_AUTO_TEST_CASE(ranges_fill_devices_that_take_as_long_for_few_items) {
  constexpr std::size_t ranks = 4;
  const std::vector<double> items(200'000, 62e-6);
  const double ideal = 62e-6 * static_cast<double>(items.size()) / ranks;
  for (const double shortest : {0.0, 0.01, 0.065}) {
    Simulation::Rank rank;
    rank.shortest = shortest;
    Simulation simulation(items, std::vector<Simulation::Rank>(ranks, rank));
    const double took = simulation.run();
    BOOST_TEST_CONTEXT(shortest << " s at least: " << took << " s in place of " << ideal) {
      BOOST_TEST(each_once(simulation.done()));
      // At the end some wait for what the others have under way, and ahead.
      BOOST_TEST(took < 1.01 * ideal + 3 * std::max(shortest, RangeQueue::least_seconds));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_slow_rank_gets_less) {
  std::vector<Simulation::Rank> ranks(4);
  ranks[2].speed = 0.05;
  Simulation simulation(std::vector<double>(4000, 0.01), ranks);
  BOOST_TEST(simulation.run() < 1.4 * 40 / 3.05);
  BOOST_TEST(each_once(simulation.done()));
}

BOOST_AUTO_TEST_CASE(a_rank_that_stops_is_done_without) {
  for (const double stops_at : {0.0, 1.0, 12.9}) {
    std::vector<Simulation::Rank> ranks(3);
    ranks[1].stops_at = stops_at;
    Simulation simulation(std::vector<double>(4000, 0.01), ranks);
    BOOST_TEST(simulation.run() < 60);
    BOOST_TEST(each_once(simulation.done()));
    BOOST_TEST(simulation.queue().duplicated() > 0U);
  }
}

BOOST_AUTO_TEST_CASE(a_rank_without_devices_gives_back) {
  RangeQueue queue({{0, 0, 100}}, {{1, 1, 100}, {1, 1, 100}});
  queue.ask(0);
  const auto lost = queue.next(0);
  BOOST_REQUIRE(lost);
  queue.give_back(0);
  BOOST_TEST(!queue.finish(0, lost->range.ticket, 1, 1));
  std::vector<bool> done(100);
  double now = 1;
  for (queue.ask(1); !queue.is_done(); queue.ask(1)) {
    const auto issue = queue.next(now);
    BOOST_REQUIRE(issue);
    BOOST_TEST(issue->rank == 1U);
    for (auto k = issue->range.first; k < issue->range.first + issue->range.count; ++k) {
      BOOST_TEST(!done[k]);
      done[k] = true;
    }
    BOOST_TEST(queue.finish(1, issue->range.ticket, 1, ++now));
  }
  BOOST_TEST(std::count(done.begin(), done.end(), true) == 100);
}

BOOST_AUTO_TEST_CASE(the_first_result_of_a_range_counts) {
  RangeQueue queue({{0, 0, 2}}, {{1, 1, 1}, {1, 1, 1}});
  queue.ask(0);
  queue.ask(1);
  const auto slow = queue.next(0);
  const auto quick = queue.next(0);
  BOOST_REQUIRE(slow && quick && !queue.next(0));
  BOOST_TEST(queue.finish(quick->rank, quick->range.ticket, 0.1, 0.1));
  queue.ask(quick->rank);
  // Three times the usual time, and what a message may wait.
  BOOST_TEST(!queue.next(0.49));
  const auto again = queue.next(0.51);
  BOOST_REQUIRE(again);
  BOOST_TEST(again->range.ticket == slow->range.ticket);
  BOOST_TEST(again->rank == quick->rank);
  BOOST_TEST(queue.finish(again->rank, again->range.ticket, 0.1, 0.6));
  BOOST_TEST(!queue.finish(slow->rank, slow->range.ticket, 9, 9));
  BOOST_TEST(queue.is_done());
  BOOST_TEST(queue.duplicated() == 1U);
}

BOOST_AUTO_TEST_CASE(even_shares_are_as_large_as_ranks) {
  RangeQueue queue({{0, 10, 11}}, {{1, 1, 100}, {3, 1, 100}, {1, 1, 100}}, clopt::group::Cutting::even);
  std::vector<std::uint64_t> counts(3);
  std::uint64_t next = 10;
  // Two requests each, and no rank gets anything ahead of its work.
  for (int n = 0; n < 2; ++n)
    for (std::size_t rank = 0; rank < counts.size(); ++rank) queue.ask(rank);
  while (const auto issue = queue.next(0)) {
    BOOST_TEST(counts[issue->rank] == 0U);
    counts[issue->rank] = issue->range.count;
    BOOST_TEST(issue->range.first == next);
    next += issue->range.count;
  }
  BOOST_TEST(counts == (std::vector<std::uint64_t>{3, 6, 2}), boost::test_tools::per_element());
  // What one gives back is another one's.
  queue.give_back(1);
  BOOST_TEST(!queue.next(0));
  BOOST_REQUIRE(queue.finish(0, 1, 0.1, 0.1));
  const auto taken = queue.next(0.1);
  BOOST_REQUIRE(taken);
  BOOST_TEST(taken->rank == 0U);
  BOOST_TEST(taken->range.first == 13U);
  BOOST_TEST(taken->range.count == 6U);
}

BOOST_AUTO_TEST_CASE(even_shares_of_fewer_items_than_ranks) {
  RangeQueue queue({{0, 0, 4}}, std::vector<RankShape>(3), clopt::group::Cutting::even);
  std::vector<std::uint64_t> counts(3);
  // A rank that has not asked yet is waited for no longer than others work.
  for (const std::size_t rank : {0U, 1U}) queue.ask(rank);
  while (const auto issue = queue.next(0)) counts[issue->rank] = issue->range.count;
  BOOST_TEST(counts == (std::vector<std::uint64_t>{2, 1, 0}), boost::test_tools::per_element());
  BOOST_REQUIRE(queue.finish(1, 2, 0.1, 0.1));
  queue.ask(1);
  const auto issue = queue.next(0.1);
  BOOST_REQUIRE(issue);
  BOOST_TEST(issue->rank == 1U);
  BOOST_TEST(issue->range.count == 1U);
}

BOOST_AUTO_TEST_CASE(what_has_been_out_longest_is_handed_out_again_first) {
  // Five ranks begin an item each, a second after each other; a sixth one is quick, and has nothing to do then.
  constexpr std::size_t quick = 5;
  RangeQueue queue({{0, 0, 6}}, std::vector<RankShape>(6, {1, 1, 1}));
  std::vector<Range> out;
  for (std::size_t rank = 0; rank < 6; ++rank) {
    queue.ask(rank);
    const auto issue = queue.next(static_cast<double>(rank));
    BOOST_REQUIRE(issue);
    out.push_back(issue->range);
  }
  BOOST_TEST(queue.finish(quick, out[quick].ticket, 1, 6));
  queue.ask(quick);
  // Items take a second: after 3.2 s they are overdue, at 6 those of the ranks 0 to 2.
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const auto again = queue.next(6.1);
    BOOST_REQUIRE(again);
    BOOST_TEST(again->rank == quick);
    BOOST_TEST(again->range.ticket == out[rank].ticket);
    BOOST_TEST(queue.finish(quick, out[rank].ticket, 1, 6.1));
    queue.ask(quick);
  }
  BOOST_TEST(!queue.next(6.1));
  // A rank is not handed what it has itself.
  BOOST_TEST(queue.finish(4, out[4].ticket, 1, 6.2));
  RangeQueue own({{0, 0, 2}}, std::vector<RankShape>(1, {1, 2, 1}));
  own.ask(0);
  const auto first = own.next(0);
  own.ask(0);
  const auto second = own.next(0);
  BOOST_REQUIRE(first && second);
  BOOST_TEST(own.finish(0, first->range.ticket, 1, 1));
  own.ask(0);
  BOOST_TEST(!own.next(100));
  BOOST_TEST(queue.duplicated() == 3U);
}

BOOST_AUTO_TEST_CASE(requests_of_a_thousand_ranks_take_little_time) {
  // Measures the queue alone, and prints what it takes; what a whole request takes is in the tests of jobs.
  constexpr std::size_t ranks = 1000;
  RangeQueue queue({{0, 0, 1000000}}, std::vector<RankShape>(ranks, {1, 1, 1}));
  for (std::size_t rank = 0; rank < ranks; ++rank) queue.ask(rank);
  std::uint64_t issued = 0;
  for (double now = 0; !queue.is_done(); now += 1e-5)
    while (const auto issue = queue.next(now)) {
      ++issued;
      BOOST_REQUIRE(queue.finish(issue->rank, issue->range.ticket, 0.02, now));
      queue.ask(issue->rank);
    }
  BOOST_TEST(issued == 1000000U);
}

BOOST_AUTO_TEST_CASE(ranges_that_belong_to_ranks) {
  using clopt::group::Cutting;
  RangeQueue queue({{0, 10, 4}, {0, 0, 0}, {0, 14, 3}, {0, 17, 1}}, std::vector<RankShape>(4), Cutting::own);
  // In whatever order they ask, and however long one of them takes.
  for (const std::size_t rank : {2U, 3U, 1U, 0U, 2U}) queue.ask(rank);
  std::vector<Range> issued(4);
  while (const auto issue = queue.next(0)) {
    BOOST_TEST(issued[issue->rank].count == 0U);
    issued[issue->rank] = issue->range;
  }
  BOOST_TEST(issued[0].first == 10U);
  BOOST_TEST(issued[0].count == 4U);
  BOOST_TEST(issued[1].count == 0U);
  BOOST_TEST(issued[2].first == 14U);
  BOOST_TEST(issued[2].count == 3U);
  BOOST_TEST(issued[3].first == 17U);
  for (const std::size_t rank : {0U, 3U}) {
    BOOST_TEST(queue.finish(rank, issued[rank].ticket, 1, 1));
    queue.ask(rank);
  }
  BOOST_TEST(!queue.next(1e6));
  BOOST_TEST(!queue.is_done());
  BOOST_TEST(queue.finish(2, issued[2].ticket, 1, 2e6));
  BOOST_TEST(queue.is_done());
  BOOST_TEST(queue.duplicated() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
