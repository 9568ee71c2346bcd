/// \file
/// Options in messages, by their fields.
#pragma once

#include <clopt/fields.hpp>
#include <run/bytes.hpp>

#include <cstdint>
#include <type_traits>
#include <variant>

namespace clopt::cluster {

inline void add_fields(ByteWriter& message, const FieldTable& table) {
  for (const auto& field : table) {
    const auto value = field.value();
    message.add(static_cast<std::uint8_t>(value.index()));
    std::visit(
        [&]<class Value>(const Value& each) {
          if constexpr (!std::is_same_v<Value, std::monostate>) message.add(each);
        },
        value);
  }
}

/// The value of a field whose type is the one of that number.
template <std::size_t type = 0>
FieldValue take_field(ByteReader& message, std::size_t number) {
  if constexpr (type == std::variant_size_v<FieldValue>) {
    throw InternalError("a message of another rank has a field of no known type");
  } else {
    using Value = std::variant_alternative_t<type, FieldValue>;
    if (number != type) return take_field<type + 1>(message, number);
    if constexpr (std::is_same_v<Value, std::monostate>)
      return {};
    else
      return message.take<Value>();
  }
}

inline void take_fields(ByteReader& message, FieldTable&& table) {
  for (auto& field : table) field.set(take_field(message, message.take<std::uint8_t>()));
}

/// Writes or reads options, for their fields().
template <class Archive>
void option_fields(Archive& archive, FieldTable&& table) {
  if constexpr (Archive::is_reader)
    take_fields(archive, std::move(table));
  else
    add_fields(archive, table);
}

}  // namespace clopt::cluster
