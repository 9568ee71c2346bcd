/// \file
/// Records in messages.
#pragma once

#include <clopt/error.hpp>
#include <clopt/record.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bytes.hpp"

namespace clopt::cluster {

inline void add_record(Writer& message, const Record& record) {
  message.add(std::uint64_t{record.fields().size()});
  for (const auto& [name, value] : record.fields()) {
    message.add(name).add(std::uint8_t{static_cast<std::uint8_t>(value.index())});
    std::visit(
        [&](const auto& values) {
          if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<std::string>>) {
            message.add(std::uint64_t{values.size()});
            for (const auto& text : values) message.add(text);
          } else {
            message.add(values);
          }
        },
        value);
  }
}

/// The array of a record whose type is the one of that number.
template <std::size_t type = 0>
Record::Value take_value(Reader& message, std::size_t number) {
  if constexpr (type == std::variant_size_v<Record::Value>) {
    throw InternalError("a message of another rank has an array of no known type");
  } else {
    using Values = std::variant_alternative_t<type, Record::Value>;
    if (number != type) return take_value<type + 1>(message, number);
    if constexpr (std::is_same_v<Values, std::vector<std::string>>) {
      Values texts;
      for (auto count = message.take<std::uint64_t>(); count > 0; --count) texts.push_back(message.text());
      return texts;
    } else {
      return message.list<typename Values::value_type>();
    }
  }
}

inline Record take_record(Reader& message) {
  Record record;
  for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
    auto name = message.text();
    const std::size_t type = message.take<std::uint8_t>();
    record.add(std::move(name), take_value(message, type));
  }
  return record;
}

}  // namespace clopt::cluster
