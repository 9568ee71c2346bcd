#include <clopt/checkpoint.hpp>
#include <clopt/error.hpp>
#include <clopt/fields.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace clopt {
namespace {

template <class T>
struct Unwrapped {
  using Type = T;
  static constexpr bool is_optional = false;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
  static constexpr bool is_optional = true;
};
template <class Pointer>
using Pointee = Unwrapped<std::remove_pointer_t<Pointer>>;

template <class T>
bool holds(const Field::Member& member) {
  return std::visit([](auto* each) { return std::is_same_v<typename Pointee<decltype(each)>::Type, T>; }, member);
}

template <class T>
FieldValue value_of(const T& member) {
  if constexpr (std::is_same_v<T, std::uint32_t>)
    return std::uint64_t{member};
  else
    return member;
}

// A value as the member has it; none where it is of another type or does not fit.
template <class T>
std::optional<T> converted(const FieldValue& value) {
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    const auto* const number = std::get_if<std::uint64_t>(&value);
    if (number == nullptr || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
  } else {
    // An integer is a real number too.
    if constexpr (std::is_same_v<T, double>)
      if (const auto* const number = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*number);
    const auto* const same = std::get_if<T>(&value);
    return same == nullptr ? std::nullopt : std::optional(*same);
  }
}

// The same member of another object of the type.
Field::Member member_of(std::byte* other, const Field::Member& member, const std::byte* object) {
  return std::visit(
      [&]<class T>(T* each) -> Field::Member {
        return reinterpret_cast<T*>(other + (reinterpret_cast<const std::byte*>(each) - object));
      },
      member);
}

std::string option_of(std::string_view name) {
  std::string option(name);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

}  // namespace

std::string_view name_of(FieldEffect effect) {
  switch (effect) {
    case FieldEffect::result: return "result";
    case FieldEffect::defaults: return "defaults";
    case FieldEffect::limit: return "limit";
    case FieldEffect::execution: return "execution";
    case FieldEffect::output: break;
  }
  return "output";
}

std::string text_of(const FieldValue& value) {
  return std::visit(
      [](const auto& each) -> std::string {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return {};
        else if constexpr (std::is_same_v<T, std::vector<double>>)
          return fmt::format("{}", fmt::join(each, ","));
        else
          return fmt::format("{}", each);
      },
      value);
}

bool Field::is_flag() const { return holds<bool>(member); }
bool Field::is_whole() const { return holds<std::uint32_t>(member) || holds<std::uint64_t>(member); }
bool Field::is_real() const { return holds<double>(member); }
bool Field::is_text() const { return holds<std::string>(member); }
bool Field::is_list() const { return holds<std::vector<double>>(member); }

std::string_view Field::type() const {
  return is_flag() ? "flag" : is_whole() ? "integer" : is_real() ? "number" : is_text() ? "text" : "numbers";
}

bool Field::is_optional() const {
  return std::visit([](auto* each) { return Pointee<decltype(each)>::is_optional; }, member);
}

namespace {

// \param is_none_0 whether an integer of 0 stands for none.
FieldValue value_in(const Field::Member& member, bool is_none_0) {
  return std::visit(
      [&]<class T>(const T* each) -> FieldValue {
        if constexpr (Pointee<T*>::is_optional) {
          return *each ? value_of(**each) : FieldValue();
        } else {
          if constexpr (std::is_same_v<T, std::string>)
            if (each->empty()) return {};
          if constexpr (std::is_integral_v<T>)
            if (*each == 0 && is_none_0) return {};
          return value_of(*each);
        }
      },
      member);
}

}  // namespace

FieldValue Field::value() const { return value_in(member, is_whole() && !unset.empty()); }
FieldValue Field::usual() const { return value_in(usual_member, is_whole() && !unset.empty()); }

void Field::set(const FieldValue& value) {
  std::visit(
      [&](auto* each) {
        using Target = Pointee<decltype(each)>;
        if (std::holds_alternative<std::monostate>(value)) {
          *each = {};
          return;
        }
        auto own = converted<typename Target::Type>(value);
        if (!own || !accepts(value)) throw InvalidInput(refusal(printable(text_of(value))));
        *each = *std::move(own);
      },
      member);
}

bool Field::accepts(const FieldValue& value) const {
  if (const auto* const whole = std::get_if<std::uint64_t>(&value); whole != nullptr && is_whole())
    return *whole >= whole_range.first && *whole <= whole_range.second;
  if (is_real()) {
    const auto real = converted<double>(value);
    return !real || (*real >= real_range.first && *real <= real_range.second && std::isfinite(*real));
  }
  const auto* const text = std::get_if<std::string>(&value);
  return text == nullptr || choices.empty() || std::find(choices.begin(), choices.end(), *text) != choices.end();
}

std::string Field::range_text() const {
  if (is_whole())
    return whole_range.second == std::numeric_limits<std::uint64_t>::max()
               ? (whole_range.first == 0 ? "" : fmt::format("{} or more", whole_range.first))
               : fmt::format("{} to {}", whole_range.first, whole_range.second);
  if (!is_real() || std::isinf(real_range.first)) return {};
  return std::isinf(real_range.second) ? fmt::format("{} or more", real_range.first)
                                       : fmt::format("{} to {}", real_range.first, real_range.second);
}

std::string Field::refusal(std::string_view value) const {
  if (!choices.empty())
    return fmt::format("there is no `{}` '{}'; choose one of {}", name, value, fmt::join(choices, ", "));
  std::string wanted = is_flag() ? "true or false" : is_text() ? "a text" : "finite numbers, with commas between them";
  if (is_whole()) wanted = fmt::format("an integer from {} to {}", whole_range.first, whole_range.second);
  if (is_real() && std::isinf(real_range.second))
    wanted = std::isinf(real_range.first) ? "a finite number" : fmt::format("a number from {} on", real_range.first);
  else if (is_real())
    wanted = fmt::format("a number from {} to {}", real_range.first, real_range.second);
  if (is_real() && value.find(',') != value.npos) wanted += ", and write decimals with a point";
  return fmt::format("`{}` is {}; give {}", name, value, wanted);
}

void Field::check() const {
  if (is_list()) return;
  if (const auto current = value(); !accepts(current)) throw InvalidInput(refusal(printable(text_of(current))));
}

FieldBuilder FieldTable::operator()(std::string name, Field::Member member) {
  auto& field = fields_.emplace_back();
  field.name = std::move(name);
  field.member = member;
  field.usual_member = usual_ == nullptr ? member : member_of(usual_, member, object_);
  field.effect = effect_;
  field.group = group_;
  field.whole_range = {0, holds<std::uint32_t>(member) ? std::numeric_limits<std::uint32_t>::max()
                                                       : std::numeric_limits<std::uint64_t>::max()};
  field.real_range = {-Field::unbounded, Field::unbounded};
  field.value_name = field.is_flag() ? "" : field.is_whole() ? "N" : field.is_text() ? "NAME" : "V";
  return FieldBuilder(field);
}

void FieldTable::group(std::string name, FieldEffect effect) {
  group_ = std::move(name);
  effect_ = effect;
}

const Field* FieldTable::find(std::string_view name) const {
  const auto found = std::find_if(begin(), end(), [&](const Field& field) {
    return field.name == name || (!field.python.empty() && field.python == name) || option_of(field.name) == name;
  });
  return found == end() ? nullptr : &*found;
}

Field* FieldTable::find(std::string_view name) { return const_cast<Field*>(std::as_const(*this).find(name)); }

const Field& FieldTable::at(std::string_view name) const {
  const auto* const field = find(name);
  if (field == nullptr) throw InternalError(fmt::format("the options have no field `{}`", name));
  return *field;
}

Field& FieldTable::at(std::string_view name) { return const_cast<Field&>(std::as_const(*this).at(name)); }

bool FieldTable::applies(const Field& field) const {
  if (!field.need) return true;
  const auto& needed = at(field.need->field);
  if (!applies(needed)) return false;
  const auto value = needed.value();
  if (const auto* const text = std::get_if<std::string>(&value))
    return std::find(field.need->choices.begin(), field.need->choices.end(), *text) != field.need->choices.end();
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag;
  const auto* const number = std::get_if<std::uint64_t>(&value);
  return number != nullptr && *number >= field.need->least;
}

void FieldTable::check() const {
  for (const auto& field : fields_) field.check();
}

void FieldTable::check_needs(std::span<const std::string> given) const {
  for (const auto& name : given) {
    const auto* const field = find(name);
    if (field == nullptr || applies(*field)) continue;
    const auto& need = *field->need;
    const auto& needed = at(need.field);
    if (!applies(needed))
      throw InvalidInput(
          fmt::format("`{}` belongs to `{}`, of which this run has none; leave it out", field->name, needed.name));
    if (needed.is_flag())
      throw InvalidInput(fmt::format("`{0}` needs `{1}`; give it, or leave `{0}` out", field->name, needed.name));
    if (need.choices.empty())
      throw InvalidInput(fmt::format("`{}` needs `{}` of {} or more; give it, or leave `{}` out", field->name,
                                     needed.name, need.least, field->name));
    throw InvalidInput(fmt::format("`{}` belongs to `{}` {}, and this run has {}; leave it out", field->name,
                                   needed.name, fmt::join(need.choices, " or "), text_of(needed.value())));
  }
}

void FieldTable::add_to(RunIdentity& identity, const FieldTable& usual) const {
  for (const auto& field : fields_) {
    if (field.effect != FieldEffect::result || !applies(field)) continue;
    const auto value = field.value();
    std::visit(
        [&](const auto& each) {
          using T = std::decay_t<decltype(each)>;
          if constexpr (std::is_same_v<T, std::monostate>)
            identity.add(field.name, std::string_view("none"));
          else if constexpr (std::is_same_v<T, std::vector<double>>)
            identity.add_data(field.name, each);
          else if constexpr (std::is_same_v<T, std::string>)
            identity.add(field.name, std::string_view(each));
          else
            identity.add(field.name, each);
        },
        value);
    if (value == usual.at(field.name).value()) identity.mark_default();
  }
}

}  // namespace clopt
