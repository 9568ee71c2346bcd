/// \file
/// Prefix sums.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>

#include "operations.hpp"

namespace clopt::primitives {

/// Prefix sums of buffers on one device, modulo the size of Number, which is uint32 or uint64.
/// Each call gives its work to the queue and returns; it takes linear time, and three launches for more than about a
/// thousand elements. One object serves one queue at a time, since its calls share memory between their launches.
template <class Number>
class Scan {
 public:
  /// \throws BuildError, OutOfMemory.
  explicit Scan(Device& device);

  /// results[i] = the sum of the values before i, for i below \p count; total()[0] = the sum of all. \p results may be
  /// \p values.
  void exclusive(Queue& queue, const Buffer<const Number>& values, std::uint64_t count, const Buffer<Number>& results) {
    run(queue, values, count, results, 0);
  }
  /// The same, with value i itself.
  void inclusive(Queue& queue, const Buffer<const Number>& values, std::uint64_t count, const Buffer<Number>& results) {
    run(queue, values, count, results, 1);
  }
  /// The sum of all values of the latest call: one element, there once the queue has come so far.
  const Buffer<Number>& total() const { return total_; }

 private:
  void run(Queue& queue, const Buffer<const Number>& values, std::uint64_t count, const Buffer<Number>& results,
           std::uint32_t inclusive);

  std::uint64_t most_sections_;
  Kernel<In<Number>, InOut<Number>, std::uint64_t, std::uint64_t> sums_kernel_;
  Kernel<InOut<Number>, std::uint64_t> sections_kernel_;
  Kernel<In<Number>, In<Number>, InOut<Number>, InOut<Number>, std::uint64_t, std::uint64_t, std::uint32_t> kernel_;
  Buffer<Number> sums_;
  Buffer<Number> total_;
};

extern template class Scan<std::uint32_t>;
extern template class Scan<std::uint64_t>;

}  // namespace clopt::primitives
