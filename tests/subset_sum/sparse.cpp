/// \file
/// Sweeps over lists of sums: the subset of the recursion, whatever the room and wherever the list becomes bits.
#include <clopt/clopt.hpp>
#include <subset_sum/sweep/checkpoint_sweep.hpp>
#include <subset_sum/sweep/sparse_sweep.hpp>
#include <support/device.hpp>
#include <support/pretended.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "reduced_problem_oracle.hpp"

namespace {

using namespace clopt;
using oracle::draw;
using subset_sum::NamedSums;
using subset_sum::ReducedProblem;

constexpr std::uint64_t no_limit = std::uint64_t{1} << 40;

/// How a list continues as bits.
struct Dense {
  unsigned word_bits;
  bool in_pieces;
  std::uint64_t device_words;
};

subset_sum::Found sweep(const ReducedProblem& reduced, const subset_sum::SparseLimits& limits,
                        const std::optional<Dense>& dense) {
  const Watch watch(oracle::no_limits);
  subset_sum::Continue continued;
  if (dense)
    continued = [&](const NamedSums& known) {
      subset_sum::CheckpointLimits few;
      few.words = 40;
      few.host_words = 3;
      few.items_tried = 2;
      few.device_words = dense->device_words;
      const auto& in_bits = dense->in_pieces ? subset_sum::sweep_in_pieces : subset_sum::sweep_with_checkpoints;
      return in_bits(reduced, dense->word_bits, test::device(), watch, few, &known);
    };
  return subset_sum::sweep_sparsely(reduced, test::device(), watch, limits, continued);
}

/// Counts the buffers that are in use.
class Counted : public test::Pretended {
 public:
  explicit Counted(Device& device) : Pretended(device, device.info()) {}
  auto buffers() const {
    return std::count_if(made_.begin(), made_.end(), [](const auto& each) { return !each.expired(); });
  }

 protected:
  std::shared_ptr<Memory> do_allocate(const std::string& name, std::size_t bytes, MemoryKind kind) override {
    auto memory = Pretended::do_allocate(name, bytes, kind);
    made_.push_back(memory);
    return memory;
  }

 private:
  std::vector<std::weak_ptr<Memory>> made_;
};

void expect_the_table_s_subset(const ReducedProblem& reduced, const subset_sum::SparseLimits& limits,
                               const std::optional<Dense>& dense) {
  auto expected = oracle::sweep(reduced, subset_sum::Method::k1, Watch(oracle::no_limits));
  std::sort(expected.positions.begin(), expected.positions.end());
  BOOST_TEST_CONTEXT("room for " << limits.most_sums << ", " << limits.capacities_a_sum << " capacities a sum, "
                                 << (dense ? dense->word_bits : 0) << " bits, " << oracle::text_of(reduced)) {
    subset_sum::Found found;
    BOOST_REQUIRE_NO_THROW(found = sweep(reduced, limits, dense));
    BOOST_REQUIRE(found.complete);
    BOOST_REQUIRE_EQUAL(found.sum, expected.sum);
    std::sort(found.positions.begin(), found.positions.end());
    BOOST_REQUIRE(found.positions == expected.positions);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sparse, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(lists_give_the_table_s_subset) {
  oracle::for_many_on_device(test::device().info().launches_are_calls, [](const ReducedProblem& reduced, auto& random) {
    expect_the_table_s_subset(reduced, {no_limit, 1}, std::nullopt);
    const Dense dense{std::vector<unsigned>{16, 32, 64}[random() % 3], random() % 2 == 0, draw(random, 4, 60)};
    const auto room = std::vector<std::uint64_t>{1, 2, 7, 49, no_limit}[random() % 5];
    expect_the_table_s_subset(reduced, {room, std::vector<std::uint64_t>{1, 3, 512}[random() % 3]}, dense);
  });
}

// As many sums as a work-item merges, as are counted together, and one more or less; more than a launch takes.
BOOST_AUTO_TEST_CASE(lists_of_any_length) {
  std::vector<std::uint64_t> counts{1, 7, 49, 63, 64, 65, 127, 128, 16'383, 16'384, 16'385, 40'000};
  if (test::device().info().launches_are_calls) counts.push_back(4'200'001);
  for (const auto count : counts) {
    // The sums 0 to count - 1 times a stride, doubled beyond reach of each other, then one item more.
    ReducedProblem reduced;
    std::uint64_t left = count - 1;
    for (std::uint64_t weight = 1; left > 0; weight *= 2) {
      reduced.weights.push_back(std::min(weight, left) * 1'000'003);
      left -= std::min(weight, left);
    }
    const std::uint64_t all = (count - 1) * 1'000'003;
    reduced.weights.push_back(all + 1'000'003 + 17);
    std::sort(reduced.weights.rbegin(), reduced.weights.rend());
    reduced.low = 1;
    reduced.high = reduced.weights.front() + (count / 2) * 1'000'003 + 5;
    const auto found = sweep(reduced, {no_limit, 1}, std::nullopt);
    BOOST_TEST_CONTEXT(count << " sums") {
      BOOST_TEST(found.complete);
      BOOST_TEST(found.sum == reduced.high - 5);
      BOOST_TEST(found.recovery == "list");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_list_without_room_is_refused) {
  const ReducedProblem reduced{{1000, 500, 250, 125}, 1, 1300, false};
  BOOST_CHECK_EXCEPTION(sweep(reduced, {5, 1}, std::nullopt), InvalidInput, [](const auto& error) {
    return std::string(error.what()).find("more than the 5 sums") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_list_leaves_its_memory_to_the_bits) {
  const ReducedProblem reduced{{1000, 500, 250, 125}, 1, 1300, false};
  const Watch watch(oracle::no_limits);
  Counted device(test::device());
  bool continued = false;
  const auto found = subset_sum::sweep_sparsely(reduced, device, watch, {5, 1}, [&](const NamedSums& known) {
    continued = true;
    BOOST_TEST(device.buffers() == 0);
    return sweep_with_checkpoints(reduced, 64, device, watch, {}, &known);
  });
  BOOST_TEST(continued);
  BOOST_TEST(found.sum == 1250U);
}

BOOST_AUTO_TEST_CASE(answers_are_those_of_all_subsets) {
  const auto seed = oracle::seed();
  std::mt19937_64 random(seed);
  for (int round = 0; round < (test::device().info().launches_are_calls ? 300 : 12); ++round) {
    BOOST_TEST_INFO("CLOPT_TEST_SEED=" << seed << ", round " << round);
    const auto count = std::vector<std::size_t>{1, 7, 15, 18}[static_cast<std::size_t>(round) % 4];
    subset_sum::Instance instance{oracle::random_weights(random, count, round % 3 == 0 ? 100 : std::uint64_t{1} << 50),
                                  0};
    std::uint64_t sum = 0;
    for (const auto weight : instance.weights) sum += weight;
    instance.capacity = random() % (sum + 1);
    subset_sum::Options options;
    options.method = "sparse";
    options.reduce = round % 2 == 0;
    const auto result = subset_sum::solve(instance, options, test::device());
    BOOST_TEST(result.value == oracle::best_of_all_subsets(instance.weights, instance.capacity));
    BOOST_TEST(result.optimal);
    BOOST_TEST(subset_sum::check(instance, result).empty());
  }
}

// Too many items to meet in the middle, and sums too large to sweep: but two digits of few values.
BOOST_AUTO_TEST_CASE(few_sums_decide_what_nothing_else_can) {
  std::mt19937_64 random(11);
  constexpr std::uint64_t digit = std::uint64_t{1} << 50;
  subset_sum::Instance instance;
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  for (int i = 0; i < 83; ++i) {
    const auto a = draw(random, 1, 20);
    const auto b = draw(random, 1, 20);
    instance.weights.push_back(digit * a + 3 * b);
    high += a;
    low += b;
  }
  instance.capacity = digit * (high / 2) + 3 * (low / 2) + 1;
  std::vector<std::uint64_t> sums{0};
  for (const auto weight : instance.weights) {
    std::vector<std::uint64_t> more;
    std::vector<std::uint64_t> both;
    for (const auto sum : sums)
      if (sum + weight <= instance.capacity) more.push_back(sum + weight);
    std::set_union(sums.begin(), sums.end(), more.begin(), more.end(), std::back_inserter(both));
    sums = std::move(both);
  }
  const auto result = subset_sum::solve(instance, {}, test::device());
  BOOST_TEST(result.method == "sparse");
  BOOST_TEST(result.value == sums.back());
  BOOST_TEST(result.optimal);
  BOOST_TEST(result.recovery == "list");
}

BOOST_AUTO_TEST_SUITE_END()
