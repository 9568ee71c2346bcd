/// \file
/// Options in messages, by their fields.
#pragma once

#include <clopt/fields.hpp>

#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "bytes.hpp"

namespace clopt::cluster {

inline void add_fields(Writer& message, const FieldTable& table) {
  for (const auto& field : table) {
    const auto value = field.value();
    message.add(static_cast<std::uint8_t>(value.index()));
    std::visit(
        [&](const auto& each) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(each)>, std::monostate>) message.add(each);
        },
        value);
  }
}

/// The value of a field whose type is the one of that number.
template <std::size_t type = 0>
FieldValue take_field(Reader& message, std::size_t number) {
  if constexpr (type == std::variant_size_v<FieldValue>) {
    throw InternalError("a message of another rank has a field of no known type");
  } else {
    using Value = std::variant_alternative_t<type, FieldValue>;
    if (number != type) return take_field<type + 1>(message, number);
    if constexpr (std::is_same_v<Value, std::monostate>)
      return {};
    else if constexpr (std::is_same_v<Value, std::string>)
      return message.text();
    else if constexpr (std::is_same_v<Value, std::vector<double>>)
      return message.list<double>();
    else
      return message.take<Value>();
  }
}

inline void take_fields(Reader& message, FieldTable&& table) {
  for (auto& field : table) field.set(take_field(message, message.take<std::uint8_t>()));
}

}  // namespace clopt::cluster
