#include "checkpoints.hpp"
#include <clopt/error.hpp>

#include <algorithm>
#include <limits>

namespace clopt::subset_sum {

void CheckpointStack::begin_pool_at(std::size_t pool, std::uint64_t word) {
  auto& place = pools_[pool];
  if (place.used == 0) place.begin = std::min(word, place.end);
  if (place.begin < std::min(word, place.end)) throw InternalError("k3: a checkpoint is in the way of a sweep");
}

std::uint64_t CheckpointStack::room() const {
  std::uint64_t words = 0;
  for (const Pool& pool : pools_) words += pool.room();
  return words;
}

std::uint64_t CheckpointStack::largest_room() const {
  std::uint64_t words = 0;
  for (const Pool& pool : pools_) words = std::max(words, pool.room());
  return words;
}

bool CheckpointStack::push(std::size_t item, const Range& capacities, std::uint64_t words) {
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    auto& pool = pools_[i];
    if (pool.room() < words) continue;
    checkpoints_.push_back({item, capacities, i, pool.begin + pool.used, words});
    pool.used += words;
    return true;
  }
  return false;
}

void CheckpointStack::pop() {
  pools_[back().pool].used -= back().words;
  checkpoints_.pop_back();
}

Stretch::Stretch(std::span<const std::uint64_t> weights, std::size_t begin, std::uint64_t front, std::size_t end,
                 const Range& sums)
    : weights_(weights), begin_(begin), after_(end - begin + 1), work_until_(end - begin + 1) {
  auto needed = sums.first;
  for (auto item = end;; --item) {
    after_[item - begin].first = needed;
    if (item == begin) break;
    needed -= std::min(needed, weights[item - 1]);
  }
  auto reachable = std::min(front, sums.last);
  after_[0].last = reachable;
  for (auto item = begin + 1; item <= end; ++item) {
    reachable += std::min(weights[item - 1], sums.last - reachable);
    after_[item - begin].last = reachable;
  }
  // The work of what fits a device's memory is below 2^64; a stretch that does not is only counted.
  for (auto item = begin + 1; item <= end; ++item) {
    const auto before = work_until_[item - begin - 1];
    work_until_[item - begin] =
        before + std::min(taken(item).size(), std::numeric_limits<std::uint64_t>::max() - before);
  }
}

Range Stretch::taken(std::size_t item) const {
  return {std::max(after(item).first, weights_[item - 1]), after(item).last};
}

std::vector<std::size_t> Stretch::equal_parts(std::size_t parts) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i < parts; ++i) {
    const auto wanted = static_cast<double>(work()) * static_cast<double>(i) / static_cast<double>(parts);
    const auto found = std::lower_bound(work_until_.begin(), work_until_.end(), static_cast<std::uint64_t>(wanted));
    const auto item = begin_ + static_cast<std::size_t>(found - work_until_.begin());
    if (item > begin_ && item < end() && (places.empty() || places.back() < item)) places.push_back(item);
  }
  return places;
}

std::vector<std::size_t> Stretch::places(std::uint64_t bits, std::uint64_t room, std::size_t items_apart) const {
  const auto fits = [&](const std::vector<std::size_t>& items) {
    std::uint64_t words = 0;
    for (const auto item : items) words += words_of(after(item), bits);
    return words <= room;
  };
  std::size_t parts = 1;  // that are known to fit
  auto too_many = (end() - begin_) / items_apart + 2;
  while (too_many - parts > 1) {
    const auto middle = parts + (too_many - parts) / 2;
    (fits(equal_parts(middle)) ? parts : too_many) = middle;
  }
  return equal_parts(parts);
}

}  // namespace clopt::subset_sum
