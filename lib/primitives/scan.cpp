#include "scan.hpp"

#include "sections.hpp"

namespace clopt::primitives {

template <class Number>
Scan<Number>::Scan(Device& device)
    : most_sections_(most_sections(device)),
      sums_kernel_(device.kernel(scan_sums<Number>)),
      sections_kernel_(device.kernel(scan_sections<Number>)),
      kernel_(device.kernel(scan<Number>)),
      sums_(device.buffer<Number>("sums of sections", most_sections_)),
      total_(device.buffer<Number>("sum of all", 1)) {}

template <class Number>
void Scan<Number>::run(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                       const Buffer<Number>& results, std::uint32_t inclusive) {
  const auto sections = sections_of(count, most_sections_);
  if (sections.count > 1) {
    queue.launch(sums_kernel_, groups_of(sums_kernel_, sections.count), values, sums_, count, sections.elements);
    queue.launch(sections_kernel_, groups_of(sections_kernel_, 1), sums_, sections.count);
  }
  queue.launch(kernel_, groups_of(kernel_, sections.count), values, sums_, results, total_, count, sections.elements,
               inclusive);
}

template class Scan<std::uint32_t>;
template class Scan<std::uint64_t>;

}  // namespace clopt::primitives
