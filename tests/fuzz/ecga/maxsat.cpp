/// \file
/// MAXSAT problems in DIMACS CNF in files.
#include <clopt/ecga_problems.hpp>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_maxsat_file(std::string_view input) {
  static fuzz::InputFile file;
  const auto problem = ecga::read_dimacs(file.holding(input));
  fuzz::require(problem.length >= 1, "there is a locus");
  fuzz::require(problem.objective.kind() == GeneKind::bits, "loci are bits");
}

const fuzz::Target maxsat_target{"maxsat", read_maxsat_file};

}  // namespace
