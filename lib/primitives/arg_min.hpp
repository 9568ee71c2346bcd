/// \file
/// Where the smallest or the largest value stands.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>

#include "operations.hpp"

namespace clopt::primitives {

/// Finds the place of the smallest or largest value in buffers on one device. Number is uint32, uint64, int32, int64,
/// float or double (which the device must have).
/// Of equal values the first counts, both zeros are equal, and NaN comes after everything else, in either direction.
/// Each call gives its work to the queue and returns; it takes linear time and two launches. One object serves one
/// queue at a time, since its calls share memory between their launches.
template <class Number>
class ArgMin {
 public:
  /// \throws BuildError, OutOfMemory.
  explicit ArgMin(Device& device);

  /// index[0] = the first index of the smallest of the first \p count values; 2^64-1 for none.
  void smallest(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                const Buffer<std::uint64_t>& index) {
    run(queue, values, count, index, 0);
  }
  /// index[0] = the first index of the largest of the first \p count values; 2^64-1 for none.
  void largest(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
               const Buffer<std::uint64_t>& index) {
    run(queue, values, count, index, 1);
  }

 private:
  void run(Queue& queue, const Buffer<const Number>& values, std::uint64_t count, const Buffer<std::uint64_t>& index,
           std::uint32_t largest_first);

  std::uint64_t most_sections_;
  Kernel<In<Number>, InOut<std::uint64_t>, InOut<std::uint64_t>, std::uint64_t, std::uint64_t, std::uint32_t> kernel_;
  Kernel<In<std::uint64_t>, In<std::uint64_t>, InOut<std::uint64_t>, std::uint64_t> sections_kernel_;
  Buffer<std::uint64_t> ranks_;
  Buffer<std::uint64_t> indices_;
};

extern template class ArgMin<std::uint32_t>;
extern template class ArgMin<std::uint64_t>;
extern template class ArgMin<std::int32_t>;
extern template class ArgMin<std::int64_t>;
extern template class ArgMin<float>;
extern template class ArgMin<double>;

}  // namespace clopt::primitives
