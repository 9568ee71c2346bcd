/// \file
/// Buffers with a host's values in them.
#pragma once

#include <clopt/device.hpp>

#include <algorithm>
#include <vector>

namespace clopt {

/// A buffer of a device that holds some values, for what the queue does afterwards; of one element, unset, where there
/// are none.
template <class T>
Buffer<T> upload(Device& device, Queue& queue, const char* name, const std::vector<T>& values) {
  auto buffer = device.buffer<T>(name, std::max<std::size_t>(values.size(), 1));
  queue.write_later(buffer, values);
  return buffer;
}

}  // namespace clopt
