#include "sum_set.hpp"

#include <algorithm>
#include <clopt/error.hpp>

namespace clopt::subset_sum {
namespace {

/// Below, a bit vector saves nothing.
constexpr std::size_t few_sums = 4;
constexpr std::size_t sums_between_looks = std::size_t{1} << 17;

}  // namespace

bool SumSet::add_item(std::uint64_t weight, const Watch& watch) {
  total_ += std::min(weight, limit_ - total_);
  weights_.push_back(weight);
  if (!bits_ && list_.size() >= few_sums && Uint128{list_.size()} * sparse_ >= limit_) {
    items_in_list_ = weights_.size() - 1;
    bits_.emplace(limit_);
    for (const Sum& each : list_) bits_->insert(each.sum);
  }
  if (!bits_) return merge_item(weight, watch);
  const Range range{weight, total_};
  steps_ += range.size();
  return bits_->add_item(weight, range, watch);
}

bool SumSet::merge_item(std::uint64_t weight, const Watch& watch) {
  if (weight > limit_) return true;
  const auto item = static_cast<std::uint32_t>(weights_.size() - 1);
  const auto moved =
      static_cast<std::size_t>(std::upper_bound(list_.begin(), list_.end(), limit_ - weight,
                                                [](std::uint64_t most, const Sum& each) { return most < each.sum; }) -
                               list_.begin());
  std::vector<Sum> merged;
  merged.reserve(list_.size() + moved);
  std::size_t without = 0;
  for (std::size_t with = 0; with < moved;) {
    if (merged.size() % sums_between_looks == 0 && watch.expired()) return false;
    const std::uint64_t sum_with = list_[with].sum + weight;
    if (without < list_.size() && list_[without].sum <= sum_with) {
      with += list_[without].sum == sum_with ? 1 : 0;
      merged.push_back(list_[without++]);
    } else {
      merged.push_back({sum_with, item});
      ++with;
    }
  }
  merged.insert(merged.end(), list_.begin() + static_cast<std::ptrdiff_t>(without), list_.end());
  list_ = std::move(merged);
  steps_ += list_.size();
  return true;
}

std::vector<std::uint32_t> SumSet::items_of(std::uint64_t sum) const {
  std::vector<std::uint32_t> items;
  while (sum != 0) {
    std::optional<std::size_t> row = bits_ ? bits_->row_of(sum) : std::nullopt;
    if (row) {
      items.push_back(static_cast<std::uint32_t>(items_in_list_ + *row));
    } else {
      const auto place = std::lower_bound(list_.begin(), list_.end(), sum,
                                          [](const Sum& each, std::uint64_t wanted) { return each.sum < wanted; });
      if (place == list_.end() || place->sum != sum) throw InternalError("subset-sum: a sum that no item reaches");
      items.push_back(place->item);
    }
    sum -= weights_[items.back()];
  }
  return items;
}

}  // namespace clopt::subset_sum
