/// \file
/// Buffers there and back.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <support/device.hpp>

namespace clopt::test {

template <class T>
Buffer<T> upload(Queue& queue, const std::vector<T>& values) {
  auto buffer = device().buffer<T>("test values", values.size());
  queue.write(buffer, std::span<const T>(values));
  queue.finish();
  return buffer;
}

template <class T>
std::vector<T> download(Queue& queue, const Buffer<T>& buffer, std::size_t count) {
  std::vector<T> values(count);
  queue.read(buffer, std::span<T>(values));
  queue.finish();
  return values;
}

}  // namespace clopt::test
