/// \file
/// Meeting in the middle of four lists on the device under test, cut in ways that reach every path.
#include <clopt/devices.hpp>
#include <device/verification/fault_detection.hpp>
#include <subset_sum/meet/four_lists.hpp>
#include <subset_sum/operations.hpp>
#include <support/device.hpp>
#include <support/pretended.hpp>

#include <clopt/device.hpp>

#include <numeric>
#include <tuple>

#include "reduced_problem_oracle.hpp"

using namespace clopt::subset_sum;
using clopt::test::device;
using oracle::adds_up;
using oracle::draw;
using oracle::no_limits;
using oracle::text_of;

namespace {

Found solved_by_lists(const ReducedProblem& reduced, const FourListsShape& shape) {
  return four_lists(reduced, device(), clopt::Watch(no_limits), shape);
}

/// Slices and ranges so small that a few items make many of them, and that overflow; or as the device has them.
FourListsShape random_shape(std::mt19937_64& random) {
  FourListsShape shape = four_lists_shape(device());
  if (random() % 8 == 0) return shape;
  const auto up_to = [&](std::uint64_t most) { return static_cast<std::uint32_t>(draw(random, 1, most)); };
  shape.outer_items = up_to(std::min(shape.outer_items, 5U));
  shape.ranges = std::array<std::uint32_t, 4>{1, 2, 7, 49}[random() % 4];
  shape.group_size = std::min(shape.group_size, 1U << draw(random, 0, 8));
  shape.lane_bits = static_cast<std::uint32_t>(draw(random, 0, 3));
  shape.sums_a_slice = std::array<std::uint32_t, 4>{1, 7, 64, 500}[random() % 4];
  shape.filter_bits = static_cast<std::uint32_t>(draw(random, 5, 11));
  shape.kept = std::array<std::uint32_t, 4>{1, 3, 16, 100}[random() % 4];
  shape.sums_an_item = up_to(20);
  return shape;
}

std::string words_for(const FourListsShape& shape) {
  return fmt::format("{} outer items, {} ranges, groups of {}, 2^{} lanes, {} sums, 2^{} bits, {} kept, {} an item",
                     shape.outer_items, shape.ranges, shape.group_size, shape.lane_bits, shape.sums_a_slice,
                     shape.filter_bits, shape.kept, shape.sums_an_item);
}

/// Weights of the classes that are hard or degenerate; sums stay below 2^63.
oracle::Weights weights_of_class(std::mt19937_64& random, std::uint64_t kind, std::uint64_t n) {
  oracle::Weights weights;
  for (std::uint64_t j = 1; j <= n; ++j) {
    switch (kind) {
      case 0: weights.push_back(draw(random, 1, 1'000'000'000'000'000)); break;
      case 1: weights.push_back(1'000'000'007); break;                              // all equal
      case 2: weights.push_back(std::uint64_t{1} << (j % 58)); break;               // powers of two
      case 3: weights.push_back(n * (n + 1) + j); break;                            // Avis
      case 4: weights.push_back((1ULL << (n + 5)) + (1ULL << (4 + j)) + 1); break;  // Todd
      case 5: weights.push_back(2 * draw(random, 1, 500'000'000'000)); break;       // even, for an odd capacity
      case 6: weights.push_back((draw(random, 1, 1000) << 20) + 3 * draw(random, 1, 300)); break;  // two digits
      case 7: weights.push_back(j == 1 ? 1ULL << 61 : draw(random, 1, 9)); break;      // one that outweighs the others
      case 8: weights.push_back((1ULL << 50) * draw(random, 1, 20) - (j % 3)); break;  // sums in clumps
      default: weights.push_back(draw(random, 1, 3)); break;                           // tiny
    }
  }
  std::sort(weights.rbegin(), weights.rend());
  return weights;
}

ReducedProblem reduced_of(std::mt19937_64& random, oracle::Weights weights) {
  ReducedProblem reduced;
  reduced.weights = std::move(weights);
  std::uint64_t some = 0;
  for (const std::uint64_t weight : reduced.weights) some += random() % 2 * weight;
  if (some == 0) some = reduced.weights.front();
  const std::uint64_t gap =
      std::array<std::uint64_t, 4>{0, 1, reduced.weights.back(), reduced.weights.front()}[random() % 4];
  reduced.low = some - std::min(some - 1, gap);
  reduced.high = some + gap / 2;
  reduced.complement = random() % 2 != 0;
  std::erase_if(reduced.weights, [&](std::uint64_t weight) { return weight > reduced.high; });
  return reduced;
}

/// The best sum, from the sorted sums of two halves. For up to about 36 items.
std::uint64_t best_of_two_halves(const ReducedProblem& reduced) {
  std::array<std::vector<std::uint64_t>, 2> halves{{{0}, {0}}};
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    auto& sums = halves[i % 2];
    const std::size_t before = sums.size();
    for (std::size_t k = 0; k < before; ++k) sums.push_back(sums[k] + reduced.weights[i]);
  }
  for (auto& sums : halves) std::sort(sums.begin(), sums.end());
  std::uint64_t best = reduced.complement ? ~std::uint64_t{0} : 0;
  for (const std::uint64_t x : halves[0]) {
    const auto& ys = halves[1];
    if (reduced.complement) {
      const auto y = std::lower_bound(ys.begin(), ys.end(), reduced.low - std::min(reduced.low, x));
      if (y != ys.end()) best = std::min(best, x + *y);
    } else if (x <= reduced.high) {
      best = std::max(best, x + *(std::upper_bound(ys.begin(), ys.end(), reduced.high - x) - 1));
    }
  }
  return best;
}

void check_reduced(const ReducedProblem& reduced, const FourListsShape& shape, std::uint64_t best) {
  BOOST_TEST_CONTEXT(text_of(reduced) << "; " << words_for(shape)) {
    const Found found = solved_by_lists(reduced, shape);
    BOOST_REQUIRE(found.complete);
    BOOST_REQUIRE_EQUAL(found.sum, best);
    BOOST_REQUIRE(adds_up(reduced, found));
    const auto reference = clopt::open_device("openmp:0");
    const Found there = four_lists(reduced, *reference, clopt::Watch(no_limits));
    BOOST_TEST(found.positions == there.positions);
  }
}

void check_classes(std::uint64_t seed, std::size_t rounds, std::uint64_t most_items) {
  std::mt19937_64 random(seed);
  for (std::size_t round = 0; round < rounds; ++round) {
    BOOST_TEST_INFO_SCOPE("CLOPT_TEST_SEED=" << seed << ", round " << round);
    const std::uint64_t n = round % 3 == 0 ? draw(random, 1, 8) : draw(random, 9, most_items);
    const ReducedProblem reduced = reduced_of(random, weights_of_class(random, round % 10, n));
    check_reduced(reduced, random_shape(random), oracle::best_of(reduced));
  }
}

std::size_t rounds(std::size_t quick, std::size_t slow) {
  const std::size_t usual = device().info().launches_are_calls ? quick : slow;
  return oracle::rounds(usual, 20 * usual);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(four_lists_on_devices, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(every_class_agrees_with_all_subsets) { check_classes(oracle::seed(), rounds(500, 100), 15); }

// By the operations themselves: Oclgrind 21.10 takes for uninitialised what the host never wrote, although a kernel
// did.
BOOST_AUTO_TEST_CASE(slices_of_a_few_sums, *boost::unit_test::label("oclgrind")) {
  const std::array<std::vector<std::uint64_t>, 4> sums{{{0, 7, 20}, {0, 9, 31, 40}, {0, 5}, {0, 13, 14, 27, 60}}};
  const std::uint64_t capacity = 88;
  const MeetLists lists{capacity, 3, 4, 2, 5};
  std::uint64_t slack = capacity + 1;
  std::uint64_t x = 0;
  for (const std::uint64_t a : sums[0])
    for (const std::uint64_t b : sums[1])
      for (const std::uint64_t c : sums[2])
        for (const std::uint64_t d : sums[3])
          if (a + b + c + d <= capacity)
            std::tie(slack, x) = std::min(std::tuple(slack, x), std::tuple(capacity - (a + b + c + d), a + b));

  const auto queue = device().queue();
  std::array<clopt::Buffer<std::uint64_t>, 4> buffers;
  for (std::size_t i = 0; i < 4; ++i) {
    buffers[i] = device().buffer<std::uint64_t>("sums", sums[i].size());
    queue->write(buffers[i], sums[i]);
  }
  for (const std::uint32_t kept : {1U, 8U}) {
    std::vector<MeetRange> ranges{{0, 30, 40, capacity + 1, 0}, {31, 60, 3, capacity + 1, 0}};
    std::vector<std::uint32_t> places(ranges.size() * 5);
    const auto on_device = device().buffer<MeetRange>("ranges", ranges.size());
    clopt::LaunchCount launches(device(), *queue);
    const auto places_on_device = device().buffer<std::uint32_t>("places", places.size());
    queue->write(on_device, ranges);
    queue->launch(device().kernel<operations::MeetPlace>(), clopt::Range{{5, 2, 1}},
                  {.first_outer = buffers[0],
                   .first_inner = buffers[1],
                   .second_outer = buffers[2],
                   .second_inner = buffers[3],
                   .lists = lists,
                   .ranges = on_device,
                   .places = places_on_device,
                   .launches = launches.next()});
    launches.require_all();
    queue->read(places_on_device, std::span(places));
    queue->write(places_on_device, places);
    const auto search = device().kernel<operations::MeetSearch>();
    const MeetShape shape{4, 1, 6, kept, 5, 3, 1};
    for (int launch = 0; launch < 100 && ranges[0].span + ranges[1].span != 0; ++launch) {
      queue->launch(search, clopt::Range::of_groups(2, 4),
                    {.first_outer = buffers[0],
                     .first_inner = buffers[1],
                     .second_outer = buffers[2],
                     .second_inner = buffers[3],
                     .lists = lists,
                     .ranges = on_device,
                     .places = places_on_device,
                     .shape = shape,
                     .filter = clopt::Local<std::uint32_t>(2),
                     .kept_filter = clopt::Local<std::uint32_t>(1),
                     .kept = clopt::Local<std::uint64_t>(kept),
                     .next = clopt::Local<std::uint32_t>(5)});
      queue->read(on_device, std::span(ranges));
    }
    BOOST_TEST(ranges[0].span + ranges[1].span == 0U);
    BOOST_TEST((std::min(std::tuple(ranges[0].slack, ranges[0].x), std::tuple(ranges[1].slack, ranges[1].x)) ==
                std::tuple(slack, x)));
  }
}

BOOST_AUTO_TEST_CASE(many_items_agree_with_two_sorted_halves) {
  const std::uint64_t seed = oracle::seed();
  std::mt19937_64 random(seed);
  for (std::size_t round = 0; round < rounds(20, 10); ++round) {
    BOOST_TEST_INFO_SCOPE("CLOPT_TEST_SEED=" << seed << ", round " << round);
    const ReducedProblem reduced = reduced_of(random, weights_of_class(random, round % 10, draw(random, 28, 34)));
    FourListsShape shape = four_lists_shape(device());
    shape.ranges = std::min(shape.ranges, 64U);
    check_reduced(reduced, shape, best_of_two_halves(reduced));
  }
}

BOOST_AUTO_TEST_CASE(of_equal_sums_the_least_of_the_first_half_is_taken) {
  const std::uint64_t seed = oracle::seed();
  std::mt19937_64 random(seed);
  std::size_t several = 0;
  for (std::size_t round = 0; round < rounds(300, 40); ++round) {
    ReducedProblem reduced = reduced_of(random, weights_of_class(random, 9, draw(random, 4, 12)));
    reduced.complement = false;
    const std::uint64_t best = oracle::best_of(reduced);
    std::set<std::uint64_t> first_halves;
    for (std::uint32_t subset = 0; subset < 1U << reduced.size(); ++subset) {
      std::array<std::uint64_t, 2> halves{};
      for (std::size_t i = 0; i < reduced.size(); ++i) halves[i % 2] += (subset >> i & 1) * reduced.weights[i];
      if (halves[0] + halves[1] == best) first_halves.insert(halves[0]);
    }
    const FourListsShape shape = random_shape(random);
    const Found found = solved_by_lists(reduced, shape);
    std::uint64_t x = 0;
    for (const std::uint32_t position : found.positions) x += position % 2 == 0 ? reduced.weights[position] : 0;
    // Where everything fits, there is no choice.
    if (std::accumulate(reduced.weights.begin(), reduced.weights.end(), std::uint64_t{0}) <= reduced.high) continue;
    BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed << ", " << text_of(reduced) << "; " << words_for(shape)) {
      BOOST_REQUIRE_EQUAL(found.sum, best);
      BOOST_REQUIRE_EQUAL(x, *first_halves.begin());
    }
    several += first_halves.size() > 1 ? 1 : 0;
  }
  BOOST_TEST(several > 10U);
}

BOOST_AUTO_TEST_CASE(a_limit_ends_the_search_between_launches) {
  std::mt19937_64 random(12);
  ReducedProblem reduced;
  reduced.weights = weights_of_class(random, 5, 60);
  // Out of reach, as all weights are even, so that nothing but the whole search decides it.
  reduced.high = std::accumulate(reduced.weights.begin(), reduced.weights.end(), std::uint64_t{0}) / 2 | 1;
  reduced.low = reduced.high - reduced.weights.front();
  // A limit at once, and a stop after the first launches.
  clopt::RunControl at_once;
  at_once.time_limit = 0;
  std::stop_source stop;
  int reports = 0;
  clopt::RunControl later;
  later.stop = stop.get_token();
  later.progress_interval = 0;
  later.progress = [&](const clopt::Progress& progress) {
    if (progress.phase == "search" && ++reports == 2) stop.request_stop();
    return true;
  };
  for (const auto* control : {&at_once, &later}) {
    const Found found = four_lists(reduced, device(), clopt::Watch(*control));
    BOOST_TEST(!found.complete);
    // Some pair of the first launches is as good as what is known; it is not lost.
    BOOST_TEST(found.has_partial == (control == &later));
    BOOST_TEST(found.positions.empty() == (control == &at_once));
    std::uint64_t sum = 0;
    for (const std::uint32_t position : found.positions) sum += reduced.weights[position];
    BOOST_TEST(sum == found.sum);
    if (found.has_partial) BOOST_TEST((sum >= reduced.low && sum <= reduced.high));
  }
  BOOST_TEST(reports == 2);
}

// A filter, the values that pass it with 4 bytes for each, the places in the inner list, and what the kernel itself
// takes.
BOOST_AUTO_TEST_CASE(shapes_fit_into_the_local_memory) {
  auto info = device().info();
  info.launches_are_calls = false;
  for (info.local_memory_bytes = 12 << 10; info.local_memory_bytes <= 64 << 10; info.local_memory_bytes += 64) {
    const auto shape = four_lists_shape(clopt::test::Pretended(device(), info));
    const auto bytes = (1U << shape.filter_bits) / 8 + 12 * shape.kept + (8U << shape.outer_items) + (6U << 10);
    BOOST_TEST_CONTEXT(info.local_memory_bytes << " bytes") {
      BOOST_TEST((bytes <= info.local_memory_bytes || shape.filter_bits == 13));
      // The next larger one would not fit.
      const auto larger = (2U << shape.filter_bits) / 8 + 24 * shape.kept + (16U << shape.outer_items) + (6U << 10);
      BOOST_TEST((larger > info.local_memory_bytes || shape.filter_bits == FourListsShape{}.filter_bits));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
