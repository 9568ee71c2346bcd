#include "field_options.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>
#include <variant>

namespace clopt::apps {
namespace {

Json json_of(const FieldValue& value) {
  return std::visit(
      [](const auto& each) -> Json {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return nullptr;
        else
          return each;
      },
      value);
}

FieldValue value_in(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>();
}

bool is_of_result(const Field& field) {
  return field.effect == FieldEffect::result || field.effect == FieldEffect::defaults;
}

// The value that an option was given. \param option its name, of those of the field.
FieldValue value_of(const Options& options, const std::string& option, const Field& field) {
  // The option of a flag turns its default round.
  if (field.is_flag()) return field.value() != FieldValue(true);
  if (field.is_whole()) return *options.integer(option, field.whole_range.first, field.whole_range.second);
  if (field.is_real()) return *options.number(option, field.real_range.first, field.real_range.second);
  if (field.is_list()) {
    const auto text = *options.text(option);
    if (auto numbers = numbers_in<double>(text)) return *std::move(numbers);
    throw InvalidInput(
        fmt::format("--{} {}: give a finite number, or several with commas between them", option, printable(text)));
  }
  return field.choices.empty() ? *options.text(option) : *options.choice(option, field.choices);
}

}  // namespace

std::vector<std::string> read_fields(const Options& options, FieldTable& table,
                                     std::initializer_list<std::string_view> without) {
  std::vector<std::string> given;
  for (auto& field : table) {
    if (!field.in_program || std::find(without.begin(), without.end(), field.name) != without.end()) continue;
    for (const auto& option : {option_name(field), field.alias}) {
      if (option.empty() || (field.is_flag() ? !options.is_set(option) : !options.has(option))) continue;
      field.set(value_of(options, option, field));
      given.push_back(field.name);
    }
  }
  return given;
}

Json settings_json(const FieldTable& table) {
  Json settings = Json::object();
  for (const auto& field : table) {
    if (!is_of_result(field) || !table.applies(field) || field.is_list()) continue;
    const auto value = json_of(field.value());
    settings[field.name] = value.is_null() ? Json(field.unset) : value;
  }
  settings.erase("seed");
  return settings;
}

void add_parameters(const FieldTable& table, Json& parameters) {
  for (const auto& field : table)
    if (is_of_result(field) && table.applies(field) && field.value_name != "FILE")
      parameters[option_name(field)] = field.is_list() && text_of(field.value()).empty() ? Json(nullptr)
                                       : field.is_list()                                 ? Json(text_of(field.value()))
                                                                                         : json_of(field.value());
}

Json limits_json(const FieldTable& table) {
  Json limits = Json::object();
  for (const auto& field : table)
    if (const auto value = json_of(field.value()); field.effect == FieldEffect::limit && !value.is_null())
      limits[option_name(field)] = value;
  return limits;
}

Json values_json(const FieldTable& table) {
  Json values = Json::object();
  for (const auto& field : table) values[field.name] = json_of(field.value());
  return values;
}

void read_values(FieldTable table, const Json& values) {
  for (auto& field : table) field.set(value_in(values.at(field.name)));
}

}  // namespace clopt::apps
