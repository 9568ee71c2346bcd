/// \file
/// Buffers there and back, and values to try.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <support/device.hpp>

namespace clopt::test {

/// Empty, tiny, odd, around the work-group's and a section's size, and many sections.
inline const std::vector<std::size_t> lengths = {0,   1,    2,    7,    49,   255,  256,    257,
                                                 511, 1023, 1024, 1025, 4099, 5000, 100003, 1000003};

template <class T>
Buffer<T> upload(Queue& queue, const std::vector<T>& values) {
  const auto buffer = device().buffer<T>("test values", values.size());
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

/// Random integers over the whole range of a type.
template <class T>
std::vector<T> random_integers(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (auto& value : values) value = static_cast<T>(random());
  return values;
}

}  // namespace clopt::test
