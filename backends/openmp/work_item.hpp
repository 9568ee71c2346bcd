/// \file
/// Kernels without local memory, barriers and sub-groups are compiled as C++ as they stand: a struct that derives from
/// WorkItem includes their texts, between kernel_text.hpp and kernel_text_end.hpp, and they become its members. Headers
/// that a text includes must be included before.
#pragma once

#include "team.hpp"
#include "twin.hpp"

#include <shared/language.h>
#include <clopt/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace clopt::openmp {

using namespace clopt::shared;  // NOLINT(google-build-using-namespace): its names are OpenCL C's

/// What a kernel asks about the work-item that executes it.
struct WorkItem {
  std::uint64_t first_id;   ///< the work-item's number in the first dimension
  std::uint64_t second_id;  ///< and in the second one

  std::uint64_t get_global_id(unsigned dimension) const { return dimension == 0 ? first_id : second_id; }
  void count_launch(std::uint32_t* launches) const {
    if (first_id == 0 && second_id == 0) ++*launches;
  }
  static void atomic_or(std::uint32_t* place, std::uint32_t bits) {
    std::atomic_ref(*place).fetch_or(bits, std::memory_order_relaxed);
  }
  static void atomic_inc(std::uint32_t* place) { std::atomic_ref(*place).fetch_add(1, std::memory_order_relaxed); }
  static void atomic_min(std::uint32_t* place, std::uint32_t value) {
    const std::atomic_ref kept(*place);
    for (auto before = kept.load(std::memory_order_relaxed);
         value < before && !kept.compare_exchange_weak(before, value, std::memory_order_relaxed);) {
    }
  }
};

/// The same where a program in OpenCL C is built for a run: what it defines is a field of an argument of the kernel.
template <class Settings>
struct WorkItemOf : WorkItem {
  const Settings* run = nullptr;
};

namespace detail {

/// An argument as the kernel takes it: a pointer to the buffer's elements, or a value.
template <class T>
T argument_of(const Argument& argument) {
  if constexpr (std::is_pointer_v<T>) {
    return argument.memory != nullptr ? static_cast<T>(argument.memory->host()) : nullptr;
  } else {
    T value;
    std::memcpy(&value, argument.value, sizeof value);
    return value;
  }
}

/// Work-items, as items_of() is given them.
template <class Operation, class Number>
std::uint64_t items(const Number& number, std::span<const Argument> erased) {
  if constexpr (std::is_invocable_v<Number, const Operation&>)
    return number(Operation::of(erased));
  else
    return number;
}

template <class Function>
struct KernelOf {};
template <class Items, class... Parameters>
struct KernelOf<void (Items::*)(Parameters...)> {
  using Struct = Items;
  static std::tuple<Parameters...> arguments(std::span<const Argument> erased) {
    return [&]<std::size_t... numbers>(std::index_sequence<numbers...>) {
      return std::tuple<Parameters...>(argument_of<Parameters>(erased[numbers])...);
    }
    (std::index_sequence_for<Parameters...>());
  }
};

/// Executes the work-items from \p begin to \p end - 1. It has arguments of its own, which no store of them can change.
/// \param row work-items of the first dimension.
template <auto text, class... Arguments>
void execute(std::uint64_t begin, std::uint64_t end, std::uint64_t row, Arguments... arguments) {
  typename KernelOf<decltype(text)>::Struct item{};
  if constexpr (requires { item.run; })
    item.run = &std::get<decltype(*item.run)>(std::forward_as_tuple(std::as_const(arguments)...));
  for (auto second = begin / row; begin < end; begin = ++second * row) {
    const auto stop = std::min(end - second * row, row);
    for (auto first = begin - second * row; first < stop; ++first) {
      item.first_id = first;
      item.second_id = second;
      (item.*text)(arguments...);
    }
  }
}

}  // namespace detail

/// A kernel's text as an operation's implementation: threads share out the work-items of up to two dimensions.
/// \param least work-items that are worth a thread: a number, or a function of the operation's arguments.
/// \param together work-items that follow each other and have one thread, likewise: they may write the same.
template <class Operation, auto text, class Least, class Together = std::uint64_t>
Implementation items_of(const Least& least, const Together& together = 1) {
  return Implementation(Operation::info, [least, together](const Range& range, std::span<const Argument> erased) {
    if (range.items[2] != 1) throw InternalError("these work-items have two dimensions at most");
    const auto part = detail::items<Operation>(together, erased);
    const auto row = range.items[0];
    const auto all = row * range.items[1];
    std::apply(
        [&](auto... arguments) {
          for_ranges((all + part - 1) / part, (detail::items<Operation>(least, erased) + part - 1) / part,
                     [=](std::uint64_t begin, std::uint64_t end) {
                       detail::execute<text>(begin * part, std::min(end * part, all), row, arguments...);
                     });
        },
        detail::KernelOf<decltype(text)>::arguments(erased));
  });
}

}  // namespace clopt::openmp
