/// \file
/// NK landscapes in files.
#include <clopt/ecga_problems.hpp>

#include <optional>

#include "input_file.hpp"
#include "line_ends.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_nk_file(std::string_view input) {
  static fuzz::InputFile file;
  std::optional<ecga::Problem> found;
  fuzz::read_with_any_ends(input, [&](std::string_view text) {
    found = ecga::read_nk(file.holding(text));
    return found->objective.table_values();
  });
  const auto& problem = *found;
  fuzz::require(problem.length >= 1, "there is a locus");
  fuzz::require(problem.objective.kind() == GeneKind::bits, "loci are bits");
}

const fuzz::Target nk_target{"nk", read_nk_file};

}  // namespace
