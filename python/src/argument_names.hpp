/// \file
/// The fields of a solver's options by the names of Python's arguments. Without Python: the build uses it too.
#pragma once

#include <clopt/fields.hpp>

#include <map>
#include <string>
#include <string_view>

namespace clopt::python {

inline const std::string& argument_name(const Field& field) { return field.python.empty() ? field.name : field.python; }

/// Whether a call takes it among its keyword arguments `**options`. Arrays are arguments of their own.
inline bool is_keyword(const Field& field) { return field.in_python && !field.is_list(); }

/// Whether its argument also takes names in place of a number: "N|auto|double".
inline bool takes_names(const Field& field) {
  return field.is_whole() && field.value_name.find('|') != std::string::npos;
}

/// The arguments of fields.
using ArgumentNames = std::map<std::string, std::string, std::less<>>;

/// Those of options and problem, as far as these have tables.
template <class... Objects>
ArgumentNames names_of(const Objects&... objects) {
  ArgumentNames names;
  const auto add = [&]<class Object>(const Object& object) {
    if constexpr (requires(Object & each) { fields(each); })
      for (const auto& field : fields_of(object)) names.emplace(field.name, argument_name(field));
  };
  (add(objects), ...);
  return names;
}

/// A text of the library, whose fields stand within backquotes, with the names of arguments.
inline std::string with_names(std::string_view text, const ArgumentNames& names) {
  std::string result;
  while (true) {
    const auto begin = text.find('`');
    const auto end = begin == text.npos ? begin : text.find('`', begin + 1);
    if (end == text.npos) return result += text;
    const auto name = text.substr(begin + 1, end - begin - 1);
    const auto found = names.find(name);
    auto argument = std::string(1, '`').append(found == names.end() ? name : std::string_view(found->second)) + '`';
    result += text.substr(0, begin);
    text.remove_prefix(end + 1);
    // Two fields may be one argument: "`lower` and `upper`".
    if (constexpr std::string_view conjunction = " and "; result.ends_with(argument + std::string(conjunction)))
      result.resize(result.size() - conjunction.size());
    else
      result += argument;
  }
}

/// What a field means. Of a flag that is on by default the table says what turning it off means.
inline std::string help_of(const Field& field, const ArgumentNames& names) {
  return (field.usual() == FieldValue(true) ? "False: " : "") + with_names(field.help, names);
}

}  // namespace clopt::python
