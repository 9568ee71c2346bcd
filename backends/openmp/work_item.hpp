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

}  // namespace detail

/// A kernel's text as an operation's implementation: threads share out the work-items of up to two dimensions.
/// \param least work-items that are worth a thread: a number, or a function of the operation's arguments.
template <class Operation, auto text, class Least>
Implementation items_of(const Least& least) {
  using Kernel = detail::KernelOf<decltype(text)>;
  return Implementation(Operation::info, [least](const Range& range, std::span<const Argument> erased) {
    std::uint64_t shared = 0;
    if constexpr (std::is_invocable_v<Least, const Operation&>)
      shared = least(Operation::of(erased));
    else
      shared = least;
    std::apply(
        [&](auto... arguments) {
          if (range.items[2] != 1) throw InternalError("these work-items have two dimensions at most");
          const auto row = range.items[0];
          for_ranges(row * range.items[1], shared, [=](std::uint64_t begin, std::uint64_t end) {
            for (auto second = begin / row; begin < end; begin = ++second * row)
              for (auto first = begin - second * row; first < std::min(end - second * row, row); ++first)
                (typename Kernel::Struct{{first, second}}.*text)(arguments...);
          });
        },
        Kernel::arguments(erased));
  });
}

}  // namespace clopt::openmp
