/// \file
/// Tours of TSPLIB in files.
#include <clopt/genetic_problems.hpp>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_tsplib_file(std::string_view input) {
  static fuzz::InputFile file;
  const auto problem = genetic::read_tsplib(file.holding(input));
  fuzz::require(problem.genes >= 3, "there are three cities");
  fuzz::require(problem.objective.kind() == GeneKind::permutation, "a tour is a permutation");
  fuzz::require(problem.objective.table_values().size() > std::size_t{problem.genes} * problem.genes,
                "the table has all distances");
}

const fuzz::Target tsplib_target{"tsplib", read_tsplib_file};

}  // namespace
