/// \file
/// Writes the module of Python that has the types of all options, for checkers of types: make_options FILE.

#include <cctype>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "src/argument_names.hpp"
#include "src/solvers.hpp"

namespace clopt::python {
namespace {

std::string type_of(const Field& field) {
  static const std::map<std::string_view, std::string> types{
      {"flag", "bool"}, {"integer", "int"}, {"number", "float"}, {"text", "str"}};
  return takes_names(field) ? "Union[int, str, None]" : "Optional[" + types.at(field.type()) + "]";
}

// "subset_sum" has SubsetSumOptions.
std::string class_name(std::string_view solver) {
  std::string name;
  bool begins = true;
  for (const char each : solver) {
    if (each != '_') name += begins ? static_cast<char>(std::toupper(each)) : each;
    begins = each == '_';
  }
  return name + "Options";
}

template <class Options>
std::string class_of(std::string_view solver, const Options& options) {
  const auto table = fields_of(options);
  const auto names = names_of(options);
  // What draws no numbers has no state to keep either.
  const std::string base = table.find("seed") == nullptr ? "RunArguments" : "SavedRunArguments";
  std::string text = "\n\nclass " + class_name(solver) + "(" + base + ", total=False):\n";
  for (const auto& field : table)
    if (is_keyword(field))
      text +=
          "    " + argument_name(field) + ": " + type_of(field) + "\n    \"\"\"" + help_of(field, names) + "\"\"\"\n";
  return text;
}

}  // namespace
}  // namespace clopt::python

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ofstream file(arguments[1]);
  file << "\"\"\"Keyword arguments of the solvers. The build makes this of the table of their options.\"\"\"\n\n"
          "from typing import Optional, Union\n\n"
          "from clopt._solver import RunArguments, SavedRunArguments\n";
  clopt::python::for_each_solver(
      [&](const char* solver, const auto& options) { file << clopt::python::class_of(solver, options); });
  return file.flush() ? 0 : 1;
}
