/// \file
/// Quadratic assignment of QAPLIB in files.
#include <clopt/genetic_problems.hpp>

#include <optional>

#include "input_file.hpp"
#include "line_ends.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_qaplib_file(std::string_view input) {
  static fuzz::InputFile file;
  std::optional<genetic::Problem> found;
  fuzz::read_with_any_ends(input, [&](std::string_view text) {
    found = genetic::read_qaplib(file.holding(text));
    return found->objective.table_values();
  });
  const auto& problem = *found;
  fuzz::require(problem.genes >= 1, "there is a place");
  fuzz::require(problem.objective.table_values().size() == 2 * std::size_t{problem.genes} * problem.genes,
                "the table has both matrices");
}

const fuzz::Target qaplib_target{"qaplib", read_qaplib_file};

}  // namespace
