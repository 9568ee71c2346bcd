/// \file
/// Tours in files, of TSPLIB and CSV.
#include <clopt/genetic_tours.hpp>

#include <optional>

#include "input_file.hpp"
#include "line_ends.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

void read_tsplib_file(std::string_view input) {
  static fuzz::InputFile file;
  std::optional<genetic::Problem> found;
  fuzz::read_with_any_ends(input, [&](std::string_view text) {
    found = genetic::make_tour(genetic::read_cities(file.holding(text))).problem;
    return found->objective.table_values();
  });
  const auto& problem = *found;
  fuzz::require(problem.genes >= 3, "there are three cities");
  fuzz::require(problem.objective.kind() == GeneKind::permutation, "a tour is a permutation");
  fuzz::require(problem.objective.table_values().size() > std::size_t{problem.genes} * problem.genes,
                "the table has all distances");
  const auto places = genetic::read_cities(file.path()).places.size();
  fuzz::require(places == 0 || places == problem.genes, "all cities have places, or none");
}

const fuzz::Target tsplib_target{"tsplib", read_tsplib_file};

}  // namespace
