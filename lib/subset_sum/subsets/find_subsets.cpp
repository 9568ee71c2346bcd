#include "find_subsets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "few_numbers.hpp"
#include "half_lists.hpp"
#include "sum_layers.hpp"
#include "sum_table.hpp"

namespace clopt::subset_sum {
namespace {

__extension__ typedef __int128 Signed;

constexpr std::string_view by_few = "lists of few numbers";
constexpr std::string_view by_halves = "lists of halves";
constexpr std::string_view by_table = "table of sums";

/// A way to find something: what it takes, and how it is done.
struct Way {
  std::string_view name;
  double seconds = 0;
  double bytes = 0;
  std::function<bool()> run;  ///< returns false where the run must end
};

/// Runs the quickest way that fits into memory.
template <class Answer>
bool run_quickest(const std::vector<Way>& ways, double bytes, Answer& answer) {
  const Way* quickest = nullptr;
  for (const auto& way : ways)
    if (way.bytes <= bytes && std::isfinite(way.seconds) && (!quickest || way.seconds < quickest->seconds))
      quickest = &way;
  if (!quickest) {
    for (const auto& way : ways)
      if (std::isfinite(way.seconds))
        answer.reason += fmt::format("{}{} {:.2g}", answer.reason.empty() ? "" : ", ", way.name, way.bytes);
    answer.reason = fmt::format("too large: in bytes, {}; there are {:.2g}",
                                answer.reason.empty() ? "no way is for such numbers" : answer.reason, bytes);
    return false;
  }
  answer.way = quickest->name;
  if (quickest->run()) return true;
  answer.reason = "the run was ended before";
  return false;
}

/// Numbers and their sums, in order.
class Sums {
 public:
  explicit Sums(const std::vector<std::int64_t>& numbers) : ordered_(numbers) {
    std::sort(ordered_.begin(), ordered_.end());
  }
  std::int64_t least(std::size_t count) const {
    return std::accumulate(ordered_.begin(), ordered_.begin() + static_cast<std::ptrdiff_t>(count), std::int64_t{0});
  }
  std::int64_t largest(std::size_t count) const {
    return std::accumulate(ordered_.rbegin(), ordered_.rbegin() + static_cast<std::ptrdiff_t>(count), std::int64_t{0});
  }
  std::int64_t total() const { return least(ordered_.size()); }
  std::int64_t first() const { return ordered_.empty() ? 0 : ordered_.front(); }
  std::int64_t last() const { return ordered_.empty() ? 0 : ordered_.back(); }

 private:
  std::vector<std::int64_t> ordered_;
};

// Subsets of those that are left out.
Subset others_of(const Subset& subset, std::size_t numbers) {
  Subset others;
  auto next = subset.begin();
  for (std::size_t i = 0; i < numbers; ++i)
    if (next != subset.end() && *next == i)
      ++next;
    else
      others.push_back(i);
  return others;
}

void add_others(SubsetList& left_out, std::size_t numbers, SubsetList& subsets) {
  for (const auto& subset : left_out.subsets()) subsets.add(others_of(subset, numbers));
}

std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }

/// A table for subsets of a count: numbers less the least one, or the largest one less the numbers, which are not
/// below 0; of those that are taken, or of those that are left out. The one with the least limit.
struct CountTable {
  std::vector<TableItem> items;
  std::uint64_t limit = 0;
  std::size_t count = 0;
  std::uint64_t divisor = 1;
  std::int64_t shift = 0;
  bool is_mirrored = false;  ///< weights are the largest number less the numbers
  bool is_left_out = false;
  bool is_possible = false;  ///< a limit is below 2^62

  double seconds() const {
    if (!is_possible) return std::numeric_limits<double>::infinity();
    return SumTable::seconds(TableKind::each_count, items.size(), static_cast<double>(limit), count);
  }
  double bytes() const {
    return SumTable::bytes(TableKind::each_count, items.size(), static_cast<double>(limit), count);
  }
};

// \param sum which is between the least and the largest one.
CountTable count_table(const std::vector<std::int64_t>& numbers, const Sums& sums, std::size_t count, std::int64_t sum,
                       bool may_turn) {
  CountTable best;
  double least = std::numeric_limits<double>::infinity();
  for (const bool is_left_out : {false, true}) {
    for (const bool is_mirrored : {false, true}) {
      // A capacity is one from below.
      if (!may_turn && is_left_out != is_mirrored) continue;
      const auto taken = is_left_out ? numbers.size() - count : count;
      const auto wanted = is_left_out ? sums.total() - sum : sum;
      const auto shift = is_mirrored ? sums.last() : sums.first();
      const auto shifted = static_cast<Signed>(taken) * shift - wanted;
      const auto limit = is_mirrored ? shifted : -shifted;
      const auto cost = static_cast<double>(limit) * static_cast<double>(taken + 1);
      if (cost < least && limit < 2 * Signed{most_magnitude}) {
        least = cost;
        best.is_possible = true;
        best.limit = static_cast<std::uint64_t>(limit);
        best.count = taken;
        best.shift = shift;
        best.is_mirrored = is_mirrored;
        best.is_left_out = is_left_out;
      }
    }
  }
  std::uint64_t divisor = 0;
  for (const auto number : numbers) {
    if (!best.is_possible) break;
    const auto weight = unsigned_of(best.is_mirrored ? best.shift - number : number - best.shift);
    best.items.push_back({weight, 1});
    divisor = std::gcd(divisor, weight);
  }
  best.divisor = std::max<std::uint64_t>(divisor, 1);
  for (auto& item : best.items) item.weight /= best.divisor;
  return best;
}

/// Lists subsets for one question.
class Search {
 public:
  Search(const SubsetsQuestion& question, double bytes, const Watch& watch)
      : question_(question),
        numbers_(question.numbers),
        sums_(question.numbers),
        bytes_(bytes),
        watch_(watch),
        halves_(question.numbers),
        subsets_(question.most) {
    for (const auto number : numbers_) {
      const auto magnitude = unsigned_of(std::abs(number));
      divisor_ = std::gcd(divisor_, magnitude);
      below_zero_ += number < 0 ? magnitude : 0;
      magnitudes_ += magnitude;
    }
    divisor_ = std::max<std::uint64_t>(divisor_, 1);
  }

  SubsetsAnswer run() {
    // Wider than any sum: none has it.
    if (question_.sum < 0 ? unsigned_of(-question_.sum) > below_zero_
                          : unsigned_of(question_.sum) > magnitudes_ - below_zero_) {
      answer_.is_complete = true;
      return std::move(answer_);
    }
    answer_.is_complete = question_.fewest && !question_.count ? run_fewest() : run_all();
    if (answer_.is_complete) {
      answer_.has_more = subsets_.is_full();
      answer_.subsets = subsets_.take();
    }
    return std::move(answer_);
  }

 private:
  bool may_have(std::size_t count) const {
    return count <= numbers_.size() && sums_.least(count) <= question_.sum && question_.sum <= sums_.largest(count);
  }

  // Count by count from below, where lists of few numbers take less time than all counts together.
  bool run_fewest() {
    for (std::size_t count = 0; count <= numbers_.size(); ++count) {
      if (!may_have(count)) continue;
      const auto few = few_numbers(count);
      const auto ways = whole_ways();
      const bool few_fit = few.bytes <= bytes_ && std::isfinite(few.seconds);
      const bool whole_is_better = std::any_of(ways.begin(), ways.end(), [&](const Way& way) {
        return way.bytes <= bytes_ && (!few_fit || way.seconds < few.seconds);
      });
      if (whole_is_better || !few_fit) return run_quickest(ways, bytes_, answer_);
      answer_.way = few.name;
      if (!few.run()) {
        answer_.reason = fmt::format("the run was ended before subsets of {} numbers were tried", count);
        return false;
      }
      if (!subsets_.subsets().empty()) return true;
    }
    return true;
  }

  bool run_all() {
    if (!question_.count) return run_quickest(whole_ways(), bytes_, answer_);
    const auto count = *question_.count;
    if (!may_have(count)) return true;
    const auto table = count_table(numbers_, sums_, count, question_.sum, true);
    return run_quickest({few_numbers(count), by_halves_of({count, count}), table_way(table)}, bytes_, answer_);
  }

  // Of a count, or of the numbers that are left out.
  Way few_numbers(std::size_t count) {
    const auto left_out = numbers_.size() - count;
    const bool is_left_out = left_out < count;
    const auto taken = is_left_out ? left_out : count;
    return {by_few, FewNumbers::seconds(numbers_.size(), taken), FewNumbers::bytes(numbers_.size(), taken), [=, this] {
              FewNumbers few(numbers_, taken, watch_);
              if (!is_left_out) return few.list(question_.sum, subsets_);
              SubsetList others(question_.most);
              if (!few.list(sums_.total() - question_.sum, others)) return false;
              add_others(others, numbers_.size(), subsets_);
              return true;
            }};
  }

  Way by_halves_of(std::pair<std::size_t, std::size_t> counts) {
    return {by_halves, HalfLists::seconds(numbers_.size()), HalfLists::bytes(numbers_.size()), [=, this] {
              if (!halves_.make(watch_)) return false;
              for (auto count = counts.first; count <= counts.second && !subsets_.is_full(); ++count) {
                if (!may_have(count)) continue;
                if (!halves_.list(question_.sum, count, subsets_, watch_)) return false;
                if (question_.fewest && !subsets_.subsets().empty()) return true;
              }
              return true;
            }};
  }

  // All counts at once.
  std::vector<Way> whole_ways() {
    std::vector<Way> ways{by_halves_of({0, numbers_.size()})};
    // An amount below 0 is taken back by a weight of its magnitude.
    auto limit = unsigned_of(question_.sum) + below_zero_;
    const bool is_left_out = limit > magnitudes_ - limit;
    if (is_left_out) limit = magnitudes_ - limit;
    const auto kind = question_.fewest ? TableKind::least_count : TableKind::reached;
    const auto multiples = limit / divisor_;
    const auto size = static_cast<double>(multiples);
    ways.push_back({by_table, SumTable::seconds(kind, numbers_.size(), size, 0),
                    SumTable::bytes(kind, numbers_.size(), size, 0),
                    [=, this] { return run_table(kind, multiples, is_left_out); }});
    return ways;
  }

  bool run_table(TableKind kind, std::uint64_t limit, bool is_left_out) {
    std::vector<TableItem> items;
    for (const auto number : numbers_)
      items.push_back({unsigned_of(std::abs(number)) / divisor_, (number < 0) != is_left_out ? -1 : 1});
    SumTable table(kind, std::move(items), limit, 0, watch_);
    std::optional<std::int32_t> least(0);
    if (kind == TableKind::least_count && !table.least_count(least)) return false;
    if (!least) return true;
    SubsetList found(question_.most);
    if (!table.list(*least, found)) return false;
    for (const auto& subset : found.subsets()) {
      Subset taken;
      auto next = subset.begin();
      for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const bool has_weight = next != subset.end() && *next == i;
        if (has_weight) ++next;
        if ((has_weight != is_left_out) != (numbers_[i] < 0)) taken.push_back(i);
      }
      subsets_.add(std::move(taken));
    }
    return true;
  }

  Way table_way(const CountTable& table) {
    return {by_table, table.seconds(), table.bytes(), [table, this] {
              if (table.limit % table.divisor != 0) return true;
              SumTable sums(TableKind::each_count, table.items, table.limit / table.divisor, table.count, watch_);
              if (!table.is_left_out) return sums.list(static_cast<std::int32_t>(table.count), subsets_);
              SubsetList others(question_.most);
              if (!sums.list(static_cast<std::int32_t>(table.count), others)) return false;
              add_others(others, numbers_.size(), subsets_);
              return true;
            }};
  }

  const SubsetsQuestion& question_;
  const std::vector<std::int64_t>& numbers_;
  Sums sums_;
  double bytes_;
  const Watch& watch_;
  HalfLists halves_;
  SubsetList subsets_;
  SubsetsAnswer answer_;
  std::uint64_t divisor_ = 0;
  std::uint64_t below_zero_ = 0;
  std::uint64_t magnitudes_ = 0;
};

}  // namespace

SubsetsAnswer find_subsets(const SubsetsQuestion& question, double bytes, const Watch& watch) {
  return Search(question, bytes, watch).run();
}

CountAnswer best_sum_of_count(const std::vector<std::int64_t>& numbers, std::size_t count, std::int64_t capacity,
                              double bytes, const Watch& watch) {
  CountAnswer answer;
  answer.is_complete = true;
  if (count > numbers.size()) return answer;
  const Sums sums(numbers);
  if (sums.least(count) > capacity) return answer;
  if (sums.largest(count) <= capacity) {
    answer.sum = sums.largest(count);
    return answer;
  }
  const auto table = count_table(numbers, sums, count, capacity, false);
  HalfLists halves(numbers);
  const std::vector<Way> ways{
      {by_few, FewNumbers::seconds(numbers.size(), count), FewNumbers::bytes(numbers.size(), count),
       [&] { return FewNumbers(numbers, count, watch).best(capacity, answer.sum); }},
      {by_halves, HalfLists::seconds(numbers.size()), HalfLists::bytes(numbers.size()),
       [&] { return halves.make(watch) && halves.best(capacity, count, answer.sum, watch); }},
      {by_table, table.seconds(), table.bytes(), [&] {
         std::optional<std::uint64_t> found;
         SumTable reached(TableKind::each_count, table.items, table.limit / table.divisor, table.count, watch);
         if (!reached.best(found)) return false;
         if (!found) return true;
         // What is left out, or mirrored, is below what it stands for.
         const auto shifted = static_cast<std::int64_t>(*found * table.divisor);
         const auto sum =
             static_cast<std::int64_t>(table.count) * table.shift + (table.is_mirrored ? -shifted : shifted);
         answer.sum = table.is_left_out ? sums.total() - sum : sum;
         return true;
       }}};
  answer.is_complete = run_quickest(ways, bytes, answer);
  if (!answer.is_complete) answer.sum.reset();
  return answer;
}

}  // namespace clopt::subset_sum
