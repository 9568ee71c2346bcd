// Subsets with a sum, against all subsets.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <subset_sum/subsets/few_numbers.hpp>
#include <subset_sum/subsets/find_subsets.hpp>
#include <subset_sum/subsets/half_lists.hpp>
#include <subset_sum/subsets/sum_table.hpp>
#include "oracle.hpp"

using clopt::RunControl;
using clopt::Watch;
using namespace clopt::subset_sum;

namespace {

using Numbers = std::vector<std::int64_t>;
using Sets = std::set<Subset>;
using AllSubsets = std::map<std::int64_t, std::map<std::size_t, Sets>>;

constexpr double enough_bytes = 1e9;
constexpr std::size_t all_of_them = 100'000;

// All subsets, by their sums and counts.
AllSubsets all_subsets(const Numbers& numbers) {
  AllSubsets all;
  for (std::uint32_t mask = 0; mask >> numbers.size() == 0; ++mask) {
    Subset subset;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (mask >> i & 1) {
        subset.push_back(i);
        sum += numbers[i];
      }
    all[sum][subset.size()].insert(subset);
  }
  return all;
}

Numbers draw(std::mt19937_64& random, std::size_t size, std::int64_t range, bool has_negative) {
  Numbers numbers;
  while (numbers.size() < size) {
    auto number = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range)) + 1;
    if (has_negative && random() % 3 == 0) number = -number;
    numbers.push_back(number);
  }
  return numbers;
}

// Checks a list against all that there are.
void agrees(SubsetList& list, const Sets& expected) {
  const bool is_full = list.is_full();
  const auto most = list.most();
  const auto found = list.take();
  BOOST_TEST(is_full == (expected.size() > most));
  BOOST_TEST(found.size() == std::min(most, expected.size()));
  BOOST_TEST(std::is_sorted(found.begin(), found.end()));
  BOOST_TEST(Sets(found.begin(), found.end()).size() == found.size());
  for (const auto& each : found) BOOST_TEST(expected.count(each) == 1U);
}

// Checks lists of a sum and a count, and the best sum within it, against all that there are.
template <class List, class Best>
void agrees_of_count(AllSubsets& all, std::size_t count, std::int64_t sum, const List& list, const Best& find_best) {
  for (const std::size_t most : {std::size_t{1}, std::size_t{3}, all_of_them}) {
    SubsetList subsets(most);
    BOOST_TEST(list(subsets));
    agrees(subsets, all[sum][count]);
  }
  std::optional<std::int64_t> best;
  BOOST_TEST(find_best(best));
  std::optional<std::int64_t> expected;
  for (const auto& [each, counts] : all)
    if (each <= sum && counts.count(count) && !counts.at(count).empty()) expected = each;
  BOOST_TEST((best == expected));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_subsets)

BOOST_AUTO_TEST_CASE(few_numbers_agree_with_all_subsets) {
  const auto seed = oracle::seed();
  std::mt19937_64 random(seed);
  const RunControl control;
  const Watch watch(control);
  for (int round = 0; round < 60; ++round) {
    const auto numbers = draw(random, 1 + random() % 11, round % 2 == 0 ? 9 : 500, round % 3 != 0);
    auto all = all_subsets(numbers);
    BOOST_TEST_CONTEXT("round " << round << " of seed " << seed)
    for (std::size_t count = 0; count <= std::min<std::size_t>(numbers.size(), 8); ++count) {
      auto sum = std::next(all.begin(), static_cast<std::ptrdiff_t>(random() % all.size()))->first;
      agrees_of_count(
          all, count, sum, [&](SubsetList& subsets) { return FewNumbers(numbers, count, watch).list(sum, subsets); },
          [&](std::optional<std::int64_t>& best) { return FewNumbers(numbers, count, watch).best(sum, best); });
    }
  }
}

BOOST_AUTO_TEST_CASE(halves_agree_with_all_subsets) {
  const auto seed = oracle::seed();
  std::mt19937_64 random(seed);
  const RunControl control;
  const Watch watch(control);
  for (int round = 0; round < 60; ++round) {
    const auto numbers = draw(random, 1 + random() % 11, round % 2 == 0 ? 9 : 500, round % 3 != 0);
    auto all = all_subsets(numbers);
    HalfLists halves(numbers);
    BOOST_TEST(halves.make(watch));
    BOOST_TEST_CONTEXT("round " << round << " of seed " << seed)
    for (std::size_t count = 0; count <= numbers.size() + 1; ++count) {
      const auto sum = std::next(all.begin(), static_cast<std::ptrdiff_t>(random() % all.size()))->first;
      agrees_of_count(
          all, count, sum, [&](SubsetList& subsets) { return halves.list(sum, count, subsets, watch); },
          [&](std::optional<std::int64_t>& best) { return halves.best(sum, count, best, watch); });
    }
  }
}

BOOST_AUTO_TEST_CASE(tables_agree_with_all_subsets) {
  const auto seed = oracle::seed();
  std::mt19937_64 random(seed);
  const RunControl control;
  const Watch watch(control);
  for (int round = 0; round < 90; ++round) {
    const auto numbers = draw(random, 1 + random() % 11, round % 2 == 0 ? 9 : 500, false);
    auto all = all_subsets(numbers);
    std::vector<TableItem> items;
    std::vector<TableItem> signed_items;
    for (const auto number : numbers) {
      items.push_back({static_cast<std::uint64_t>(number), 1});
      signed_items.push_back({static_cast<std::uint64_t>(number), random() % 2 == 0 ? 1 : -1});
    }
    const auto sum = std::next(all.begin(), static_cast<std::ptrdiff_t>(random() % all.size()))->first;
    const auto limit = static_cast<std::uint64_t>(sum);
    const auto most = std::vector<std::size_t>{1, 3, all_of_them}[random() % 3];
    BOOST_TEST_CONTEXT("round " << round << " of seed " << seed) {
      Sets with_sum;
      std::map<std::int32_t, Sets> with_costs;
      for (const auto& [count, sets] : all[sum])
        for (const auto& each : sets) {
          with_sum.insert(each);
          std::int32_t cost = 0;
          for (const auto i : each) cost += signed_items[i].cost;
          with_costs[cost].insert(each);
        }
      SubsetList any(most);
      BOOST_TEST(SumTable(TableKind::reached, items, limit, 0, watch).list(0, any));
      agrees(any, with_sum);

      SumTable costs(TableKind::least_count, signed_items, limit, 0, watch);
      std::optional<std::int32_t> least;
      BOOST_TEST(costs.least_count(least));
      BOOST_TEST_REQUIRE(least.has_value());
      BOOST_TEST(*least == with_costs.begin()->first);
      SubsetList fewest(most);
      BOOST_TEST(costs.list(*least, fewest));
      agrees(fewest, with_costs.begin()->second);

      const auto count = random() % (numbers.size() + 1);
      SubsetList counted(most);
      BOOST_TEST(
          SumTable(TableKind::each_count, items, limit, count, watch).list(static_cast<std::int32_t>(count), counted));
      agrees(counted, all[sum][count]);
      std::optional<std::uint64_t> best;
      BOOST_TEST(SumTable(TableKind::each_count, items, limit, count, watch).best(best));
      std::optional<std::uint64_t> expected;
      for (const auto& [each, counts] : all)
        if (each <= sum && counts.count(count) && !counts.at(count).empty())
          expected = static_cast<std::uint64_t>(each);
      BOOST_TEST((best == expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(questions_agree_with_all_subsets) {
  const auto seed = oracle::seed();
  std::mt19937_64 random(seed);
  const RunControl control;
  const Watch watch(control);
  for (int round = 0; round < 200; ++round) {
    SubsetsQuestion question;
    question.numbers = draw(random, 1 + random() % 12, round % 2 == 0 ? 9 : 500, round % 3 != 0);
    auto all = all_subsets(question.numbers);
    question.sum = std::next(all.begin(), static_cast<std::ptrdiff_t>(random() % all.size()))->first;
    question.fewest = random() % 2 == 0;
    if (random() % 2 == 0) question.count = random() % (question.numbers.size() + 2);
    question.most = std::vector<std::size_t>{1, 3, all_of_them}[random() % 3];
    Sets expected;
    for (const auto& [count, sets] : all[question.sum])
      if (!sets.empty() && (!question.count || *question.count == count) && (!question.fewest || expected.empty()))
        expected.insert(sets.begin(), sets.end());
    // Where memory is short, another way takes over.
    for (const double bytes : {enough_bytes, 20'000.0}) {
      const auto answer = find_subsets(question, bytes, watch);
      BOOST_TEST_CONTEXT("round " << round << " of seed " << seed << ", " << answer.way << answer.reason) {
        BOOST_TEST(answer.is_complete);
        BOOST_TEST(answer.has_more == (expected.size() > question.most));
        BOOST_TEST(answer.subsets.size() == std::min(question.most, expected.size()));
        for (const auto& each : answer.subsets) BOOST_TEST(expected.count(each) == 1U);
      }
    }
    const auto count = random() % (question.numbers.size() + 2);
    const auto best = best_sum_of_count(question.numbers, count, question.sum + 1, enough_bytes, watch);
    std::optional<std::int64_t> best_expected;
    for (const auto& [each, counts] : all)
      if (each <= question.sum + 1 && counts.count(count) && !counts.at(count).empty()) best_expected = each;
    BOOST_TEST_CONTEXT("round " << round << " of seed " << seed) BOOST_TEST((best.sum == best_expected));
  }
}

BOOST_AUTO_TEST_CASE(of_no_numbers_there_is_the_empty_subset) {
  const RunControl control;
  const Watch watch(control);
  for (const bool fewest : {false, true}) {
    SubsetsQuestion question;
    question.fewest = fewest;
    BOOST_TEST(find_subsets(question, enough_bytes, watch).subsets.size() == 1U);
    question.count = 0;
    BOOST_TEST(find_subsets(question, enough_bytes, watch).subsets.size() == 1U);
    question.count = 1;
    BOOST_TEST(find_subsets(question, enough_bytes, watch).subsets.empty());
  }
  BOOST_TEST((best_sum_of_count({}, 0, 5, enough_bytes, watch).sum == 0));
  BOOST_TEST(!best_sum_of_count({}, 1, 5, enough_bytes, watch).sum.has_value());
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_or_ends_early_is_not_proven) {
  SubsetsQuestion question;
  for (std::int64_t i = 0; i < 200; ++i) question.numbers.push_back(1'000'000'000 + i * i);
  question.sum = 0;
  for (std::size_t i = 0; i < 100; ++i) question.sum += question.numbers[2 * i];
  question.fewest = true;
  const RunControl control;
  const auto large = find_subsets(question, 1e6, Watch(control));
  BOOST_TEST(!large.is_complete);
  BOOST_TEST(large.subsets.empty());
  BOOST_TEST(large.reason.find("bytes") != std::string::npos);
  RunControl ended;
  ended.time_limit = 0;
  question.numbers.resize(40);
  question.sum = question.numbers[1] + question.numbers[2] + question.numbers[5];
  for (const bool fewest : {false, true}) {
    question.fewest = fewest;
    const auto early = find_subsets(question, enough_bytes, Watch(ended));
    BOOST_TEST(!early.is_complete);
    BOOST_TEST(!early.reason.empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
