/// \file
/// Writes the module of Python that has the types of all options, for checkers of types: make_options FILE.
#include <clopt/differential_evolution.hpp>
#include <clopt/ecga.hpp>
#include <clopt/exchange.hpp>
#include <clopt/genetic.hpp>
#include <clopt/subset_sum.hpp>

#include <fstream>
#include <map>
#include <string>

#include "src/argument_names.hpp"

namespace clopt::python {
namespace {

std::string type_of(const Field& field) {
  static const std::map<std::string_view, std::string> types{
      {"flag", "bool"}, {"integer", "int"}, {"number", "float"}, {"text", "str"}};
  return takes_names(field) ? "Union[int, str, None]" : "Optional[" + types.at(field.type()) + "]";
}

template <class Options>
std::string class_of(const std::string& name) {
  const Options options;
  const auto table = fields_of(options);
  const auto names = names_of(options);
  // What draws no numbers has no state to keep either.
  const std::string base = table.find("seed") == nullptr ? "RunArguments" : "SavedRunArguments";
  std::string text = "\n\nclass " + name + "(" + base + ", total=False):\n";
  for (const auto& field : table)
    if (is_keyword(field))
      text +=
          "    " + argument_name(field) + ": " + type_of(field) + "\n    \"\"\"" + help_of(field, names) + "\"\"\"\n";
  return text;
}

}  // namespace
}  // namespace clopt::python

int main(int count, char** arguments) {
  using namespace clopt;
  using clopt::python::class_of;
  if (count != 2) return 2;
  std::ofstream file(arguments[1]);
  file << "\"\"\"Keyword arguments of the solvers. The build makes this of the table of their options.\"\"\"\n\n"
          "from typing import Optional, Union\n\n"
          "from clopt._solver import RunArguments, SavedRunArguments\n"
       << class_of<subset_sum::Options>("SubsetSumOptions") << class_of<genetic::Options>("GeneticOptions")
       << class_of<differential_evolution::Options>("DifferentialEvolutionOptions")
       << class_of<ecga::Options>("EcgaOptions") << class_of<exchange::Options>("ExchangeOptions");
  return file.flush() ? 0 : 1;
}
