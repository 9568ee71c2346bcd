/// \file
/// The fields of a solver's options, each described once. Whatever shows, reads, checks, compares, keeps or sends
/// options visits this table: the program, Python, JSON, identities, checkpoints, slices and messages between ranks.
#pragma once

#include <clopt/export.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace clopt {

class RunIdentity;

/// What the value of a field changes.
enum class FieldEffect : std::uint8_t {
  result,     ///< the result: slices of one run, and a run that is resumed, have the same value
  defaults,   ///< only the values of fields that are left out
  limit,      ///< when the run ends; a run that is resumed may have another one
  execution,  ///< how the run is carried out; never its result
  output      ///< what the result contains beside the answer
};
/// "result", "defaults", "limit", "execution" or "output".
CLOPT_API std::string_view name_of(FieldEffect effect);

/// A value of any type that a field may have; the first alternative: nothing is chosen.
using FieldValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string, std::vector<double>>;

/// A value as messages and help show it: numbers in their shortest form, lists with commas; empty for none.
CLOPT_API std::string text_of(const FieldValue& value);

/// One field: a member of the options of one run, and all that is known of it.
struct CLOPT_API Field {
  using Member = std::variant<bool*, std::uint32_t*, std::uint64_t*, double*, std::string*, std::optional<bool>*,
                              std::optional<std::uint32_t>*, std::optional<std::uint64_t>*, std::optional<double>*,
                              std::vector<double>*>;

  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  std::string name;  ///< of the member: "group_size"; the program has --group-size
  Member member;
  Member usual_member;  ///< the same of a new object, which has the default
  FieldEffect effect = FieldEffect::result;
  std::string help;        ///< what it means, without its default; fields are named within backquotes
  std::string brief;       ///< the same in a few words; empty: `help`
  std::string value_name;  ///< what stands for the value in help: "N"; empty for a flag
  /// What holds where nothing is chosen: "by the preset". An empty text and an integer of 0 stand for none then.
  std::string unset;
  std::string group;                                    ///< the heading in help under which it stands
  std::string unit;                                     ///< of the value: "seconds"; empty: none
  std::string alias;                                    ///< another name that the program takes; empty: none
  std::string python;                                   ///< its name in Python, where that is another one: "maxiter"
  std::vector<std::string> choices;                     ///< of a text; empty: any
  std::pair<std::uint64_t, std::uint64_t> whole_range;  ///< of integers, both ends included
  std::pair<double, double> real_range;                 ///< of other numbers, the same; infinite: no bound
  bool is_file = false;                                 ///< whether the program's option names a file with the value
  bool sweeps = false;                                  ///< whether a list of values makes a run for each
  bool in_program = true;                               ///< whether the program has an option for it
  bool in_python = true;                                ///< whether Python has an argument for it

  /// The field without which this one has no use.
  struct Need {
    std::string field;
    std::vector<std::string> choices;  ///< its values; empty: a number of `least` or more
    std::uint64_t least = 0;
  };
  std::optional<Need> need;

  bool is_flag() const;
  bool is_whole() const;
  bool is_real() const;
  bool is_text() const;
  bool is_list() const;
  /// "flag", "integer", "number", "text" or "numbers".
  std::string_view type() const;
  /// Whether there may be no value: the run chooses one.
  bool is_optional() const;

  FieldValue value() const;
  /// The default: the value that a new object has.
  FieldValue usual() const;
  /// \throws InvalidInput where the value is of another type, out of range, or none of the choices.
  void set(const FieldValue& value);
  /// Whether a value of the field's type is within its range, or one of its choices.
  bool accepts(const FieldValue& value) const;
  /// The values that it may have, in words: "1 to 2", "0 or more"; empty for texts, flags and numbers without bounds.
  std::string range_text() const;
  /// Why a value is refused, with what to give: "`population` is 1; give an integer from 2 to 9".
  std::string refusal(std::string_view value) const;
  /// \throws InvalidInput for a value out of range, or a text that is none of the choices. Lists are the solver's.
  void check() const;
};

/// Describes a field that was added to a table; see the members of Field.
class FieldBuilder {
 public:
  explicit FieldBuilder(Field& field) : field_(field) {}

  FieldBuilder& help(std::string text) { return set(field_.help, std::move(text)); }
  FieldBuilder& brief(std::string text) { return set(field_.brief, std::move(text)); }
  FieldBuilder& value(std::string name) { return set(field_.value_name, std::move(name)); }
  FieldBuilder& unset(std::string text) { return set(field_.unset, std::move(text)); }
  FieldBuilder& unit(std::string text) { return set(field_.unit, std::move(text)); }
  FieldBuilder& alias(std::string name) { return set(field_.alias, std::move(name)); }
  FieldBuilder& python(std::string name) { return set(field_.python, std::move(name)); }
  FieldBuilder& choices(std::vector<std::string> names) { return set(field_.choices, std::move(names)); }
  /// Of a number; both ends are included.
  template <class Least, class Most>
  FieldBuilder& range(Least least, Most most) {
    if constexpr (std::is_integral_v<Most>)
      field_.whole_range = {static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)};
    return set(field_.real_range, std::pair(static_cast<double>(least), static_cast<double>(most)));
  }
  FieldBuilder& needs(std::string field, std::vector<std::string> choices) {
    return set(field_.need, Field::Need{std::move(field), std::move(choices), 0});
  }
  FieldBuilder& needs(std::string field, std::uint64_t least) {
    return set(field_.need, Field::Need{std::move(field), {}, least});
  }
  FieldBuilder& effect(FieldEffect effect) { return set(field_.effect, effect); }
  /// The program's option names a file. \param name what stands for it in help: "FILE.csv".
  FieldBuilder& file(std::string name) {
    field_.is_file = true;
    return value(std::move(name));
  }
  FieldBuilder& sweeps() { return set(field_.sweeps, true); }
  FieldBuilder& not_in_program() { return set(field_.in_program, false); }
  FieldBuilder& not_in_python() { return set(field_.in_python, false); }

 private:
  template <class Member, class Value>
  FieldBuilder& set(Member& member, Value&& value) {
    member = std::forward<Value>(value);
    return *this;
  }

  Field& field_;
};

/// The fields of one object of options, in the order in which help lists them. Refers to the object, which must outlive
/// the table.
class CLOPT_API FieldTable {
 public:
  /// Of an object whose values are the defaults.
  FieldTable() = default;
  /// Of an object whose fields have the defaults of a new one.
  template <class Object>
  requires(!std::same_as<Object, FieldTable> && std::default_initializable<Object>) explicit FieldTable(Object& object)
      : object_(reinterpret_cast<std::byte*>(&object)) {
    // Never destroyed: threads may still run at the end of the process.
    static auto& usual = *new Object();
    usual_ = reinterpret_cast<std::byte*>(&usual);
  }
  FieldTable(const FieldTable&) = delete;
  FieldTable& operator=(const FieldTable&) = delete;
  FieldTable(FieldTable&&) = default;
  FieldTable& operator=(FieldTable&&) = default;

  /// Adds a field of the current group, for reals and integers without bounds.
  FieldBuilder operator()(std::string name, Field::Member member);
  /// The group of the fields that are added from here on, and their effect where they have none of their own.
  void group(std::string name, FieldEffect effect = FieldEffect::result);

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  auto begin() { return fields_.begin(); }
  auto end() { return fields_.end(); }
  /// The field of a name, of a name in Python, or of an option's name; null where there is none.
  const Field* find(std::string_view name) const;
  Field* find(std::string_view name);
  /// \throws InternalError where there is none.
  Field& at(std::string_view name);
  const Field& at(std::string_view name) const;

  /// Whether the run has a use for a field: the one that it needs has such a value.
  bool applies(const Field& field) const;
  /// \throws InvalidInput for the first field whose value is out of range.
  void check() const;
  /// Refuses fields that were given and that the run has no use for. \param given their names. \throws InvalidInput
  /// where there is one.
  void check_needs(std::span<const std::string> given) const;
  /// Adds the fields that the result depends on and that the run has a use for. \param usual the same of defaults.
  void add_to(RunIdentity& identity, const FieldTable& usual) const;

 private:
  std::deque<Field> fields_;     // whose elements stay where they are
  std::byte* object_ = nullptr;  // whose members the fields are
  std::byte* usual_ = nullptr;   // a new one
  std::string group_;
  FieldEffect effect_ = FieldEffect::result;
};

/// The fields of a problem or of options for reading alone; these must outlive it. A table that is const changes
/// nothing.
template <class Options>
const FieldTable fields_of(const Options& options) {
  return fields(const_cast<Options&>(options));
}

/// Adds the fields of a run's options to its identity. \param usual what they are where nothing is chosen.
template <class Options>
void add_fields(RunIdentity& identity, const Options& options, const Options& usual = {}) {
  fields_of(options).add_to(identity, fields_of(usual));
}

/// The values that a text of a solver's options may have: `choices_of<genetic::Options>("selection")`.
template <class Options>
std::vector<std::string> choices_of(std::string_view field) {
  Options options;
  return fields(options).at(field).choices;
}

/// Adds the seed, which calls of Python have as an argument of their own.
template <class Options>
void add_seed(FieldTable& table, Options& options) {
  table("seed", &options.seed).not_in_python().help("the seed of everything that is drawn");
}

/// Adds the limits that the options of several solvers have, as far as these have them. \param most generations that a
/// run may have. \param improved what `stagnation` waits for.
template <class Options>
void add_limits(FieldTable& table, Options& options, std::uint64_t most = std::numeric_limits<std::int64_t>::max(),
                const std::string& improved = "without a better one") {
  table.group("Limits", FieldEffect::limit);
  if constexpr (requires { options.generations; })
    table("generations", &options.generations)
        .range(0, most)
        .python("maxiter")
        .help("end after this many generations, counted from the very start");
  if constexpr (requires { options.evaluations; })
    table("evaluations", &options.evaluations)
        .range(1, std::numeric_limits<std::int64_t>::max())
        .python("maxfev")
        .help("end once this many individuals were evaluated");
  if constexpr (requires { options.stagnation; }) {
    table("stagnation", &options.stagnation)
        .range(0, most)
        .help("end after this many generations " + improved + "; 0: never");
    auto& field = table.at("stagnation");
    if (field.usual() == FieldValue()) field.unset = "0";
  }
  if constexpr (requires { options.target; })
    table("target", &options.target)
        .value("V")
        .help("end once the best is as good as this; status 4 where it is not reached");
}

}  // namespace clopt
