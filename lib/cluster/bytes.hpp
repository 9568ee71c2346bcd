/// \file
/// Messages between ranks, which have one version of clopt and machines with one order of bytes: the start gate
/// ensures that.
#pragma once

#include <clopt/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace clopt::cluster {

using Bytes = std::vector<std::byte>;

/// Puts parts of a message one behind the other.
class Writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> Writer& add(const T& value) { return add_raw(&value, sizeof value); }
  Writer& add(std::string_view text) {
    add(std::uint64_t{text.size()});
    return add_raw(text.data(), text.size());
  }
  Writer& add(const std::string& text) { return add(std::string_view(text)); }
  template <class T>
  requires std::is_trivially_copyable_v<T> Writer& add(const std::vector<T>& values) {
    add(std::uint64_t{values.size()});
    return add_raw(values.data(), values.size() * sizeof(T));
  }
  template <class T>
  Writer& add(const std::optional<T>& value) {
    add(std::uint8_t{value.has_value()});
    return value ? add(*value) : *this;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  Writer& add_raw(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    if (size != 0) bytes_.insert(bytes_.end(), begin, begin + size);
    return *this;
  }

  Bytes bytes_;
};

/// Takes the parts of a message in the order in which they were added.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T take() {
    T value;
    copy(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string text(length(1), '\0');
    copy(text.data(), text.size());
    return text;
  }
  template <class T>
  std::vector<T> list() {
    std::vector<T> values(length(sizeof(T)));
    copy(values.data(), values.size() * sizeof(T));
    return values;
  }
  template <class T>
  std::optional<T> optional() {
    if (take<std::uint8_t>() == 0) return std::nullopt;
    return take<T>();
  }
  /// What has not been taken.
  std::span<const std::byte> rest() const { return bytes_; }

 private:
  std::size_t length(std::size_t size) {
    const auto count = take<std::uint64_t>();
    if (count > bytes_.size() / size) throw InternalError("a message of another rank is cut");
    return count;
  }
  void copy(void* to, std::size_t size) {
    if (size > bytes_.size()) throw InternalError("a message of another rank is cut");
    if (size != 0) std::memcpy(to, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }

  std::span<const std::byte> bytes_;
};

}  // namespace clopt::cluster
