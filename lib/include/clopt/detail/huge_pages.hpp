/// \file
/// Memory for many numbers, which the system gives in large pages: its first use takes a part of the time.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clopt {

/// Reserves memory that nothing has used yet. Where the system gives no large pages, it is as reserve().
template <class T, class Allocator>
void reserve_in_huge_pages(std::vector<T, Allocator>& numbers, std::size_t count) {
  constexpr std::size_t least_bytes = std::size_t{4} << 20;
  constexpr std::uintptr_t page = 4096;
  numbers.reserve(count);
  if (count * sizeof(T) < least_bytes) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(numbers.data());
  const auto first = (begin + page - 1) / page * page;
  ::madvise(reinterpret_cast<void*>(first), begin + count * sizeof(T) - first, MADV_HUGEPAGE);
}

}  // namespace clopt
