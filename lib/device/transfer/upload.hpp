/// \file
/// Buffers with a host's values in them.
#pragma once

#include <clopt/device.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace clopt {

/// A buffer of a device that holds some values, for what the queue does afterwards; of one element, unset, where there
/// are none.
template <class T>
Buffer<T> upload(Device& device, Queue& queue, const char* name, const std::vector<T>& values) {
  // Of much, no second copy is made on the host.
  constexpr std::size_t few_bytes = std::size_t{1} << 20;
  auto buffer = device.buffer<T>(name, std::max<std::size_t>(values.size(), 1));
  if (values.size() * sizeof(T) <= few_bytes)
    queue.write_later(buffer, values);
  else
    queue.write(buffer, values);
  return buffer;
}

}  // namespace clopt
