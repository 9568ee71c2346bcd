#include "arg_min.hpp"

#include "sections.hpp"

namespace clopt::primitives {

template <class Number>
ArgMin<Number>::ArgMin(Device& device)
    : most_sections_(most_sections(device)),
      kernel_(device.kernel(arg_min<Number>)),
      sections_kernel_(device.kernel(arg_min_of_sections<Number>)),
      ranks_(device.buffer<std::uint64_t>("ranks of sections", most_sections_)),
      indices_(device.buffer<std::uint64_t>("indices of sections", most_sections_)) {}

template <class Number>
void ArgMin<Number>::run(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                         const Buffer<std::uint64_t>& index, std::uint32_t largest_first) {
  const auto sections = sections_of(count, most_sections_);
  const auto& indices = sections.count == 1 ? index : indices_;
  queue.launch(kernel_, groups_of(kernel_, sections.count), values, ranks_, indices, count, sections.elements,
               largest_first);
  if (sections.count > 1)
    queue.launch(sections_kernel_, groups_of(sections_kernel_, 1), ranks_, indices_, index, sections.count);
}

template class ArgMin<std::uint32_t>;
template class ArgMin<std::uint64_t>;
template class ArgMin<std::int32_t>;
template class ArgMin<std::int64_t>;
template class ArgMin<float>;
template class ArgMin<double>;

}  // namespace clopt::primitives
