/// \file
/// Named arrays of numbers and texts, with the identity of their run: what checkpoints and slices hold, and how results
/// are written or sent.
#pragma once

#include <clopt/export.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace clopt {

class Objective;

/// Everything that a run's result depends on, a name and a text each. Checkpoints and slices have it, so that no run
/// continues from the state of another, and no slices of different runs are merged. Limits are not part of a
/// checkpoint's identity: they may change.
class CLOPT_API RunIdentity {
 public:
  /// \param solver the solver's name as the program has it: "genetic".
  explicit RunIdentity(std::string solver = {}) : solver_(std::move(solver)) {}
  struct Entry {
    std::string name;
    std::string text;
    bool is_default = false;  ///< of an option; a file that was written before there was this option has no such entry
  };
  /// \param entries as a file has them, of this version or of 0.1.
  RunIdentity(std::string solver, std::vector<Entry> entries);

  /// \param name the member of the problem or options.
  RunIdentity& add(std::string name, std::string_view text);
  /// A number, to its last bit.
  template <class T>
  requires std::is_arithmetic_v<T> RunIdentity& add(std::string name, T number) {
    if constexpr (std::is_same_v<T, bool>)
      return add(std::move(name), std::string_view(number ? "true" : "false"));
    else if constexpr (std::is_floating_point_v<T>)
      return add_real(std::move(name), static_cast<double>(number));
    else if constexpr (std::is_signed_v<T>)
      return add(std::move(name), std::string_view(std::to_string(static_cast<long long>(number))));
    else
      return add(std::move(name), std::string_view(std::to_string(static_cast<unsigned long long>(number))));
  }
  /// Many numbers: how many, and a hash of their bits. O(their number).
  template <class T>
  requires std::is_arithmetic_v<T> RunIdentity& add_data(const std::string& name, std::span<const T> numbers) {
    return add_bytes(name, numbers.size(), std::as_bytes(numbers));
  }
  template <class T>
  RunIdentity& add_data(const std::string& name, const std::vector<T>& numbers) {
    return add_data(name, std::span<const T>(numbers));
  }
  /// An objective: its name, and a hash of its text, constants and tables. Of a C++ function there is only the name.
  RunIdentity& add(std::string name, const Objective& objective);
  /// The entry that was added last is that of an option with its default.
  void mark_default() { entries_.back().is_default = true; }
  /// Removes the entry of a name, if there is one.
  void leave_out(std::string_view name) {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });
  }

  const std::string& solver() const { return solver_; }
  const std::vector<Entry>& entries() const { return entries_; }

  /// An entry that two identities do not have in common.
  struct Difference {
    std::string name;
    std::optional<std::string> own;  ///< printable, as is `other`; none where there is no such entry
    std::optional<std::string> other;
  };
  /// The first entry of another run of the same solver that differs from the one of that name here; none: there is no
  /// difference. An entry that is missing here counts as none where it is marked as a default.
  std::optional<Difference> difference(const RunIdentity& other) const;
  /// The same in words; empty where there is no difference. \param own_run "its run"; \param other_run "this one has".
  std::string difference_text(const RunIdentity& other, std::string_view own_run, std::string_view other_run) const;

 private:
  RunIdentity& add_real(std::string name, double number);
  RunIdentity& add_bytes(std::string name, std::size_t count, std::span<const std::byte> bytes);

  std::string solver_;
  std::vector<Entry> entries_;
};

/// Arrays of numbers and texts, each with a name. Every bit of a number is kept. Copies share the arrays.
class CLOPT_API Record {
 public:
  /// An array that the record owns or refers to; it can be read as a span.
  template <class T>
  class Array : public std::span<const T> {
   public:
    Array() = default;
    // NOLINTNEXTLINE(google-explicit-constructor)
    Array(std::vector<T> own) : Array(std::make_shared<const std::vector<T>>(std::move(own))) {}
    /// \param values must outlive the record.
    explicit Array(std::span<const T> values) : std::span<const T>(values) {}

   private:
    explicit Array(std::shared_ptr<const std::vector<T>> own) : std::span<const T>(*own), own_(std::move(own)) {}

    std::shared_ptr<const std::vector<T>> own_;
  };
  /// The order of the types is part of the format of checkpoints.
  using Value =
      std::variant<Array<std::uint8_t>, Array<std::int8_t>, Array<std::uint32_t>, Array<std::int32_t>,
                   Array<std::uint64_t>, Array<std::int64_t>, Array<float>, Array<double>, Array<std::string>>;
  using Fields = std::vector<std::pair<std::string, Value>>;

  Record() = default;
  explicit Record(RunIdentity identity) : identity_(std::move(identity)) {}

  /// Adds an array. Names differ; of equal ones the first counts.
  Record& add(std::string name, Value value);
  /// Adds a copy of a number, truth value, enumerator or text, or of a vector or an optional of these. Each of them is
  /// an array: an optional has no element or one.
  template <class T>
  requires(!std::is_convertible_v<const T&, Value>) Record& add(std::string name, const T& value);
  /// Adds an array that the caller keeps as long as the record is used.
  template <class T>
  Record& add_reference(std::string name, std::span<const T> numbers) {
    return add(std::move(name), Value(Array<T>(numbers)));
  }
  template <class T>
  Record& add_reference(std::string name, const std::vector<T>& numbers) {
    return add_reference(std::move(name), std::span<const T>(numbers));
  }

  bool has(std::string_view name) const { return places_.find(name) != places_.end(); }
  /// Whether there is an array of a name and type.
  template <class T>
  bool holds(std::string_view name) const {
    return has(name) && std::holds_alternative<Array<T>>(find(name));
  }
  /// The array of a name. \param count how many elements it must have; none: any number.
  /// \throws InvalidInput where there is no array of that name, type and length.
  template <class T>
  requires std::is_constructible_v<Value, Array<T>>
  const Array<T>& array(std::string_view name, std::optional<std::size_t> count = std::nullopt) const {
    const auto& value = find(name);
    const auto* const values = std::get_if<Array<T>>(&value);
    if (values == nullptr) refuse_type(name, value.index(), Value(Array<T>()).index());
    if (count && values->size() != *count) refuse_count(name, values->size(), *count);
    return *values;
  }
  /// What add() was given. \throws InvalidInput as array().
  template <class T>
  T get(std::string_view name) const;

  const RunIdentity& identity() const { return identity_; }
  const Fields& fields() const { return fields_; }
  bool empty() const { return fields_.empty(); }
  /// The same with arrays of its own.
  Record copy() const;
  /// Adds all arrays of another record, with a prefix before their names.
  Record& add_part(std::string_view prefix, const Record& part);
  /// The arrays whose names begin with a prefix, without it.
  Record part(std::string_view prefix) const;

 private:
  const Value& find(std::string_view name) const;
  [[noreturn]] static void refuse_type(std::string_view name, std::size_t own, std::size_t wanted);
  [[noreturn]] static void refuse_count(std::string_view name, std::size_t own, std::size_t wanted);

  RunIdentity identity_;
  Fields fields_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

/// The names of the types of arrays, in the order of Record::Value: "u8", "i8", ... "f64", "text".
CLOPT_API std::span<const std::string_view> names_of_record_types();

namespace detail {

template <class T>
struct RecordType {
  static constexpr bool is_list = false;
  static constexpr bool is_optional = false;
  using Single = T;
};
template <class T, class Allocator>
struct RecordType<std::vector<T, Allocator>> : RecordType<T> {
  static constexpr bool is_list = true;
};
template <class T>
struct RecordType<std::optional<T>> : RecordType<T> {
  static constexpr bool is_optional = true;
};

/// The type by which a record has a number, a truth value, an enumerator or a text.
template <class T>
using RecordElement = std::conditional_t<
    std::is_enum_v<T> || std::is_same_v<T, bool>, std::uint8_t,
    std::conditional_t<std::is_integral_v<T> && sizeof(T) == sizeof(std::uint64_t),
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_convertible_v<T, std::string_view>, std::string, T>>>;

}  // namespace detail

template <class T>
requires(!std::is_convertible_v<const T&, Record::Value>) Record& Record::add(std::string name, const T& value) {
  using Type = detail::RecordType<std::decay_t<const T&>>;
  using Element = detail::RecordElement<typename Type::Single>;
  std::vector<Element> values;
  if constexpr (Type::is_list) {
    values.reserve(value.size());
    for (const auto& each : value) values.push_back(static_cast<Element>(each));
  } else if constexpr (Type::is_optional) {
    if (value) values.push_back(static_cast<Element>(*value));
  } else {
    values.push_back(static_cast<Element>(value));
  }
  return add(std::move(name), Value(std::move(values)));
}

template <class T>
T Record::get(std::string_view name) const {
  using Type = detail::RecordType<T>;
  using Single = typename Type::Single;
  using Element = detail::RecordElement<Single>;
  if constexpr (Type::is_list) {
    const auto& values = array<Element>(name);
    if constexpr (std::is_same_v<Single, Element>) return T(values.begin(), values.end());
    T result;
    result.reserve(values.size());
    for (const auto& each : values) result.push_back(static_cast<Single>(each));
    return result;
  } else if constexpr (Type::is_optional) {
    if (array<Element>(name).empty()) return std::nullopt;
    return static_cast<Single>(array<Element>(name, 1).front());
  } else {
    return static_cast<T>(array<Element>(name, 1).front());
  }
}

}  // namespace clopt
