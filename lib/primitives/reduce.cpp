#include "reduce.hpp"

#include <shared/ordered_sum.h>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <bit>

#include "sections.hpp"

namespace clopt::primitives {

template <class Number>
Reduce<Number>::Reduce(Device& device)
    : most_sections_(most_sections(device)),
      sum_(device.kernel(primitives::sum<Number>)),
      population_count_(device.kernel(primitives::population_count<Number>)),
      minimum_(device.kernel(primitives::minimum<Number>)),
      maximum_(device.kernel(primitives::maximum<Number>)),
      sum_of_sections_(device.kernel(primitives::sum_of_sections<Number>)),
      wide_parts_(device.buffer<Wide<Number>>("sums of sections", most_sections_)),
      parts_(device.buffer<Number>("extremes of sections", most_sections_)) {}

template <class Number>
void Reduce<Number>::add_up(Queue& queue, const ToWide& kernel, const Buffer<const Number>& values, std::uint64_t count,
                            const Buffer<Wide<Number>>& result) {
  const auto sections = sections_of(count, most_sections_);
  if (sections.count == 1) {
    queue.launch(kernel, groups_of(kernel, 1), values, result, count, sections.elements);
    return;
  }
  queue.launch(kernel, groups_of(kernel, sections.count), values, wide_parts_, count, sections.elements);
  queue.launch(sum_of_sections_, groups_of(sum_of_sections_, 1), wide_parts_, result, sections.count);
}

template <class Number>
void Reduce<Number>::choose(Queue& queue, const ToNumber& kernel, const Buffer<const Number>& values,
                            std::uint64_t count, const Buffer<Number>& result) {
  const auto sections = sections_of(count, most_sections_);
  if (sections.count == 1) {
    queue.launch(kernel, groups_of(kernel, 1), values, result, count, sections.elements);
    return;
  }
  queue.launch(kernel, groups_of(kernel, sections.count), values, parts_, count, sections.elements);
  queue.launch(kernel, groups_of(kernel, 1), parts_, result, sections.count, sections.count);
}

template <class Number>
void Reduce<Number>::sum(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                         const Buffer<Wide<Number>>& result) {
  add_up(queue, sum_, values, count, result);
}

template <class Number>
void Reduce<Number>::population_count(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                                      const Buffer<Wide<Number>>& result) {
  add_up(queue, population_count_, values, count, result);
}

template <class Number>
void Reduce<Number>::minimum(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                             const Buffer<Number>& result) {
  choose(queue, minimum_, values, count, result);
}

template <class Number>
void Reduce<Number>::maximum(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                             const Buffer<Number>& result) {
  choose(queue, maximum_, values, count, result);
}

template class Reduce<std::uint32_t>;
template class Reduce<std::uint64_t>;
template class Reduce<std::int32_t>;
template class Reduce<std::int64_t>;

template <class Number>
OrderedSum<Number>::OrderedSum(Device& device, std::uint64_t most)
    : most_(most),
      kernel_(device.kernel(ordered_sum<Number>)),
      group_size_(std::bit_floor(std::min(kernel_.max_group_size(), most_group_size))) {
  const auto section = std::uint64_t{group_size_} * ORDERED_SUM_VALUES;
  auto parts = most;
  for (auto& buffer : parts_) {
    parts = std::max<std::uint64_t>((parts + section - 1) / section, 1);
    buffer = device.buffer<Number>("sums of subtrees", parts);
  }
}

template <class Number>
void OrderedSum<Number>::sum(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                             const Buffer<Number>& result) {
  if (count > most_)
    throw InvalidInput(
        fmt::format("an ordered sum of {} numbers was asked for, and prepared for at most {}", count, most_));
  if (count == 0) {
    queue.fill(result, Number{0}, 0, 1);
    return;
  }
  const auto section = std::uint64_t{group_size_} * ORDERED_SUM_VALUES;
  Buffer<const Number> from = values;
  for (std::size_t next = 0;; next = 1 - next) {
    const auto groups = (count + section - 1) / section;
    const Buffer<Number>& to = groups == 1 ? result : parts_[next];
    queue.launch(kernel_, Range::of_groups(groups, group_size_), from, to, count, LocalMemory<Number>{group_size_});
    if (groups == 1) return;
    from = to;
    count = groups;
  }
}

template class OrderedSum<float>;
template class OrderedSum<double>;

}  // namespace clopt::primitives
