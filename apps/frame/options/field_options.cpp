#include "field_options.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
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
  if (json.is_array()) return json.get<std::vector<double>>();
  return json.get<std::string>();
}

bool is_of_result(const Field& field) {
  return field.effect == FieldEffect::result || field.effect == FieldEffect::defaults;
}

// What a text stands for; none where it is of another type.
std::optional<FieldValue> value_in(const std::string& text, const Field& field) {
  if (field.is_whole()) return number_in<std::uint64_t>(text);
  if (field.is_list()) return numbers_in<double>(text);
  if (!field.is_real()) return text;
  const auto number = number_in<double>(text);
  // Minus zero is below 0, as a text with a sign is.
  return number && std::signbit(*number) && field.real_range.first == 0 ? std::nullopt : number;
}

// The value that an option was given. \param option its name, or another one that the field has.
FieldValue value_of(const Options& options, const std::string& option, const Field& field) {
  if (field.is_flag() && field.is_optional()) return option == option_name(field);
  // The option of a flag turns its default round.
  if (field.is_flag()) return field.usual() != FieldValue(true);
  const auto text = *options.text(option);
  const auto value = value_in(text, field);
  if (!value || !field.accepts(*value))
    throw InvalidInput(field.refusal(printable(text)) +
                       (field.choices.empty() ? "" : nearest_text(text, field.choices)));
  return *value;
}

}  // namespace

std::vector<std::string> read_fields(const Options& options, FieldTable& table,
                                     std::initializer_list<std::string_view> without) {
  std::vector<std::string> given;
  for (auto& field : table) {
    if (!field.in_program || std::find(without.begin(), without.end(), field.name) != without.end()) continue;
    const auto option = option_name(field);
    const bool has_opposite = field.is_flag() && field.is_optional();
    const auto other = has_opposite ? "no-" + option : field.alias;
    const bool has_other = !other.empty() && options.has(other);
    if (has_other && options.has(option))
      throw InvalidInput(fmt::format("--{} and --{} {}; give one of them", option, other,
                                     has_opposite ? "contradict each other" : "are one option"));
    if (!has_other && !options.has(option)) continue;
    field.set(value_of(options, has_other ? other : option, field));
    given.push_back(field.name);
  }
  return given;
}

Json settings_json(const FieldTable& table) {
  Json settings = Json::object();
  for (const auto& field : table) {
    if (!is_of_result(field) || !field.in_program || !table.applies(field) || field.is_list()) continue;
    const auto value = json_of(field.value());
    settings[field.name] = value.is_null() ? Json(field.unset) : value;
  }
  settings.erase("seed");
  return settings;
}

void add_parameters(const FieldTable& table, Json& parameters) {
  for (const auto& field : table) {
    if (!is_of_result(field) || !field.in_program || field.is_file || !table.applies(field)) continue;
    auto& parameter = parameters[plain_option_name(field)];
    parameter = json_of(field.value());
    if (parameter.is_array()) parameter = parameter.empty() ? Json(nullptr) : Json(text_of(field.value()));
  }
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
