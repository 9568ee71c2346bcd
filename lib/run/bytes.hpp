/// \file
/// Values as bytes, one after the other, for messages between ranks and for checkpoints. Both sides are of one version
/// of clopt and have one order of bytes.
#pragma once

#include <clopt/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace clopt {

using Bytes = std::vector<std::byte>;

/// A struct whose members a function `fields(archive, value)` in its namespace passes to the archive, a name and a
/// member each. The same function serves to write and to read.
template <class Archive, class T>
concept HasFields = requires(Archive& archive, T& value) {
  fields(archive, value);
};

/// Thrown where bytes end before what is read from them.
struct BytesEnd : InternalError {
  BytesEnd() : InternalError("a message of another rank is cut") {}
};

/// Writes numbers, trivial structs, texts, optionals, pairs, variants, lists, and structs with fields(). Names are not
/// written.
class ByteWriter {
 public:
  static constexpr bool is_reader = false;

  template <class T>
  ByteWriter& operator()(const char*, const T& member) {
    return add(member);
  }
  template <class T>
  ByteWriter& add(const T& value) {
    if constexpr (HasFields<ByteWriter, T>) {
      fields(*this, const_cast<T&>(value));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      const std::string_view text = value;
      add(std::uint64_t{text.size()}).add_raw(text.data(), text.size());
    } else if constexpr (std::ranges::range<const T>) {
      add(std::uint64_t{value.size()});
      if constexpr (is_raw_list<T>())
        add_raw(value.data(), value.size() * sizeof(typename T::value_type));
      else
        for (const auto& each : value) add(each);
    } else if constexpr (requires { value.has_value(); }) {
      add(std::uint8_t{value.has_value()});
      if (value) add(*value);
    } else if constexpr (requires { value.second; }) {
      add(value.first).add(value.second);
    } else if constexpr (requires { value.valueless_by_exception(); }) {
      add(static_cast<std::uint8_t>(value.index()));
      std::visit([this](const auto& each) { this->add(each); }, value);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      add_raw(&value, sizeof value);
    }
    return *this;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  template <class T>
  static constexpr bool is_raw_list() {
    using Element = typename T::value_type;
    return std::ranges::contiguous_range<T> && std::is_trivially_copyable_v<Element> && !HasFields<ByteWriter, Element>;
  }
  ByteWriter& add_raw(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    if (size != 0) bytes_.insert(bytes_.end(), begin, begin + size);
    return *this;
  }

  Bytes bytes_;
};

/// Reads what ByteWriter has written, in the same order. \throws BytesEnd.
class ByteReader {
 public:
  static constexpr bool is_reader = true;

  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  ByteReader& operator()(const char*, T& member) {
    read(member);
    return *this;
  }
  template <class T>
  T take() {
    T value{};
    read(value);
    return value;
  }
  /// What has not been read.
  std::span<const std::byte> rest() const { return bytes_; }

 private:
  template <class T>
  void read(T& value) {
    if constexpr (HasFields<ByteReader, T>) {
      fields(*this, value);
    } else if constexpr (requires { typename T::mapped_type; }) {
      value.clear();
      for (auto count = take<std::uint64_t>(); count > 0; --count)
        value.insert(take<std::pair<typename T::key_type, typename T::mapped_type>>());
    } else if constexpr (std::ranges::range<T>) {
      read_list(value);
    } else if constexpr (requires { value.has_value(); }) {
      value.reset();
      if (take<std::uint8_t>() != 0) value = take<typename T::value_type>();
    } else if constexpr (requires { value.second; }) {
      read(value.first);
      read(value.second);
    } else if constexpr (requires { value.valueless_by_exception(); }) {
      read_alternative(value, take<std::uint8_t>());
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      copy(&value, sizeof value);
    }
  }
  template <class T>
  void read_list(T& list) {
    using Element = typename T::value_type;
    const auto count = take<std::uint64_t>();
    if constexpr (std::is_trivially_copyable_v<Element> && !HasFields<ByteReader, Element>) {
      if (count > bytes_.size() / sizeof(Element)) throw BytesEnd();
      list.resize(count);
      copy(list.data(), list.size() * sizeof(Element));
    } else {
      list.clear();
      for (std::uint64_t k = 0; k < count; ++k) read(list.emplace_back());
    }
  }
  template <std::size_t number = 0, class T>
  void read_alternative(T& value, std::size_t index) {
    if constexpr (number == std::variant_size_v<T>)
      throw BytesEnd();
    else if (index == number)
      read(value.template emplace<number>());
    else
      read_alternative<number + 1>(value, index);
  }
  void copy(void* to, std::size_t size) {
    if (size > bytes_.size()) throw BytesEnd();
    if (size != 0) std::memcpy(to, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }

  std::span<const std::byte> bytes_;
};

/// Values one after the other.
template <class... T>
Bytes encode(const T&... values) {
  ByteWriter writer;
  (writer.add(values), ...);
  return writer.take();
}

/// The first value of some bytes. \throws BytesEnd.
template <class T>
T decode(std::span<const std::byte> bytes) {
  return ByteReader(bytes).take<T>();
}
template <class T>
T decode(ByteReader reader) {
  return reader.take<T>();
}

}  // namespace clopt
