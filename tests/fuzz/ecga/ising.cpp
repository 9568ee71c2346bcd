/// \file
/// Spin glasses in files.
#include <clopt/ecga_problems.hpp>

#include "input_file.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_ising_file(std::string_view input) {
  static fuzz::InputFile file;
  const auto problem = ecga::read_ising(file.holding(input));
  fuzz::require(problem.length >= 1, "there is a locus");
  fuzz::require(problem.objective.kind() == GeneKind::bits, "loci are bits");
}

const fuzz::Target ising_target{"ising", read_ising_file};

}  // namespace
