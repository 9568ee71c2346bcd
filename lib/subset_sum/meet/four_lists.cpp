#include "four_lists.hpp"

#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>
#include <run/pacing.hpp>
#include <subset_sum/operations.hpp>
#include <support/stopwatch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sum_list.hpp"

namespace clopt::subset_sum {

/// The items of a half are dealt out to lists one by one, so that all hold sums of about the same size.
struct Half {
  std::vector<std::uint32_t> positions;  ///< in LargestSum::weights
  std::vector<std::uint64_t> weights;
};

namespace {

/// Seconds between two checks of the limits, about; where a launch is a call, each allocates its memory again.
constexpr double shortest_round = 0.002;
constexpr double shortest_round_of_call = 0.01;
constexpr double longest_round = 0.04;
/// Slices of a range, at least, where there are enough.
constexpr std::uint64_t slices_a_range = 8;
/// The kernel's own local memory besides what the shape asks for, in bytes.
constexpr std::uint64_t other_local_memory = 6 << 10;

Half deal_out(const std::vector<std::uint64_t>& weights, std::size_t which) {
  Half half;
  for (std::size_t i = which; i < weights.size(); i += 2) {
    half.positions.push_back(static_cast<std::uint32_t>(i));
    half.weights.push_back(weights[i]);
  }
  return half;
}

/// The places in a half of the items of its outer and of its inner list; the outer one has \p outer_items, or half of
/// all.
std::array<std::vector<std::size_t>, 2> split(const Half& half, std::size_t outer_items) {
  outer_items = std::min(outer_items, half.weights.size() / 2);
  std::array<std::vector<std::size_t>, 2> lists;
  for (std::size_t i = 0; i < half.weights.size(); ++i) {
    lists[i % 2 == 0 && lists[0].size() < outer_items ? 0 : 1].push_back(i);
  }
  return lists;
}

std::vector<std::uint64_t> weights_at(const Half& half, const std::vector<std::size_t>& places) {
  std::vector<std::uint64_t> weights;
  weights.reserve(places.size());
  for (const std::size_t place : places) weights.push_back(half.weights[place]);
  return weights;
}

}  // namespace

class PairSearch::Inside {
 public:
  Inside(const ReducedProblem& reduced, Device& device, const FourListsShape& shape)
      : reduced_(reduced),
        problem_(reduced),
        halves_{deal_out(problem_.weights, 0), deal_out(problem_.weights, 1)},
        device_(device),
        shape_(shape),
        queue_(device.queue()),
        launches_(device, *queue_),
        best_{problem_.capacity - problem_.known + 1, 0} {
    place_ = device_.kernel<operations::MeetPlace>();
    search_ = device_.kernel<operations::MeetSearch>();
    shape_.group_size = std::min(shape_.group_size, std::bit_floor(search_.max_group_size()));
    shape_.lane_bits = std::min(shape_.lane_bits, static_cast<std::uint32_t>(std::countr_zero(shape_.group_size)));
    // A slice of one value must never be too long: see kernels_cl/subset_sum/meet_search.cl.
    const std::uint32_t runs = shape_.group_size >> shape_.lane_bits;
    shape_.sums_an_item = std::max(shape_.sums_an_item, ((1U << shape_.outer_items) + runs - 1) / runs);
    for (const std::uint64_t weight : halves_[0].weights) most_x_ += std::min(weight, problem_.capacity - most_x_);
  }

  bool run(const WorkRange& parts, const Watch& watch, const Compare& compare) {
    if (!has_lists_ && !make_lists(watch)) return false;
    has_lists_ = true;
    learn(compare);
    const auto begin = begin_of_part(parts.first);
    const auto end = begin_of_part(parts.first + parts.count);
    ranges_.clear();
    if (begin < end && shared::meet_is_decided(begin, best_.slack, best_.x) == 0) cut({{begin, end - 1}});
    while (!ranges_.empty()) {
      if (watch.report_due()) watch.report("search", done(), best_sum_of_reduced());
      if (watch.expired()) return false;
      search_a_round();
      take_over(compare);
    }
    launches_.require_all();
    return true;
  }

  std::optional<SumPair> best() const {
    return best_.slack <= problem_.capacity - problem_.known ? std::optional(best_) : std::nullopt;
  }

  /// Its sum as the reduced problem counts it.
  std::optional<double> best_sum_of_reduced() const {
    if (!best()) return std::nullopt;
    return static_cast<double>(sum_of_reduced(reduced_, best_));
  }

  std::uint64_t launches() const { return queue_->counts().launches; }

 private:
  bool make_lists(const Watch& watch) {
    watch.report("lists", 0);
    for (std::size_t list = 0; list < 4; ++list) {
      const Half& half = halves_[list / 2];
      const auto items = split(half, shape_.outer_items)[list % 2];
      auto sums = distinct_sums(weights_at(half, items), problem_.capacity, watch);
      if (!sums) return false;
      lists_[list] = device_.buffer<std::uint64_t>("a list of sums", sums->size);
      const std::shared_ptr<std::uint64_t[]> values = std::move(sums->values);
      queue_->write(lists_[list], HostArray<std::uint64_t>(values, values.get(), sums->size));
    }
    const auto size = [&](std::size_t list) { return static_cast<std::uint32_t>(lists_[list].size()); };
    sizes_ = {problem_.capacity, size(0), size(1), size(2), size(3)};
    const auto sums = std::max(std::uint64_t{size(0)} * size(1), std::uint64_t{size(2)} * size(3));
    const auto slices = std::max<std::uint64_t>(sums / shape_.sums_a_slice, 1);
    // The first slices are short: as long as no good pair is known, all values pass the filter.
    span_ = std::clamp<std::uint64_t>(most_x_ / slices / 32, 1, MEET_LONGEST);
    shape_.ranges = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(slices / slices_a_range, 1, shape_.ranges));
    ranges_on_device_ = device_.buffer<MeetRange>("ranges", shape_.ranges);
    places_ = device_.buffer<std::uint32_t>("places", shape_.ranges * outers());
    queue_->fill(places_, 0);
    return true;
  }

  /// The first x of one of meet_parts equal parts; all x are behind the last one.
  std::uint64_t begin_of_part(std::uint64_t part) const {
    return static_cast<std::uint64_t>((Uint128{most_x_} + 1) * part / meet_parts);
  }

  std::size_t outers() const { return std::size_t{sizes_.first_outer} + sizes_.second_outer; }

  /// What is left to do, from the first to the last x of each part, cut into as many ranges as there may be, or as many
  /// as each has values.
  void cut(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& parts) {
    ranges_.clear();
    for (const auto& [first, last] : parts) {
      const std::uint64_t pieces = shape_.ranges / parts.size();
      const std::uint64_t step = (last - first) / pieces + 1;
      for (std::uint64_t begin = first; begin <= last; begin += step) {
        const std::uint64_t end = last - begin < step ? last : begin + step - 1;
        ranges_.push_back({begin, end, span_, best_.slack, best_.x});
        if (end == last) break;
      }
    }
    if (ranges_.empty()) return;
    queue_->write(ranges_on_device_, ranges_);
    queue_->launch(place_, clopt::Range{{outers(), ranges_.size(), 1}},
                   {.first_outer = lists_[0],
                    .first_inner = lists_[1],
                    .second_outer = lists_[2],
                    .second_inner = lists_[3],
                    .lists = sizes_,
                    .ranges = ranges_on_device_,
                    .places = places_,
                    .launches = launches_.next()});
  }

  /// Some slices of each range; more of them, the less time they take.
  void search_a_round() {
    const Stopwatch stopwatch;
    const bool call = device_.info().launches_are_calls;
    const auto slices = static_cast<std::uint32_t>(slices_.steps());
    const std::uint32_t bits = kept_bits();
    MeetShape shape{shape_.sums_a_slice, shape_.lane_bits,  shape_.filter_bits, shape_.kept, bits,
                    shape_.sums_an_item, call ? slices : 1U};
    for (std::uint32_t launch = 0; launch < (call ? 1U : slices); ++launch) {
      queue_->launch(search_, clopt::Range::of_groups(ranges_.size(), shape_.group_size),
                     {.first_outer = lists_[0],
                      .first_inner = lists_[1],
                      .second_outer = lists_[2],
                      .second_inner = lists_[3],
                      .lists = sizes_,
                      .ranges = ranges_on_device_,
                      .places = places_,
                      .shape = shape,
                      .filter = Local<std::uint32_t>(std::size_t{1} << (shape_.filter_bits - 5)),
                      .kept_filter = Local<std::uint32_t>(std::size_t{1} << (bits - 5)),
                      .kept = Local<std::uint64_t>(shape_.kept),
                      .next = Local<std::uint32_t>(outers())});
    }
    read_twice(device_, *queue_, ranges_on_device_, std::span(ranges_));
    slices_.keep_within(call ? shortest_round_of_call : shortest_round, longest_round, stopwatch.seconds());
  }

  /// 32 bits for each value that is kept.
  std::uint32_t kept_bits() const { return static_cast<std::uint32_t>(std::bit_width(shape_.kept - 1)) + 5; }

  /// Takes over a better pair that others have found.
  void learn(const Compare& compare) {
    const auto best_of_others = compare ? compare(best()) : std::nullopt;
    if (best_of_others && *best_of_others < best_) best_ = *best_of_others;
  }

  /// Takes over the best pair of all ranges and continues with what is left of them. Few ranges are divided again.
  void take_over(const Compare& compare) {
    for (const MeetRange& range : ranges_) {
      if (shared::meet_is_better(range.slack, range.x, best_.slack, best_.x) != 0) best_ = {range.slack, range.x};
    }
    learn(compare);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
    for (MeetRange& range : ranges_) {
      range.slack = best_.slack;
      range.x = best_.x;
      // Where nothing is left of the capacity, only a smaller x is better.
      if (best_.slack == 0 && range.begin < best_.x) range.last = std::min(range.last, best_.x - 1);
      if (shared::meet_is_decided(range.begin, range.slack, range.x) != 0) range.span = 0;
      if (range.span == 0) continue;
      parts.emplace_back(range.begin, range.last);
      span_ = range.span;
    }
    if (2 * parts.size() <= ranges_.size()) {
      cut(parts);
    } else {
      queue_->write(ranges_on_device_, ranges_);
    }
  }

  /// The part of all x that is done.
  double done() const {
    double left = 0;
    for (const MeetRange& range : ranges_) {
      if (range.span != 0) left += static_cast<double>(range.last - range.begin);
    }
    return most_x_ == 0 ? 0 : std::clamp(1 - left / static_cast<double>(most_x_), 0.0, 1.0);
  }

  const ReducedProblem& reduced_;
  const LargestSum problem_;
  const std::array<Half, 2> halves_;
  Device& device_;
  FourListsShape shape_;
  std::unique_ptr<Queue> queue_;
  LaunchCount launches_;  ///< of what a lost launch would spoil: a search that is lost is made later
  SumPair best_;
  Kernel<operations::MeetPlace> place_;
  Kernel<operations::MeetSearch> search_;
  std::array<Buffer<std::uint64_t>, 4> lists_;
  MeetLists sizes_{};
  bool has_lists_ = false;
  std::uint64_t most_x_ = 0;
  std::uint64_t span_ = 1;
  Pacing slices_{4, 1, 1 << 12};
  std::vector<MeetRange> ranges_;
  Buffer<MeetRange> ranges_on_device_;
  Buffer<std::uint32_t> places_;
};

PairSearch::PairSearch(const ReducedProblem& reduced, Device& device, const FourListsShape& shape)
    : inside_(std::make_unique<Inside>(reduced, device, shape)) {}
PairSearch::~PairSearch() = default;
bool PairSearch::run(const WorkRange& parts, const Watch& watch, const Compare& compare) {
  return inside_->run(parts, watch, compare);
}
std::optional<SumPair> PairSearch::best() const { return inside_->best(); }
std::uint64_t PairSearch::launches() const { return inside_->launches(); }

namespace {

/// Appends the items of a half that make up a sum. Its lists of 2^16 sums at most are made even when the run must end,
/// for the best pair until then.
void append_items(const Half& half, std::uint64_t sum, std::vector<std::uint32_t>& positions) {
  const RunControl no_limits;
  const Watch watch(no_limits);
  const auto items = split(half, half.weights.size());
  const auto outer = list_sums(weights_at(half, items[0]), sum, watch);
  const auto inner = list_sums(weights_at(half, items[1]), sum, watch);
  std::size_t j = inner->size;
  for (std::size_t i = 0; i < outer->size; ++i) {
    while (j > 0 && inner->sums[j - 1] > sum - outer->sums[i]) --j;
    if (j == 0 || inner->sums[j - 1] != sum - outer->sums[i]) continue;
    const std::array<Subset, 2> subsets{outer->subsets[i], inner->subsets[j - 1]};
    for (std::size_t list = 0; list < 2; ++list) {
      for (std::size_t item = 0; item < items[list].size(); ++item) {
        if ((subsets[list] >> item & 1) != 0) positions.push_back(half.positions[items[list][item]]);
      }
    }
    return;
  }
  throw InternalError("method meet-in-the-middle: a sum of two lists is not found again");
}

}  // namespace

FourListsShape four_lists_shape(const Device& device) {
  const DeviceInfo& info = device.info();
  FourListsShape shape;
  if (info.launches_are_calls) {
    // Sums, and bits for them, that a second-level cache holds; with one thread, no range is worth its beginning.
    shape.outer_items = most_items_a_list / 2 - 1;
    shape.sums_a_slice = 1U << 18;
    shape.ranges = info.compute_units == 1 ? 1 : 16 * info.compute_units;
    shape.group_size = 1;
    return shape;
  }
  shape.ranges = 32 * info.compute_units;
  if (!device.has_long_loops()) {
    shape.outer_items = 7;
    shape.group_size = 32;
    shape.sums_a_slice = 1U << 9;
    shape.filter_bits = 13;
    shape.kept = 128;
    shape.sums_an_item = 64;
    return shape;
  }
  if (info.kind == DeviceKind::gpu) shape.lane_bits = 2;
  const auto local_memory = [&] {
    return (std::uint64_t{1} << shape.filter_bits) / 8 + shape.kept * (sizeof(std::uint64_t) + 4) +
           (std::uint64_t{8} << shape.outer_items) + other_local_memory;
  };
  for (; local_memory() > info.local_memory_bytes && shape.filter_bits > 13; --shape.filter_bits) {
    --shape.outer_items;
    shape.sums_a_slice /= 2;
    shape.kept /= 2;
  }
  return shape;
}

Uint128 four_lists_bytes(const ReducedProblem& reduced, const FourListsShape& shape) {
  const std::size_t half = (reduced.size() + 1) / 2;
  const std::size_t outer_items = std::min<std::size_t>(shape.outer_items, half / 2);
  const Uint128 outer = Uint128{1} << outer_items;
  const Uint128 inner = Uint128{1} << (half - outer_items);
  return 2 * ((outer + inner) * sizeof(std::uint64_t) + outer * shape.ranges * sizeof(std::uint32_t));
}

Found four_lists(const ReducedProblem& reduced, Device& device, const Watch& watch) {
  return four_lists(reduced, device, watch, four_lists_shape(device));
}

Found four_lists(const ReducedProblem& reduced, Device& device, const Watch& watch, const FourListsShape& shape,
                 const std::optional<WorkRange>& parts) {
  if (is_trivial(reduced)) {
    const LargestSum problem(reduced);
    std::vector<std::uint32_t> positions;
    for (std::uint32_t i = 0; i < problem.weights.size(); ++i) positions.push_back(i);
    Found found;
    problem.answer(reduced, positions, found);
    if (parts) found.pair.emplace(problem.capacity - static_cast<std::uint64_t>(problem.total()), 0);
    return found;
  }
  PairSearch search(reduced, device, shape);
  const bool certain = search.run(parts.value_or(WorkRange{0, meet_parts}), watch);
  auto found = answer_of(reduced, search.best(), certain, parts);
  found.launches = search.launches();
  if (found.complete) watch.report("search", 1);
  return found;
}

bool is_trivial(const ReducedProblem& reduced) {
  const LargestSum problem(reduced);
  return problem.total() <= problem.capacity;
}

std::uint64_t sum_of_reduced(const ReducedProblem& reduced, const SumPair& pair) {
  return reduced.complement ? reduced.low + pair.slack : reduced.high - pair.slack;
}

Found answer_of(const ReducedProblem& reduced, const std::optional<SumPair>& best, bool is_certain,
                const std::optional<WorkRange>& parts) {
  Found found;
  if (!best) {
    if (!parts && is_certain) throw InternalError("method meet-in-the-middle: no pair of sums fits");
    if (is_certain) found.undecided = "no subset in these parts is better than the trivial one";
    return found;
  }
  if (parts) found.pair.emplace(best->slack, best->x);
  const LargestSum problem(reduced);
  const std::array<Half, 2> halves{deal_out(problem.weights, 0), deal_out(problem.weights, 1)};
  std::vector<std::uint32_t> positions;
  append_items(halves[0], best->x, positions);
  append_items(halves[1], problem.capacity - best->x - best->slack, positions);
  problem.answer(reduced, positions, found);
  found.complete = is_certain;
  found.has_partial = !is_certain;
  return found;
}

}  // namespace clopt::subset_sum
