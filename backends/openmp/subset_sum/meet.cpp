/// \file
/// Twins of kernels_cl/subset_sum/meet_place.cl and meet_search.cl: a thread for a range, slices that fill a
/// second-level cache.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <shared/subset_sum/meet.h>
#include <subset_sum/meet/value_filter.hpp>
#include <subset_sum/operations.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

namespace clopt::openmp::subset_sum {
namespace {

using clopt::subset_sum::MeetRange;
using clopt::subset_sum::MeetShape;
using clopt::subset_sum::ValueFilter;
namespace operations = clopt::subset_sum::operations;

// So few values are held against each other pair by pair rather than filtered once more.
constexpr std::size_t few_values = 64;

struct Half {
  std::span<const std::uint64_t> outer;
  std::span<const std::uint64_t> inner;
};

// Where ranges begin: outer sums ascend, so that places in the inner list only fall.
void place_first(const Half& half, std::uint64_t begin, std::span<std::uint32_t> places) {
  std::size_t place = half.inner.size();
  for (std::size_t i = 0; i < half.outer.size(); ++i) {
    if (half.outer[i] >= begin) place = 0;
    while (place > 0 && half.inner[place - 1] >= begin - half.outer[i]) --place;
    places[i] = static_cast<std::uint32_t>(place);
  }
}
void place_second(const Half& half, std::uint64_t most, std::span<std::uint32_t> places) {
  std::size_t place = half.inner.size();
  for (std::size_t i = 0; i < half.outer.size(); ++i) {
    if (half.outer[i] > most) place = 0;
    while (place > 0 && half.inner[place - 1] > most - half.outer[i]) --place;
    places[i] = static_cast<std::uint32_t>(place);
  }
}

/// Searches slices; what it needs for one is kept for the next. Unlike the kernel, it stores the sums that it makes.
class SliceSearch {
 public:
  SliceSearch(const Half& first, const Half& second, std::uint64_t capacity, std::size_t sums)
      : first_(first), second_(second), capacity_(capacity), sums_(sums) {
    most_ = 4 * std::max({sums_, first.outer.size(), second.outer.size()});
    xs_ = std::make_unique_for_overwrite<std::uint64_t[]>(most_ + first.inner.size());
    us_ = std::make_unique_for_overwrite<std::uint64_t[]>(most_ + second.inner.size());
    next_x_ = std::make_unique_for_overwrite<std::uint32_t[]>(first.outer.size());
    next_y_ = std::make_unique_for_overwrite<std::uint32_t[]>(second.outer.size());
  }

  /// The next slice of a range, which is not done, and its places in the inner lists.
  void search(MeetRange& range, std::span<std::uint32_t> places) {
    const std::uint64_t slice = shared::meet_slice(range);
    const auto x_places = places.first(first_.outer.size());
    const auto y_places = places.subspan(first_.outer.size());
    range_ = &range;
    filter_.reset(sums_, shared::meet_width(range, slice), slice);
    std::uint64_t x_end = 0;
    std::uint64_t beyond = ~std::uint64_t{0};
    std::size_t us = 0;
    const std::size_t xs = list_x(slice, x_places, x_end);
    const std::size_t ys = xs > most_ ? 0 : list_u(slice, y_places, us, beyond);
    if (std::max(xs, ys) > most_) {  // a slice of 1 value never holds that many
      range.span = std::max<std::uint64_t>(slice / 4, 1);
      return;
    }
    std::copy_n(next_x_.get(), x_places.size(), x_places.begin());
    std::copy_n(next_y_.get(), y_places.size(), y_places.begin());
    // Every x of the slice goes with every u behind it, best the largest with the least.
    if (x_end != 0 && beyond != ~std::uint64_t{0}) improve(x_end - 1, beyond);
    match(slice, xs, us);
    range = shared::meet_advance(range, slice, shared::meet_next_span(range.span, std::max(xs, ys), sums_));
  }

 private:
  std::size_t list_x(std::uint64_t slice, std::span<const std::uint32_t> places, std::uint64_t& end) {
    std::size_t xs = 0;
    const auto inner = first_.inner;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::uint64_t base = first_.outer[i] - range_->begin;  // modulo 2^64
      std::size_t place = places[i];
      for (; place < inner.size(); ++place) {
        const std::uint64_t x = base + inner[place];
        if (x >= slice) break;
        xs_[xs++] = x;
        filter_.mark_x(x);
      }
      if (place != places[i]) end = std::max(end, xs_[xs - 1] + 1);
      next_x_[i] = static_cast<std::uint32_t>(place);
      if (xs > most_) break;
    }
    return xs;
  }

  // Lists the u of the slice that may have a partner; returns how many there are before that.
  std::size_t list_u(std::uint64_t slice, std::span<const std::uint32_t> places, std::size_t& us,
                     std::uint64_t& beyond) {
    std::size_t ys = 0;
    const auto inner = second_.inner;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::uint64_t base = capacity_ - range_->begin - second_.outer[i];
      std::size_t place = places[i];
      for (; place > 0; --place) {
        const std::uint64_t u = base - inner[place - 1];
        if (u >= slice) {
          beyond = std::min(beyond, u);
          break;
        }
        us_[us] = u;
        us += filter_.may_have_x(u) ? 1 : 0;
      }
      ys += places[i] - place;
      next_y_[i] = static_cast<std::uint32_t>(place);
      if (ys > most_) break;
    }
    return ys;
  }

  // Filters the x by the u and the u by the x until few are left, or until that does not help, then sorts them.
  void match(std::uint64_t slice, std::size_t xs, std::size_t us) {
    if (shared::meet_is_decided(range_->begin, range_->slack, range_->x) != 0) return;
    const std::uint64_t width = shared::meet_width(*range_, slice);
    bool helps = true;
    while (xs > 0 && us > 0 && helps && std::max(xs, us) > few_values) {
      const std::size_t before = xs + us;
      filter_.reset(us, width, slice);
      for (std::size_t i = 0; i < us; ++i) filter_.mark_u(us_[i]);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < xs; ++i) {
        xs_[kept] = xs_[i];
        kept += filter_.may_have_u(xs_[i]) ? 1 : 0;
      }
      xs = kept;
      filter_.reset(xs, width, slice);
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
    std::sort(xs_.get(), xs_.get() + xs);
    std::sort(us_.get(), us_.get() + us);
    for (std::size_t i = 0, j = 0; i < xs; ++i) {
      while (j < us && us_[j] < xs_[i]) ++j;
      if (j == us) break;
      improve(xs_[i], us_[j]);
    }
  }

  void improve(std::uint64_t x, std::uint64_t u) {
    if (shared::meet_is_better(u - x, range_->begin + x, range_->slack, range_->x) == 0) return;
    range_->slack = u - x;
    range_->x = range_->begin + x;
  }

  Half first_;
  Half second_;
  std::uint64_t capacity_;
  std::size_t sums_;
  std::size_t most_;
  MeetRange* range_ = nullptr;
  ValueFilter filter_;
  std::unique_ptr<std::uint64_t[]> xs_, us_;
  std::unique_ptr<std::uint32_t[]> next_x_, next_y_;
};

/// The best pair of all threads. What a range learns from it spares work, and changes no result.
class SharedBest {
 public:
  SharedBest(std::uint64_t slack, std::uint64_t x) : slack_(slack), x_(x) {}

  /// Makes the range's best pair and this one the better of the two.
  void exchange(MeetRange& range) {
    const std::lock_guard lock(mutex_);
    if (shared::meet_is_better(range.slack, range.x, slack_, x_) != 0) {
      slack_ = range.slack;
      x_ = range.x;
    }
    range.slack = slack_;
    range.x = x_;
  }

 private:
  std::mutex mutex_;
  std::uint64_t slack_;
  std::uint64_t x_;
};

}  // namespace

const Twin meet_place{[](const Range& launch, const operations::MeetPlace& arguments) {
  ++arguments.launches[0];
  const std::span first_outer = arguments.first_outer;
  const std::span second_outer = arguments.second_outer;
  const std::size_t outers = first_outer.size() + second_outer.size();
  for_each_part(launch.items[1], [&](std::size_t r) {
    const auto own = arguments.places.subspan(r * outers, outers);
    const std::uint64_t begin = arguments.ranges[r].begin;
    place_first({first_outer, arguments.first_inner}, begin, own.first(first_outer.size()));
    place_second({second_outer, arguments.second_inner}, arguments.lists->capacity - begin,
                 own.subspan(first_outer.size()));
  });
}};

const Twin meet_search{[](const Range& launch, const operations::MeetSearch& arguments) {
  const Half first{arguments.first_outer, arguments.first_inner};
  const Half second{arguments.second_outer, arguments.second_inner};
  const std::span ranges = arguments.ranges;
  const MeetShape shape = arguments.shape;
  const std::size_t outers = first.outer.size() + second.outer.size();
  SharedBest best(ranges[0].slack, ranges[0].x);
  PerThread<SliceSearch> searches;
  for_each_part(launch.groups(), [&](std::size_t r, unsigned thread) {
    auto& search =
        searches.of(thread, [&] { return SliceSearch(first, second, arguments.lists->capacity, shape.sums); });
    MeetRange range = ranges[r];
    for (std::uint32_t slice = 0; slice < shape.slices && range.span != 0; ++slice) {
      best.exchange(range);
      if (shared::meet_is_decided(range.begin, range.slack, range.x) != 0)
        range.span = 0;
      else
        search.search(range, arguments.places.subspan(r * outers, outers));
      best.exchange(range);
    }
    ranges[r] = range;
  });
}};

}  // namespace clopt::openmp::subset_sum
