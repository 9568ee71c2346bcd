/// \file
/// How ranks divide tables of pairs among them.
#include <boost/test/unit_test.hpp>
#include <ecga/model/pair_division.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <utility>
#include <vector>

using clopt::Bytes;
using clopt::ecga::Band;
using clopt::ecga::Edge;
using clopt::ecga::PairDivision;

namespace {

/// Says what ranks say.
class Texts : public clopt::ecga::Peers {
 public:
  Texts(std::size_t place, std::vector<Bytes> texts) : place_(place), texts_(std::move(texts)) {}

  std::size_t place() const override { return place_; }
  std::uint64_t neighbours() const override { return 1; }
  std::uint64_t least(std::uint64_t own) override { return own; }
  bool must_stop() override { return false; }
  void require_equal(std::uint64_t) override {}
  std::vector<Bytes> gather(Bytes own) override {
    sent_ = own;
    if (!is_heard_) texts_[place_] = std::move(own);
    return texts_;
  }
  /// The last.
  const Bytes& sent() const { return sent_; }
  void hear(std::vector<Bytes> texts) {
    texts_ = std::move(texts);
    is_heard_ = true;
  }

 private:
  std::size_t place_;
  std::vector<Bytes> texts_;
  Bytes sent_;
  bool is_heard_ = false;
};

struct Rank {
  Texts others;
  PairDivision parts;

  Rank(std::size_t place, const std::vector<Bytes>& texts, std::uint64_t devices)
      : others(place, texts), parts(others, devices) {}
};

std::deque<Rank> ranks_with(const std::vector<std::uint64_t>& devices) {
  std::vector<Bytes> texts;
  texts.reserve(devices.size());
  for (const auto count : devices) texts.push_back(clopt::ByteWriter().add(count).take());
  std::deque<Rank> ranks;
  for (std::size_t place = 0; place < devices.size(); ++place) ranks.emplace_back(place, texts, devices[place]);
  return ranks;
}

// Pairs of a part, one by one.
std::uint64_t pairs_of(Band part, std::uint64_t others) {
  std::uint64_t pairs = 0;
  for (auto i = part.begin; i < part.end; ++i) pairs += others + i;
  return pairs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parts)

BOOST_AUTO_TEST_CASE(parts_are_the_whole) {
  constexpr std::uint32_t seed = 7;
  std::mt19937 random(seed);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::uint64_t> devices(1 + random() % 9);
    for (auto& count : devices) count = 1 + random() % 8;
    const std::uint32_t fewest = 1 + random() % 16;
    const auto count = static_cast<std::uint32_t>(fewest * devices.size() + random() % (trial % 2 == 0 ? 50 : 100'000));
    const std::uint64_t others = trial % 3 == 0 ? 0 : random() % 100'000;
    auto ranks = ranks_with(devices);
    BOOST_TEST_CONTEXT("seed " << seed << ", trial " << trial << ": " << count << " groups, " << others << " others") {
      BOOST_TEST(ranks.front().parts.suffices(count, fewest));
      std::uint32_t end = 0;
      for (const auto& rank : ranks) {
        const auto part = rank.parts.own({count, others}, fewest);
        BOOST_TEST(part.begin == end);
        BOOST_TEST(part.end >= part.begin + fewest);
        end = part.end;
      }
      BOOST_TEST(end == count);
    }
  }
  BOOST_TEST(!ranks_with({1, 1, 1}).front().parts.suffices(23, 8));
}

BOOST_AUTO_TEST_CASE(parts_are_in_proportion_to_devices) {
  const auto ranks = ranks_with({1, 4, 2});
  for (const std::uint64_t others : {0U, 5000U}) {
    const double all = static_cast<double>(pairs_of({0, 7000}, others));
    for (std::size_t place = 0; place < 3; ++place) {
      const double share = static_cast<double>(pairs_of(ranks[place].parts.own({7000, others}, 16), others)) / all;
      BOOST_TEST(share == (place == 0 ? 1 : place == 1 ? 4 : 2) / 7.0, boost::test_tools::tolerance(0.01));
    }
  }
}

// Of sizes that differ, pairs of what they take count.
BOOST_AUTO_TEST_CASE(parts_are_of_sizes) {
  const auto ranks = ranks_with({1, 2});
  std::vector<std::uint64_t> starts{0};
  for (std::uint32_t item = 0; item < 1000; ++item) starts.push_back(starts.back() + (item < 500 ? 1 : 31));
  const clopt::ecga::Table table{1000, 0, starts};
  const auto part = ranks[0].parts.own(table, 4);
  BOOST_TEST(ranks[1].parts.own(table, 4).begin == part.end);
  const auto rows = static_cast<double>(starts[part.end]);
  const auto all = static_cast<double>(starts.back());
  BOOST_TEST(rows * rows / (all * all) == 1.0 / 3, boost::test_tools::tolerance(0.01));
}

// All learn how long each has taken, and what each has found.
BOOST_AUTO_TEST_CASE(a_quicker_rank_gets_more) {
  auto ranks = ranks_with({1, 1});
  double share = 0.5;
  for (std::uint32_t round = 0; round < 12; ++round) {
    std::vector<Band> own;
    own.reserve(ranks.size());
    for (const auto& rank : ranks) own.push_back(rank.parts.own({10'000}, 8));
    // The second one is three times as quick.
    share = static_cast<double>(pairs_of(own[1], 0)) / static_cast<double>(pairs_of({0, 10'000}, 0));
    std::vector<Bytes> texts;
    for (std::uint32_t place = 0; place < 2; ++place) {
      clopt::ByteWriter text;
      const double seconds = static_cast<double>(pairs_of(own[place], 0)) * (place == 0 ? 3e-7 : 1e-7);
      const auto rate = static_cast<std::uint64_t>(2 * static_cast<double>(pairs_of(own[place], 0)) / seconds);
      texts.push_back(text.add(rate).add(std::uint64_t{10 + place}).add(std::vector<Edge>{{place, round, 5}}).take());
    }
    for (std::uint32_t place = 0; place < 2; ++place) {
      ranks[place].others.hear(texts);
      std::vector<Edge> edges{{place, round, 5}};
      BOOST_TEST(ranks[place].parts.join(3000, 0.5, 10 + place, edges) == 21U);
      clopt::ByteReader sent(ranks[place].others.sent());
      BOOST_TEST(sent.take<std::uint64_t>() == 6000U);  // a second
      BOOST_TEST(sent.take<std::uint64_t>() == 10 + place);
      BOOST_TEST(sent.take<std::vector<Edge>>().size() == 1U);
      BOOST_REQUIRE(edges.size() == 2U);
      BOOST_TEST(edges[0].first == place);
      BOOST_TEST(edges[1].first == 1 - place);
    }
  }
  BOOST_TEST(share == 0.75, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_SUITE_END()
