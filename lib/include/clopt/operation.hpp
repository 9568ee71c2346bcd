/// \file
/// Named operations, their parameters, and the grid that they are launched on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace clopt {

/// A parameter of an operation: a buffer that it only reads.
template <class T>
struct In {};
/// A parameter of an operation: a buffer that it may read and write.
template <class T>
struct InOut {};
/// A parameter of an operation: local memory of a work-group, given as a number of elements when it is launched.
/// A backend without local memory may ignore it.
template <class T>
struct Local {};

/// What a launch gives for a Local parameter.
template <class T>
struct LocalMemory {
  std::size_t count = 0;
};

/// The OpenCL C name of a type that crosses the border between host and kernel. A structure names itself by a member
/// `static constexpr std::string_view opencl_name`.
template <class T>
constexpr std::string_view opencl_type_name() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, std::uint8_t>)
    return "uchar";
  else if constexpr (std::is_same_v<U, std::uint16_t>)
    return "ushort";
  else if constexpr (std::is_same_v<U, std::uint32_t>)
    return "uint";
  else if constexpr (std::is_same_v<U, std::uint64_t>)
    return "ulong";
  else if constexpr (std::is_same_v<U, std::int32_t>)
    return "int";
  else if constexpr (std::is_same_v<U, std::int64_t>)
    return "long";
  else if constexpr (std::is_same_v<U, float>)
    return "float";
  else if constexpr (std::is_same_v<U, double>)
    return "double";
  else
    return U::opencl_name;
}

/// A type name of an operation's kernel that stands for one of several types, such as `word` for an unsigned integer
/// of 16, 32 or 64 bits. The kernel is built with the type's OpenCL C name defined for it.
struct Generic {
  std::string_view name;
  std::string_view type;
  friend bool operator==(const Generic&, const Generic&) = default;
};

/// What a backend needs to know of an operation: everything but its parameters' C++ types.
struct OperationInfo {
  std::string_view name;              ///< "solver/operation", in every backend
  std::array<Generic, 2> generics{};  ///< the types that its generic names stand for; unused ones are empty
};

/// A named operation with a defined result, and the types of its parameters in order: In, InOut, Local, or a value
/// (a number, or a trivially copyable structure with an opencl_name).
template <class... Parameters>
struct Operation : OperationInfo {};

/// The grid of a launch: work-items in up to three dimensions, in work-groups.
/// With group size 0 the backend chooses it, and may start more work-items than asked for, so that a kernel compares
/// its index with a count of its own. With a group size, whole work-groups are started.
struct Range {
  std::array<std::uint64_t, 3> items{1, 1, 1};
  std::array<std::uint32_t, 3> group{0, 1, 1};

  /// \p count work-items in work-groups of a size that the backend chooses, or of \p group_size.
  static Range of_items(std::uint64_t count, std::uint32_t group_size = 0) {
    return {{count, 1, 1}, {group_size, 1, 1}};
  }
  /// \p count work-groups of \p group_size work-items.
  static Range of_groups(std::uint64_t count, std::uint32_t group_size) {
    return {{count * group_size, 1, 1}, {group_size, 1, 1}};
  }
  /// The number of work-groups in the first dimension; the group size must be given.
  std::uint64_t groups() const { return (items[0] + group[0] - 1) / group[0]; }
};

}  // namespace clopt
