/// \file
/// Quadratic assignment of QAPLIB in files.
#include <clopt/genetic_problems.hpp>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_qaplib_file(std::string_view input) {
  static fuzz::InputFile file;
  const auto problem = genetic::read_qaplib(file.holding(input));
  fuzz::require(problem.genes >= 1, "there is a place");
  fuzz::require(problem.objective.table_values().size() == 2 * std::size_t{problem.genes} * problem.genes,
                "the table has both matrices");
}

const fuzz::Target qaplib_target{"qaplib", read_qaplib_file};

}  // namespace
