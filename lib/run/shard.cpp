#include <clopt/error.hpp>
#include <clopt/shard.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace clopt {
namespace {

// Why a slice is not of the run that another one is of; empty where it is.
std::string difference(const Slice& slice, const Slice& first) {
  const auto& [own, others] = std::pair(slice.identity, first.identity);
  if (own.solver() != others.solver())
    return fmt::format("it comes from a run of {}, and the first one from a run of {}", printable(own.solver()),
                       printable(others.solver()));
  if (auto text = own.difference_text(others, "its run", "the first one has"); !text.empty()) return text;
  if (slice.shard.count != first.shard.count)
    return fmt::format("its run was cut into {} slices, and the first one's into {}", slice.shard.count,
                       first.shard.count);
  return slice.items == first.items ? "" : "its run has another number of items than the first one's";
}

}  // namespace

WorkRange range_of(const Shard& shard, std::uint64_t items) {
  const auto each = items / shard.count;
  const auto longer = items % shard.count;
  const auto before = shard.number - 1;
  return {before * each + std::min(before, longer), each + (before < longer ? 1 : 0)};
}

void check_range(const WorkRange& range, std::uint64_t items, std::string_view what) {
  if (range.count == 0 || range.first >= items || range.count > items - range.first)
    throw InvalidInput(
        fmt::format("`range` is {} {} from {} on, and there are {} of them; give at least one, and none "
                    "beyond the last",
                    range.count, what, range.first, items));
}

void SliceSet::add(Slice slice, const std::string& name) {
  const auto place = std::lower_bound(slices_.begin(), slices_.end(), slice, [](const Slice& one, const Slice& other) {
    return one.shard.number < other.shard.number;
  });
  const auto index = place - slices_.begin();
  if (!slices_.empty())
    if (const auto what = difference(slice, slices_.front()); !what.empty())
      throw InvalidInput(fmt::format("the slice '{}' is of another run than '{}': {}; merge slices of one run only",
                                     printable(name), printable(names_.front()), what));
  if (place != slices_.end() && place->shard.number == slice.shard.number)
    throw InvalidInput(fmt::format("'{}' and '{}' are both slice {} of {}; leave one of them out",
                                   printable(names_[static_cast<std::size_t>(index)]), printable(name),
                                   slice.shard.number, slice.shard.count));
  slices_.insert(place, std::move(slice));
  names_.insert(names_.begin() + index, name);
}

std::vector<std::uint64_t> SliceSet::missing() const {
  std::vector<std::uint64_t> numbers;
  if (slices_.empty()) return numbers;
  auto next = slices_.begin();
  for (std::uint64_t number = 1; number <= slices_.front().shard.count; ++number) {
    if (next != slices_.end() && next->shard.number == number)
      ++next;
    else
      numbers.push_back(number);
  }
  return numbers;
}

std::string list_of_numbers(const std::vector<std::uint64_t>& numbers) {
  constexpr std::size_t most_parts = 12;
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < numbers.size();) {
    auto end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (parts.size() == most_parts) {
      parts.push_back(fmt::format("and {} more", numbers.size() - begin));
      break;
    }
    parts.push_back(end - begin == 1 ? fmt::format("{}", numbers[begin])
                                     : fmt::format("{} to {}", numbers[begin], numbers[end - 1]));
    begin = end;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace clopt
