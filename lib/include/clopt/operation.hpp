/// \file
/// Named operations, their parameters, and the grid that they are launched on.
#pragma once

#include <clopt/memory.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace clopt {

/// One argument of a launch, without its type: what a backend gets.
struct Argument {
  enum class Kind : std::uint8_t { buffer, local, value };
  Kind kind = Kind::value;
  Memory* memory = nullptr;     ///< of a buffer
  const void* value = nullptr;  ///< of a value
  std::size_t bytes = 0;        ///< of a value, of local memory, or of the buffer's typed view
};

namespace detail {

/// A typed buffer as an argument. Where the memory is the host's own, it is also a span of the elements: what a twin
/// works on.
template <class T>
class BufferArgument : public std::span<T> {
 public:
  BufferArgument(Memory* memory, std::size_t count)
      : std::span<T>(elements(memory, count)), memory_(memory), bytes_(count * sizeof(T)) {}
  Argument argument() const { return {Argument::Kind::buffer, memory_, nullptr, bytes_}; }

 private:
  static std::span<T> elements(Memory* memory, std::size_t count) {
    auto* begin = memory != nullptr ? static_cast<T*>(memory->host()) : nullptr;
    return begin != nullptr ? std::span<T>(begin, count) : std::span<T>();
  }
  Memory* memory_;
  std::size_t bytes_;
};

}  // namespace detail

// The members of an operation's struct of arguments. None can be made of nothing, so that a launch that leaves one out
// does not compile.

/// The first member of every struct of arguments: nothing, and nothing converts to it. So arguments are given by name,
/// since a list without names would begin here.
class ByName {};

/// A buffer that the operation only reads.
template <class T>
class In : public detail::BufferArgument<const T> {
 public:
  In(const Buffer<T>& buffer)  // NOLINT(google-explicit-constructor): an argument is given as it is
      : detail::BufferArgument<const T>(buffer.memory().get(), buffer.size()) {}
  In(const Buffer<const T>& buffer)  // NOLINT(google-explicit-constructor)
      : detail::BufferArgument<const T>(buffer.memory().get(), buffer.size()) {}
  static In of(const Argument& argument) { return In(argument); }

 private:
  explicit In(const Argument& argument)
      : detail::BufferArgument<const T>(argument.memory, argument.bytes / sizeof(T)) {}
};

/// A buffer that the operation may read and write.
template <class T>
class InOut : public detail::BufferArgument<T> {
 public:
  InOut(const Buffer<T>& buffer)  // NOLINT(google-explicit-constructor): an argument is given as it is
      : detail::BufferArgument<T>(buffer.memory().get(), buffer.size()) {}
  static InOut of(const Argument& argument) { return InOut(argument); }

 private:
  explicit InOut(const Argument& argument) : detail::BufferArgument<T>(argument.memory, argument.bytes / sizeof(T)) {}
};

/// Local memory of a work-group, by its number of elements. A backend without local memory may ignore it.
template <class T>
class Local {
 public:
  explicit Local(std::size_t count) : count_(count) {}
  std::size_t count() const { return count_; }
  Argument argument() const { return {Argument::Kind::local, nullptr, nullptr, count_ * sizeof(T)}; }
  static Local of(const Argument& argument) { return Local(argument.bytes / sizeof(T)); }

 private:
  std::size_t count_;
};

/// A number, or a trivially copyable structure.
template <class T>
class Value {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Value(const T& value) : value_(value) {}      // NOLINT(google-explicit-constructor): an argument is given as it is
  operator const T&() const { return value_; }  // NOLINT(google-explicit-constructor)
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  Argument argument() const { return {Argument::Kind::value, nullptr, &value_, sizeof(T)}; }
  static Value of(const Argument& argument) {
    T value;
    std::memcpy(&value, argument.value, sizeof value);
    return value;
  }

 private:
  T value_;
};

/// The OpenCL C name of a number's type.
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
  else {
    static_assert(std::is_same_v<U, double>);
    return "double";
  }
}

/// A type name of an operation's kernel that stands for one of several types, such as `word` for an unsigned integer
/// of 16, 32 or 64 bits. The kernel is built with the type's OpenCL C name defined for it.
struct Generic {
  std::string_view name;
  std::string_view type;
  friend bool operator==(const Generic&, const Generic&) = default;
};

/// The description of an operation for a backend: everything but its parameters' C++ types.
struct OperationInfo {
  std::string_view name;              ///< "solver/operation", in every backend
  std::array<Generic, 2> generics{};  ///< the types that its generic names stand for; unused ones are empty
};

/// A generic name of a kernel's parameters and the type that it stands for.
template <class T>
consteval Generic generic(std::string_view name) {
  return {name, opencl_type_name<T>()};
}

/// A struct of an operation's arguments, by name. The build makes one of every kernel's signature
/// (`generated/operations/<solver>.hpp`): the host launches the operation with it, and its twin gets the same struct.
template <class Arguments>
concept OperationArguments = requires(const Arguments& arguments, std::span<const Argument> erased) {
  { Arguments::info } -> std::convertible_to<OperationInfo>;
  { arguments.arguments()[0] } -> std::convertible_to<Argument>;
  { Arguments::of(erased) } -> std::same_as<Arguments>;
};

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
