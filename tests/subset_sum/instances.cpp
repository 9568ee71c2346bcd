#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <numeric>

#include <shared/random.h>

using clopt::subset_sum::Instance;
using clopt::subset_sum::make_instance;

namespace {

void check_block(clopt::shared::random_block block, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                 std::uint32_t d) {
  BOOST_TEST(block.a == a);
  BOOST_TEST(block.b == b);
  BOOST_TEST(block.c == c);
  BOOST_TEST(block.d == d);
}

/// Weights are unit * k with k in [1, choices]; over this many draws both ends of the range are met closely.
void check_weights(const Instance& instance, std::uint64_t unit, std::uint64_t choices) {
  const auto [least, most] = std::minmax_element(instance.weights.begin(), instance.weights.end());
  BOOST_TEST(std::all_of(instance.weights.begin(), instance.weights.end(),
                         [&](std::uint64_t weight) { return weight % unit == 0; }));
  BOOST_TEST(*least >= unit);
  BOOST_TEST(*least <= unit * choices / 1000);
  BOOST_TEST(*most <= unit * choices);
  BOOST_TEST(*most >= unit * choices / 1000 * 999);
  const double mean = std::accumulate(instance.weights.begin(), instance.weights.end(), 0.0) /
                      static_cast<double>(instance.weights.size()) / static_cast<double>(unit);
  BOOST_TEST(mean > static_cast<double>(choices) * 0.49);
  BOOST_TEST(mean < static_cast<double>(choices) * 0.51);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_instances)

BOOST_AUTO_TEST_CASE(random_numbers_have_the_published_answers) {
  // Random123's known answers for philox4x32-10.
  using clopt::shared::random_at;
  check_block(random_at(0, 0, 0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
  check_block(random_at(0xffffffffffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff), 0x408f276d, 0x41c83b0e,
              0xa20bc7c6, 0x6d5451fd);
  check_block(random_at(0x299f31d0a4093822, 0x03707344, 0x243f6a88, 0x85a308d3, 0x13198a2e), 0xd16cfe09, 0x94fdcceb,
              0x5001e420, 0x24126ea1);
}

BOOST_AUTO_TEST_CASE(every_value_has_as_many_words) {
  using clopt::shared::uniform_accepts;
  using clopt::shared::uniform_below;
  for (const std::uint32_t n : {1U, 2U, 3U, 10'000U, 500'000U, 0x80000001U, 3'000'000'000U, 0xffffffffU}) {
    const std::uint64_t words = (std::uint64_t{1} << 32) / n;
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{n} / 3, std::uint64_t{n} - 1}) {
      // The words of a value are consecutive; only those at its edges may be rejected.
      const std::uint64_t first = ((value << 32) + n - 1) / n;
      const std::uint64_t end = (((value + 1) << 32) + n - 1) / n;
      std::uint64_t accepted = end - first;
      BOOST_TEST(uniform_below(static_cast<std::uint32_t>(first), n) == value);
      BOOST_TEST(uniform_below(static_cast<std::uint32_t>(end - 1), n) == value);
      accepted -= 1 - uniform_accepts(static_cast<std::uint32_t>(first), n);
      if (end - first > 1) accepted -= 1 - uniform_accepts(static_cast<std::uint32_t>(end - 1), n);
      BOOST_TEST(accepted == words);
    }
  }
}

BOOST_AUTO_TEST_CASE(classes_are_the_paper_s) {
  const Instance half = make_instance("half:20000", 1);
  check_weights(half, 10, 100'000);
  const std::uint64_t sum = std::accumulate(half.weights.begin(), half.weights.end(), std::uint64_t{0});
  BOOST_TEST(half.capacity == sum / 20 * 10 + 5);
  const Instance half_small = make_instance("half-small:20000", 1);
  check_weights(half_small, 10, 10'000);
  BOOST_TEST(half_small.capacity % 10 == 5U);
  const Instance p = make_instance("p:20000", 1);
  check_weights(p, 2, 500'000);
  BOOST_TEST(p.capacity == 20000ULL * 1'000'000 / 8 + 1);
  const Instance uniform = make_instance("uniform:20000", 1);
  check_weights(uniform, 2, 500'000);
  BOOST_TEST(uniform.capacity == 1'000'001U);
}

BOOST_AUTO_TEST_CASE(hard_classes_are_as_defined) {
  const Instance hidden = make_instance("hidden-divisor:1001", 5);
  std::vector<std::size_t> odd;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < hidden.weights.size(); ++i) {
    if (hidden.weights[i] % 10 != 0) odd.push_back(i);
    BOOST_TEST(hidden.weights[i] % 10 <= 1U);
    sum += hidden.weights[i];
  }
  BOOST_TEST((odd == std::vector<std::size_t>{0, 500, 1000}));
  BOOST_TEST(hidden.capacity == (sum - 3) / 20 * 10 + 7);

  const Instance avis = make_instance("avis:5", 1);
  BOOST_TEST((avis.weights == std::vector<std::uint64_t>{31, 32, 33, 34, 35}));
  BOOST_TEST(avis.capacity == 70U);
  BOOST_TEST(make_instance("avis:2000000", 1).capacity < (std::uint64_t{1} << 62));

  const Instance todd = make_instance("todd:3", 1);  // k = 1
  BOOST_TEST((todd.weights == std::vector<std::uint64_t>{32 + 4 + 1, 32 + 8 + 1, 32 + 16 + 1}));
  BOOST_TEST(todd.capacity == 63U);
  const Instance large = make_instance("todd:52", 1);
  BOOST_TEST(large.weights.back() == (std::uint64_t{1} << 58) + (std::uint64_t{1} << 57) + 1);
  BOOST_TEST(large.capacity == 7638104968020361210U);  // counted in Python

  const Instance even = make_instance("even-odd:20000:1000000", 1);
  check_weights(even, 2, 500'000);
  BOOST_TEST(even.capacity == 20000ULL * 1'000'000 / 4 + 1);
  BOOST_TEST(make_instance("even-odd:200", 1).weights == make_instance("even-odd:200:1000", 1).weights);
  check_weights(make_instance("even-odd:20000:1e9", 1), 2, 500'000'000);
  BOOST_TEST(make_instance("even-odd:7:1000000001", 1).capacity == 1'750'000'001U);

  const Instance digits = make_instance("two-digit:100", 1);
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  for (const std::uint64_t weight : digits.weights) {
    BOOST_TEST((weight >> 20 >= 1 && weight >> 20 <= 1000));
    BOOST_TEST((weight % (1 << 20) >= 3 && weight % (1 << 20) <= 3000 && weight % (1 << 20) % 3 == 0));
    high += weight >> 20;
    low += weight % (1 << 20) / 3;
  }
  BOOST_TEST(digits.capacity == (high / 2 << 20) + 3 * (low / 2) + 1);

  const Instance random = make_instance("random:20000:1e12", 1);
  check_weights(random, 1, 1'000'000'000'000);
  BOOST_TEST(random.capacity == std::accumulate(random.weights.begin(), random.weights.end(), std::uint64_t{0}) / 2);
  BOOST_TEST(make_instance("random:60:1e15", 2).weights == make_instance("random:60:1000000000000000", 2).weights);
  BOOST_TEST(make_instance("random:1:9223372036854775806", 2).weights.size() == 1U);
}

BOOST_AUTO_TEST_CASE(seeds_decide) {
  BOOST_TEST(make_instance("half:100", 7).weights == make_instance("half:100", 7).weights);
  BOOST_TEST(make_instance("half:100", 7).weights != make_instance("half:100", 8).weights);
  BOOST_TEST(make_instance("half:100", 7).weights != make_instance("half:100", 7 + (1ULL << 32)).weights);
  BOOST_TEST(make_instance("p:100", 7).weights != make_instance("uniform:100", 7).weights);
  const auto few = make_instance("p:10", 3).weights;
  const auto many = make_instance("p:1000", 3).weights;
  BOOST_TEST(std::equal(few.begin(), few.end(), many.begin()));
}

BOOST_AUTO_TEST_CASE(other_descriptions_are_refused) {
  for (const char* text : {"",
                           "half",
                           "half:",
                           ":5",
                           "half:0",
                           "half:-1",
                           "half:+1",
                           "half:1.5",
                           "half:1e3",
                           "half: 5",
                           "half:5 ",
                           "half:100000001",
                           "half:99999999999999999999999",
                           "HALF:5",
                           "quarter:5",
                           "p:5:5",
                           "hidden-divisor:2",
                           "avis:1",
                           "avis:2000001",
                           "todd:0",
                           "todd:53",
                           "even-odd",
                           "even-odd:",
                           "even-odd:0",
                           "even-odd:5:",
                           "even-odd:5:1",
                           "even-odd:5:1000:2",
                           "two-digit:5:7",
                           "random:5",
                           "random:5:",
                           "random:5:0",
                           "random:5:1e",
                           "random:5:e5",
                           "random:5:1e19",
                           "random:5:1.5e3",
                           "random:5:-7",
                           "random:1:9223372036854775807",
                           "random:1000:1e17",
                           "random:100000000:1e12"}) {
    BOOST_TEST_CONTEXT(text) { BOOST_CHECK_THROW(make_instance(text, 1), clopt::InvalidInput); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
