#include "four_lists.hpp"

#include <algorithm>
#include <array>
#include <clopt/error.hpp>

#include "sum_list.hpp"
#include "value_filter.hpp"

namespace clopt::subset_sum {
namespace {

/// Sums of each half in a range of values; with their bits they stay in a second-level cache.
constexpr std::size_t usual_sums_a_range = std::size_t{1} << 18;
/// So few values are sorted rather than filtered once more.
constexpr std::size_t few_values = 64;

/// The items of a half are dealt out to the two lists one by one, so that both hold sums of about the same size. The
/// outer list is the shorter one: each of its sums goes through a stretch of the inner list at a time.
struct Half {
  std::array<std::vector<std::uint32_t>, 2> positions;  ///< in LargestSum::weights; outer, inner
  std::array<std::vector<std::uint64_t>, 2> weights;
  std::array<std::optional<SumList>, 2> lists;

  const SumList& outer() const { return *lists[0]; }
  const SumList& inner() const { return *lists[1]; }
};

std::size_t items_outside(std::size_t items) { return items / 2 - (items > 8 ? 1 : 0); }

Half deal_out(const std::vector<std::uint64_t>& weights, std::size_t which) {
  Half half;
  const std::size_t items = (weights.size() + 1 - which) / 2;
  const std::size_t outside = items_outside(items);
  for (std::size_t i = which; i < weights.size(); i += 2) {
    const std::size_t list = i / 2 % 2 == 0 && half.weights[0].size() < outside ? 0 : 1;
    half.positions[list].push_back(static_cast<std::uint32_t>(i));
    half.weights[list].push_back(weights[i]);
  }
  return half;
}

/// A pair of sums, one of each half, and what is left of the capacity with it.
struct Match {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::uint64_t left = 0;  ///< before a pair is found, 1 more than the most that may be left
  bool found = false;
};
constexpr std::uint64_t longest_range = std::uint64_t{1} << 62;

/// Searches a range of sums of the first half. Ranges do not depend on each other.
class RangeSearch {
 public:
  RangeSearch(const Half& first, const Half& second, std::uint64_t capacity, std::size_t sums_a_range,
              const Watch& watch)
      : first_(first), second_(second), capacity_(capacity), usual_(sums_a_range), watch_(watch) {
    most_ = 4 * std::max({usual_, first.outer().size, second.outer().size});
    xs_.resize(most_ + first.inner().size);
    us_.resize(most_ + second.inner().size);
  }

  /// Improves a match by the pairs whose x is from `begin` to `last`, which is at most the capacity; false when the run
  /// must end.
  bool search(std::uint64_t begin, std::uint64_t last, Match& best) {
    best_ = best;
    start_at(begin);
    std::uint64_t left = last - begin;
    std::uint64_t span = std::min(left / usual_ + 1, longest_range);
    while (best_.left != 0) {
      watch_.report("search", static_cast<double>(begin) / static_cast<double>(capacity_));
      if (watch_.expired()) return false;
      const std::uint64_t now = std::min(span, left + 1);
      const std::size_t sums = search_range(begin, now);
      if (sums > most_) {  // a range of 1 value never holds so many sums
        next_x_places_ = x_places_;
        span = std::max<std::uint64_t>(now / 4, 1);
        continue;
      }
      if (now > left) break;
      begin += now;
      left -= now;
      const double factor = std::clamp(static_cast<double>(usual_ + 1) / (static_cast<double>(sums) + 1), 0.25, 2.0);
      span = static_cast<std::uint64_t>(
          std::min(static_cast<double>(now) * factor + 1, static_cast<double>(longest_range)));
    }
    best = best_;
    return true;
  }

 private:
  void start_at(std::uint64_t begin) {
    const auto place = [](const SumList& list, std::uint64_t sum, auto search) {
      return static_cast<std::uint32_t>(search(list.sums.get(), list.sums.get() + list.size, sum) - list.sums.get());
    };
    const auto lower = [](auto from, auto to, std::uint64_t sum) { return std::lower_bound(from, to, sum); };
    const auto upper = [](auto from, auto to, std::uint64_t sum) { return std::upper_bound(from, to, sum); };
    x_places_.assign(first_.outer().size, 0);
    for (std::size_t i = 0; i < x_places_.size(); ++i) {
      const std::uint64_t outer = first_.outer().sums[i];
      if (outer < begin) x_places_[i] = place(first_.inner(), begin - outer, lower);
    }
    y_places_.assign(second_.outer().size, 0);
    for (std::size_t i = 0; i < y_places_.size(); ++i) {
      const std::uint64_t outer = second_.outer().sums[i];
      if (outer <= capacity_ - begin) y_places_[i] = place(second_.inner(), capacity_ - begin - outer, upper);
    }
    next_x_places_ = x_places_;
    next_y_places_ = y_places_;
  }

  /// Searches x from `begin` on, below begin + span. Values are relative: x - begin, and u = capacity - begin - y, so a
  /// pair is good if u - x is from 0 to less than what the best match leaves.
  /// \returns the sums of the half that had more of them; above most_ where the range was too long and nothing is done.
  std::size_t search_range(std::uint64_t begin, std::uint64_t span) {
    filter_.reset(usual_, best_.left - 1, span);
    std::uint64_t most_x = 0;
    const std::size_t xs = list_x(begin, span, most_x);
    if (xs > most_) return xs;
    std::uint64_t next_y = 0;
    bool has_next_y = false;
    std::size_t us = 0;
    const std::size_t ys = list_u(begin, span, us, next_y, has_next_y);
    if (ys > most_) return ys;
    x_places_.swap(next_x_places_);
    y_places_.swap(next_y_places_);
    if (xs == 0) return ys;
    // Behind the range of y, the next one fits every x of this range, and so the largest.
    if (has_next_y) improve(begin + most_x, next_y);
    match(begin, span, xs, us);
    return std::max(xs, ys);
  }

  std::size_t list_x(std::uint64_t begin, std::uint64_t span, std::uint64_t& most_x) {
    const SumList& outer = first_.outer();
    const SumList& inner = first_.inner();
    std::size_t xs = 0;
    for (std::size_t i = 0; i < outer.size; ++i) {
      if (outer.sums[i] >= begin && outer.sums[i] - begin >= span) break;  // none yet, and none before
      const std::uint64_t base = outer.sums[i] - begin;                    // modulo 2^64
      std::size_t place = x_places_[i];
      for (; place < inner.size; ++place) {
        const std::uint64_t x = base + inner.sums[place];
        if (x >= span) break;
        xs_[xs++] = x;
        filter_.mark_x(x);
      }
      if (place != x_places_[i]) most_x = std::max(most_x, xs_[xs - 1]);
      next_x_places_[i] = static_cast<std::uint32_t>(place);
      if (xs > most_) break;
    }
    return xs;
  }

  /// Lists the u of the range that may have a partner; returns how many there are before that.
  std::size_t list_u(std::uint64_t begin, std::uint64_t span, std::size_t& us, std::uint64_t& next_y,
                     bool& has_next_y) {
    const SumList& outer = second_.outer();
    const SumList& inner = second_.inner();
    std::size_t ys = 0;
    for (std::size_t i = 0; i < outer.size && outer.sums[i] <= capacity_ - begin; ++i) {
      const std::uint64_t base = capacity_ - begin - outer.sums[i];
      std::size_t place = y_places_[i];
      for (; place > 0; --place) {
        const std::uint64_t u = base - inner.sums[place - 1];
        if (u >= span) break;
        us_[us] = u;
        us += filter_.may_have_x(u) ? 1 : 0;
      }
      ys += y_places_[i] - place;
      next_y_places_[i] = static_cast<std::uint32_t>(place);
      if (place > 0 && outer.sums[i] + inner.sums[place - 1] >= next_y) {
        next_y = outer.sums[i] + inner.sums[place - 1];
        has_next_y = true;
      }
      if (ys > most_) break;
    }
    return ys;
  }

  /// Filters the x by the u and the u by the x until few are left, or until that does not help, then sorts them.
  void match(std::uint64_t begin, std::uint64_t span, std::size_t xs, std::size_t us) {
    if (best_.left == 0) return;
    const std::uint64_t width = best_.left - 1;
    bool helps = true;
    while (xs > 0 && us > 0 && helps && std::max(xs, us) > few_values) {
      const std::size_t before = xs + us;
      filter_.reset(us, width, span);
      for (std::size_t i = 0; i < us; ++i) filter_.mark_u(us_[i]);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < xs; ++i) {
        xs_[kept] = xs_[i];
        kept += filter_.may_have_u(xs_[i]) ? 1 : 0;
      }
      xs = kept;
      filter_.reset(xs, width, span);
      for (std::size_t i = 0; i < xs; ++i) filter_.mark_x(xs_[i]);
      kept = 0;
      for (std::size_t i = 0; i < us; ++i) {
        us_[kept] = us_[i];
        kept += filter_.may_have_x(us_[i]) ? 1 : 0;
      }
      us = kept;
      helps = xs + us <= before / 2;
    }
    if (xs == 0 || us == 0) return;
    std::sort(xs_.begin(), xs_.begin() + static_cast<std::ptrdiff_t>(xs));
    std::sort(us_.begin(), us_.begin() + static_cast<std::ptrdiff_t>(us));
    for (std::size_t i = 0, j = 0; i < xs; ++i) {
      while (j < us && us_[j] < xs_[i]) ++j;
      if (j == us) break;
      improve(begin + xs_[i], capacity_ - begin - us_[j]);
    }
  }

  void improve(std::uint64_t x, std::uint64_t y) {
    const std::uint64_t left = capacity_ - x - y;
    if (left < best_.left) best_ = {x, y, left, true};
  }

  const Half& first_;
  const Half& second_;
  std::uint64_t capacity_;
  std::size_t usual_;
  const Watch& watch_;
  std::size_t most_;
  Match best_;
  ValueFilter filter_;
  std::vector<std::uint64_t> xs_, us_;
  /// For each outer sum, the first inner one that is not below the range, and how many inner ones reach up to it.
  std::vector<std::uint32_t> x_places_, y_places_, next_x_places_, next_y_places_;
};

/// Appends the items of a half that make up a sum.
void append_items(const Half& half, std::uint64_t sum, std::vector<std::uint32_t>& positions) {
  const SumList& outer = half.outer();
  const SumList& inner = half.inner();
  std::size_t j = inner.size;
  for (std::size_t i = 0; i < outer.size && outer.sums[i] <= sum; ++i) {
    while (j > 0 && inner.sums[j - 1] > sum - outer.sums[i]) --j;
    if (j == 0 || inner.sums[j - 1] != sum - outer.sums[i]) continue;
    const std::array<Subset, 2> subsets{outer.subsets[i], inner.subsets[j - 1]};
    for (std::size_t list = 0; list < 2; ++list) {
      for (std::size_t item = 0; item < half.positions[list].size(); ++item) {
        if ((subsets[list] >> item & 1) != 0) positions.push_back(half.positions[list][item]);
      }
    }
    return;
  }
  throw InternalError("method meet-in-the-middle: a sum of two lists is not found again");
}

}  // namespace

Wide four_lists_bytes(const Plan& plan) {
  const std::size_t half = (plan.size() + 1) / 2;
  const Wide inner = Wide{1} << (half - items_outside(half));
  const Wide outer = Wide{1} << items_outside(half);
  const Wide values = 4 * std::max<Wide>(usual_sums_a_range, outer) + inner;
  return 2 * ((inner + outer) * (sizeof(std::uint64_t) + sizeof(Subset)) + values * sizeof(std::uint64_t) +
              2 * outer * sizeof(std::uint32_t)) +
         2 * usual_sums_a_range;
}

Found four_lists(const Plan& plan, const Watch& watch) { return four_lists(plan, watch, usual_sums_a_range); }

Found four_lists(const Plan& plan, const Watch& watch, std::size_t sums_a_range) {
  const LargestSum problem(plan);
  std::vector<std::uint32_t> positions;
  Found found;
  if (const Wide total = problem.total(); total <= problem.capacity) {
    for (std::uint32_t i = 0; i < problem.weights.size(); ++i) positions.push_back(i);
    problem.answer(plan, positions, found);
    return found;
  }
  watch.report("lists", 0);
  std::array<Half, 2> halves{deal_out(problem.weights, 0), deal_out(problem.weights, 1)};
  std::uint64_t most_x = 0;
  for (std::size_t which = 0; which < 2; ++which) {
    for (std::size_t list = 0; list < 2; ++list) {
      halves[which].lists[list] = list_sums(halves[which].weights[list], problem.capacity, watch);
      if (!halves[which].lists[list]) return found;
    }
  }
  for (const auto& weights : halves[0].weights) {
    for (const std::uint64_t weight : weights) most_x += std::min(weight, problem.capacity - most_x);
  }
  Match best{0, 0, problem.capacity - problem.known + 1, false};
  if (!RangeSearch(halves[0], halves[1], problem.capacity, sums_a_range, watch).search(0, most_x, best)) return found;
  if (!best.found) throw InternalError("method meet-in-the-middle: no pair of sums fits");
  append_items(halves[0], best.x, positions);
  append_items(halves[1], best.y, positions);
  problem.answer(plan, positions, found);
  watch.report("search", 1);
  return found;
}

}  // namespace clopt::subset_sum
