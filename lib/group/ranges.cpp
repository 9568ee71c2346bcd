#include "ranges.hpp"

#include <algorithm>
#include <cmath>

namespace clopt::group {
namespace {

// The median is of the latest ranges, this many.
constexpr std::size_t most_seconds = 63;

}  // namespace

RangeQueue::RangeQueue(const std::vector<Range>& work, const std::vector<RankShape>& ranks, Cutting cutting)
    : cutting_(cutting), waiting_(work.begin(), work.end()) {
  for (const auto& each : work) left_ += each.count;
  for (const auto& shape : ranks) {
    ranks_.push_back({.shape = shape});
    devices_ += shape.devices;
  }
  most_ = most_of(left_, devices_);
}

void RangeQueue::ask(std::size_t rank) {
  ++requests_;
  if (!ranks_[rank].is_gone) asked_.push_back(rank);
}

std::uint64_t RangeQueue::guided_share(const Rank& rank) const {
  const auto share = left_ / (parts * std::max<std::uint64_t>(1, devices_));
  if (!(rank.seconds > 0)) return std::min(most_, std::max(share, std::uint64_t{1}));
  // By all ranges: those that are too small to fill a device would make the next ones smaller still.
  const double wanted = std::max(least_seconds, std::min(narrow_seconds, rank.shortest / 2));
  const double least = std::ceil(std::min(1e18, wanted * static_cast<double>(rank.items) / rank.seconds));
  return std::min(most_, std::max({share, static_cast<std::uint64_t>(least), std::uint64_t{1}}));
}

// Of what is left, as much as this rank has of the devices that have had nothing yet.
std::uint64_t RangeQueue::even_share(const Rank& rank) const {
  std::uint64_t devices = rank.has_share ? rank.shape.devices : 0;
  for (const auto& each : ranks_)
    if (!each.is_gone && !each.has_share) devices += each.shape.devices;
  return devices == 0 ? left_ : (left_ * rank.shape.devices + devices - 1) / devices;
}

// Whether there is something to begin that a rank may have.
bool RangeQueue::has_for(std::size_t rank) const {
  if (cutting_ != Cutting::own) return left_ != 0;
  return rank < waiting_.size() && waiting_[rank].count != 0;
}

Range RangeQueue::cut(std::size_t number) {
  auto& rank = ranks_[number];
  if (cutting_ == Cutting::own) {
    const Range range{++tickets_, waiting_[number].first, waiting_[number].count};
    left_ -= range.count;
    waiting_[number].count = 0;
    return range;
  }
  auto& front = waiting_.front();
  auto count = cutting_ == Cutting::even ? even_share(rank) : guided_share(rank);
  count = std::min({std::max<std::uint64_t>(1, count), rank.shape.most, front.count});
  rank.has_share = true;
  const Range range{++tickets_, front.first, count};
  front.first += count;
  front.count -= count;
  left_ -= count;
  if (front.count == 0) waiting_.pop_front();
  return range;
}

RangeQueue::Issue RangeQueue::issue(std::size_t rank, Active& active, double now) {
  active.holders.push_back({rank, now});
  ++ranks_[rank].out;
  return {rank, active.range};
}

std::optional<RangeQueue::Issue> RangeQueue::next(double now) {
  // Ranks get ranges ahead of their work only where enough is left for all.
  const bool is_plenty = cutting_ == Cutting::guided && left_ > 2 * devices_;
  std::optional<double> usual;
  bool is_overdue = false;
  for (auto each = asked_.begin(); each != asked_.end();) {
    auto& rank = ranks_[*each];
    if (rank.is_gone) {
      each = asked_.erase(each);
      continue;
    }
    const bool is_idle = rank.out < rank.shape.slots;
    if (has_for(*each) && (is_idle || is_plenty)) {
      const auto number = *each;
      asked_.erase(each);
      const auto range = cut(number);
      return issue(number, active_[range.ticket] = {range, {}}, now);
    }
    if (left_ == 0 && is_idle && !active_.empty() && cutting_ != Cutting::own) {
      if (!usual) {
        usual = usual_seconds();
        is_overdue = find_overdue(std::nullopt, now, *usual) != nullptr;
      }
      // Most often nothing is, while many ranks wait at the end.
      if (!is_overdue) break;
      if (auto* overdue = find_overdue(*each, now, *usual)) {
        const auto number = *each;
        asked_.erase(each);
        ++duplicated_;
        return issue(number, *overdue, now);
      }
    }
    ++each;
  }
  return std::nullopt;
}

double RangeQueue::usual_seconds() const {
  if (seconds_.empty()) return 0;
  auto sorted = seconds_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

// The range that all its ranks have had for too long, the longest first; none that this rank has itself, where it
// is of a rank.
RangeQueue::Active* RangeQueue::find_overdue(std::optional<std::size_t> rank, double now, double usual) {
  if (seconds_.empty()) return nullptr;
  Active* found = nullptr;
  double longest = 0;
  for (auto& [ticket, active] : active_) {
    const double allowed = overdue_times * usual * static_cast<double>(active.range.count) + overdue_seconds;
    double out = now;
    bool is_own = false;
    for (const auto& holder : active.holders) {
      out = std::min(out, now - std::max(holder.since, ranks_[holder.rank].last));
      is_own = is_own || holder.rank == rank;
    }
    if (is_own || out <= allowed || out - allowed <= longest) continue;
    longest = out - allowed;
    found = &active;
  }
  return found;
}

bool RangeQueue::finish(std::size_t rank, std::uint64_t ticket, double seconds, double now) {
  auto& one = ranks_[rank];
  if (one.is_gone) return false;
  if (one.out != 0) --one.out;
  one.last = now;
  const auto found = active_.find(ticket);
  if (found == active_.end()) return false;
  const auto items = std::max<std::uint64_t>(1, found->second.range.count);
  const double each = seconds / static_cast<double>(items);
  one.shortest = one.items == 0 ? seconds : std::min(one.shortest, seconds);
  one.seconds += seconds;
  one.items += items;
  if (seconds_.size() < most_seconds)
    seconds_.push_back(each);
  else
    seconds_[finished_ % most_seconds] = each;
  ++finished_;
  active_.erase(found);
  return true;
}

void RangeQueue::give_back(std::size_t rank) {
  auto& one = ranks_[rank];
  if (one.is_gone) return;
  one.is_gone = true;
  devices_ -= one.shape.devices;
  for (auto each = active_.begin(); each != active_.end();) {
    auto& [ticket, active] = *each;
    std::erase_if(active.holders, [&](const Holder& holder) { return holder.rank == rank; });
    if (!active.holders.empty()) {
      ++each;
      continue;
    }
    if (cutting_ != Cutting::own) {
      waiting_.push_front(active.range);
      left_ += active.range.count;
    }
    each = active_.erase(each);
  }
}

void RangeQueue::stop() {
  waiting_.clear();
  left_ = 0;
  asked_.clear();
}

std::optional<Range> RangeQueue::find(std::uint64_t ticket) const {
  const auto found = active_.find(ticket);
  return found == active_.end() ? std::nullopt : std::optional(found->second.range);
}

}  // namespace clopt::group
