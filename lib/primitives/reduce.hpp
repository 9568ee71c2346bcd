/// \file
/// Sums, minima, maxima and counts of bits of a buffer of integers, and sums of floating-point numbers.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <type_traits>

#include "operations.hpp"

namespace clopt::primitives {

/// Reduces buffers of integers on one device. Number is uint32, uint64, int32 or int64.
/// Each call gives its work to the queue and returns; it takes linear time, and two launches for more than about a
/// thousand elements. One object serves one queue at a time, since its calls share memory between their launches.
template <class Number>
class Reduce {
 public:
  /// \throws BuildError, OutOfMemory.
  explicit Reduce(Device& device);

  /// result[0] = the sum of the first \p count values, modulo 2^64; 0 for none.
  void sum(Queue& queue, const Buffer<const Number>& values, std::uint64_t count, const Buffer<Wide<Number>>& result);
  /// result[0] = how many bits of the first \p count values are 1.
  void population_count(Queue& queue, const Buffer<const Number>& values, std::uint64_t count,
                        const Buffer<Wide<Number>>& result);
  /// result[0] = the smallest of the first \p count values; the largest Number for none.
  void minimum(Queue& queue, const Buffer<const Number>& values, std::uint64_t count, const Buffer<Number>& result);
  /// result[0] = the largest of the first \p count values; the smallest Number for none.
  void maximum(Queue& queue, const Buffer<const Number>& values, std::uint64_t count, const Buffer<Number>& result);

 private:
  using ToWide = Kernel<In<Number>, InOut<Wide<Number>>, std::uint64_t, std::uint64_t>;
  using ToNumber = Kernel<In<Number>, InOut<Number>, std::uint64_t, std::uint64_t>;

  void add_up(Queue& queue, const ToWide& kernel, const Buffer<const Number>& values, std::uint64_t count,
              const Buffer<Wide<Number>>& result);
  void choose(Queue& queue, const ToNumber& kernel, const Buffer<const Number>& values, std::uint64_t count,
              const Buffer<Number>& result);

  std::uint64_t most_sections_;
  ToWide sum_, population_count_;
  ToNumber minimum_, maximum_;
  Kernel<In<Wide<Number>>, InOut<Wide<Number>>, std::uint64_t> sum_of_sections_;
  Buffer<Wide<Number>> wide_parts_;
  Buffer<Number> parts_;
};

extern template class Reduce<std::uint32_t>;
extern template class Reduce<std::uint64_t>;
extern template class Reduce<std::int32_t>;
extern template class Reduce<std::int64_t>;

/// Adds floating-point numbers in one order, so that every device gives the same bits (unless the sum is NaN): the
/// binary tree over neighbours, ((v0+v1)+(v2+v3))+..., in which an absent value leaves the other operand as it is.
/// Number is float or double, which the device must have. Like Reduce, it is for one queue at a time.
template <class Number>
class OrderedSum {
 public:
  /// \param most the most values that are added at a time; there is memory for an eighth of them at worst.
  /// \throws BuildError, also where the device lacks the type; OutOfMemory.
  OrderedSum(Device& device, std::uint64_t most);

  /// result[0] = the sum of the first \p count values; 0 for none. \throws InvalidInput beyond \p most.
  void sum(Queue& queue, const Buffer<const Number>& values, std::uint64_t count, const Buffer<Number>& result);

 private:
  std::uint64_t most_;
  Kernel<In<Number>, InOut<Number>, std::uint64_t, Local<Number>> kernel_;
  std::uint32_t group_size_;
  Buffer<Number> parts_[2];
};

extern template class OrderedSum<float>;
extern template class OrderedSum<double>;

}  // namespace clopt::primitives
