/// \file
/// The sweep's operations on the device under test.
#include "oracle.hpp"

#include <clopt/clopt.hpp>
#include <device/verification/fault_detection.hpp>
#include <subset_sum/operations.hpp>
#include <subset_sum/reduction/reduced_problem.hpp>
#include <support/device.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include <probes/support.hpp>

namespace {

using namespace clopt;
using subset_sum::SweepStep;
namespace op = subset_sum::operations;

/// What a sweep over all capacities leaves, by the paper's recursion (algorithm 11) as it stands.
struct Table {
  std::vector<std::uint32_t> first_item;  // 0: not reached, but for capacity 0

  Table(const std::vector<std::uint64_t>& weights, std::uint64_t capacities) : first_item(capacities) {
    std::vector<bool> reached(capacities);
    reached[0] = true;
    for (std::uint32_t i = 0; i < weights.size(); ++i) {
      for (auto k = capacities; k-- > weights[i];) {
        if (reached[k] || !reached[k - weights[i]]) continue;
        reached[k] = true;
        first_item[k] = i + 1;
      }
    }
  }
  bool reached(std::uint64_t k) const { return k == 0 || first_item[k] != 0; }
};

template <class Word>
void check_bits(const Table& table, const std::vector<Word>& bits) {
  std::size_t wrong = 0;
  for (std::uint64_t k = 0; k < table.first_item.size(); ++k)
    if (((bits[k / (8 * sizeof(Word))] >> (k % (8 * sizeof(Word))) & 1) != 0) != table.reached(k)) ++wrong;
  BOOST_TEST(wrong == 0U);
}

template <class Word>
void check_table(const Table& table, const std::vector<Word>& bits, const std::vector<std::uint32_t>& first_item) {
  std::size_t wrong = 0;
  for (std::uint64_t k = 0; k < table.first_item.size(); ++k) {
    const bool bit = (bits[k / (8 * sizeof(Word))] >> (k % (8 * sizeof(Word))) & 1) != 0;
    if (bit != table.reached(k) || (k != 0 && bit && first_item[k] != table.first_item[k])) ++wrong;
  }
  BOOST_TEST(wrong == 0U);
}

/// A vector in which the empty sum is reached. (Oclgrind 21.10 takes what clEnqueueFillBuffer fills, but for the first
/// element, for uninitialised.)
template <class Word>
std::vector<Word> empty_sum(std::uint64_t words) {
  std::vector<Word> vector(words);
  vector[0] = 1;
  return vector;
}

template <class Word>
void run_sweep_bits(const std::vector<std::uint64_t>& weights, std::uint64_t words) {
  constexpr std::uint64_t bits = 8 * sizeof(Word);
  auto& device = test::device();
  const auto kernel = device.kernel<op::SweepBits<Word>>();
  const auto queue = device.queue();
  LaunchCount launches(device, *queue);
  Buffer<Word> vectors[2] = {device.buffer<Word>("a", words), device.buffer<Word>("b", words)};
  const auto first_item = device.buffer<std::uint32_t>("first items", words * bits);
  const auto empty = empty_sum<Word>(words);
  for (const auto& vector : vectors) queue->write(vector, empty);
  for (std::uint32_t i = 0; i < weights.size(); ++i)
    queue->launch(kernel, subset_sum::sweep_range<Word>(words),
                  {.before = vectors[i % 2],
                   .after = vectors[1 - i % 2],
                   .first_item = first_item,
                   .first_word = 0,
                   .words = words,
                   .whole_words = weights[i] / bits,
                   .shift = static_cast<std::uint32_t>(weights[i] % bits),
                   .item = i + 1,
                   .launches = launches.next()});
  std::vector<Word> reached(words);
  std::vector<std::uint32_t> items(words * bits);
  queue->read(vectors[weights.size() % 2], std::span(reached));
  queue->read(first_item, std::span(items));
  queue->finish();
  launches.require_all();
  check_table(Table(weights, words * bits), reached, items);
}

template <class Word>
void run_sweep_pair(const std::vector<std::uint64_t>& weights, std::uint64_t words, std::uint32_t group_size,
                    int named = SUBSET_SUM_NAMED_TOGETHER) {
  constexpr std::uint64_t bits = 8 * sizeof(Word);
  auto& device = test::device();
  const auto kernel = device.kernel<op::SweepPair<Word>>(subset_sum::pair_program(named));
  group_size = std::min(group_size, kernel.max_group_size());
  const auto queue = device.queue();
  LaunchCount launches(device, *queue);
  Buffer<Word> vectors[2] = {device.buffer<Word>("a", words), device.buffer<Word>("b", words)};
  const auto first_item = device.buffer<std::uint32_t>("first items", words * bits);
  const auto empty = empty_sum<Word>(words);
  for (const auto& vector : vectors) queue->write(vector, empty);
  for (std::uint32_t i = 0; i < weights.size(); i += 2)
    queue->launch(kernel, clopt::Range::of_items(words, group_size),
                  {.before = vectors[i / 2 % 2],
                   .after = vectors[1 - i / 2 % 2],
                   .first_item = first_item,
                   .first_word = 0,
                   .words = words,
                   .weight = weights[i],
                   .second_weight = weights[i + 1],
                   .named_from = 0,
                   .second_named_from = 0,
                   .item = i + 1,
                   .launches = launches.next(),
                   .staged = Local<Word>(subset_sum::pair_words(group_size))});
  std::vector<Word> reached(words);
  std::vector<std::uint32_t> items(words * bits);
  queue->read(vectors[weights.size() / 2 % 2], std::span(reached));
  queue->read(first_item, std::span(items));
  queue->finish();
  launches.require_all();
  check_table(Table(weights, words * bits), reached, items);
}

// All items in two launches, the words in two ranges of which the second begins within the first.
template <class Word>
void run_sweep_light(const std::vector<std::uint64_t>& weights, std::uint64_t words) {
  constexpr std::uint64_t bits = 8 * sizeof(Word);
  auto& device = test::device();
  const auto kernel = device.kernel<op::SweepLight<Word>>();
  const auto queue = device.queue();
  LaunchCount launches(device, *queue);
  Buffer<Word> vectors[2] = {device.buffer<Word>("a", words), device.buffer<Word>("b", words)};
  const auto first_item = device.buffer<std::uint32_t>("first items", words * bits);
  const auto on_device = device.buffer<SweepStep>("steps", weights.size());
  std::vector<SweepStep> steps;
  steps.reserve(weights.size());
  for (const auto weight : weights) steps.push_back({weight, 0, words * bits - 1});
  queue->write(on_device, steps);
  const auto empty = empty_sum<Word>(words);
  for (const auto& vector : vectors) queue->write(vector, empty);
  const auto group_size = std::min(kernel.max_group_size(), 32U);
  const auto half = static_cast<std::uint32_t>(weights.size() / 2);
  for (const bool later : {false, true}) {
    const auto i = later ? half : 0U;
    const auto number = later ? static_cast<std::uint32_t>(weights.size()) - half : half;
    std::uint64_t halo = 0;
    for (std::uint32_t k = i; k < i + number; ++k) halo += subset_sum::light_halo<Word>(weights[k]);
    for (const std::uint64_t first : {std::uint64_t{0}, words / 3})
      queue->launch(kernel, subset_sum::light_range<Word>(words - first, group_size, halo),
                    {.before = vectors[later ? 1 : 0],
                     .after = vectors[later ? 0 : 1],
                     .first_item = first_item,
                     .steps = on_device,
                     .first_step = i,
                     .step_count = number,
                     .first_word = first,
                     .words = words - first,
                     .halo = static_cast<std::uint32_t>(halo),
                     .item = i + 1,
                     .launches = launches.next(),
                     .staged = Local<Word>(2 * subset_sum::light_words<Word>(group_size))});
  }
  std::vector<Word> reached(words);
  std::vector<std::uint32_t> items(words * bits);
  queue->read(vectors[0], std::span(reached));
  queue->read(first_item, std::span(items));
  queue->finish();
  launches.require_all();
  check_table(Table(weights, words * bits), reached, items);
}

/// The same without names for what is new, between vectors and in place.
template <class Word>
void run_reach(const std::vector<std::uint64_t>& weights, std::uint64_t words) {
  constexpr std::uint64_t bits = 8 * sizeof(Word);
  auto& device = test::device();
  const auto queue = device.queue();
  LaunchCount launches(device, *queue);
  const auto empty = empty_sum<Word>(words);
  Buffer<Word> vectors[2] = {device.buffer<Word>("a", words), device.buffer<Word>("b", words)};
  for (const auto& vector : vectors) queue->write(vector, empty);
  const auto kernel = device.kernel<op::SweepBits<Word>>();
  const auto no_names = device.buffer<std::uint32_t>("no names", 1);
  for (std::uint32_t i = 0; i < weights.size(); ++i)
    queue->launch(kernel, subset_sum::sweep_range<Word>(words),
                  {.before = vectors[i % 2],
                   .after = vectors[1 - i % 2],
                   .first_item = no_names,
                   .first_word = 0,
                   .words = words,
                   .whole_words = weights[i] / bits,
                   .shift = static_cast<std::uint32_t>(weights[i] % bits),
                   .item = 0,
                   .launches = launches.next()});
  std::vector<Word> reached(words);
  queue->read(vectors[weights.size() % 2], std::span(reached));
  const Table table(weights, words * bits);
  check_bits(table, reached);
  if constexpr (std::is_same_v<Word, std::uint64_t>) {
    std::vector<SweepStep> steps;
    steps.reserve(weights.size());
    for (const auto weight : weights) steps.push_back({weight, 0, words * bits - 1});
    const auto on_device = device.buffer<SweepStep>("steps", steps.size());
    queue->write(on_device, steps);
    queue->write(vectors[0], empty);
    queue->launch(device.kernel<op::ReachItems>(), clopt::Range::of_items(1, 1),
                  {.reached = vectors[0],
                   .steps = on_device,
                   .first_step = 0,
                   .step_count = static_cast<std::uint32_t>(steps.size()),
                   .launches = launches.next()});
    queue->read(vectors[0], std::span(reached));
    launches.require_all();
    check_bits(table, reached);
  }
}

/// Which item, and which subset of items, leads from a sum to a capacity that a random vector holds.
template <class Word>
void run_first_down(std::mt19937_64& random) {
  constexpr std::uint64_t bits = 8 * sizeof(Word);
  constexpr std::uint64_t offset = 3;  // words before the vector
  auto& device = test::device();
  const auto queue = device.queue();
  LaunchCount launches(device, *queue);
  const auto weights = oracle::random_weights(random, 12, 40);
  std::vector<Word> words(7);
  // Few bits in words that count, many in the others.
  for (std::size_t x = 0; x < words.size(); ++x)
    words[x] = x < offset ? static_cast<Word>(~Word{0})
                          : static_cast<Word>(random() % 4 == 0 ? Word{1} << random() % bits : 0);
  const std::uint64_t first = 2 * bits;
  const std::uint64_t last = first + 3 * bits + 5;
  const std::uint64_t sum = last + random() % 60;
  const auto holds = [&](std::uint64_t capacity) {
    return capacity >= first && capacity <= last &&
           (words[offset + (capacity - first) / bits] >> capacity % bits & 1) != 0;
  };
  constexpr std::uint32_t from = 2;
  constexpr std::uint32_t count = 9;
  std::uint32_t first_item = ~std::uint32_t{0};
  std::uint32_t first_subset = ~std::uint32_t{0};
  for (std::uint32_t subset = 1U << count; subset-- > 1;) {
    std::uint64_t taken = 0;
    for (std::uint32_t i = 0; i < count; ++i) taken += (subset >> i & 1) * weights[from + i];
    if (taken > sum || !holds(sum - taken)) continue;
    first_subset = subset;
    if ((subset & (subset - 1)) == 0) first_item = static_cast<std::uint32_t>(std::countr_zero(subset));
  }
  const auto vector = device.buffer<Word>("vector", words.size());
  const auto on_device = device.buffer<std::uint64_t>("weights", weights.size());
  const auto found = device.buffer<std::uint32_t>("found", 1);
  queue->write(vector, words);
  queue->write(on_device, weights);
  const auto read = [&] {
    std::uint32_t number = 0;
    queue->read(found, std::span(&number, 1));
    return number;
  };
  queue->fill(found, ~std::uint32_t{0});
  queue->launch(device.kernel<op::FirstItemDown<Word>>(), clopt::Range::of_items(count),
                {.reached = vector,
                 .weights = on_device,
                 .found = found,
                 .offset = offset,
                 .first_known = first,
                 .last_known = last,
                 .sum = sum,
                 .item = from,
                 .count = count,
                 .launches = launches.next()});
  BOOST_TEST(read() == first_item);
  queue->fill(found, ~std::uint32_t{0});
  for (const auto& [begin, many] : {std::pair{300U, 212U}, std::pair{1U, 5U}, std::pair{6U, 294U}})
    queue->launch(device.kernel<op::FirstSubsetDown<Word>>(), clopt::Range::of_items(many),
                  {.reached = vector,
                   .weights = on_device,
                   .found = found,
                   .offset = offset,
                   .first_known = first,
                   .last_known = last,
                   .sum = sum,
                   .item = from,
                   .begin = begin,
                   .count = many,
                   .launches = launches.next()});
  BOOST_TEST(read() == first_subset);
  // Each has counted itself.
  launches.require_all();
}

void run_sweep_items(const std::vector<std::uint64_t>& weights, std::uint64_t words) {
  auto& device = test::device();
  const auto kernel = device.kernel<op::SweepItems>();
  const auto queue = device.queue();
  LaunchCount launches(device, *queue);
  const auto vector = device.buffer<std::uint64_t>("vector", words);
  const auto first_item = device.buffer<std::uint32_t>("first items", words * 64);
  const auto on_device = device.buffer<SweepStep>("steps", weights.size());
  std::vector<SweepStep> steps;
  steps.reserve(weights.size());
  for (const auto weight : weights) steps.push_back({weight, 0, words * 64 - 1});
  const auto empty = empty_sum<std::uint64_t>(words);
  queue->write(vector, empty);
  queue->write(on_device, steps);
  const auto half = static_cast<std::uint32_t>(weights.size() / 2);
  const auto rest = static_cast<std::uint32_t>(weights.size()) - half;
  for (const auto& [first, count] : {std::pair{0U, half}, std::pair{half, rest}})
    queue->launch(kernel, clopt::Range::of_items(1, 1),
                  {.reached = vector,
                   .first_item = first_item,
                   .steps = on_device,
                   .first_step = first,
                   .step_count = count,
                   .launches = launches.next()});
  std::vector<std::uint64_t> reached(words);
  std::vector<std::uint32_t> items(words * 64);
  queue->read(vector, std::span(reached));
  queue->read(first_item, std::span(items));
  queue->finish();
  launches.require_all();
  check_table(Table(weights, words * 64), reached, items);
}

/// What both kernels that fill block after block take.
struct Filling {
  Buffer<std::uint32_t> g;
  Buffer<SweepStep> steps;
  std::uint32_t step_count;
  std::uint64_t last_capacity;
  Buffer<std::uint32_t> given_up;
  Buffer<std::uint32_t> flags[2];
};

/// Fills block after block, by a single work-group, which waits for no other one.
template <class Fill, class ArgumentsOf>
void run_fill_blocks(const std::vector<std::uint64_t>& weights, std::uint64_t capacities, std::uint32_t first_flag,
                     const ArgumentsOf& arguments_of) {
  constexpr std::uint32_t nothing = ~0U;
  auto& device = test::device();
  const auto kernel = device.kernel<Fill>();
  const auto queue = device.queue();
  LaunchCount launches(device, *queue);
  std::vector<SweepStep> steps;
  steps.reserve(weights.size());
  for (const auto weight : weights) steps.push_back({weight, weight, capacities - 1});
  const auto word = [&] { return device.buffer<std::uint32_t>("barrier", 1); };
  const Filling filling{device.buffer<std::uint32_t>("g", capacities),
                        device.buffer<SweepStep>("steps", steps.size()),
                        static_cast<std::uint32_t>(steps.size()),
                        capacities - 1,
                        word(),
                        {word(), word()}};
  std::vector<std::uint32_t> items(capacities, nothing);
  items[0] = 0;
  queue->write(filling.g, items);
  queue->write(filling.steps, steps);
  queue->fill(filling.given_up, 0);
  queue->fill(filling.flags[0], first_flag);
  queue->fill(filling.flags[1], 0);
  queue->launch(kernel, clopt::Range::of_groups(1, 32), arguments_of(filling, launches));
  queue->read(filling.g, std::span(items));
  launches.require_all();
  const Table table(weights, capacities);
  std::size_t wrong = 0;
  for (std::uint64_t k = 1; k < capacities; ++k)
    if (items[k] != (table.reached(k) ? table.first_item[k] : nothing)) ++wrong;
  BOOST_TEST(wrong == 0U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(operations, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(sweeps_leave_the_paper_s_table, *boost::unit_test::label("oclgrind")) {
  std::mt19937_64 random(2);
  for (const std::uint64_t words : {1U, 2U, 7U, 49U, 65U}) {
    const auto weights = oracle::random_weights(random, 12, words * 20);
    BOOST_TEST_CONTEXT(words << " words") {
      run_sweep_bits<std::uint16_t>(weights, words);
      run_sweep_bits<std::uint32_t>(weights, words);
      run_sweep_bits<std::uint64_t>(weights, words);
      run_sweep_items(weights, words);
      run_sweep_pair<std::uint16_t>(weights, words, 7);
      run_sweep_pair<std::uint32_t>(weights, words, 1);
      run_sweep_pair<std::uint64_t>(weights, words, 16);
      run_sweep_pair<std::uint64_t>(weights, words, 16, SUBSET_SUM_NAMED_EACH);
      const auto light = oracle::random_weights(random, 7, 300);
      run_sweep_light<std::uint16_t>(light, words);
      run_sweep_light<std::uint32_t>(light, words);
      run_sweep_light<std::uint64_t>(light, words);
      run_reach<std::uint16_t>(weights, words);
      run_reach<std::uint32_t>(weights, words);
      run_reach<std::uint64_t>(weights, words);
    }
  }
}

BOOST_AUTO_TEST_CASE(blocks_leave_the_paper_s_table) {
  // A block is as long as the lightest item, or shorter; the last one ends anywhere.
  const std::vector<std::uint64_t> weights{91, 80, 71, 33, 32};
  for (const std::uint64_t capacities : {33U, 65U, 300U, 322U}) {
    run_fill_blocks<op::FillBlocksXiaoFeng>(
        weights, capacities, 0, [](const Filling& filling, LaunchCount& launches) -> op::FillBlocksXiaoFeng {
          return {.g = filling.g,
                  .steps = filling.steps,
                  .step_count = filling.step_count,
                  .first_capacity = 1,
                  .last_capacity = filling.last_capacity,
                  .arrived = filling.flags[0],
                  .released = filling.flags[1],
                  .given_up = filling.given_up,
                  .most_polls = 1,
                  .launches = launches.next()};
        });
    run_fill_blocks<op::FillBlocksCyclic>(weights, capacities, 1,
                                          [](const Filling& filling, LaunchCount& launches) -> op::FillBlocksCyclic {
                                            return {.g = filling.g,
                                                    .steps = filling.steps,
                                                    .step_count = filling.step_count,
                                                    .first_capacity = 1,
                                                    .last_capacity = filling.last_capacity,
                                                    .clock = filling.flags[0],
                                                    .given_up = filling.given_up,
                                                    .most_polls = 1,
                                                    .launches = launches.next()};
                                          });
  }
}

BOOST_AUTO_TEST_CASE(items_and_subsets_lead_down_to_what_is_held, *boost::unit_test::label("oclgrind")) {
  std::mt19937_64 random(10);
  for (int round = 0; round < 4; ++round) {
    run_first_down<std::uint16_t>(random);
    run_first_down<std::uint32_t>(random);
    run_first_down<std::uint64_t>(random);
  }
}

BOOST_AUTO_TEST_CASE(a_walk_back_takes_what_reached_each_sum_first) {
  auto& device = test::device();
  const auto queue = device.queue();
  const auto kernel = device.kernel<op::WalkBack>();
  std::mt19937_64 random(12);
  const auto weights = oracle::random_weights(random, 12, 40);
  const auto most = static_cast<std::uint32_t>(weights.size());
  constexpr std::uint32_t untouched = 99;
  // \param taken items that were taken before.
  const auto check = [&](const std::vector<std::uint32_t>& first_item, std::uint64_t sum, std::size_t taken,
                         bool is_damaged) {
    const auto items = test::upload(*queue, std::vector<std::uint32_t>(most + 1, untouched));
    const auto count = test::upload(*queue, std::vector{static_cast<std::uint32_t>(taken)});
    const auto rest = test::upload(*queue, std::vector{sum});
    queue->launch(kernel, clopt::Range::of_items(1, 1),
                  {.first_item = test::upload(*queue, first_item),
                   .weights = test::upload(*queue, weights),
                   .items = items,
                   .taken = count,
                   .rest = rest,
                   .most = most});
    BOOST_TEST(test::download(*queue, rest, 1)[0] == 0U);
    std::vector<std::uint32_t> expected(taken, untouched);
    for (; !is_damaged && sum != 0; sum -= weights[expected.back() - 1]) expected.push_back(first_item[sum]);
    BOOST_TEST(test::download(*queue, count, 1)[0] == (is_damaged ? most + 1 : expected.size()));
    if (is_damaged) return;
    expected.resize(most + 1, untouched);
    BOOST_TEST(test::download(*queue, items, most + 1) == expected, boost::test_tools::per_element());
  };
  const Table table(weights, 200);
  for (std::uint64_t sum = 1; sum < table.first_item.size(); ++sum) {
    if (!table.reached(sum)) continue;
    std::size_t steps = 0;
    for (auto rest = sum; rest != 0; rest -= weights[table.first_item[rest] - 1]) ++steps;
    check(table.first_item, sum, most - steps, false);
    check(table.first_item, sum, most - steps + 1, true);
    auto damaged = table.first_item;
    damaged[sum] = sum % 2 == 0 ? 0 : most + 1;
    check(damaged, sum, 0, true);
    const auto heavy = std::find_if(weights.begin(), weights.end(), [&](std::uint64_t each) { return each > sum; });
    if (heavy == weights.end()) continue;
    damaged[sum] = static_cast<std::uint32_t>(heavy - weights.begin()) + 1;
    check(damaged, sum, 0, true);
  }
}

BOOST_AUTO_TEST_CASE(long_vectors_and_whole_words) {
  std::mt19937_64 random(3);
  // Weights of whole words have no bits left over; one weight is as long as the vector.
  std::vector<std::uint64_t> weights{64, 128, 32, 64 * 1024, 64 * 2047 + 63, 65536, 1, 63, 65};
  const auto more = oracle::random_weights(random, 9, 60000);
  weights.insert(weights.end(), more.begin(), more.end());
  run_sweep_bits<std::uint32_t>(weights, 4097);
  run_sweep_bits<std::uint64_t>(weights, 2048);
  run_sweep_items(weights, 2048);
  run_sweep_pair<std::uint32_t>(weights, 4097, 256);
  run_sweep_pair<std::uint64_t>(weights, 2048, 49);
  const std::vector<std::uint64_t> light{64, 128, 32, 1, 63, 65, 999, 1000, 640};
  run_sweep_light<std::uint32_t>(light, 4097);
  run_sweep_light<std::uint64_t>(light, 2048);
  run_reach<std::uint32_t>(weights, 4097);
  run_reach<std::uint64_t>(weights, 2048);
}

BOOST_AUTO_TEST_CASE(a_launch_that_is_missing_is_found_out) {
  auto& device = test::device();
  const auto queue = device.queue();
  LaunchCount launches(device, *queue);
  launches.require_all();
  static_cast<void>(launches.next());
  BOOST_CHECK_EXCEPTION(launches.require_all(), DeviceError, [&](const DeviceError& error) {
    const std::string_view what = error.what();
    return what.find(device.info().id) != what.npos && what.find("0 of 1 launches") != what.npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(found_subsets)

BOOST_AUTO_TEST_CASE(only_a_subset_with_the_sum_is_believed) {
  using subset_sum::Found;
  const subset_sum::ReducedProblem reduced{{9, 7, 4}, 1, 20};
  const auto found = [](std::uint64_t sum, std::vector<std::uint32_t> positions) {
    Found found;
    found.complete = true;
    found.sum = sum;
    found.positions = std::move(positions);
    return found;
  };
  require_subset(reduced, found(13, {2, 0}));
  BOOST_CHECK_THROW(require_subset(reduced, found(13, {1, 0})), InternalError);
  BOOST_CHECK_THROW(require_subset(reduced, found(18, {0, 0})), InternalError);
  BOOST_CHECK_THROW(require_subset(reduced, found(9, {3, 0})), InternalError);
  BOOST_CHECK_THROW(require_subset(reduced, found(9, {~0U})), InternalError);
  require_subset(reduced, Found{});
}

BOOST_AUTO_TEST_SUITE_END()
