// Workers that work in step, with all messages passed on by one thread.
#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>
#include <group/ring.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>
#include <vector>

using clopt::Bytes;
using clopt::group::Kind;
using clopt::group::Mailbox;
using clopt::group::Ring;

namespace {

/// The mailboxes of some ranks, and a thread that passes on what they have for each other.
class Ranks {
 public:
  explicit Ranks(std::uint32_t count) {
    for (std::uint32_t rank = 0; rank < count; ++rank) mailboxes_.emplace_back(5, rank);
    post_ = std::thread([this] {
      while (!has_ended_) {
        for (auto& mailbox : mailboxes_) {
          mailbox.wait_for_note(std::chrono::microseconds(20));
          while (const auto note = mailbox.collect_note()) deliver(*note);
        }
      }
    });
  }
  ~Ranks() {
    has_ended_ = true;
    post_.join();
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  Mailbox& operator[](std::size_t rank) { return mailboxes_[rank]; }
  std::size_t passed() const { return passed_; }

 private:
  void deliver(const Mailbox::Note& note) {
    clopt::ByteReader reader(note.message);
    const auto kind = reader.take<Kind>();
    BOOST_TEST((kind == Kind::note));
    BOOST_TEST(reader.take<std::uint32_t>() == 5U);
    ++passed_;
    mailboxes_[note.rank].deliver(kind, reader);
  }

  std::deque<Mailbox> mailboxes_;
  std::atomic<bool> has_ended_{false};
  std::atomic<std::size_t> passed_{0};
  std::thread post_;
};

struct Received {
  std::vector<std::uint32_t> come;  ///< from the member before, each round
  std::vector<std::uint32_t> least;
};

// Some rounds, each of a note to the next member and of a minimum.
Received take_part(Mailbox& mailbox, const std::vector<std::uint32_t>& members, std::size_t own, std::uint32_t rounds) {
  Ring ring(mailbox, members, own);
  Received received;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const auto value = static_cast<std::uint32_t>(100 * round + (own * 7 + round * 3) % 11);
    received.come.push_back(clopt::ByteReader(ring.pass_on(clopt::encode(value))).take<std::uint32_t>());
    received.least.push_back(ring.all_reduce(value, [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); }));
  }
  return received;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cluster_ring)

BOOST_AUTO_TEST_CASE(all_learn_the_same) {
  constexpr std::uint32_t rounds = 20;
  for (std::uint32_t count = 1; count <= 9; ++count) BOOST_TEST_CONTEXT(count << " members") {
      Ranks ranks(10);
      // Not the first ranks, and not in their order.
      std::vector<std::uint32_t> members;
      for (std::uint32_t k = 0; k < count; ++k) members.push_back((3 * k + 1) % 10);
      std::vector<Received> received(count);
      std::vector<std::thread> threads;
      for (std::uint32_t own = 0; own < count; ++own)
        threads.emplace_back([&, own] { received[own] = take_part(ranks[members[own]], members, own, rounds); });
      for (auto& thread : threads) thread.join();
      for (std::uint32_t round = 0; round < rounds; ++round) {
        std::vector<std::uint32_t> values;
        for (std::uint32_t own = 0; own < count; ++own) values.push_back(100 * round + (own * 7 + round * 3) % 11);
        for (std::uint32_t own = 0; own < count; ++own) {
          BOOST_TEST(received[own].come[round] == values[(own + count - 1) % count]);
          BOOST_TEST(received[own].least[round] == *std::min_element(values.begin(), values.end()));
        }
      }
      // One to the next member, and as many as 2 must be multiplied by itself to reach their number.
      std::size_t each = 1;
      for (std::uint32_t reach = 1; reach < count; reach *= 2) ++each;
      BOOST_TEST(ranks.passed() == (count == 1 ? 0 : rounds * count * each));
    }
}

// Texts of other lengths each, some of them empty, several times one after the other.
BOOST_AUTO_TEST_CASE(all_get_the_texts_of_all) {
  constexpr std::uint32_t rounds = 3;
  const auto text_of = [](std::uint32_t own, std::uint32_t round) {
    return Bytes((own * own + round) % 5 * 100, std::byte{static_cast<unsigned char>(own)});
  };
  for (std::uint32_t count = 1; count <= 9; ++count) BOOST_TEST_CONTEXT(count << " members") {
      Ranks ranks(count);
      std::vector<std::uint32_t> members;
      for (std::uint32_t k = 0; k < count; ++k) members.push_back(count - 1 - k);
      std::vector<std::vector<std::vector<Bytes>>> received(count);
      std::vector<std::thread> threads;
      for (std::uint32_t own = 0; own < count; ++own)
        threads.emplace_back([&, own] {
          Ring ring(ranks[members[own]], members, own);
          for (std::uint32_t round = 0; round < rounds; ++round)
            received[own].push_back(ring.all_gather(text_of(own, round)));
        });
      for (auto& thread : threads) thread.join();
      for (std::uint32_t own = 0; own < count; ++own)
        for (std::uint32_t round = 0; round < rounds; ++round) {
          BOOST_REQUIRE(received[own][round].size() == count);
          for (std::uint32_t of = 0; of < count; ++of) BOOST_TEST((received[own][round][of] == text_of(of, round)));
        }
      std::size_t each = 0;
      for (std::uint32_t reach = 1; reach < count; reach *= 2) ++each;
      BOOST_TEST(ranks.passed() == rounds * count * each);
    }
}

BOOST_AUTO_TEST_CASE(members_that_have_come_apart_are_noticed) {
  Ranks ranks(2);
  std::thread other([&] { BOOST_CHECK_THROW(Ring(ranks[1], {0, 1}, 1).all_gather({}), clopt::Error); });
  BOOST_CHECK_THROW(Ring(ranks[0], {0, 1}, 0).all_reduce(1, [](int a, int) { return a; }), clopt::Error);
  other.join();
}

BOOST_AUTO_TEST_CASE(who_waits_in_vain_is_cancelled) {
  for (const auto kind : {Kind::stop, Kind::end}) {
    Mailbox mailbox(1, 0);
    std::thread ending([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      mailbox.deliver(kind, clopt::ByteReader({}));
    });
    Ring ring(mailbox, {0, 1}, 0);
    BOOST_CHECK_THROW(ring.pass_on({}), clopt::Cancelled);
    BOOST_CHECK_THROW(ring.all_reduce(1, [](int a, int) { return a; }), clopt::Cancelled);
    BOOST_CHECK_THROW(ring.all_gather({}), clopt::Cancelled);
    ending.join();
  }
}

BOOST_AUTO_TEST_SUITE_END()
